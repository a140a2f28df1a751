// Logins of administrators: a password, then a second factor. Wrong passwords and wrong second factors are counted in
// the database, per name and per address, so that guesses at several servers share one limit.
import { factorKinds, type LoginState } from '@sealpost/contract/admin';
import type { Clock } from '@sealpost/contract/ports';
import { Problem } from '../../platform/json-api/problem.ts';
import type { SecurityEvents } from '../../platform/kernel/security-events.ts';
import type { Reader, Store, Tx } from '../../platform/store/store.ts';
import type { Passwords } from '../accounts/index.ts';
import type { AdminCaller, Audit, CallerSession } from '../admin/index.ts';
import type { Attempt, Failures } from '../login/index.ts';
import * as q from './queries.ts';
import type { RelyingParty } from './relying-party.ts';
import type { AdminSessions } from './sessions.ts';
import { timeOf } from './time-of.ts';

/** Maximum number of wrong second factors in one login. After them, the login is over. */
const MOST_TRIES = 5;

export interface LoginDeps {
  readonly store: Store;
  readonly clock: Clock;
  readonly passwords: Passwords;
  readonly failures: Failures;
  readonly sessions: AdminSessions;
  readonly audit: Audit;
  readonly events: SecurityEvents;
  /** False in dev mode: there, an administrator without a second factor logs in with the password alone. */
  readonly needsSecondFactor: boolean;
  readonly party: () => RelyingParty | undefined;
}

export interface AdminLogin {
  /** Returns the state of a session's login. */
  stateOf(session: CallerSession | undefined): Promise<LoginState>;
  logIn(name: string, password: string, caller: AdminCaller): Promise<LoginState>;
  /**
   * Completes a login if `check` returns that the second factor is right. `check` runs outside of a transaction and
   * uses the factor up.
   */
  complete(caller: AdminCaller, by: string, check: (session: CallerSession) => Promise<boolean>): Promise<LoginState>;
  /** Throws if the password is not the caller's. */
  requirePassword(session: CallerSession, password: string, address: string): Promise<void>;
}

export function createAdminLogin(deps: LoginDeps): AdminLogin {
  const { store, failures, sessions, events } = deps;

  async function stateOf(session: CallerSession | undefined): Promise<LoginState> {
    const party = deps.party();
    const passkeyOrigin = party && { passkeyOrigin: party.origin };
    if (!session) return { state: 'none', factors: [], ...passkeyOrigin };
    return {
      state: session.state,
      administrator: session.administrator,
      factors: await store.read((reader) => factorsIn(reader, session.administratorId)),
      expiresTime: timeOf(session.expiresTime),
      ...passkeyOrigin,
    };
  }

  return {
    stateOf,
    async logIn(name, password, caller) {
      const row = await store.read((reader) => reader.one(q.administratorByName, name));
      const administrator = await verify(deps, row, name, password, caller.address);
      if (!administrator) throw wrongPassword();
      const session = await store.transact(async (tx) => {
        // The password may have been changed, or the administrator removed, since the password was checked.
        const held = await tx.one(q.administratorById, administrator.id);
        if (held?.password_hash !== administrator.password_hash) throw wrongPassword();
        const factors = await factorsIn(tx, administrator.id);
        if (factors.length > 0) return sessions.open(tx, administrator, 'second-factor', caller);
        if (deps.needsSecondFactor) throw wrongPassword();
        await noteLogin(tx, deps, administrator, 'the password', caller);
        return sessions.open(tx, administrator, 'full', caller);
      });
      return stateOf(session);
    },
    async complete(caller, by, check) {
      const session = requireStep(caller, ['second-factor']);
      const attempt = {
        who: `second factor of ${session.administratorId}`,
        address: caller.address,
        device: undefined,
      };
      const counted = await failures.count(attempt);
      const tries = (await store.transact((tx) => tx.one(q.addTry, session.id)))?.tries;
      if (tries === undefined || tries > MOST_TRIES) throw new Problem(401, 'the login is over; begin again');
      if (!(await check(session))) {
        events.note('failed-admin-login', caller.address);
        if (tries === MOST_TRIES) await store.transact(async (tx) => void (await tx.one(q.deleteSession, session.id)));
        throw new Problem(403, `${by} is wrong, or was used before`);
      }
      await counted.takeBack();
      const full = await store.transact(async (tx) => {
        const promoted = await sessions.promote(tx, session, caller);
        if (!promoted) throw new Problem(409, 'the login was completed or ended at the same moment');
        await noteLogin(tx, deps, { id: session.administratorId, name: session.administrator }, by, caller);
        return promoted;
      });
      return stateOf(full);
    },
    async requirePassword(session, password, address) {
      const row = await store.read((reader) => reader.one(q.administratorById, session.administratorId));
      if (!(await verify(deps, row, session.administrator, password, address))) {
        throw new Problem(403, 'the password is wrong', { code: 'wrong-password' });
      }
    },
  };
}

/** Returns whether a password is right. Takes as long for a name that nobody has. Counts a wrong one. */
async function verify(
  { failures, passwords, events }: LoginDeps,
  row: q.AdministratorRow | undefined,
  name: string,
  password: string,
  address: string,
) {
  const attempt = { who: `administrator ${name}`, address, device: undefined };
  await failures.check(attempt);
  let counted: Attempt | undefined;
  const usable = row?.ready ? row : undefined;
  const matches = await passwords.verify(usable?.password_hash, password, async () => {
    counted = await failures.count(attempt);
  });
  if (matches) await counted?.takeBack();
  else events.note('failed-admin-login', address);
  return matches ? usable : undefined;
}

async function noteLogin(
  tx: Tx,
  { audit, clock }: LoginDeps,
  { id, name }: Pick<q.AdministratorRow, 'id' | 'name'>,
  by: string,
  { address }: AdminCaller,
): Promise<void> {
  await tx.run(q.noteLogin, clock.now(), id);
  const detail = JSON.stringify({ by, address });
  await audit.record(tx, { actor: `administrator:${name}`, action: 'administrator.log-in', subject: name, detail });
}

/** Returns whether a password is right. Counts a wrong password. For an unknown name, the check takes equally long. */
export async function factorsIn(reader: Reader, administratorId: number): Promise<LoginState['factors']> {
  const kinds = new Set((await reader.all(q.factorsOf, administratorId)).map(({ kind }) => kind));
  const codes = (await reader.one(q.recoveryCodesOf, administratorId))?.codes ?? 0;
  return [...factorKinds.filter((kind) => kinds.has(kind)), ...(codes > 0 ? (['recovery-code'] as const) : [])];
}

/**
 * Returns the session of the caller.
 * @throws Problem 409 if the session is in none of the states
 */
export function requireStep({ session }: AdminCaller, states: readonly CallerSession['state'][]): CallerSession {
  if (session && states.includes(session.state)) return session;
  throw new Problem(409, `the login is at the step ${session?.state ?? 'none'}, not at ${states.join(' or ')}`);
}

const wrongPassword = (): Problem => new Problem(401, 'the name or the password is wrong');
