// Admin endpoints of setup, login, second factors, administrators, their sessions, and scoped tokens.
import type { AuditAction, administratorEndpoints, adminLoginEndpoints } from '@sealpost/contract/admin';
import { Problem } from '../../platform/json-api/problem.ts';
import { addressBlock } from '../../platform/kernel/address-block.ts';
import type { SecurityEvents } from '../../platform/kernel/security-events.ts';
import { RateExceeded } from '../../platform/rpc/rate-exceeded.ts';
import type { RateLimits } from '../../platform/rpc/rate-limit.ts';
import type { Store, Tx } from '../../platform/store/store.ts';
import { checkPassword, type Passwords } from '../accounts/index.ts';
import type { AdminCaller, AdminHandlers, Audit } from '../admin/index.ts';
import { type AdminLogin, requireStep } from './login.ts';
import * as q from './queries.ts';
import type { SecondFactors } from './second-factors.ts';
import type { AdminSessions } from './sessions.ts';
import { removeAdministrator, type Setup } from './setup.ts';
import { timeOf } from './time-of.ts';
import type { AdminTokens } from './tokens.ts';

export interface AdministratorRouteDeps {
  readonly store: Store;
  readonly passwords: Passwords;
  readonly rates: RateLimits;
  readonly events: SecurityEvents;
  readonly audit: Audit;
  readonly setup: Setup;
  readonly login: AdminLogin;
  readonly factors: SecondFactors;
  readonly sessions: AdminSessions;
  readonly tokens: AdminTokens;
}

type Login = AdminHandlers<keyof typeof adminLoginEndpoints>;
type Others = AdminHandlers<keyof typeof administratorEndpoints>;

export const administratorHandlers = (deps: AdministratorRouteDeps): Login & Others => ({
  ...loginHandlers(deps),
  ...factorHandlers(deps),
  ...managementHandlers(deps),
});

const noted = (
  { audit }: Pick<AdministratorRouteDeps, 'audit'>,
  tx: Tx,
  { actor }: AdminCaller,
  action: AuditAction,
  subject: string,
  detail: object = {},
): Promise<void> => audit.record(tx, { actor, action, subject, detail: JSON.stringify(detail) });

type FactorEndpoint =
  | 'listSecondFactors'
  | `${'begin' | 'add'}${'Totp' | 'Passkey'}`
  | 'removeSecondFactor'
  | 'makeRecoveryCodes'
  | 'changePassword';

function loginHandlers(deps: AdministratorRouteDeps): Omit<Login, FactorEndpoint> {
  const { store, passwords, rates, events, setup, login, factors, sessions } = deps;

  /** Checks a setup link before the slow hash of the password. Wrong links count like wrong admin tokens. */
  async function checkLink(link: string, { address }: AdminCaller): Promise<void> {
    const turn = rates.take('admin', addressBlock(address));
    if (!turn.ok) throw new RateExceeded('too many wrong setup links from this address', turn.retryAfterMs);
    await setup.check(link).catch((error: unknown) => {
      events.note('wrong-admin-token', address);
      throw error;
    });
    rates.give('admin', addressBlock(address));
  }

  return {
    showLogin: (_args, { session }) => login.stateOf(session),
    async setUp({ setup: link, name, password }, caller) {
      checkPassword(password, name);
      await checkLink(link, caller);
      const hash = await passwords.hash(password);
      const session = await store.transact(async (tx) =>
        sessions.open(tx, await setup.use(tx, link, name, hash), 'enrol', caller),
      );
      return login.stateOf(session);
    },
    logIn: ({ name, password }, caller) => login.logIn(name, password, caller),
    logInWithTotp: ({ code }, caller) =>
      login.complete(caller, 'the code', (session) => factors.useTotp(session, code)),
    beginPasskeyLogin: (_args, caller) => factors.askPasskey(requireStep(caller, ['second-factor'])),
    logInWithPasskey: ({ credential }, caller) =>
      login.complete(caller, 'the answer of the passkey', (session) => factors.usePasskey(session, credential)),
    logInWithRecoveryCode: ({ code }, caller) =>
      login.complete(caller, 'the recovery code', (session) => factors.useRecoveryCode(session, code)),
    async logOut(_args, caller) {
      const { session } = caller;
      await store.transact(async (tx) => {
        if (!session || !(await tx.one(q.deleteSession, session.id))) return;
        if (session.state === 'full') await noted(deps, tx, caller, 'administrator.log-out', session.administrator);
      });
      sessions.clear(caller);
    },
  };
}

function factorHandlers(deps: AdministratorRouteDeps): Pick<Login, FactorEndpoint> {
  const { store, passwords, login, factors } = deps;
  return {
    async listSecondFactors(_args, caller) {
      const { administratorId } = requireStep(caller, ['full']);
      return store.read(async (reader) => ({
        factors: (await reader.all(q.factorsOf, administratorId)).map((row) => ({
          id: String(row.id),
          kind: row.kind,
          name: row.name,
          createdTime: timeOf(row.created_time),
          ...(row.last_used_time === null ? {} : { lastUsedTime: timeOf(row.last_used_time) }),
        })),
        recoveryCodesLeft: Number((await reader.one(q.recoveryCodesOf, administratorId))?.codes ?? 0),
      }));
    },
    beginTotp: ({ password }, caller) => factors.beginTotp(caller, password),
    addTotp: ({ code, name }, caller) => factors.addTotp(caller, code, name),
    beginPasskey: ({ password }, caller) => factors.beginPasskey(caller, password),
    addPasskey: ({ credential, name }, caller) => factors.addPasskey(caller, credential, name),
    async removeSecondFactor({ factor, password }, caller) {
      await factors.remove(caller, factor, password);
    },
    makeRecoveryCodes: async ({ password }, caller) => ({
      recoveryCodes: await factors.renewRecoveryCodes(caller, password),
    }),
    async changePassword({ password, newPassword }, caller) {
      const session = requireStep(caller, ['full']);
      checkPassword(newPassword, session.administrator);
      await login.requirePassword(session, password, caller.address);
      const hash = await passwords.hash(newPassword);
      await store.transact(async (tx) => {
        await tx.run(q.notePassword, hash, session.administratorId);
        await tx.run(q.deleteSessionsOf, session.administratorId, session.id);
        await noted(deps, tx, caller, 'administrator.change-password', session.administrator);
      });
    },
  };
}

function managementHandlers(deps: AdministratorRouteDeps): Others {
  const { store, setup, sessions, tokens } = deps;
  return {
    listAdministrators: () =>
      store.read(async (reader) => {
        const rows = await reader.all(q.readyAdministrators);
        const administrators = rows.map(async (row) => ({
          name: row.name,
          factors: [...new Set((await reader.all(q.factorsOf, row.id)).map(({ kind }) => kind))],
          createdTime: timeOf(row.created_time),
          ...(row.last_login_time === null ? {} : { lastLoginTime: timeOf(row.last_login_time) }),
        }));
        return { administrators: await Promise.all(administrators) };
      }),
    createSetupLink: ({ name }, caller) =>
      store.transact(async (tx) => {
        const { link, expires } = await setup.makeLink(tx, name);
        await noted(deps, tx, caller, 'administrator.invite', name ?? '');
        return { link, expiresTime: timeOf(expires), ...(name === undefined ? {} : { name }) };
      }),
    async removeAdministrator({ administrator: name, last = false }, caller) {
      await store.transact(async (tx) => {
        const { ready = 0 } = (await tx.one(q.lockReady)) ?? {};
        const found = await tx.one(q.administratorByName, name);
        if (!found?.ready) throw new Problem(404, `no administrator has the name ${JSON.stringify(name)}`);
        if (ready === 1 && !last)
          throw new Problem(409, `${name} is the last administrator of this server`, { code: 'last-administrator' });
        await removeAdministrator(tx, found.id);
        await tx.run(q.addReady, -1);
        await noted(deps, tx, caller, 'administrator.remove', name);
      });
    },
    async listAdminSessions(_args, { session: own }) {
      const rows = await store.read((reader) => sessions.list(reader));
      return {
        sessions: rows.map((row) => ({
          id: String(row.id),
          administrator: row.administrator_name,
          current: row.id === own?.id,
          remoteAddress: row.remote_address,
          userAgent: row.user_agent,
          createdTime: timeOf(row.created_time),
          lastSeenTime: timeOf(row.last_seen_time),
          expiresTime: timeOf(row.expires_time),
        })),
      };
    },
    async endAdminSession({ session }, caller) {
      await store.transact(async (tx) => {
        const live = (await sessions.list(tx)).find(({ id }) => String(id) === session);
        if (!live) throw new Problem(404, `no live session has the id ${JSON.stringify(session)}`);
        await tx.one(q.deleteSession, live.id);
        await noted(deps, tx, caller, 'administrator.end-session', live.administrator_name, { session });
      });
    },
    listTokens: async () => ({ tokens: await tokens.list() }),
    createToken: (wanted, caller) =>
      store.transact(async (tx) => {
        const made = await tokens.create(tx, wanted, caller.actor);
        await noted(deps, tx, caller, 'token.create', made.id, { name: made.name, scopes: made.scopes });
        return made;
      }),
    async revokeToken({ token }, caller) {
      await store.transact(async (tx) => {
        const name = await tokens.revoke(tx, token);
        if (name === undefined) throw new Problem(404, `no token has the id ${JSON.stringify(token)}`);
        await noted(deps, tx, caller, 'token.revoke', token, { name });
      });
    },
  };
}
