// The operation log. Each change adds a row for each affected account, in the same transaction. The rows of an account
// are numbered without gaps.
import {
  ApiError,
  type AppendedType,
  limits,
  operationStatus,
  operationTypes,
  type ParametersOf,
  wireParameters,
} from '@sealpost/contract';
import type { Clock } from '@sealpost/contract/ports';
import type { Emission } from '@sealpost/contract/schemas';
import type { Reader, Tx } from '../store/store.ts';
import type { LoggedSend, OperationHead, SendMark } from './queries.ts';
import * as q from './queries.ts';

export type { LoggedSend, OperationHead, SendMark } from './queries.ts';

interface OperationFacts {
  readonly accountId: number;
  /** The role of the account in the call, as the contract's `emits` names it. */
  readonly to: Emission['to'];
  /** In the actor's own log, the reqSeq of the call that caused the operation; 0 in other logs. */
  readonly reqSeq?: number;
  /** True if clients must not alert the user. */
  readonly silent?: boolean;
  /** The stored message that the operation delivers; `body` is its JSON. */
  readonly message?: { readonly chatId: number; readonly id: number; readonly body: string };
  /** The session and the fingerprint by which a repeat of the causing send is recognized. */
  readonly request?: { readonly sessionId: number; readonly fingerprint: string } | undefined;
}

/** An operation to append, with the parameters of its type. */
export type NewOperation = {
  readonly [T in AppendedType]: OperationFacts & { readonly type: T } & (ParametersOf<T> extends Record<string, never>
      ? { readonly params?: ParametersOf<T> }
      : { readonly params: ParametersOf<T> });
}[AppendedType];

/**
 * An appended operation. It is converted to JSON only when somebody reads it, because most operations have no reader
 * when they are appended.
 */
export interface LoggedOperation {
  readonly accountId: number;
  readonly revision: number;
  readonly createdTime: number;
  readonly type: number;
  readonly reqSeq: number;
  readonly status: number;
  readonly param1: string | null;
  readonly param2: string | null;
  readonly param3: string | null;
  /** JSON of the message; null for operations without a message. */
  readonly body: string | null;
}

/** The head of each log that has grown, and its next operations, by account id. */
export type News = ReadonlyMap<number, { readonly head: number; readonly operations: readonly LoggedOperation[] }>;

/**
 * The heads of the logs that a transaction has locked, by account id. Until the transaction ends, no other transaction
 * can append to these logs.
 */
export type Heads = ReadonlyMap<number, OperationHead>;

export interface OperationLog {
  /** Creates the log of a new account. */
  create(tx: Tx, accountId: number): Promise<void>;
  /** Deletes the log of a deleted account. From then on, `lock` skips the account. */
  drop(tx: Tx, accountId: number): Promise<void>;
  /** Locks the logs of accounts, in the order of their ids so that transactions cannot deadlock. Returns the heads. */
  lock(tx: Tx, accountIds: Iterable<number>): Promise<Heads>;
  /**
   * Finds accounts and locks their logs. The accounts are found again while the logs are locked, because others may have
   * changed them before. So the result stays true, if it changes only while one of these logs is locked.
   */
  lockFound<T>(
    tx: Tx,
    find: () => Promise<T>,
    accountsIn: (found: T) => readonly number[],
  ): Promise<{ readonly found: T; readonly heads: Heads }>;
  /**
   * Appends operations in the given order. `heads` must contain the locked heads of all logs concerned. Accounts that
   * were deleted get nothing.
   * @throws SESSION_LOGGED_OUT if the account whose call it is was deleted
   */
  append(tx: Tx, operations: readonly NewOperation[], heads: Heads): Promise<void>;
  /** Locks the logs of all accounts that get operations, then appends the operations. */
  lockAndAppend(tx: Tx, operations: readonly NewOperation[]): Promise<void>;
  /** Returns the newest revision of a log, and the oldest that is still stored. */
  head(reader: Reader, accountId: number): Promise<{ revision: number; firstRevision: number }>;
  /** Returns the operations after a revision, oldest first. */
  readAfter(reader: Reader, accountId: number, revision: number, limit: number): Promise<LoggedOperation[]>;
  /**
   * Returns the next few operations after a revision of each log, oldest first. A log that has not grown beyond its
   * revision is left out. If the operations after the revision are not stored any more, only the head is returned.
   */
  readNews(reader: Reader, revisions: readonly (readonly [accountId: number, revision: number])[]): Promise<News>;
  /**
   * Returns the highest reqSeq of each session in the given logs. Counts only sends after the given revision of the
   * log, and after a time.
   */
  highestSends(
    reader: Reader,
    revisions: readonly (readonly [accountId: number, revision: number])[],
    time: number,
  ): Promise<SendMark[]>;
  /** Returns the sends after a revision of each of the given logs, oldest first. */
  sendsAfter(
    reader: Reader,
    revisions: readonly (readonly [accountId: number, revision: number])[],
  ): Promise<LoggedSend[]>;
  /** Returns at most `limit` sends that a session made after a time. Reads the whole log. */
  sendsOfSession(
    reader: Reader,
    session: Pick<SendMark, 'account_id' | 'session_id'>,
    time: number,
    limit: number,
  ): Promise<LoggedSend[]>;
  /**
   * Looks up the given sends in the logs, and returns the sends that were made after a time. Reads the whole logs of
   * their senders.
   */
  sendsLike(
    reader: Reader,
    sends: readonly (readonly [accountId: number, sessionId: number, reqSeq: number, fingerprint: string])[],
    time: number,
  ): Promise<LoggedSend[]>;
  /**
   * Removes operations that are older than a time, or are not among the newest `keep` operations. The stream no longer
   * returns them.
   */
  trim(tx: Tx, accountId: number, olderThan: number, keep: number): Promise<void>;
}

/**
 * Creates the operation log.
 * @param publish called after each commit with the appended operations, in the order of revisions for each account
 */
export function createOperationLog(
  clock: Clock,
  publish: (operations: readonly LoggedOperation[]) => void,
): OperationLog {
  async function append(tx: Tx, operations: readonly NewOperation[], heads: Heads): Promise<void> {
    if (operations.length === 0) return;
    const logged = await insert(tx, operations, heads, clock.now());
    tx.onCommit(() => publish(logged));
  }
  return {
    create: (tx, accountId) => tx.run(q.createHead, accountId),
    async drop(tx, accountId) {
      await tx.run(q.deleteOperations, accountId);
      await tx.run(q.deleteHead, accountId);
    },
    lock,
    lockFound,
    append,
    async lockAndAppend(tx, operations) {
      if (operations.length === 0) return;
      const heads = await lock(
        tx,
        operations.map(({ accountId }) => accountId),
      );
      await append(tx, operations, heads);
    },
    async head(reader, accountId) {
      const head = await reader.one(q.headOf, accountId);
      return { revision: head?.revision ?? 0, firstRevision: head?.first_revision ?? 1 };
    },
    async readAfter(reader, accountId, revision, limit) {
      const rows = await reader.all(q.operationsAfter, accountId, revision, limit);
      return rows.map((row) => operationOf(accountId, row));
    },
    async readNews(reader, revisions) {
      const news = new Map<number, { readonly head: number; readonly operations: LoggedOperation[] }>();
      for (const { account_id: accountId, head, ...row } of await reader.each(q.newsAfter, revisions)) {
        const log = news.get(accountId) ?? { head, operations: [] };
        news.set(accountId, log);
        if (isStored(row)) log.operations.push(operationOf(accountId, row));
      }
      return news;
    },
    highestSends: (reader, revisions, time) =>
      reader.each(
        q.highestSends,
        revisions.map((revision) => [...revision, time]),
      ),
    async sendsAfter(reader, revisions) {
      const sends = await reader.each(q.sendsAfter, revisions);
      return sends.sort((a, b) => a.revision - b.revision);
    },
    sendsOfSession: (reader, session, time, limit) =>
      reader.all(q.sendsOfSession, session.account_id, session.session_id, time, limit),
    sendsLike: (reader, sends, time) =>
      reader.each(
        q.sendsLike,
        sends.map((send) => [...send, time]),
      ),
    async trim(tx, accountId, olderThan, keep) {
      await lock(tx, [accountId]);
      const head = await tx.one(q.headOf, accountId);
      if (!head) return;
      const end = head.revision + 1;
      const floor = Math.max(head.first_revision, await firstSince(tx, accountId, end, olderThan), end - keep);
      await tx.run(q.raiseFloor, floor, accountId, floor);
      await tx.run(q.deleteOthersThanSends, accountId, head.first_revision, floor);
      // The stream does not return the sends that stay below the floor.
      const remembered = await firstSince(tx, accountId, floor, clock.now() - limits.requestMemoryMs.value);
      await tx.run(q.deleteBelow, accountId, remembered);
    },
  };
}

/** Returns the first revision that is not older than a time, or `below` if all before `below` are older. */
const firstSince = async (tx: Tx, accountId: number, below: number, time: number): Promise<number> =>
  (await tx.one(q.oldestSince, accountId, below, time))?.revision ?? below;

async function lock(tx: Tx, accountIds: Iterable<number>): Promise<Heads> {
  const ids = [...new Set(accountIds)].sort((a, b) => a - b);
  const locked = await tx.each(
    q.lockHeads,
    ids.map((id) => [id]),
  );
  return new Map(locked.map((head) => [head.account_id, head]));
}

async function lockFound<T>(
  tx: Tx,
  find: () => Promise<T>,
  accountsIn: (found: T) => readonly number[],
): Promise<{ readonly found: T; readonly heads: Heads }> {
  const heads = new Map<number, OperationHead>();
  const asked = new Set<number>();
  let found = await find();
  for (;;) {
    // Accounts that are found late are locked out of order. If that causes a deadlock, the transaction runs again.
    const more = accountsIn(found).filter((id) => !asked.has(id));
    if (more.length === 0) return { found, heads };
    for (const [id, head] of await lock(tx, more)) heads.set(id, head);
    for (const id of more) asked.add(id);
    found = await find();
  }
}

/** Inserts operations at the ends of their logs, and raises the heads. Returns the operations with their revisions. */
async function insert(
  tx: Tx,
  operations: readonly NewOperation[],
  heads: Heads,
  now: number,
): Promise<readonly LoggedOperation[]> {
  const rows: (string | number | null)[][] = [];
  const silentRows: (string | number | null)[][] = [];
  const logged: LoggedOperation[] = [];
  const raised = new Set<OperationHead>();
  for (const operation of operations) {
    const head = heads.get(operation.accountId);
    if (!head) {
      // The account was deleted, so it has no log. What it does itself at that moment must not take effect.
      if (operation.reqSeq !== undefined) throw new ApiError('SESSION_LOGGED_OUT');
      continue;
    }
    head.revision += 1;
    raised.add(head);
    const { message } = operation;
    if (message && message.id > head.last_message_id) head.last_message_id = message.id;
    const entry = loggedOperation(operation, head.revision, now);
    logged.push(entry);
    if (entry.status === operationStatus.NORMAL) rows.push(rowOf(entry, operation));
    else silentRows.push([...rowOf(entry, operation), entry.status]);
  }
  await Promise.all([
    tx.each(q.insertOperations, rows),
    tx.each(q.insertSilentOperations, silentRows),
    tx.each(
      q.raiseHeads,
      [...raised].map((head) => [head.account_id, head.revision, head.last_message_id]),
    ),
  ]);
  return logged;
}

function loggedOperation(operation: NewOperation, revision: number, createdTime: number): LoggedOperation {
  const { accountId, message, reqSeq = 0 } = operation;
  const [param1, param2, param3] = wireParameters(operation.type, operation.params);
  const type = operationTypes[operation.type];
  const status = operation.silent ? operationStatus.ALERT_DISABLED : operationStatus.NORMAL;
  const body = message?.body ?? null;
  return { accountId, revision, createdTime, type, reqSeq, status, param1, param2, param3, body };
}

const rowOf = (logged: LoggedOperation, { message, request }: NewOperation): (string | number | null)[] => [
  logged.accountId,
  logged.revision,
  logged.type,
  logged.createdTime,
  logged.reqSeq,
  message?.chatId ?? null,
  message?.id ?? null,
  logged.param1,
  logged.param2,
  logged.param3,
  request?.sessionId ?? null,
  request?.fingerprint ?? null,
];

type StoredOperation = q.OperationRow & { readonly message_id: number | null };

/** Returns false for a row that has only the head of a log. */
const isStored = (row: StoredOperation | { readonly revision: null }): row is StoredOperation => row.revision !== null;

const operationOf = (
  accountId: number,
  { created_time: createdTime, req_seq: reqSeq, message_id, ...row }: StoredOperation,
): LoggedOperation => ({
  ...row,
  // The message of this operation was removed because of its age, so the operation is returned as one without content.
  ...(message_id !== null && row.body === null && { type: operationTypes.DUMMY }),
  accountId,
  createdTime,
  reqSeq,
});

/** Returns the JSON of an operation on one line. */
export function operationJson(operation: LoggedOperation): string {
  const { revision, createdTime, type, reqSeq, status, param1, param2, param3, body } = operation;
  let json = `{"revision":"${revision}","createdTime":"${createdTime}","type":${type},"reqSeq":${reqSeq}`;
  if (status !== operationStatus.NORMAL) json += `,"status":${status}`;
  if (param1 !== null) json += `,"param1":${JSON.stringify(param1)}`;
  if (param2 !== null) json += `,"param2":${JSON.stringify(param2)}`;
  if (param3 !== null) json += `,"param3":${JSON.stringify(param3)}`;
  if (body !== null) json += `,"message":${body}`;
  return `${json}}`;
}
