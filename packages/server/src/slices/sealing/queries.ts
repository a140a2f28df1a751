import { sql, sqlSet } from '../../platform/store/sql.ts';

export interface KeyRow {
  readonly key_id: number;
  readonly key_data: string;
  readonly created_time: number;
}

/** An account with its current key. If the account has no key, the columns of the key are null. */
export interface SealingRow {
  readonly account_id: number;
  readonly mid: string;
  readonly sealing_off: number;
  readonly key_id: number | null;
  readonly key_data: string | null;
  readonly created_time: number | null;
}

export interface ShareRow {
  readonly group_key_id: number;
  readonly creator_mid: string;
  readonly creator_key_id: number;
  readonly key_id: number;
  readonly encrypted_shared_key: string;
}

const KEY = 'k.key_id as key_id, k.key_data as key_data, k.created_time as created_time';
const SEALING = `a.id as account_id, a.mid as mid, coalesce(s.sealing_off, 0) as sealing_off, ${KEY}`;
const STATE = `left join settings s on s.account_id = a.id
  left join e2ee_key k on k.account_id = a.id
    and k.key_id = (select max(n.key_id) from e2ee_key n where n.account_id = a.id)`;

// Queries of the accounts' keys.

export const keysOf = sql<KeyRow>(`select ${KEY} from e2ee_key k where k.account_id = ? order by k.key_id`);
export const newestKeyOf = sql<KeyRow>(
  `select ${KEY} from e2ee_key k where k.account_id = ? order by k.key_id desc limit 1`,
);
export const keyByData = sql<KeyRow>(`select ${KEY} from e2ee_key k where k.account_id = ? and k.key_data = ?`);
/**
 * Finds a key by mid and id. Keys of deleted accounts are found too, because others still read the messages of these
 * accounts.
 */
export const keyOfMid = sql<KeyRow>(
  `select ${KEY} from account a join e2ee_key k on k.account_id = a.id where a.mid = ? and k.key_id = ?`,
);
/** Takes the next key id. The row stays locked until the transaction ends, so ids rise in the order of commits. */
export const nextKeyId = sql<{ last_key_id: number }>(
  'update e2ee_key_counter set last_key_id = last_key_id + 1 where id = 1 returning last_key_id',
);
export const insertKey = sql('insert into e2ee_key (account_id, key_id, key_data, created_time) values (?, ?, ?, ?)');
/**
 * Copies the account's current key id to the head of its operation log, where sends read the id. The id is 0 if the
 * account has no key or has Letter Sealing off.
 */
export const setSealingKey = sql(
  `update operation_head set sealing_key_id = coalesce((
     select max(k.key_id) from e2ee_key k where k.account_id = operation_head.account_id
       and not exists (select 1 from settings s where s.account_id = k.account_id and s.sealing_off = 1)), 0)
   where account_id = ?`,
);
export const peersOf = sql<{ peer_id: number }>(
  `select peer_id from message_box where account_id = ? and peer_id is not null and peer_id <> account_id
   order by chat_id desc limit ?`,
);

// Queries of the accounts that messages can be sealed for.

export const sealingOfMid = sql<SealingRow>(
  `select ${SEALING} from account a ${STATE} where a.mid = ? and a.deleted = 0`,
);
/** The members of a chat as all see them, also those who are told nothing of the chat. */
export const sealingOfMembers = sql<SealingRow>(
  `select ${SEALING} from chat_member m join account a on a.id = m.account_id ${STATE}
   where m.chat_id = ? and m.joined in (1, 3) order by a.id`,
);

// Queries of the chats' keys.

export const chatOfMember = sql<{ chat_id: number }>(
  `select c.id as chat_id from chat c join chat_member m on m.chat_id = c.id
   where c.mid = ? and m.account_id = ? and m.joined = 1`,
);
export const newestGroupKey = sql<{ group_key_id: number; creator_id: number }>(
  'select group_key_id, creator_id from e2ee_group_key where chat_id = ? order by group_key_id desc limit 1',
);
export const sharesOf = sql<{ account_id: number; key_id: number; encrypted_shared_key: string }>(
  `select account_id, key_id, encrypted_shared_key from e2ee_group_key_share
   where chat_id = ? and group_key_id = ? order by account_id`,
);
export const groupKeyOf = sql<{ group_key_id: number; group_key_covers: number }>(
  'select group_key_id, group_key_covers from group_chat where chat_id = ?',
);
export const setGroupKey = sql('update group_chat set group_key_id = ?, group_key_covers = ? where chat_id = ?');
export const shareOf = sql<ShareRow>(
  `select g.group_key_id as group_key_id, a.mid as creator_mid, g.creator_key_id as creator_key_id, s.key_id as key_id,
     s.encrypted_shared_key as encrypted_shared_key
   from e2ee_group_key g join account a on a.id = g.creator_id
   join e2ee_group_key_share s on s.chat_id = g.chat_id and s.group_key_id = g.group_key_id
   where g.chat_id = ? and g.group_key_id = ? and s.account_id = ?`,
);
export const insertGroupKey = sql(
  `insert into e2ee_group_key (chat_id, group_key_id, creator_id, creator_key_id, created_time) values (?, ?, ?, ?, ?)`,
);
export const insertShares = sqlSet(
  {
    chat_id: 'bigint',
    group_key_id: 'bigint',
    account_id: 'bigint',
    key_id: 'bigint',
    encrypted_shared_key: 'text',
  },
  `insert into e2ee_group_key_share (chat_id, group_key_id, account_id, key_id, encrypted_shared_key)
   select chat_id, group_key_id, account_id, key_id, encrypted_shared_key from {given}`,
);
