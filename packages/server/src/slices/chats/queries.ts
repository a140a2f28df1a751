import { sql, sqlSet } from '../../platform/store/sql.ts';

export interface ChatRow {
  readonly chat_id: number;
  readonly mid: string;
  readonly kind: number;
  readonly created_time: number;
  readonly name: string;
  readonly picture_path: string;
  readonly creator_mid: string;
  readonly prevented_join_by_ticket: number;
  readonly invitation_ticket: string;
}

export interface MemberRow {
  readonly chat_id: number;
  readonly account_id: number;
  readonly mid: string;
  readonly joined: number;
  readonly notification_disabled: number;
}

/**
 * Values of `chat_member.joined`. Of a withheld membership or invitation, others see as much as of any other, and the
 * account is told nothing. The inviter is somebody whom the account had blocked or, in a room, a stranger of whom it
 * takes no messages.
 */
export const places = { INVITED: 0, JOINED: 1, INVITED_WITHHELD: 2, JOINED_WITHHELD: 3 } as const;

export const isMember = (joined: number): boolean => joined === places.JOINED || joined === places.JOINED_WITHHELD;
export const isWithheld = (joined: number): boolean => joined >= places.INVITED_WITHHELD;

/**
 * The part of a chat that belongs to one member or invitee: its membership, favourite mark and notification setting.
 */
export interface OwnRow {
  readonly mid: string;
  readonly joined: number;
  readonly favorite_time: number;
  readonly notification_disabled: number;
}

const CHAT = `c.id as chat_id, c.mid as mid, c.kind as kind, c.created_time as created_time, g.name as name,
  g.picture_path as picture_path, a.mid as creator_mid, g.prevented_join_by_ticket as prevented_join_by_ticket,
  g.invitation_ticket as invitation_ticket`;
const FROM_CHAT =
  'chat c on c.mid = given.mid join group_chat g on g.chat_id = c.id join account a on a.id = g.creator_id';

// Queries that lock chats. The version is a column of the locked row, so a transaction that waited for the lock reads
// the newest version.

/** A chat, the version of its member list, and its group key for sealing. */
export interface FoundChat {
  readonly chat_id: number;
  readonly mid: string;
  readonly version: number;
  readonly group_key_id: number;
  readonly group_key_covers: number;
}
const FOUND =
  'g.chat_id as chat_id, c.mid as mid, g.version as version, g.group_key_id as group_key_id, g.group_key_covers as group_key_covers';

/**
 * Chats of which the accounts are members. A query that also found other chats would reveal them by its duration. The
 * lock is not shared: PostgreSQL lets every new sharer pass a change of the members, which would wait without an end.
 */
export const shareChats = sqlSet<FoundChat>(
  { mid: 'text', account_id: 'bigint' },
  `select ${FOUND}
   from {given} join chat c on c.mid = given.mid
   join chat_member m on m.chat_id = c.id and m.account_id = given.account_id and m.joined = 1
   join group_chat g on g.chat_id = c.id order by g.chat_id {for update of g}`,
);
export const lockChat = sql<{ chat_id: number }>(
  'select g.chat_id as chat_id from chat c join group_chat g on g.chat_id = c.id where c.mid = ? {for update of g}',
);
/** Locks a chat if the account is a member or an invitee, and is told of the chat. */
export const lockChatFor = sql<{ chat_id: number }>(
  `select g.chat_id as chat_id from chat c
   join chat_member m on m.chat_id = c.id and m.account_id = ? and m.joined in (0, 1)
   join group_chat g on g.chat_id = c.id where c.mid = ? {for update of g}`,
);
export const findChat = sql<FoundChat>(
  `select ${FOUND} from chat c join group_chat g on g.chat_id = c.id where c.mid = ?`,
);
export const membersOf = sqlSet<Omit<MemberRow, 'mid'>>(
  { chat_id: 'bigint' },
  `select m.chat_id as chat_id, m.account_id as account_id, m.notification_disabled as notification_disabled,
     m.joined as joined
   from {given} join chat_member m on m.chat_id = given.chat_id where m.joined in (1, 3)
   order by m.chat_id, m.account_id`,
);

// Queries that read chats.

export const chatsByMid = sqlSet<ChatRow>({ mid: 'text' }, `select ${CHAT} from {given} join ${FROM_CHAT}`);
/** Members and invitees by the time when they came into the chat. */
export const partiesOf = sqlSet<MemberRow>(
  { chat_id: 'bigint' },
  `select m.chat_id as chat_id, m.account_id as account_id, a.mid as mid, m.joined as joined,
     m.notification_disabled as notification_disabled
   from {given} join chat_member m on m.chat_id = given.chat_id join account a on a.id = m.account_id
   order by m.chat_id, m.since_time, m.account_id`,
);
export const ownSides = sqlSet<OwnRow>(
  { mid: 'text', account_id: 'bigint' },
  `select c.mid as mid, m.joined as joined, m.favorite_time as favorite_time,
     m.notification_disabled as notification_disabled
   from {given} join chat c on c.mid = given.mid
   join chat_member m on m.chat_id = c.id and m.account_id = given.account_id and m.joined in (0, 1)`,
);
export const chatMidsOf = sql<{ mid: string }>(
  `select c.mid as mid from chat_member m join chat c on c.id = m.chat_id
   where m.account_id = ? and m.joined = ? order by c.mid`,
);
export const allChatsOf = sql<{ chat_id: number; mid: string }>(
  'select c.id as chat_id, c.mid as mid from chat_member m join chat c on c.id = m.chat_id where m.account_id = ? order by c.id',
);
export interface SpanRow {
  readonly after_message_id: number;
  readonly before_message_id: number | null;
}
/** Spans of messages that an account may read, oldest first. The present membership comes last and has no end. */
export const spansOf = sql<SpanRow>(
  `select after_message_id, before_message_id from past_membership where chat_id = ? and account_id = ?
   union all select since_message_id, null from chat_member where chat_id = ? and account_id = ? and joined = 1
   order by 1`,
);
/** The same of all members, as they see each other. Past memberships of accounts that are not members are left out. */
export const spansOfAll = sql<SpanRow & { account_id: number }>(
  `select p.account_id, p.after_message_id, p.before_message_id from chat_member m
   join past_membership p on p.chat_id = m.chat_id and p.account_id = m.account_id
   where m.chat_id = ? and m.joined in (1, 3)
   union all select account_id, since_message_id, null from chat_member where chat_id = ? and joined in (1, 3)
   order by 1, 2`,
);
export const newestMessage = sql<{ id: number | null }>('select max(id) as id from message where chat_id = ?');
export const accountsByMid = sqlSet<{ id: number; mid: string }>(
  { mid: 'text' },
  'select a.id as id, a.mid as mid from {given} join account a on a.mid = given.mid where a.deleted = 0',
);
const sharing = (own: string, others: string) =>
  sql<{ account_id: number }>(
    `select distinct o.account_id as account_id
     from (select chat_id from chat_member where account_id = ? and joined in ${own} order by chat_id desc limit ?) as own
     join chat_member o on o.chat_id = own.chat_id
     where o.joined in ${others} and o.account_id <> ? order by o.account_id limit ?`,
  );
/**
 * Accounts that the given account sees in a chat. The query reads only the newest chats, so that its cost is bounded.
 */
export const sharedMembers = sharing('(1)', '(1, 3)');
/** Accounts that see the given account in a chat. The query reads only the newest chats. */
export const membersWhoSee = sharing('(1, 3)', '(1)');

// Queries that change chats.

export const insertChat = sql('insert into chat (id, mid, kind, created_time) values (?, ?, ?, ?)');
export const insertGroup = sql('insert into group_chat (chat_id, name, creator_id) values (?, ?, ?)');
/** Raises the version and drops the group key, because the key belongs to the previous members. */
export const raiseVersion = sql('update group_chat set version = version + 1, group_key_id = 0 where chat_id = ?');
/**
 * Raises the version but keeps the group key. Used after a change of a notification setting, because the members stay
 * the same.
 */
export const raiseVersionOnly = sql('update group_chat set version = version + 1 where chat_id = ?');
/** Adds a member or an invitee, or turns an invitee into a member. */
export const putMembers = sqlSet(
  {
    chat_id: 'bigint',
    account_id: 'bigint',
    joined: 'bigint',
    since_time: 'bigint',
    since_message_id: 'bigint',
    inviter_id: 'bigint',
  },
  `insert into chat_member (chat_id, account_id, joined, since_time, since_message_id, inviter_id)
   select chat_id, account_id, joined, since_time, since_message_id, inviter_id from {given} where true
   on conflict (chat_id, account_id) do update set joined = excluded.joined, since_time = excluded.since_time,
     since_message_id = excluded.since_message_id`,
);
/** Tells members or invitees of the chat from now on. Others see no change, so the account keeps its place in the lists. */
export const endWithholding = sqlSet(
  { chat_id: 'bigint', account_id: 'bigint', since_message_id: 'bigint' },
  `update chat_member set joined = joined - 2, since_message_id = given.since_message_id from {given}
   where chat_member.chat_id = given.chat_id and chat_member.account_id = given.account_id and chat_member.joined >= 2`,
);
export const openBoxes = sqlSet(
  { account_id: 'bigint', chat_mid: 'text', chat_id: 'bigint' },
  `insert into message_box (account_id, chat_mid, chat_id) select account_id, chat_mid, chat_id from {given} where true
   on conflict (account_id, chat_mid) do nothing`,
);
export const endMemberships = sqlSet(
  { chat_id: 'bigint', account_id: 'bigint', before_message_id: 'bigint' },
  `insert into past_membership (chat_id, account_id, after_message_id, before_message_id)
   select m.chat_id, m.account_id, m.since_message_id, given.before_message_id
   from {given} join chat_member m on m.chat_id = given.chat_id and m.account_id = given.account_id where m.joined = 1`,
);
export const dropMembers = sqlSet(
  { chat_id: 'bigint', account_id: 'bigint' },
  `delete from chat_member where (chat_id, account_id) in (select chat_id, account_id from {given})`,
);
export const setAttributes = sql(
  `update group_chat set name = ?, picture_path = ?, prevented_join_by_ticket = ?, invitation_ticket = ? where chat_id = ?`,
);
/** Chats whose picture has one of these paths. */
export const chatsWithPicture = sqlSet<{ chat_id: number; mid: string }>(
  { path: 'text' },
  `select c.id as chat_id, c.mid as mid from {given}
   join group_chat g on g.picture_path = given.path and g.picture_path <> '' join chat c on c.id = g.chat_id`,
);
export const setPicture = sql('update group_chat set picture_path = ? where chat_id = ?');
export const setOwnSide = sql(
  'update chat_member set favorite_time = ?, notification_disabled = ? where chat_id = ? and account_id = ?',
);
/** Mids of the chats that a member marked as favourites, oldest mark first. */
export const favoriteChats = sql<{ mid: string }>(
  `select c.mid from chat_member m join chat c on c.id = m.chat_id
   where m.account_id = ? and m.joined = 1 and m.favorite_time > 0 order by m.favorite_time, m.chat_id`,
);
