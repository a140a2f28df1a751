// The operation log: one row per affected account and change, numbered without gaps, written in the transaction of the
// change itself (specification: Events).
import type { OperationTypeName } from '@sealpost/contract';
import { limits, operationStatus, operationTypes } from '@sealpost/contract';
import type { Clock } from '../kernel/ports.ts';
import { sql, sqlSet } from '../store/sql.ts';
import type { Reader, Tx } from '../store/store.ts';

export interface OperationHead {
  readonly account_id: number;
  revision: number;
  last_message_id: number;
  /** The key to seal for; 0 for an account that can not be sealed for. Here because every send holds this row. */
  readonly sealing_key_id: number;
}

/** What a slice asks to append. `message` refers to a stored message; `body` is its JSON as delivered. */
export interface NewOperation {
  readonly accountId: number;
  readonly type: OperationTypeName;
  /** The causing call's reqSeq on the actor's own log; 0 on others. */
  readonly reqSeq?: number;
  readonly param1?: string;
  readonly param2?: string;
  readonly param3?: string;
  /** Clients are not to alert of it. */
  readonly silent?: boolean;
  readonly message?: { readonly chatId: number; readonly id: number; readonly body: string };
  /** What a repetition of the causing send is known by. */
  readonly request?: { readonly sessionId: number; readonly fingerprint: string } | undefined;
}

/** What a send is told by in its sender's log. */
export interface SendMark {
  readonly account_id: number;
  readonly session_id: number;
  readonly req_seq: number;
}

/** A send as its sender's log has it. */
export interface LoggedSend extends SendMark {
  readonly fingerprint: string;
  readonly message_id: number;
  readonly created_time: number;
}

/** An appended operation. It becomes text where somebody reads it: most are read by nobody at the time. */
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
  /** JSON of the message. */
  readonly body: string | null;
}

interface OperationRow {
  revision: number;
  type: number;
  created_time: number;
  req_seq: number;
  status: number;
  param1: string | null;
  param2: string | null;
  param3: string | null;
  body: string | null;
}

function insertion(more: { status?: 'bigint' }) {
  const columns = {
    account_id: 'bigint',
    revision: 'bigint',
    type: 'bigint',
    created_time: 'bigint',
    req_seq: 'bigint',
    chat_id: 'bigint',
    message_id: 'bigint',
    param1: 'text',
    param2: 'text',
    param3: 'text',
    session_id: 'bigint',
    fingerprint: 'text',
    ...more,
  } as const;
  const names = Object.keys(columns).join(', ');
  return sqlSet(columns, `insert into operation (${names})\n   select ${names} from {given}`);
}

const lockHeads = sqlSet<OperationHead>(
  { account_id: 'bigint' },
  `select account_id, revision, last_message_id, sealing_key_id from operation_head
   where account_id in {given} order by account_id {for update}`,
);
const highestSends = sqlSet<SendMark>(
  { account_id: 'bigint', revision: 'bigint', created_time: 'bigint' },
  `select o.account_id, o.session_id, max(o.req_seq) as req_seq
   from {given} join operation o on o.account_id = given.account_id and o.revision > given.revision
   where o.session_id is not null and o.created_time >= given.created_time group by o.account_id, o.session_id`,
);
const sendsLike = sqlSet<LoggedSend>(
  { account_id: 'bigint', session_id: 'bigint', req_seq: 'bigint', fingerprint: 'text', created_time: 'bigint' },
  `select o.account_id, o.session_id, o.req_seq, o.fingerprint, o.message_id, o.created_time
   from {given} join operation o on o.account_id = given.account_id and o.session_id = given.session_id
     and o.req_seq = given.req_seq and o.fingerprint = given.fingerprint
   where o.created_time >= given.created_time`,
);
const sendsOfSession = sql<LoggedSend>(
  `select account_id, session_id, req_seq, fingerprint, message_id, created_time from operation
   where account_id = ? and session_id = ? and created_time >= ? limit ?`,
);
/** Operations without a status of their own are the rule: only others write it. */
const insertOperations = insertion({});
const insertSilentOperations = insertion({ status: 'bigint' });
const raiseHeads = sqlSet(
  { account_id: 'bigint', revision: 'bigint', last_message_id: 'bigint' },
  `update operation_head set revision = given.revision, last_message_id = given.last_message_id
   from {given} where operation_head.account_id = given.account_id`,
);
const createHead = sql(
  'insert into operation_head (account_id, revision, first_revision, last_message_id) values (?, 0, 1, 0)',
);
const headOf = sql<{ revision: number; first_revision: number }>(
  'select revision, first_revision from operation_head where account_id = ?',
);
const operationsAfter = sql<OperationRow>(
  `select o.revision, o.type, o.created_time, o.req_seq, o.status, o.param1, o.param2, o.param3, m.body
   from operation o left join message m on m.chat_id = o.chat_id and m.id = o.message_id
   where o.account_id = ? and o.revision > ? order by o.revision limit ?`,
);
const raiseFloor = sql('update operation_head set first_revision = ? where account_id = ? and first_revision < ?');
/** Young sends stay, for their repetitions are told by them; the stream begins above them all the same. */
const deleteBelow = sql(
  'delete from operation where account_id = ? and revision < ? and (session_id is null or created_time < ?)',
);
const newestBefore = sql<{ revision: number | null }>(
  'select max(revision) as revision from operation where account_id = ? and created_time < ?',
);

const deleteOperations = sql('delete from operation where account_id = ?');
const deleteHead = sql('delete from operation_head where account_id = ?');

/** Heads that a transaction holds. While it does, nobody else can append to these logs. */
export type Heads = ReadonlyMap<number, OperationHead>;

export interface OperationLog {
  /** Begins the log of a new account. */
  create(tx: Tx, accountId: number): Promise<void>;
  /** Ends the log of an account that is deleted: from then on `lock` leaves it out. */
  drop(tx: Tx, accountId: number): Promise<void>;
  /** Locks the logs of accounts, always in the order of their ids, so that transactions cannot deadlock. */
  lock(tx: Tx, accountIds: Iterable<number>): Promise<Heads>;
  /** Appends in the given order. Locks the logs unless `heads` holds them already. */
  append(tx: Tx, operations: readonly NewOperation[], heads?: Heads): Promise<void>;
  /** The newest revision, and the oldest that the log still has. */
  head(reader: Reader, accountId: number): Promise<{ revision: number; firstRevision: number }>;
  /** Operations after a revision, oldest first. */
  readAfter(reader: Reader, accountId: number, revision: number, limit: number): Promise<LoggedOperation[]>;
  /** The highest reqSeq with which each session of some accounts sent, after a revision of their log and after a time. */
  highestSends(
    reader: Reader,
    revisions: readonly (readonly [accountId: number, revision: number])[],
    time: number,
  ): Promise<SendMark[]>;
  /** The sends of a session after a time, not more than a number of them. Reads the whole log. */
  sendsOfSession(
    reader: Reader,
    session: Pick<SendMark, 'account_id' | 'session_id'>,
    time: number,
    limit: number,
  ): Promise<LoggedSend[]>;
  /** Those sends that were made after a time. Reads the whole logs of their senders. */
  sendsLike(
    reader: Reader,
    sends: readonly (readonly [accountId: number, sessionId: number, reqSeq: number, fingerprint: string])[],
    time: number,
  ): Promise<LoggedSend[]>;
  /** Forgets operations older than a time, and all but the newest `keep`; to the stream they are gone. */
  trim(tx: Tx, accountId: number, olderThan: number, keep: number): Promise<void>;
}

/**
 * @param publish called after the commit with what was appended, in revision order for each account
 */
export function createOperationLog(
  clock: Clock,
  publish: (operations: readonly LoggedOperation[]) => void,
): OperationLog {
  async function lock(tx: Tx, accountIds: Iterable<number>): Promise<Heads> {
    const ids = [...new Set(accountIds)].sort((a, b) => a - b);
    const heads = new Map<number, OperationHead>();
    for (const head of await tx.each(
      lockHeads,
      ids.map((id) => [id]),
    )) {
      heads.set(head.account_id, head);
    }
    return heads;
  }

  return {
    create: (tx, accountId) => tx.run(createHead, accountId),
    async drop(tx, accountId) {
      await tx.run(deleteOperations, accountId);
      await tx.run(deleteHead, accountId);
    },
    lock,
    async append(tx, operations, held) {
      if (operations.length === 0) return;
      const heads =
        held ??
        (await lock(
          tx,
          operations.map((o) => o.accountId),
        ));
      const now = clock.now();
      const rows: (string | number | null)[][] = [];
      const silentRows: (string | number | null)[][] = [];
      const logged: LoggedOperation[] = [];
      const raised = new Set<OperationHead>();
      for (const operation of operations) {
        const head = heads.get(operation.accountId);
        if (!head) continue; // The account was deleted: it has no log any more.
        head.revision += 1;
        raised.add(head);
        const { accountId, message, reqSeq = 0, param1 = null, param2 = null, param3 = null } = operation;
        if (message && message.id > head.last_message_id) head.last_message_id = message.id;
        const { revision } = head;
        const type = operationTypes[operation.type];
        const row = [
          accountId,
          revision,
          type,
          now,
          reqSeq,
          message?.chatId ?? null,
          message?.id ?? null,
          param1,
          param2,
          param3,
          operation.request?.sessionId ?? null,
          operation.request?.fingerprint ?? null,
        ];
        const status = operation.silent ? operationStatus.ALERT_DISABLED : operationStatus.NORMAL;
        if (status === operationStatus.NORMAL) rows.push(row);
        else silentRows.push([...row, status]);
        const body = message?.body ?? null;
        logged.push({ accountId, revision, createdTime: now, type, reqSeq, status, param1, param2, param3, body });
      }
      await Promise.all([
        tx.each(insertOperations, rows),
        tx.each(insertSilentOperations, silentRows),
        tx.each(
          raiseHeads,
          [...raised].map((head) => [head.account_id, head.revision, head.last_message_id]),
        ),
      ]);
      tx.onCommit(() => publish(logged));
    },
    async head(reader, accountId) {
      const head = await reader.one(headOf, accountId);
      return { revision: head?.revision ?? 0, firstRevision: head?.first_revision ?? 1 };
    },
    async readAfter(reader, accountId, revision, limit) {
      const rows = await reader.all(operationsAfter, accountId, revision, limit);
      return rows.map(({ created_time: createdTime, req_seq: reqSeq, ...row }) => ({
        ...row,
        accountId,
        createdTime,
        reqSeq,
      }));
    },
    highestSends: (reader, revisions, time) =>
      reader.each(
        highestSends,
        revisions.map((revision) => [...revision, time]),
      ),
    sendsOfSession: (reader, session, time, limit) =>
      reader.all(sendsOfSession, session.account_id, session.session_id, time, limit),
    sendsLike: (reader, sends, time) =>
      reader.each(
        sendsLike,
        sends.map((send) => [...send, time]),
      ),
    async trim(tx, accountId, olderThan, keep) {
      const head = (await lock(tx, [accountId])).get(accountId);
      if (!head) return;
      const tooOld = (await tx.one(newestBefore, accountId, olderThan))?.revision ?? 0;
      const first = Math.max(tooOld, head.revision - keep) + 1;
      await tx.run(raiseFloor, first, accountId, first);
      await tx.run(deleteBelow, accountId, first, clock.now() - limits.requestMemoryMs.value);
    },
  };
}

/** The JSON of an operation, one line. */
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
