import { sql, sqlSet } from '../store/sql.ts';

export interface OperationHead {
  readonly account_id: number;
  revision: number;
  last_message_id: number;
  /**
   * Id of the account's current sealing key; 0 if messages cannot be sealed for the account. The column is in this
   * table because every send locks this row.
   */
  readonly sealing_key_id: number;
}

/** The fields that identify a send in its sender's log, without the send's content. */
export interface SendMark {
  readonly account_id: number;
  readonly session_id: number;
  readonly req_seq: number;
}

/** A send in its sender's log. */
export interface LoggedSend extends SendMark {
  readonly fingerprint: string;
  readonly message_id: number;
  readonly created_time: number;
}

export interface OperationRow {
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

export const lockHeads = sqlSet<OperationHead>(
  { account_id: 'bigint' },
  `select account_id, revision, last_message_id, sealing_key_id from operation_head
   where account_id in {given} order by account_id {for update}`,
);
export const highestSends = sqlSet<SendMark>(
  { account_id: 'bigint', revision: 'bigint', created_time: 'bigint' },
  `select o.account_id, o.session_id, max(o.req_seq) as req_seq
   from {given} join operation o on o.account_id = given.account_id and o.revision > given.revision
   where o.session_id is not null and o.created_time >= given.created_time group by o.account_id, o.session_id`,
);
export const sendsAfter = sqlSet<LoggedSend & { readonly revision: number }>(
  { account_id: 'bigint', revision: 'bigint' },
  `select o.account_id, o.session_id, o.req_seq, o.fingerprint, o.message_id, o.created_time, o.revision
   from {given} join operation o on o.account_id = given.account_id and o.revision > given.revision
   where o.session_id is not null`,
);
export const sendsLike = sqlSet<LoggedSend>(
  { account_id: 'bigint', session_id: 'bigint', req_seq: 'bigint', fingerprint: 'text', created_time: 'bigint' },
  `select o.account_id, o.session_id, o.req_seq, o.fingerprint, o.message_id, o.created_time
   from {given} join operation o on o.account_id = given.account_id and o.session_id = given.session_id
     and o.req_seq = given.req_seq and o.fingerprint = given.fingerprint
   where o.created_time >= given.created_time`,
);
export const sendsOfSession = sql<LoggedSend>(
  `select account_id, session_id, req_seq, fingerprint, message_id, created_time from operation
   where account_id = ? and session_id = ? and created_time >= ? limit ?`,
);
/** Inserts operations of normal status. Their status is not written, because it is the default of the column. */
export const insertOperations = insertion({});
export const insertSilentOperations = insertion({ status: 'bigint' });
export const raiseHeads = sqlSet(
  { account_id: 'bigint', revision: 'bigint', last_message_id: 'bigint' },
  `update operation_head set revision = given.revision, last_message_id = given.last_message_id
   from {given} where operation_head.account_id = given.account_id`,
);
export const createHead = sql(
  'insert into operation_head (account_id, revision, first_revision, last_message_id) values (?, 0, 1, 0)',
);
export const headOf = sql<{ revision: number; first_revision: number }>(
  'select revision, first_revision from operation_head where account_id = ?',
);
export const operationsAfter = sql<OperationRow & { message_id: number | null }>(
  `select o.revision, o.type, o.created_time, o.req_seq, o.status, o.param1, o.param2, o.param3, o.message_id, m.body
   from operation o left join message m on m.chat_id = o.chat_id and m.id = o.message_id
   where o.account_id = ? and o.revision > ? order by o.revision limit ?`,
);
/** Number of operations that `newsAfter` returns at most for each account. */
export const MOST_NEWS = 8;
/** Returns the next operations of logs that have grown. The row of a log without these operations has only its head. */
export const newsAfter = sqlSet<OperationRow & { account_id: number; head: number; message_id: number | null }>(
  { account_id: 'bigint', revision: 'bigint' },
  `select h.account_id, h.revision as head, o.revision, o.type, o.created_time, o.req_seq, o.status,
     o.param1, o.param2, o.param3, o.message_id, m.body
   from {given} join operation_head h on h.account_id = given.account_id and h.revision > given.revision
   left join operation o on o.account_id = given.account_id and o.revision > given.revision
     and o.revision <= given.revision + ${MOST_NEWS}
   left join message m on m.chat_id = o.chat_id and m.id = o.message_id
   order by o.revision`,
);
export const raiseFloor = sql(
  'update operation_head set first_revision = ? where account_id = ? and first_revision < ?',
);
/**
 * The oldest operation below a revision that is not older than a time. The times of a log never go back, so the rows
 * before it are all older. The query reads only these rows, so that a long log costs no more than a short one.
 */
export const oldestSince = sql<{ revision: number }>(
  `select revision from operation where account_id = ? and revision < ? and created_time >= ?
   order by revision limit 1`,
);
/** Removes operations between two revisions, but for sends, by which the server recognizes repeats. */
export const deleteOthersThanSends = sql(
  'delete from operation where account_id = ? and revision >= ? and revision < ? and session_id is null',
);
export const deleteBelow = sql('delete from operation where account_id = ? and revision < ?');

export const deleteOperations = sql('delete from operation where account_id = ?');
export const deleteHead = sql('delete from operation_head where account_id = ?');
