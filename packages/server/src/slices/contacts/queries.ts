import { sql, sqlSet } from '../../platform/store/sql.ts';

/** One account's row about another account. */
export interface RelationRow {
  readonly owner_id: number;
  readonly contact_id: number;
  readonly added: number;
  readonly added_time: number;
  readonly added_by_time: number;
  readonly type: number;
  readonly deleted: number;
  readonly blocked: number;
  readonly recommendation_blocked: number;
  readonly muted: number;
  readonly hidden: number;
  readonly favorite_time: number;
  readonly name_override: string;
  readonly ringtone: string;
  readonly ringback_tone: string;
}

type Nullable<T> = { readonly [K in keyof T]: T[K] | null };

/** A user, joined with the viewer's row about the user. Without such a row, its columns are null. */
export interface ContactRow extends Nullable<Omit<RelationRow, 'owner_id' | 'contact_id'>> {
  readonly id: number;
  readonly mid: string;
  readonly kind: string;
  readonly display_name: string;
  readonly status_message: string;
  readonly picture_path: string;
  readonly extra: string;
  readonly refuse_friend_requests: number;
}

export interface AccountRow {
  readonly id: number;
  readonly mid: string;
  readonly kind: string;
  readonly userid: string | null;
  readonly region_code: string;
  readonly disabled: number;
  readonly created_time: number;
  readonly refuse_friend_requests: number;
}

interface MidRow {
  readonly mid: string;
}

export const contactRecords = sqlSet<ContactRow>(
  { viewer_id: 'bigint', mid: 'text' },
  `select a.id as id, a.mid as mid, a.kind as kind, p.display_name as display_name, p.status_message as status_message,
          p.picture_path as picture_path, p.extra as extra,
          c.added, c.added_time, c.added_by_time, c.type, c.deleted, c.blocked, c.recommendation_blocked, c.muted, c.hidden,
          c.favorite_time, c.name_override, c.ringtone, c.ringback_tone,
          coalesce(s.refuse_friend_requests, 0) as refuse_friend_requests
   from {given} join account a on a.mid = given.mid and a.deleted = 0 join profile p on p.account_id = a.id
   left join settings s on s.account_id = a.id
   left join contact c on c.owner_id = given.viewer_id and c.contact_id = a.id`,
);
export const accountsByMid = sqlSet<AccountRow>(
  { mid: 'text' },
  `select a.id as id, a.mid as mid, a.kind as kind, a.userid as userid, a.region_code as region_code,
          a.disabled as disabled, a.created_time as created_time,
          coalesce(s.refuse_friend_requests, 0) as refuse_friend_requests
   from {given} join account a on a.mid = given.mid and a.deleted = 0 left join settings s on s.account_id = a.id`,
);
export const accountById = sql<Omit<AccountRow, 'refuse_friend_requests'>>(
  'select id, mid, kind, userid, region_code, disabled, created_time from account where id = ?',
);
export const midByUserid = sql<MidRow>(
  `select a.mid from account a left join settings s on s.account_id = a.id
   where a.userid = ? and a.deleted = 0 and coalesce(s.hide_userid, 0) = 0`,
);
export const midsByPhone = sqlSet<{ asked: string; mid: string }>(
  { asked: 'text', phone: 'text' },
  `select given.asked as asked, a.mid as mid
   from {given} join account a on a.phone = given.phone and a.deleted = 0
   left join settings s on s.account_id = a.id where coalesce(s.hide_phone, 0) = 0`,
);

export const relations = sqlSet<RelationRow>(
  { owner_id: 'bigint', contact_id: 'bigint' },
  `select c.owner_id as owner_id, c.contact_id as contact_id, c.added, c.added_time, c.added_by_time, c.type, c.deleted,
          c.blocked, c.recommendation_blocked, c.muted, c.hidden, c.favorite_time, c.name_override, c.ringtone,
          c.ringback_tone
   from {given} join contact c on c.owner_id = given.owner_id and c.contact_id = given.contact_id`,
);
export const storeRelation = sql(
  `insert into contact (owner_id, contact_id, added, added_time, added_by_time, type, deleted, blocked,
     recommendation_blocked, muted, hidden, favorite_time, name_override, ringtone, ringback_tone)
   values (?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?)
   on conflict (owner_id, contact_id) do update set added = excluded.added, added_time = excluded.added_time,
     added_by_time = excluded.added_by_time, type = excluded.type, deleted = excluded.deleted, blocked = excluded.blocked,
     recommendation_blocked = excluded.recommendation_blocked, muted = excluded.muted, hidden = excluded.hidden,
     favorite_time = excluded.favorite_time, name_override = excluded.name_override, ringtone = excluded.ringtone,
     ringback_tone = excluded.ringback_tone`,
);

const WITHHELD = 'c.blocked = 1 or (s.refuse_strangers = 1 and coalesce(c.added, 0) = 0)';
/**
 * Pairs whose recipient gets no messages or no alerts from the sender. In such a pair, the recipient blocked the
 * sender, refuses strangers, or muted the sender.
 */
export const guardedPairs = sqlSet<{ sender_id: number; recipient_id: number; withheld: number; blocked: number }>(
  { sender_id: 'bigint', recipient_id: 'bigint' },
  `select given.sender_id as sender_id, given.recipient_id as recipient_id,
          case when ${WITHHELD} then 1 else 0 end as withheld, coalesce(c.blocked, 0) as blocked from {given}
   left join contact c on c.owner_id = given.recipient_id and c.contact_id = given.sender_id
   left join settings s on s.account_id = given.recipient_id
   where ${WITHHELD} or c.muted = 1`,
);

export const contactMids = sql<MidRow>(
  `select a.mid from contact c join account a on a.id = c.contact_id and a.deleted = 0
   where c.owner_id = ? and c.added = 1 and c.blocked = 0 order by c.contact_id`,
);
export const blockedMids = sql<MidRow>(
  `select a.mid from contact c join account a on a.id = c.contact_id and a.deleted = 0
   where c.owner_id = ? and c.blocked = 1 order by c.contact_id`,
);
export const favoriteMids = sql<MidRow>(
  `select a.mid from contact c join account a on a.id = c.contact_id and a.deleted = 0
   where c.owner_id = ? and c.favorite_time > 0 and c.added = 1 and c.blocked = 0
   order by c.favorite_time, c.contact_id`,
);
export const addedByMids = sql<MidRow>(
  `select a.mid from contact c join account a on a.id = c.contact_id and a.deleted = 0
   where c.owner_id = ? and c.added_by_time > 0 and c.added = 0 and c.blocked = 0 and c.recommendation_blocked = 0
   order by c.added_by_time desc, c.contact_id limit ?`,
);
export const blockedRecommendationMids = sql<MidRow>(
  `select a.mid from contact c join account a on a.id = c.contact_id and a.deleted = 0
   where c.owner_id = ? and c.recommendation_blocked = 1 and c.added = 0 order by c.contact_id`,
);
/** Reads which of the given accounts may be recommended to the owner. */
export const recommendable = sqlSet<MidRow>(
  { owner_id: 'bigint', contact_id: 'bigint' },
  `select a.mid as mid from {given} join account a on a.id = given.contact_id and a.deleted = 0
   left join contact c on c.owner_id = given.owner_id and c.contact_id = given.contact_id
   where coalesce(c.added, 0) = 0 and coalesce(c.blocked, 0) = 0 and coalesce(c.recommendation_blocked, 0) = 0
   order by a.id`,
);
/** The next accounts that have an account as a contact, in the order of their ids. */
export const addedByIds = sql<{ contact_id: number }>(
  `select contact_id from contact where owner_id = ? and contact_id > ? and added_by_time > 0
   order by contact_id limit ?`,
);
export const addedIds = sql<{ contact_id: number }>(
  'select contact_id from contact where owner_id = ? and added = 1 order by contact_id',
);
export const clearAddedBy = sqlSet(
  { owner_id: 'bigint', contact_id: 'bigint' },
  `update contact set added_by_time = 0 from {given}
   where contact.owner_id = given.owner_id and contact.contact_id = given.contact_id`,
);
export const deleteRelation = sqlSet(
  { owner_id: 'bigint', contact_id: 'bigint' },
  'delete from contact where (owner_id, contact_id) in (select owner_id, contact_id from {given})',
);
export const deleteRelations = sql('delete from contact where owner_id = ?');
/** Removes what others keep about an account, such as their own names for it. */
export const deleteRelationsTo = sql('delete from contact where contact_id = ?');
export const countAddedBy = sql<{ count: number }>(
  'select count(*) as count from contact where owner_id = ? and added_by_time > 0',
);

// Queries about news for many followers.

export const newestOwed = sql<{ number: number | null }>(
  'select max(number) as number from owed_news where account_id = ?',
);
export const oweNews = sql('insert into owed_news (account_id, number, news) values (?, ?, ?)');
export const firstOwed = sql<{ account_id: number; number: number; news: string; told_to: number }>(
  'select account_id, number, news, told_to from owed_news order by account_id, number limit 1 {for update}',
);
export const noteTold = sql('update owed_news set told_to = ? where account_id = ? and number = ?');
export const deleteOwed = sql('delete from owed_news where account_id = ? and number = ?');
