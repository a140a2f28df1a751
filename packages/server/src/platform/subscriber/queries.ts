import { sql, sqlSet } from '../store/sql.ts';
import type { OperationRow } from '../stream/queries.ts';

/** How far a subscriber has handled the log of an account, and what the log has. */
export interface PositionRow {
  readonly account_id: number;
  readonly revision: number;
  readonly first_revision: number;
  readonly handled: number;
}

export const shares = sql<{ share: number; server: string }>('select share, server from log_share order by share');
/** Takes a share, if it still belongs to the server that held it before. */
export const takeShare = sql<{ share: number }>(
  'update log_share set server = ? where share = ? and server = ? returning share',
);
export const leaveShare = sql("update log_share set server = '' where share = ? and server = ?");
export const leaveShares = sql("update log_share set server = '' where server = ?");

export const addSubscriber = sql<{ name: string }>(
  'insert into log_subscriber (name, created_time) values (?, ?) on conflict (name) do nothing returning name',
);
/** Puts a new subscriber at the end of all logs. */
export const beginNow = sql(
  `insert into subscriber_cursor (account_id, subscriber, revision)
   select account_id, cast(? as text), revision from operation_head`,
);

export const positions = sqlSet<PositionRow>(
  { account_id: 'bigint', subscriber: 'text' },
  `select h.account_id, h.revision, h.first_revision, coalesce(c.revision, 0) as handled
   from {given} join operation_head h on h.account_id = given.account_id
   left join subscriber_cursor c on c.account_id = given.account_id and c.subscriber = given.subscriber`,
);
export const operationsBetween = sqlSet<OperationRow & { account_id: number }>(
  { account_id: 'bigint', after: 'bigint', last: 'bigint' },
  `select o.account_id, o.revision, o.type, o.created_time, o.req_seq, o.status, o.param1, o.param2, o.param3, m.body
   from {given} join operation o
     on o.account_id = given.account_id and o.revision > given.after and o.revision <= given.last
   left join message m on m.chat_id = o.chat_id and m.id = o.message_id`,
);
/**
 * Moves cursors forward. A deleted account gets no cursor any more. Its deletion locks the row of the account first, so
 * a cursor is written before, and deleted with the others, or not at all.
 */
export const advance = sqlSet(
  { account_id: 'bigint', subscriber: 'text', revision: 'bigint' },
  `insert into subscriber_cursor (account_id, subscriber, revision)
   select given.account_id, given.subscriber, given.revision
   from {given} join account a on a.id = given.account_id where a.deleted = 0 {for share of a}
   on conflict (account_id, subscriber) do update set revision = excluded.revision
   where subscriber_cursor.revision < excluded.revision`,
);
export const park = sql(
  `insert into parked_operation (account_id, subscriber, revision, error, parked_time)
   select id, cast(? as text), cast(? as bigint), cast(? as text), cast(? as bigint) from account
   where id = ? and deleted = 0 {for share}
   on conflict (account_id, subscriber, revision) do nothing`,
);

/** Returns the last account of the next few. */
export const lastOfNext = sql<{ last: number | null }>(
  `select max(account_id) as last from
   (select account_id from operation_head where account_id > ? order by account_id limit ?) as next`,
);
/** Finds the accounts of a range whose log is longer than the subscriber has handled. */
export const lagging = sql<{ account_id: number }>(
  `select h.account_id from operation_head h
   left join subscriber_cursor c on c.account_id = h.account_id and c.subscriber = ?
   where h.account_id > ? and h.account_id <= ? and h.revision > coalesce(c.revision, 0)`,
);

export const deleteCursors = sql('delete from subscriber_cursor where account_id = ?');
export const deleteParked = sql('delete from parked_operation where account_id = ?');
