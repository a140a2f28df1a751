import { sql, sqlSet } from '../../platform/store/sql.ts';

export interface MessageRow {
  readonly chat_id: number;
  readonly id: number;
  readonly sender_id: number;
  readonly content_type: number;
  readonly unsent: number;
  readonly only_for: number | null;
  /**
   * 1 if the message has reactions, otherwise 0. Most messages have none, so most reads need no query for reactions.
   */
  readonly reacted: number;
  readonly body: string;
}

/** The newest or the oldest message of a range, whoever may see it. */
export interface EdgeRow {
  readonly id: number;
  readonly only_for: number | null;
  /** The message before the run of withheld messages; null if no run is known. */
  readonly withheld_after: number | null;
}

export interface BoxRow {
  readonly account_id: number;
  readonly chat_mid: string;
  readonly chat_id: number;
  readonly peer_id: number | null;
  readonly seen_message_id: number;
  readonly removed_message_id: number;
  readonly removed_time: number;
  readonly hidden_message_id: number;
  /** The other account of a one-to-one chat, if messages of it are withheld from the box's owner; null otherwise. */
  readonly withheld_by: number | null;
}

/** Condition that messages of the chat are withheld from the box's owner. An index has the withheld messages only. */
const WITHHELD = 'exists (select 1 from message w where w.only_for = b.peer_id and w.chat_id = b.chat_id)';
const BOX_OF_CHAT = `b.account_id, b.chat_mid, b.peer_id, b.seen_message_id, b.removed_message_id, b.removed_time,
  b.hidden_message_id, case when ${WITHHELD} then b.peer_id end as withheld_by`;
const BOX = `b.chat_id, ${BOX_OF_CHAT}`;
const MESSAGE = `m.chat_id, m.id, m.sender_id, m.content_type, m.unsent, m.only_for, m.body,
  case when exists (select 1 from reaction r where r.chat_id = m.chat_id and r.message_id = m.id) then 1 else 0 end as reacted`;
/** Condition for the messages of a chat that a viewer may see between two message ids, both exclusive. */
const VISIBLE = 'm.chat_id = ? and m.id > ? and m.id < ? and (m.only_for is null or m.only_for = ?)';

/**
 * Condition for visible messages that count as unread for a reader. Tombstones, system messages and the reader's own
 * messages do not count.
 */
const counts = (reader: string): string => `sender_id <> ${reader} and unsent = 0 and content_type <> 18`;

// Queries of sends. Each takes a set of rows, because sends that wait at the same time are written together.

export const insertMessages = sqlSet(
  {
    chat_id: 'bigint',
    id: 'bigint',
    sender_id: 'bigint',
    content_type: 'bigint',
    created_time: 'bigint',
    only_for: 'bigint',
    withheld_after: 'bigint',
    body: 'text',
  },
  `insert into message (chat_id, id, sender_id, content_type, created_time, only_for, withheld_after, body)
   select chat_id, id, sender_id, content_type, created_time, only_for, withheld_after, body from {given}`,
);
export const locateMessages = sqlSet(
  { id: 'bigint', chat_id: 'bigint' },
  'insert into message_location (id, chat_id) select id, chat_id from {given}',
);
export const knownSealed = sqlSet<{ chat_id: number; digest: string }>(
  { chat_id: 'bigint', digest: 'text' },
  `select s.chat_id as chat_id, s.digest as digest
   from {given} join sealed_message s on s.chat_id = given.chat_id and s.digest = given.digest`,
);
export const insertSealed = sqlSet(
  { chat_id: 'bigint', digest: 'text' },
  'insert into sealed_message (chat_id, digest) select chat_id, digest from {given}',
);
/** The newest message of each chat. */
export const newestOfChats = sqlSet<EdgeRow & { chat_id: number }>(
  { chat_id: 'bigint' },
  `select m.chat_id as chat_id, m.id as id, m.only_for as only_for, m.withheld_after as withheld_after
   from {given} join message m on m.chat_id = given.chat_id
     and m.id = (select max(n.id) from message n where n.chat_id = given.chat_id)`,
);
export const peerChat = sql<{ id: number }>('select id from chat where mid = ?');
export const insertChat = sql('insert into chat (id, mid, kind, created_time) values (?, ?, ?, ?)');
export const insertBox = sql(
  'insert into message_box (account_id, chat_mid, chat_id, peer_id) values (?, ?, ?, ?) on conflict (account_id, chat_mid) do nothing',
);
export const accountByMid = sql<{ id: number; kind: string }>(
  'select id, kind from account where mid = ? and deleted = 0',
);

// Queries of message boxes.

export const boxOf = sql<BoxRow>(`select ${BOX} from message_box b where b.account_id = ? and b.chat_mid = ?`);
export const lockBox = sql<BoxRow>(
  `select ${BOX} from message_box b where b.account_id = ? and b.chat_mid = ? {for update}`,
);
export const boxesOfChat = sql<BoxRow>(`select ${BOX} from message_box b where b.chat_id = ? order by b.account_id`);
/** How far the accounts of a chat have read it, without accounts that have read nothing. */
export const readersOfChat = sql<{ account_id: number; mid: string; seen_message_id: number }>(
  `select b.account_id, a.mid, b.seen_message_id from message_box b join account a on a.id = b.account_id
   where b.chat_id = ? and b.seen_message_id > 0 order by b.account_id`,
);
/**
 * The newest message of a chat that the box's owner may see. All messages of a run are withheld, so the message before the
 * run is taken. It may have been removed because of its age, and the times of membership in groups are ignored. So the
 * owner may see only an older message, or none.
 */
const NEWEST = `(select case when m.only_for = b.peer_id then coalesce(m.withheld_after, m.id - 1) else m.id end
     from message m where m.chat_id = b.chat_id order by m.id desc limit 1)`;
const SHOWN = `(case when b.peer_id is not null then ${NEWEST} > b.removed_message_id else exists (select 1 from chat_member i
     where i.chat_id = b.chat_id and i.account_id = b.account_id and i.joined = 1) end)`;
/** Condition for unread messages. Beside withheld messages, some of the messages after the read mark may not count. */
const UNREAD = `(case when ${WITHHELD} then ${NEWEST} > b.seen_message_id else exists (select 1 from message m
     where m.chat_id = b.chat_id and m.id > b.removed_message_id and m.id > b.seen_message_id
       and ${counts('b.account_id')}) end)`;
const ACTIVE = `${NEWEST} > case when b.hidden_message_id > b.removed_message_id then b.hidden_message_id
     else b.removed_message_id end`;
/**
 * Creates a query for the boxes that meet the conditions. The database checks the conditions, because far more boxes
 * may fail them than one page holds.
 */
const boxesAfterThat = (...conditions: readonly string[]) =>
  sql<BoxRow>(
    `select ${BOX} from message_box b
     where b.account_id = ? and b.chat_mid > ? and ${conditions.join(' and ')} order by b.chat_mid limit ?`,
  );
export const boxesAfter = boxesAfterThat(SHOWN);
export const unreadBoxesAfter = boxesAfterThat(SHOWN, UNREAD);
export const activeBoxesAfter = boxesAfterThat(SHOWN, ACTIVE);
export const unreadActiveBoxesAfter = boxesAfterThat(SHOWN, UNREAD, ACTIVE);
export const markSeen = sql('update message_box set seen_message_id = ? where account_id = ? and chat_mid = ?');
export const markRemoved = sql(
  `update message_box set removed_message_id = ?, removed_time = ?
   where account_id = ? and chat_mid = ? and removed_message_id < ?`,
);
export const markHidden = sql('update message_box set hidden_message_id = ? where account_id = ? and chat_mid = ?');

// Queries that read messages.

export const messagesBetween = sql<MessageRow>(
  `select ${MESSAGE} from message m where ${VISIBLE} order by m.id desc limit ?`,
);
export const receivedBetween = sql<MessageRow>(
  `select ${MESSAGE} from message m where ${VISIBLE} and m.sender_id <> ? order by m.id desc limit ?`,
);
const edge = (order: 'asc' | 'desc') =>
  sql<EdgeRow>(
    `select id, only_for, withheld_after from message where chat_id = ? and id > ? and id < ? order by id ${order} limit 1`,
  );
export const newestBetween = edge('desc');
export const oldestBetween = edge('asc');
export const newestVisible = sql<{ id: number | null }>(`select max(m.id) as id from message m where ${VISIBLE}`);
export const oldestVisible = sql<{ id: number | null }>(`select min(m.id) as id from message m where ${VISIBLE}`);
/** The first message of a chat after each of some ids. The messages may not be withheld from anybody, as in groups. */
export const oldestAfter = sqlSet<{ after: number; id: number | null }>(
  { chat_id: 'bigint', after: 'bigint' },
  `select given.after as after,
     (select min(m.id) from message m where m.chat_id = given.chat_id and m.id > given.after) as id from {given}`,
);
/** The last message of the run of an account's withheld messages that begins after an id. */
export const endOfRun = sql<{ id: number }>(
  `select id from message where only_for = ? and chat_id = ? and withheld_after = ?
   order by withheld_after desc, id desc limit 1`,
);
/** The newest run of an account's withheld messages that begins below an id. */
export const runBelow = sql<{ after: number; last: number }>(
  `select withheld_after as after, id as last from message where only_for = ? and chat_id = ? and withheld_after < ?
   order by withheld_after desc, id desc limit 1`,
);
/** Reads the newest messages between two ids. Returns how many were read, and how many of them count as unread. */
export const unreadBetween = sql<{ messages: number; unread: number }>(
  `select count(*) as messages,
     count(case when (only_for is null or only_for = ?) and ${counts('?')} then 1 end) as unread
   from (
     select only_for, sender_id, unsent, content_type from message
     where chat_id = ? and id > ? and id < ? order by id desc limit ?) newest`,
);
export const messageById = sql<MessageRow>(
  `select ${MESSAGE} from message_location l join message m on m.chat_id = l.chat_id and m.id = l.id where l.id = ?`,
);
/**
 * A message with the box of an account. There is no row if the account has no box of the chat, or if the message is for
 * somebody else. The message itself is read last. So the duration does not reveal that other people have such a message.
 */
export const messageSeenBy = sql<MessageRow & BoxRow>(
  `select ${MESSAGE}, ${BOX_OF_CHAT} from message_location l
   join message_box b on b.chat_id = l.chat_id and b.account_id = ?
   join message m on m.chat_id = l.chat_id and m.id = l.id and (m.only_for is null or m.only_for = b.account_id)
   where l.id = ?`,
);
export const lockMessage = sql<MessageRow>(
  `select ${MESSAGE} from message m where m.chat_id = ? and m.id = ? {for update}`,
);
export const lockMessages = sqlSet<{ id: number }>(
  { id: 'bigint' },
  `select m.id from {given} join message_location l on l.id = given.id
   join message m on m.chat_id = l.chat_id and m.id = l.id order by m.id {for update of m}`,
);

// Queries that change a message.

export const locationsOf = sqlSet<{ id: number; chat_id: number }>(
  { id: 'bigint' },
  'select l.id, l.chat_id from {given} join message_location l on l.id = given.id',
);
export interface ContentChange {
  readonly id: number;
  readonly sender_id: number;
  readonly only_for: number | null;
}
/**
 * Changes the flag hasContent in the text of the stored JSON. Only the field itself matches, because quotes in a user's
 * text are escaped. The types 1, 2, 3 and 14 are media.
 */
const changeContent = (from: string, to: string) =>
  sqlSet<ContentChange>(
    { chat_id: 'bigint', id: 'bigint' },
    `update message set body = replace(body, '"hasContent":${from}', '"hasContent":${to}') from {given}
     where message.chat_id = given.chat_id and message.id = given.id and message.unsent = 0
       and message.content_type in (1, 2, 3, 14) and message.body like '%"hasContent":${from}%'
     returning message.id, message.sender_id, message.only_for`,
  );
export const gainContent = changeContent('false', 'true');
export const loseContent = changeContent('true', 'false');
export const eraseMessage = sql('update message set unsent = 1, body = ? where chat_id = ? and id = ?');

export interface ReactionRow {
  readonly message_id: number;
  readonly mid: string;
  readonly created_time: number;
  readonly reaction: string;
}
/** Reactions to messages, as an account sees them. Reactions to the messages between these are not read. */
export const reactionsTo = sqlSet<ReactionRow>(
  { chat_id: 'bigint', message_id: 'bigint', viewer_id: 'bigint' },
  `select r.message_id, a.mid, r.created_time, r.reaction
   from {given} join reaction r on r.chat_id = given.chat_id and r.message_id = given.message_id
     and (r.only_for is null or r.only_for = given.viewer_id)
   join account a on a.id = r.account_id order by r.message_id, r.created_time, r.account_id`,
);
export const insertReaction = sql(
  'insert into reaction (chat_id, message_id, account_id, created_time, reaction, only_for) values (?, ?, ?, ?, ?, ?)',
);
export const dropReaction = sql<{ only_for: number | null }>(
  'delete from reaction where chat_id = ? and message_id = ? and account_id = ? returning only_for',
);
export const dropReactions = sql('delete from reaction where chat_id = ? and message_id = ?');

// Queries that remove what only a deleted account could see.

export const messagesOnlyFor = sql<{ chat_id: number; id: number }>(
  'select chat_id, id from message where only_for = ?',
);
export const dropMessages = sqlSet(
  { chat_id: 'bigint', id: 'bigint' },
  'delete from message where (chat_id, id) in (select chat_id, id from {given})',
);
export const dropReactionsTo = sqlSet(
  { chat_id: 'bigint', message_id: 'bigint' },
  'delete from reaction where (chat_id, message_id) in (select chat_id, message_id from {given})',
);
export const dropCarriersBy = sqlSet(
  { chat_id: 'bigint', message_id: 'bigint' },
  'delete from media_carrier where (chat_id, message_id) in (select chat_id, message_id from {given})',
);
export const dropLocations = sqlSet({ id: 'bigint' }, 'delete from message_location where id in {given}');
/** Reactions are withheld only in chats of two, so the boxes of the account name the chats. */
export const dropReactionsOnlyFor = sql(
  'delete from reaction where only_for = ? and chat_id in (select chat_id from message_box where account_id = ?)',
);
/** Locks the chats of an account in the order of their ids. */
export const lockChatsOf = sql<{ id: number }>(
  `select c.id from chat c where c.id in (select chat_id from message_box where account_id = ?)
   order by c.id {for update}`,
);
/** The chats of an account in which everybody else was deleted, and its chat with itself. */
export const chatsOfNobodyElse = sql<{ chat_id: number }>(
  `select b.chat_id from message_box b where b.account_id = ? and not exists (
     select 1 from message_box o join account a on a.id = o.account_id and a.deleted = 0
     where o.chat_id = b.chat_id and o.account_id <> b.account_id)`,
);
export const dropLocationsOfChat = sql(
  'delete from message_location where id in (select id from message where chat_id = ?)',
);
export const dropReactionsOfChat = sql('delete from reaction where chat_id = ?');
export const dropCarriersOfChat = sql('delete from media_carrier where chat_id = ?');
export const dropSealedOfChat = sql('delete from sealed_message where chat_id = ?');
export const dropMessagesOfChat = sql('delete from message where chat_id = ?');
export const dropBoxesOf = sql('delete from message_box where account_id = ?');
