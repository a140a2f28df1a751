import { type FailureLimits, loginTypes } from '@sealpost/contract';
import type { Clock, Random, Timers } from '@sealpost/contract/ports';
import type { login as loginMethods } from '@sealpost/contract/schemas';
import type { SlowCrypto } from '../../platform/kernel/ports.ts';
import type { Call, Handlers } from '../../platform/rpc/call.ts';
import type { HttpHandlers } from '../../platform/rpc/http-requests.ts';
import type { Reader, Store } from '../../platform/store/store.ts';
import type { Accounts, Passwords } from '../accounts/index.ts';
import {
  type Certificates,
  clearLctCookie,
  LOGGED_OUT,
  lctCookie,
  type ServerSecret,
  type Sessions,
  type TellDevices,
} from '../sessions/index.ts';
import { type Approvals, createApprovals } from './approvals.ts';
import { createAttemptStore } from './attempt-store.ts';
import { createAuthSessionIds } from './auth-session-ids.ts';
import { createCredentialConfirm } from './credential-confirm.ts';
import { createCredentialLogin, type LoginConfirmation } from './credential-login.ts';
import { createEncryptedIdentity } from './encrypted-identity.ts';
import { createFailures } from './failures.ts';
import type { AccountKeyOf } from './key-chain.ts';
import { createKeyPool } from './key-pool.ts';
import { createQrPage, type QrPage } from './login-page.ts';
import { createLoginWaiters } from './login-waiters.ts';
import { createOpenSession, type RefusesDevices } from './new-session.ts';
import { createPendingLogins } from './pending-logins.ts';
import { createPinCodes } from './pin-codes.ts';
import { createProvePassword, type ProvePassword } from './prove-password.ts';
import { qrLoginHandlers } from './qr-login.ts';
import { createVerifiers } from './verifiers.ts';

export interface LoginDeps {
  readonly store: Store;
  readonly clock: Clock;
  readonly random: Random;
  readonly timers: Timers;
  readonly slowCrypto: SlowCrypto;
  readonly secret: ServerSecret;
  readonly accounts: Accounts;
  readonly sessions: Sessions;
  readonly certificates: Certificates;
  readonly passwords: Passwords;
  readonly tellDevices: TellDevices;
  readonly confirmation: LoginConfirmation;
  readonly failureLimits: FailureLimits;
  readonly refusesDevices: RefusesDevices;
  /** True if browsers reach the server over https. Cookies are then marked as secure. */
  readonly secureCookies: boolean;
  readonly brand: string;
  /** Returns the address at which clients reach the server. It is known once the server listens. */
  readonly url: () => string;
  readonly onError: (error: unknown, what: string) => void;
  readonly accountKeyOf: AccountKeyOf;
  /** Returns whether the account of a mid takes part in Letter Sealing. */
  readonly canSeal: (reader: Reader, mid: string) => Promise<boolean>;
}

export interface Login {
  readonly handlers: Handlers<keyof typeof loginMethods>;
  readonly httpHandlers: Pick<HttpHandlers, 'longPollLF1' | 'longPollJQ'>;
  /** Decisions about waiting logins, made by logged-in devices or the operator. */
  readonly approvals: Approvals;
  /** Asks a logged-in caller for the password again. */
  readonly provePassword: ProvePassword;
  /** The page at the address in a QR code. */
  readonly qrPage: QrPage;
  /** Removes expired logins, login keys and counts of attempts. */
  sweep(): Promise<void>;
  /** Ends all long polls before the server stops. */
  endPolls(): void;
}

/** Separates the lifetime from the token in the answer of acquireEncryptedAccessToken. */
const RECORD_SEPARATOR = '\x1e';

export function createLogin(deps: LoginDeps): Login {
  const { store, clock, random, sessions, secret } = deps;
  const cookies = { secure: deps.secureCookies };
  const keyPool = createKeyPool(deps);
  const attempts = createAttemptStore(deps);
  const failures = createFailures(attempts, deps.failureLimits);
  const identityOf = createEncryptedIdentity(secret);
  const waiters = createLoginWaiters(deps.timers);
  const pending = createPendingLogins({ clock, random, waiters });
  const pinCodes = createPinCodes(secret, random, attempts, deps.failureLimits.pinPerAccount);
  const openSession = createOpenSession(deps);
  const shared = { ...deps, pending, waiters, pinCodes, openSession };
  const confirm = createCredentialConfirm({ ...shared, verifiers: createVerifiers(secret) });
  const logIn = createCredentialLogin({ ...deps, keyPool, failures, confirm, openSession });
  const entered = (call: Call, accessToken: string): void =>
    call.setCookie(lctCookie(accessToken, sessions.accessTokenSec, cookies));

  const handlers: Handlers<keyof typeof loginMethods> = {
    ...qrLoginHandlers({ ...shared, authSessionIds: createAuthSessionIds(secret), entered }),
    'TalkService.getRSAKeyInfo': (call) => keyPool.take(call.remoteAddress),
    'AuthService.loginV2': async (call, request) => {
      const result =
        request.type === loginTypes.QRCODE
          ? await confirm.finish(request.verifier ?? '', call)
          : await logIn(request, call);
      if (result.tokenV3IssueResult) entered(call, result.tokenV3IssueResult.accessToken);
      return result;
    },
    'AuthService.confirmE2EELogin': (_call, verifier, deviceSecret) => confirm.prove(verifier, deviceSecret),
    'AuthService.logoutV2': async (call) => {
      await sessions.revoke([call.caller.sessionId], LOGGED_OUT);
      call.setCookie(clearLctCookie(cookies));
      return null;
    },
    'TalkService.getEncryptedIdentityV3': (call) => identityOf(call.caller.accountId),
    'TalkService.acquireEncryptedAccessToken': (call) => {
      const { token, lifeSec } = sessions.objectToken(call.caller);
      return `${lifeSec}${RECORD_SEPARATOR}${token}`;
    },
  };

  return {
    handlers,
    httpHandlers: confirm.polls,
    approvals: createApprovals(shared),
    provePassword: createProvePassword({ ...deps, failures }),
    qrPage: createQrPage({ store, pending }),
    async sweep() {
      await store.transact(async (tx) => {
        await pending.sweep(tx);
        await keyPool.sweep(tx);
      });
      await attempts.sweep();
    },
    endPolls: () => waiters.endAll(),
  };
}
