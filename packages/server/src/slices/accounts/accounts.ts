// Creates, finds, changes and deletes accounts, and checks their passwords.

import type { Clock } from '@sealpost/contract/ports';
import type { FieldProblem } from '../../platform/json-api/problem.ts';
import type { Ids } from '../../platform/kernel/ids.ts';
import { isStorable } from '../../platform/kernel/storable-text.ts';
import type { Reader, Store, Tx } from '../../platform/store/store.ts';
import type { OperationLog } from '../../platform/stream/operation-log.ts';
import { ACCOUNT_DELETED } from '../sessions/index.ts';
import {
  type AccountKind,
  type CheckedAccount,
  checkAccount,
  checkPassword,
  judgeAccount,
  type NewAccount,
  normalEmail,
  normalPhone,
  normalUserid,
  type PlannedAccount,
} from './account-input.ts';
import { type Credential, toCredential } from './credential.ts';
import { type AccountFacts, createKnownAccounts, type KnownAccounts } from './known-accounts.ts';
import { createOwnChanges, type OwnChanges } from './own-changes.ts';
import type { Passwords } from './passwords.ts';
import {
  type AccountRow,
  accountById,
  accountByMid,
  accountByUserid,
  accountsAfter,
  accountsOfKindAfter,
  buryAccount,
  type CredentialRow,
  clearProfile,
  credentialByEmail,
  credentialByPhone,
  credentialByUserid,
  factsById,
  insertAccount,
  insertProfile,
  lockAccount,
  setDisabled,
  setPasswordHash,
} from './queries.ts';
import { refuseTaken } from './taken.ts';

export interface Account extends AccountFacts {
  readonly userid: string | null;
  readonly email: string | null;
  readonly phone: string | null;
  readonly regionCode: string;
  readonly displayName: string;
  readonly disabled: boolean;
  readonly createdTime: number;
}

/** Whether an account could be created, with its identifiers in normal form. */
export interface AccountJudgement {
  readonly userid: string;
  readonly email: string | null;
  readonly phone: string | null;
  /** The mid of an existing account with this userid. */
  readonly existing: string | undefined;
  /** Fields that break a rule, or whose value another account has. Empty if an account with this userid exists. */
  readonly errors: readonly FieldProblem[];
}

/** Runs after a change of an account, in the same transaction. */
export type ChangeHook = (tx: Tx, account: AccountFacts) => Promise<void>;

export interface Accounts extends KnownAccounts, OwnChanges {
  /**
   * Creates an account. Throws `InvalidAccount` if the input breaks a rule, and `AccountConflict` if another account
   * has one of the identifiers.
   */
  create(input: NewAccount, also?: ChangeHook): Promise<Account>;
  /** Returns for each account whether it could be created. Creates nothing. */
  judge(planned: readonly PlannedAccount[]): Promise<AccountJudgement[]>;
  /** Returns the credential for a login with a userid, e-mail address or phone number in any usual notation. */
  byIdentifier(reader: Reader, identifier: string): Promise<Credential | undefined>;
  /**
   * Returns whether an account with this userid exists and has this password. Without such an account, the slow
   * password check does not run.
   */
  hasPassword(userid: string, password: string): Promise<boolean>;
  /** Returns an account by its mid or userid; undefined for a deleted account. */
  show(midOrUserid: string): Promise<Account | undefined>;
  /** Returns accounts in the order of their creation, starting after the account with id `after`. */
  list(after: number, limit: number, kind?: AccountKind): Promise<Account[]>;
  /**
   * Ends all sessions of an account and refuses its logins. Like `enable`, returns false if the account does not exist.
   */
  disable(id: number, also?: ChangeHook): Promise<boolean>;
  enable(id: number, also?: ChangeHook): Promise<boolean>;
  /**
   * Sets a password. Also ends all sessions of the account, and removes the certificates of its devices. Returns false
   * if the account does not exist.
   */
  resetPassword(id: number, password: string, also?: ChangeHook): Promise<boolean>;
  /** Deletes an account and its personal data. The mid stays reserved. Returns false if the account does not exist. */
  remove(id: number, also?: ChangeHook): Promise<boolean>;
  /** Does the same inside a transaction that has locked the account. */
  removeIn(tx: Tx, id: number): Promise<void>;
}

export interface AccountsDeps {
  readonly store: Store;
  readonly operationLog: OperationLog;
  readonly ids: Ids;
  readonly clock: Clock;
  readonly passwords: Passwords;
  /** The functions of the sessions slice that a change of an account calls. */
  readonly sessions: {
    endAll(tx: Tx, accountId: number, reason: string): Promise<void>;
    forgetDevices(tx: Tx, accountId: number): Promise<void>;
    purge(tx: Tx, accountId: number): Promise<void>;
  };
  /** Runs before an account is deleted, so that other slices can remove their data about the account. */
  readonly beforeRemoval: ChangeHook;
}

export function createAccounts(deps: AccountsDeps): Accounts {
  const { store, operationLog, ids, clock, passwords, sessions } = deps;
  const change = (id: number, also: ChangeHook | undefined, work: Change) => changeAccount(store, id, also, work);

  async function removeIn(tx: Tx, id: number): Promise<void> {
    const facts = await tx.one(factsById, id);
    if (facts) await deps.beforeRemoval(tx, facts);
    await sessions.endAll(tx, id, ACCOUNT_DELETED);
    await sessions.purge(tx, id);
    await operationLog.drop(tx, id);
    await tx.run(buryAccount, id);
    await tx.run(clearProfile, id);
  }

  return {
    ...createKnownAccounts(),
    ...createOwnChanges(),
    async create(input, also) {
      const account = checkAccount(input);
      const passwordHash = await passwords.hash(account.password);
      return store.transact(async (tx) => {
        await refuseTaken(tx, account);
        const id = ids.next();
        const mid = ids.mid('u');
        const { kind, userid, email, phone, regionCode, displayName } = account;
        const createdTime = clock.now();
        await tx.run(insertAccount, id, mid, kind, userid, email, phone, regionCode, passwordHash, createdTime);
        await tx.run(insertProfile, id, displayName);
        await operationLog.create(tx, id);
        await also?.(tx, { id, mid, kind });
        return { id, mid, kind, userid, email, phone, regionCode, displayName, disabled: false, createdTime };
      });
    },
    judge: (planned) => store.read((reader) => Promise.all(planned.map((input) => judge(reader, input)))),
    async byIdentifier(reader, identifier) {
      return toCredential(await credentialOf(reader, identifier.trim()));
    },
    async hasPassword(userid, password) {
      const row = await store.read((reader) => reader.one(credentialByUserid, normalUserid(userid)));
      return row !== undefined && passwords.verify(row.password_hash, password);
    },
    async show(midOrUserid) {
      const row = await store.read(
        async (reader) =>
          (await reader.one(accountByMid, midOrUserid)) ??
          (await reader.one(accountByUserid, normalUserid(midOrUserid))),
      );
      return row && !row.deleted ? toAccount(row) : undefined;
    },
    async list(after, limit, kind) {
      const rows = await store.read((reader) =>
        kind === undefined
          ? reader.all(accountsAfter, after, limit)
          : reader.all(accountsOfKindAfter, kind, after, limit),
      );
      return rows.map(toAccount);
    },
    disable: (id, also) =>
      change(id, also, async (tx) => {
        await tx.run(setDisabled, 1, id);
        await sessions.endAll(tx, id, 'disabled');
      }),
    enable: (id, also) => change(id, also, (tx) => tx.run(setDisabled, 0, id)),
    async resetPassword(id, password, also) {
      const row = await store.read((reader) => reader.one(accountById, id));
      if (!row || row.deleted) return false;
      checkPassword(password, row.userid ?? '');
      const passwordHash = await passwords.hash(password);
      return change(id, also, async (tx) => {
        await tx.run(setPasswordHash, passwordHash, id);
        await sessions.endAll(tx, id, 'password changed');
        await sessions.forgetDevices(tx, id);
      });
    },
    remove: (id, also) => change(id, also, (tx) => removeIn(tx, id)),
    removeIn,
  };
}

type Change = (tx: Tx) => Promise<void>;

/** Locks the row of an account and changes the account. Returns false if the account does not exist. */
function changeAccount(store: Store, id: number, also: ChangeHook | undefined, work: Change): Promise<boolean> {
  return store.transact(async (tx) => {
    const row = await tx.one(lockAccount, id);
    if (!row || row.deleted) return false;
    await work(tx);
    const facts = await tx.one(factsById, id);
    if (also && facts) await also(tx, facts);
    return true;
  });
}

async function judge(reader: Reader, input: PlannedAccount): Promise<AccountJudgement> {
  const { checked, errors } = judgeAccount(input);
  const { userid, email, phone } = checked;
  if (errors.length > 0) return { userid, email, phone, existing: undefined, errors };
  const existing = (await reader.one(credentialByUserid, userid))?.mid;
  const taken = existing === undefined ? await takenIdentifiers(reader, { email, phone }) : [];
  return { userid, email, phone, existing, errors: taken };
}

async function takenIdentifiers(
  reader: Reader,
  { email, phone }: Pick<CheckedAccount, 'email' | 'phone'>,
): Promise<FieldProblem[]> {
  const message = 'belongs to another account';
  const taken: FieldProblem[] = [];
  if (email !== null && (await reader.one(credentialByEmail, email))) taken.push({ field: 'email', message });
  if (phone !== null && (await reader.one(credentialByPhone, phone))) taken.push({ field: 'phone', message });
  return taken;
}

/**
 * Finds a credential by userid, e-mail address or phone number. A userid contains no "@" and does not begin with "+",
 * so the form of an identifier tells its kind.
 */
function credentialOf(reader: Reader, identifier: string): Promise<CredentialRow | undefined> {
  if (!isStorable(identifier)) return Promise.resolve(undefined);
  if (identifier.includes('@')) return reader.one(credentialByEmail, normalEmail(identifier));
  if (identifier.startsWith('+')) return reader.one(credentialByPhone, normalPhone(identifier));
  return reader.one(credentialByUserid, normalUserid(identifier));
}

function toAccount(row: AccountRow): Account {
  const { id, mid, kind, userid, email, phone } = row;
  return {
    id,
    mid,
    kind,
    userid,
    email,
    phone,
    regionCode: row.region_code,
    displayName: row.display_name,
    disabled: row.disabled === 1,
    createdTime: row.created_time,
  };
}
