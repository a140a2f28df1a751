// Writes the content of an account directly into the database file of a stopped server, because sending all messages
// would take too long. The account gets many chats with a few messages each, one chat with very many messages, and a
// large group.
import { DatabaseSync } from 'node:sqlite';
import { fillAccount } from '../large-account.ts';

export interface Amounts {
  readonly chats: number;
  readonly messagesPerChat: number;
  /** The number of messages in the chat in which the bench writes and reads. */
  readonly messagesInLargeChat: number;
  readonly groupMembers: number;
}

export interface Filled {
  readonly groupMid: string;
  /** The number of messages that the account can read. */
  readonly messages: number;
}

/** A word that only a few messages contain. */
export const RARE = 'lighthouse';
/** The number of messages that contain the rare word. A search can show all of them. */
const RARE_MESSAGES = 100;
const MESSAGES_IN_GROUP = 300;
const BETWEEN_MS = 20_000;
/** The number that stands for groups in the column `kind` of chats. */
const GROUP = 0;

interface Member {
  readonly id: number;
  readonly mid: string;
}

/** The facts about a chat that its messages need. */
interface FilledChat {
  readonly id: number;
  /** The mid of a group; undefined in a one-to-one chat. */
  readonly groupMid: string | undefined;
  readonly members: readonly Member[];
}

/**
 * Fills the account.
 * @param owner the mid of the account; it must have one message with `peer`
 */
export function fill(file: string, owner: string, peer: string, amounts: Amounts): Filled {
  fillAccount(file, owner, amounts.chats, 1);
  const database = new DatabaseSync(file);
  database.exec('pragma synchronous = off; begin');
  const groupMid = addGroup(database, owner, amounts.groupMembers);
  const chats = chatsOf(database, owner);
  const pattern = database.prepare('select body from message order by id limit 1').get() as { body: string };
  const wanted = (chat: FilledChat): number => {
    if (chat.groupMid === groupMid) return MESSAGES_IN_GROUP;
    const isLarge = chat.groupMid === undefined && chat.members.some(({ mid }) => mid === peer);
    return isLarge ? amounts.messagesInLargeChat : amounts.messagesPerChat;
  };
  const messages = addMessages(database, JSON.parse(pattern.body) as object, chats, wanted);
  database.exec('commit; pragma wal_checkpoint(truncate)');
  database.close();
  return { groupMid, messages };
}

/** Adds a group of the owner and of accounts that already have chats with the owner. Returns its mid. */
function addGroup(database: DatabaseSync, owner: string, members: number): string {
  const mid = `c${'0123456789abcdef'.repeat(2)}`;
  const { id } = database.prepare('select max(id) + 1 as id from chat').get() as { id: number };
  const { creator, time } = database
    .prepare('select id as creator, created_time as time from account where mid = ?')
    .get(owner) as { creator: number; time: number };
  database.prepare('insert into chat (id, mid, kind, created_time) values (?, ?, 0, ?)').run(id, mid, time);
  const group = database.prepare('insert into group_chat (chat_id, name, creator_id) values (?, ?, ?)');
  group.run(id, 'The large group', creator);
  const chosen = database.prepare(`insert into chat_member (chat_id, account_id, joined, since_time, inviter_id)
    select ?, id, 1, ? + id, ? from account where id = ? or userid like 'peer%' order by id = ? desc, id limit ?`);
  chosen.run(id, time, creator, creator, creator, members);
  database
    .prepare(
      'insert into message_box (account_id, chat_mid, chat_id) select account_id, ?, ? from chat_member where chat_id = ?',
    )
    .run(mid, id, id);
  return mid;
}

function chatsOf(database: DatabaseSync, owner: string): FilledChat[] {
  const rows = database
    .prepare(
      `select b.chat_id as id, c.kind as kind, c.mid as mid, a.id as account, a.mid as member
       from message_box own join account o on o.id = own.account_id and o.mid = ?
       join message_box b on b.chat_id = own.chat_id join account a on a.id = b.account_id
       join chat c on c.id = b.chat_id order by b.chat_id, a.id`,
    )
    .all(owner) as { id: number; kind: number; mid: string; account: number; member: string }[];
  return [...Map.groupBy(rows, ({ id }) => id)].map(([id, found]) => {
    const members = found.map(({ account, member }) => ({ id: account, mid: member }));
    const { kind = 0, mid = '' } = found[0] ?? {};
    return { id, members, groupMid: kind === GROUP ? mid : undefined };
  });
}

/** Adds messages to all chats in turn, until each chat has the wanted number. Returns the number of all messages. */
function addMessages(
  database: DatabaseSync,
  pattern: object,
  chats: readonly FilledChat[],
  wanted: (chat: FilledChat) => number,
): number {
  const { last, time } = database.prepare('select max(id) as last, max(created_time) as time from message').get() as {
    last: number;
    time: number;
  };
  const insert = database.prepare(
    'insert into message (chat_id, id, sender_id, content_type, created_time, body) values (?, ?, ?, 0, ?, ?)',
  );
  const locate = database.prepare('insert into message_location (id, chat_id) values (?, ?)');
  const total = chats.reduce((sum, chat) => sum + wanted(chat), 0);
  const begun = time - total * BETWEEN_MS;
  const rareEvery = Math.ceil(total / RARE_MESSAGES);
  // The messages that existed before become the oldest.
  const older = String(begun - BETWEEN_MS);
  database
    .prepare(`update message set created_time = ?, body = json_set(body, '$.createdTime', ?)`)
    .run(Number(older), older);
  let added = 0;
  for (let round = 1, open = chats; open.length > 0; round++) {
    open = open.filter((chat) => wanted(chat) > round);
    for (const { id: chat, members, groupMid } of open) {
      added += 1;
      const id = last + added;
      const sender = members[(Math.floor(round / 3) * 7 + chat) % members.length] as Member;
      const createdTime = begun + added * BETWEEN_MS;
      const to = groupMid ?? members.find((one) => one !== sender)?.mid;
      const toType = groupMid === undefined ? 0 : 2;
      const body = {
        ...pattern,
        id: String(id),
        from: sender.mid,
        to,
        toType,
        text: textOf(added, added % rareEvery === 0),
      };
      insert.run(chat, id, sender.id, createdTime, JSON.stringify({ ...body, createdTime: String(createdTime) }));
      locate.run(id, chat);
    }
  }
  database.exec(`update operation_head set last_message_id = (select max(id) from message_location);
    update message_box set seen_message_id = (select max(id) from message_location)`);
  return total;
}

const WORDS =
  'we meet at the harbour tomorrow and bring bread for all of them who said yes it will rain again 港で会いましょう พรุ่งนี้ไปตลาด 我們明天在市場見'.split(
    ' ',
  );
const LENGTHS = [3, 7, 1, 12, 5, 40, 8, 2, 20, 6];

/** Returns the text of message number `n`. Lengths and scripts vary. */
function textOf(n: number, isRare: boolean): string {
  const length = LENGTHS[n % LENGTHS.length] ?? 1;
  const words = Array.from({ length }, (_, word) => WORDS[(n * 31 + word * 17 + (n % 13) * word) % WORDS.length]);
  return [...(isRare ? [RARE] : []), ...words, `(${n})`].join(' ');
}
