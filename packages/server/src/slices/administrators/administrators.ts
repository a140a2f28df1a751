// Puts the parts of the slice together.
import type { FailureLimits, Limits } from '@sealpost/contract';
import type { Clock, Random } from '@sealpost/contract/ports';
import type { Ids } from '../../platform/kernel/ids.ts';
import type { SecurityEvents } from '../../platform/kernel/security-events.ts';
import type { RateLimits } from '../../platform/rpc/rate-limit.ts';
import type { Store } from '../../platform/store/store.ts';
import type { Passwords } from '../accounts/index.ts';
import type { AdminCredentials, Audit } from '../admin/index.ts';
import { createAttemptStore, createFailures } from '../login/index.ts';
import type { ServerSecret } from '../sessions/index.ts';
import { administratorHandlers } from './admin-routes.ts';
import { createAdminLogin } from './login.ts';
import { addReady, administratorByName, insertAdministrator, lockReady } from './queries.ts';
import { relyingPartyOf } from './relying-party.ts';
import { createSecondFactors } from './second-factors.ts';
import { createAdminSessions } from './sessions.ts';
import { createSetup, type Setup } from './setup.ts';
import { createAdminTokens } from './tokens.ts';

export interface AdministratorDeps {
  readonly store: Store;
  readonly ids: Ids;
  readonly clock: Clock;
  readonly random: Random;
  readonly secret: ServerSecret;
  readonly passwords: Passwords;
  readonly audit: Audit;
  readonly rates: RateLimits;
  readonly events: SecurityEvents;
  readonly limits: Limits;
  readonly failureLimits: FailureLimits;
  readonly secureCookies: boolean;
  /** False in dev mode: there, an administrator without a second factor logs in with the password alone. */
  readonly needsSecondFactor: boolean;
  /** Returns the address that clients use. */
  readonly url: () => string;
}

export interface Administrators extends Pick<Setup, 'linkOfStart'> {
  readonly handlers: ReturnType<typeof administratorHandlers>;
  readonly credentials: AdminCredentials;
  /** Creates an administrator without a second factor, unless one has the name. For dev mode only. */
  seed(name: string, password: string): Promise<void>;
  /** Returns whether an administrator has this name and password. */
  hasPassword(name: string, password: string): Promise<boolean>;
}

export function createAdministrators(deps: AdministratorDeps): Administrators {
  const { store, ids, clock, secret, passwords, limits, url } = deps;
  const party = () => relyingPartyOf(url());
  const sessions = createAdminSessions({
    ...deps,
    idleMs: limits.adminIdleMs.value,
    longestMs: limits.adminSessionMs.value,
  });
  const tokens = createAdminTokens(deps);
  const setup = createSetup(deps);
  const failures = createFailures(createAttemptStore({ store, clock, secret }), deps.failureLimits);
  const login = createAdminLogin({ ...deps, failures, sessions, party });
  const factors = createSecondFactors({
    ...{ ...deps, sessions, login, party },
    key: secret.key('administrator factors'),
    host: () => new URL(url()).host,
  });
  const find = (name: string) => store.read((reader) => reader.one(administratorByName, name));
  return {
    linkOfStart: setup.linkOfStart,
    handlers: administratorHandlers({ ...deps, setup, login, factors, sessions, tokens }),
    credentials: { sessionOf: sessions.find, hasCookie: sessions.hasCookie, tokenOf: tokens.find },
    async seed(name, password) {
      if (await find(name)) return;
      const hash = await passwords.hash(password);
      await store.transact(async (tx) => {
        await tx.one(lockReady);
        if (await tx.one(administratorByName, name)) return;
        await tx.run(insertAdministrator, ids.next(), name, hash, 1, 0, clock.now());
        await tx.run(addReady, 1);
      });
    },
    async hasPassword(name, password) {
      const found = await find(name);
      return found !== undefined && passwords.verify(found.password_hash, password);
    },
  };
}
