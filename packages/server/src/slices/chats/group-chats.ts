// Tells the messaging slice the members of groups and rooms. The member list is locked while a message is sent.
import { LRUCache } from 'lru-cache';
import type { Reader, Tx } from '../../platform/store/store.ts';
import type { GroupChat, GroupChats } from '../messaging/index.ts';
import * as q from './queries.ts';

/** Maximum size of all member lists in memory together, counted in account ids. */
const REMEMBERED_MEMBERS = 1_000_000;
const ALWAYS = Number.MAX_SAFE_INTEGER;

type Members = Pick<GroupChat, 'memberIds' | 'mutedIds' | 'withheldIds'>;

interface RememberedMembers extends Members {
  readonly version: number;
}

export function createGroupChats(): GroupChats {
  const remembered = new LRUCache<number, RememberedMembers>({
    maxSize: REMEMBERED_MEMBERS,
    sizeCalculation: ({ memberIds }) => memberIds.length + 10,
  });

  async function withMembers(reader: Reader, chats: readonly q.FoundChat[], keep: (fill: () => void) => void) {
    const groups = new Map<string, GroupChat>();
    const unknown: q.FoundChat[] = [];
    for (const chat of chats) {
      const known = remembered.get(chat.chat_id);
      if (known?.version === chat.version) groups.set(chat.mid, toGroup(chat, known));
      else unknown.push(chat);
    }
    if (unknown.length === 0) return groups;
    const rows = await reader.each(
      q.membersOf,
      unknown.map((chat) => [chat.chat_id]),
    );
    const byChat = Map.groupBy(rows, (row) => row.chat_id);
    for (const chat of unknown) {
      const members = membersFrom(byChat.get(chat.chat_id) ?? []);
      groups.set(chat.mid, toGroup(chat, members));
      keep(() => remembered.set(chat.chat_id, { version: chat.version, ...members }));
    }
    return groups;
  }

  return {
    async lock(tx: Tx, asked) {
      const rows = await tx.each(
        q.shareChats,
        asked.map(({ mid, accountId }) => [mid, accountId]),
      );
      // A chat of several members who ask has a row for each.
      const chats = new Map(rows.map((row) => [row.mid, row]));
      return withMembers(tx, [...chats.values()], (fill) => tx.onCommit(fill));
    },
    async find(reader, mid) {
      const chat = await reader.one(q.findChat, mid);
      // The member list is not kept in memory here. It is read without a lock, so its members may not be those of the
      // version that was read.
      return chat && (await withMembers(reader, [chat], () => {})).get(mid);
    },
    async spans(reader, chatId, accountId) {
      const spans = await reader.all(q.spansOf, chatId, accountId, chatId, accountId);
      if (spans.at(-1)?.before_message_id !== null) return [];
      return spans.map(toSpan);
    },
    async allSpans(reader, chatId) {
      const byAccount = Map.groupBy(await reader.all(q.spansOfAll, chatId, chatId), (row) => row.account_id);
      return new Map([...byAccount].map(([accountId, rows]) => [accountId, rows.map(toSpan)]));
    },
  };
}

const toSpan = (span: q.SpanRow) => ({ after: span.after_message_id, before: span.before_message_id ?? ALWAYS });

const membersFrom = (rows: readonly Omit<q.MemberRow, 'mid'>[]): Members => ({
  memberIds: rows.map((row) => row.account_id),
  mutedIds: new Set(rows.filter((row) => row.notification_disabled === 1).map((row) => row.account_id)),
  withheldIds: new Set(rows.filter((row) => q.isWithheld(row.joined)).map((row) => row.account_id)),
});

const toGroup = (chat: q.FoundChat, members: Members): GroupChat => ({
  chatId: chat.chat_id,
  mid: chat.mid,
  memberIds: members.memberIds,
  mutedIds: members.mutedIds,
  withheldIds: members.withheldIds,
  key: { id: chat.group_key_id, covers: chat.group_key_covers },
});
