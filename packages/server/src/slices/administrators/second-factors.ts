// Second factors of administrators: passkeys, codes of authenticator apps, and recovery codes.
import type {
  AdminResult,
  AuditAction,
  NewPasskey,
  PasskeyAnswer,
  PasskeyCreation,
  PasskeyRequest,
} from '@sealpost/contract/admin';
import type { Clock, Random } from '@sealpost/contract/ports';
import { Problem } from '../../platform/json-api/problem.ts';
import type { Ids } from '../../platform/kernel/ids.ts';
import { openBytes, sealBytes } from '../../platform/kernel/sealed-bytes.ts';
import type { Store, Tx } from '../../platform/store/store.ts';
import type { AdminCaller, Audit, CallerSession } from '../admin/index.ts';
import { type AdminLogin, requireStep } from './login.ts';
import { checkAnswer, checkNewPasskey, creationOf, newChallenge, requestOf } from './passkeys.ts';
import * as q from './queries.ts';
import { renewRecoveryCodes, useRecoveryCode } from './recovery-codes.ts';
import type { RelyingParty } from './relying-party.ts';
import type { AdminSessions } from './sessions.ts';
import { finishSetup } from './setup.ts';
import { timeOf } from './time-of.ts';
import { newTotpSecret, stepOf, totpUri } from './totp.ts';

export interface FactorDeps {
  readonly store: Store;
  readonly ids: Ids;
  readonly clock: Clock;
  readonly random: Random;
  readonly sessions: AdminSessions;
  readonly audit: Audit;
  readonly login: AdminLogin;
  /** Key that encrypts the secrets of authenticator apps. */
  readonly key: Buffer;
  readonly party: () => RelyingParty | undefined;
  readonly host: () => string;
}

type Enrolled = AdminResult<'addTotp'>;
type NewFactor = Pick<q.FactorRow, 'kind' | 'name' | 'credential_id' | 'key' | 'transports' | 'counter'>;

export interface SecondFactors {
  beginTotp(caller: AdminCaller, password: string | undefined): Promise<AdminResult<'beginTotp'>>;
  addTotp(caller: AdminCaller, code: string, name: string): Promise<Enrolled>;
  beginPasskey(caller: AdminCaller, password: string | undefined): Promise<PasskeyCreation>;
  addPasskey(caller: AdminCaller, credential: NewPasskey, name: string): Promise<Enrolled>;
  /** Returns whether the code is right, and uses it up. */
  useTotp(session: CallerSession, code: string): Promise<boolean>;
  askPasskey(session: CallerSession): Promise<PasskeyRequest>;
  /** Returns whether the answer is right, and uses the challenge up. */
  usePasskey(session: CallerSession, answer: PasskeyAnswer): Promise<boolean>;
  useRecoveryCode(session: CallerSession, code: string): Promise<boolean>;
  remove(caller: AdminCaller, factor: string, password: string): Promise<void>;
  renewRecoveryCodes(caller: AdminCaller, password: string): Promise<string[]>;
}

/** The session states in which a caller may add a second factor. */
const ENROLLING = ['enrol', 'full'] as const;

export const createSecondFactors = (deps: FactorDeps): SecondFactors => ({
  ...totpFactors(deps),
  ...passkeyFactors(deps),
  ...ownFactors(deps),
});

const factorsOf = ({ store }: FactorDeps, { administratorId }: CallerSession): Promise<q.FactorRow[]> =>
  store.read((reader) => reader.all(q.factorsOf, administratorId));

/**
 * Returns the session of a caller who may add a second factor. A caller who is logged in must give the password again.
 */
async function mayAdd(
  { login }: FactorDeps,
  caller: AdminCaller,
  password: string | undefined,
): Promise<CallerSession> {
  const session = requireStep(caller, ENROLLING);
  if (session.state === 'full') await login.requirePassword(session, password ?? '', caller.address);
  return session;
}

function totpFactors(deps: FactorDeps): Pick<SecondFactors, 'beginTotp' | 'addTotp' | 'useTotp'> {
  const { store, clock, random, key } = deps;
  return {
    async beginTotp(caller, password) {
      const session = await mayAdd(deps, caller, password);
      const secret = newTotpSecret(random);
      const sealed = sealBytes(random, key, Buffer.from(secret));
      await store.transact((tx) => tx.run(q.noteTotp, sealed, session.id));
      return { secret, uri: totpUri(secret, deps.host(), session.administrator) };
    },
    async addTotp(caller, code, name) {
      const session = requireStep(caller, ENROLLING);
      const sealed = (await store.read((reader) => reader.one(q.findTotp, session.id)))?.totp ?? undefined;
      if (sealed === undefined)
        throw new Problem(409, 'no authenticator app is being added; begin again', { code: 'begin-again' });
      const counter = stepOf(openBytes(key, sealed).toString(), code, clock.now());
      if (counter === undefined)
        throw new Problem(403, 'the code is wrong; look at the clock of the device', { code: 'wrong-code' });
      return enrol(deps, caller, session, {
        kind: 'totp',
        name,
        credential_id: null,
        key: sealed,
        transports: '',
        counter,
      });
    },
    async useTotp(session, code) {
      for (const { id, kind, key: sealed } of await factorsOf(deps, session)) {
        const step = kind === 'totp' ? stepOf(openBytes(key, sealed).toString(), code, clock.now()) : undefined;
        if (step !== undefined && (await raise(deps, session, id, step))) return true;
      }
      return false;
    },
  };
}

type PasskeyFactors = Pick<SecondFactors, 'beginPasskey' | 'addPasskey' | 'askPasskey' | 'usePasskey'>;

function passkeyFactors(deps: FactorDeps): PasskeyFactors {
  const { store, random } = deps;
  function requireParty(): RelyingParty {
    const party = deps.party();
    if (party) return party;
    throw new Problem(409, 'passkeys need a server with a name and https: set public-url, or use an authenticator app');
  }

  /** Stores a new challenge in the session and returns it. */
  async function challengeFor(session: CallerSession): Promise<string> {
    const challenge = newChallenge(random);
    await store.transact((tx) => tx.run(q.noteChallenge, challenge, session.id));
    return challenge;
  }

  /** Returns the challenge of the session and removes it, so that it cannot be used again. */
  const takeChallenge = (session: CallerSession): Promise<string> =>
    store.transact(async (tx) => {
      const found = (await tx.one(q.lockChallenge, session.id))?.challenge ?? undefined;
      if (found === undefined)
        throw new Problem(403, 'no challenge waits for an answer; ask for a new one', { code: 'begin-again' });
      await tx.run(q.noteChallenge, null, session.id);
      return found;
    });

  return {
    async beginPasskey(caller, password) {
      const party = requireParty();
      const session = await mayAdd(deps, caller, password);
      const owner = { id: session.administratorId, name: session.administrator };
      return creationOf(party, owner, await factorsOf(deps, session), await challengeFor(session));
    },
    async addPasskey(caller, credential, name) {
      const session = requireStep(caller, ENROLLING);
      const found = await checkNewPasskey(requireParty(), await takeChallenge(session), credential);
      if (!found) {
        throw new Problem(403, 'the passkey was not made for this challenge and this server; begin again', {
          code: 'begin-again',
        });
      }
      const { credentialId, publicKey, transports, counter } = found;
      return enrol(deps, caller, session, {
        kind: 'passkey',
        name,
        credential_id: credentialId,
        key: publicKey,
        transports,
        counter,
      });
    },
    async askPasskey(session) {
      const passkeys = (await factorsOf(deps, session)).filter(({ kind }) => kind === 'passkey');
      if (passkeys.length === 0) throw new Problem(409, 'the administrator has no passkey');
      return requestOf(requireParty(), passkeys, await challengeFor(session));
    },
    async usePasskey(session, answer) {
      const challenge = await takeChallenge(session);
      const factor = (await factorsOf(deps, session)).find(({ credential_id: id }) => id === answer.id);
      const counter = factor && (await checkAnswer(requireParty(), challenge, answer, factor));
      return counter !== undefined && (await raise(deps, session, factor?.id ?? 0, counter));
    },
  };
}

function ownFactors(deps: FactorDeps): Pick<SecondFactors, 'useRecoveryCode' | 'remove' | 'renewRecoveryCodes'> {
  const { store, random, login } = deps;
  return {
    useRecoveryCode: (session, code) => store.transact((tx) => useRecoveryCode(tx, session.administratorId, code)),
    async remove(caller, factor, password) {
      const session = requireStep(caller, ['full']);
      ownFactor(await factorsOf(deps, session), factor);
      await login.requirePassword(session, password, caller.address);
      await store.transact((tx) => removeFactor(tx, deps, caller, session, factor));
    },
    async renewRecoveryCodes(caller, password) {
      const session = requireStep(caller, ['full']);
      await login.requirePassword(session, password, caller.address);
      return store.transact(async (tx) => {
        await note(tx, deps, caller, session, 'administrator.renew-recovery-codes', {});
        return renewRecoveryCodes(tx, random, session.administratorId);
      });
    },
  };
}

const note = (
  tx: Tx,
  { audit }: Pick<FactorDeps, 'audit'>,
  { actor }: AdminCaller,
  { administrator }: CallerSession,
  action: AuditAction,
  detail: object,
): Promise<void> => audit.record(tx, { actor, action, subject: administrator, detail: JSON.stringify(detail) });

/**
 * Stores the use of a factor. Returns false if its counter did not rise: the code was used before, or somebody copied
 * the passkey. Passkeys without a counter always send 0.
 */
const raise = async ({ store, clock }: FactorDeps, session: CallerSession, id: number, counter: number) =>
  store.transact(async (tx) => {
    const { administratorId } = session;
    const now = clock.now();
    const noted =
      counter === 0
        ? await tx.one(q.noteUse, now, administratorId, id)
        : await tx.one(q.raiseCounter, counter, now, administratorId, id, counter);
    return noted !== undefined;
  });

/** Adds a factor. With the first factor, the administrator gets recovery codes and is ready to log in. */
async function enrol(
  deps: FactorDeps,
  caller: AdminCaller,
  session: CallerSession,
  factor: NewFactor,
): Promise<Enrolled> {
  const { store, ids, clock, random, sessions, login } = deps;
  const id = ids.next();
  const { administratorId } = session;
  const { name, kind } = factor;
  const done = await store.transact(async (tx) => {
    const now = clock.now();
    if (session.state === 'enrol') {
      await finishSetup(tx, administratorId);
      // Completing a setup also logs the administrator in.
      await tx.run(q.noteLogin, now, administratorId);
    }
    const isFirst = (await tx.all(q.factorsOf, administratorId)).length === 0;
    const { credential_id: credential, key, transports, counter } = factor;
    await tx.run(q.insertFactor, administratorId, id, kind, name, credential, key, transports, counter, now);
    const recoveryCodes = isFirst ? await renewRecoveryCodes(tx, random, administratorId) : undefined;
    const action = session.state === 'enrol' ? 'administrator.create' : 'administrator.add-second-factor';
    await note(tx, deps, caller, session, action, { kind, name });
    const full = await sessions.promote(tx, session, caller);
    if (!full) throw new Problem(409, 'the session was completed or ended at the same moment');
    return { now, recoveryCodes, full };
  });
  return {
    factor: { id: String(id), kind, name, createdTime: timeOf(done.now) },
    ...(done.recoveryCodes && { recoveryCodes: done.recoveryCodes }),
    login: await login.stateOf(done.full),
  };
}

async function removeFactor(
  tx: Tx,
  deps: FactorDeps,
  caller: AdminCaller,
  session: CallerSession,
  factor: string,
): Promise<void> {
  // Every request that removes a factor locks this row first. So two requests cannot remove the last two factors at the
  // same time.
  await tx.one(q.lockReady);
  const own = await tx.all(q.factorsOf, session.administratorId);
  const found = ownFactor(own, factor);
  if (own.length === 1)
    throw new Problem(409, 'it is your last second factor; add another one first', { code: 'last-factor' });
  await tx.run(q.deleteFactor, session.administratorId, found.id);
  const { kind, name } = found;
  await note(tx, deps, caller, session, 'administrator.remove-second-factor', { kind, name });
}

function ownFactor(own: readonly q.FactorRow[], factor: string): q.FactorRow {
  const found = own.find(({ id }) => String(id) === factor);
  if (!found) throw new Problem(404, `you have no second factor with the id ${JSON.stringify(factor)}`);
  return found;
}
