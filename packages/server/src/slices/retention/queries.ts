import { sql, sqlSet } from '../../platform/store/sql.ts';

// Queries about orders.

export const orderOf = sql<{ before_time: number }>('select before_time from retention_order where what = ?');
/** Stores an order. A later order with an older time does not change a stored order. */
export const putOrder = sql(
  `insert into retention_order (what, before_time) values (?, ?) on conflict (what) do update
   set before_time = case when excluded.before_time > retention_order.before_time then excluded.before_time
     else retention_order.before_time end`,
);

// Queries that remove messages.

interface MessageName {
  readonly chat_id: number;
  readonly id: number;
}

/** The oldest messages of all chats, without messages that another server is removing at this moment. */
export const oldestMessages = sql<MessageName>(
  'select id, chat_id from message_location where id < ? order by id limit ? {for update skip locked}',
);
export const deleteMessages = sqlSet<MessageName & { readonly sender_id: number; readonly content_type: number }>(
  { chat_id: 'bigint', id: 'bigint' },
  `delete from message where (chat_id, id) in (select chat_id, id from {given})
   returning chat_id, id, sender_id, content_type`,
);
export const deleteReactions = sqlSet(
  { chat_id: 'bigint', message_id: 'bigint' },
  'delete from reaction where (chat_id, message_id) in (select chat_id, message_id from {given})',
);
export const deleteLocations = sqlSet({ id: 'bigint' }, 'delete from message_location where id in {given}');
/** The messages of a set that name an object in their content. */
export const carrying = sqlSet<{ message_id: number }>(
  { chat_id: 'bigint', message_id: 'bigint' },
  `select c.message_id from {given} join media_carrier c
   on c.chat_id = given.chat_id and c.message_id = given.message_id`,
);

// Queries that count what would be removed.

export interface CountedMessage {
  readonly id: number;
  readonly chat_id: number;
  readonly sender_id: number;
}
export const messagesAfter = sql<CountedMessage>(
  `select l.id, l.chat_id, m.sender_id from message_location l
   join message m on m.chat_id = l.chat_id and m.id = l.id
   where l.id > ? and l.id < ? order by l.id limit ?`,
);
interface CountedObject {
  readonly message_id: number;
  readonly bytes: number;
}
/** Objects whose name is the id of their message, and that no message names in its content. */
export const ownObjects = sqlSet<CountedObject>(
  { message_id: 'bigint', account_id: 'bigint', base: 'text', oid: 'text' },
  `select given.message_id as message_id, o.reserved as bytes
   from {given} join media_object o on o.account_id = given.account_id and o.oid = given.oid
   where not exists (select 1 from media_carrier c where c.owner_id = given.account_id and c.oid = given.base)`,
);
/** The objects that messages name in their content, each with the newest message that carries it. */
export const lastCarried = sqlSet<{ readonly message_id: number; readonly owner_id: number; readonly oid: string }>(
  { chat_id: 'bigint', message_id: 'bigint' },
  `select c.message_id as message_id, c.owner_id as owner_id, c.oid as oid
   from {given} join media_carrier c on c.chat_id = given.chat_id and c.message_id = given.message_id
   where not exists (select 1 from media_carrier d
     where d.owner_id = c.owner_id and d.oid = c.oid and d.message_id > c.message_id)`,
);
export const carriedObjects = sqlSet<CountedObject>(
  { message_id: 'bigint', account_id: 'bigint', oid: 'text' },
  `select given.message_id as message_id, o.reserved as bytes
   from {given} join media_object o on o.account_id = given.account_id and o.oid = given.oid`,
);
export const midsOfChat = sql<{ chat_mid: string }>(
  'select distinct chat_mid from message_box where chat_id = ? order by chat_mid limit 2',
);
