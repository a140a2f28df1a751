import { sql, sqlSet } from '../store/sql.ts';
import type { OperationRow } from '../stream/queries.ts';

/**
 * The newest and the oldest stored revision of an account's log, and the last revision that a subscriber has handled.
 */
export interface PositionRow {
  readonly account_id: number;
  readonly revision: number;
  readonly first_revision: number;
  readonly handled: number;
}

export const shares = sql<{ share: number; server: string }>('select share, server from log_share order by share');
/** Gives a share to a server, but only if its owner has not changed since the share was read. */
export const takeShare = sql<{ share: number }>(
  'update log_share set server = ? where share = ? and server = ? returning share',
);
export const leaveShare = sql("update log_share set server = '' where share = ? and server = ?");
export const leaveShares = sql("update log_share set server = '' where server = ?");

export const addSubscriber = sql<{ name: string }>(
  'insert into log_subscriber (name, created_time) values (?, ?) on conflict (name) do nothing returning name',
);
/** Sets the cursors of a new subscriber to the end of all logs. */
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
 * Moves cursors forward, except those of deleted accounts. The deletion of an account locks its row first. So a cursor
 * is written either before the deletion, which removes it, or not at all.
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

/** Returns the last of the next `limit` account ids. */
export const lastOfNext = sql<{ last: number | null }>(
  `select max(account_id) as last from
   (select account_id from operation_head where account_id > ? order by account_id limit ?) as next`,
);
/** Returns the accounts, within a range of ids, whose logs contain operations that the subscriber has not handled. */
export const lagging = sql<{ account_id: number }>(
  `select h.account_id from operation_head h
   left join subscriber_cursor c on c.account_id = h.account_id and c.subscriber = ?
   where h.account_id > ? and h.account_id <= ? and h.revision > coalesce(c.revision, 0)`,
);

export const deleteCursors = sql('delete from subscriber_cursor where account_id = ?');
export const deleteParked = sql('delete from parked_operation where account_id = ?');
