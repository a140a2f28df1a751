// Groups and rooms as messaging needs them: who is in, held while a message goes out.
import { LRUCache } from 'lru-cache';
import type { GroupChat, GroupChats } from '../messaging/index.ts';
import type { Reader, Tx } from '../store/store.ts';
import * as q from './queries.ts';

/** Member lists by chat, as of a version: as many ids as this in all. */
const REMEMBERED_MEMBERS = 1_000_000;
const ALWAYS = Number.MAX_SAFE_INTEGER;

interface Remembered {
  readonly version: number;
  readonly group: GroupChat;
}

interface Found {
  readonly chat_id: number;
  readonly mid: string;
  readonly version: number;
}

export function createGroupChats(): GroupChats {
  const remembered = new LRUCache<number, Remembered>({
    maxSize: REMEMBERED_MEMBERS,
    sizeCalculation: ({ group }) => group.memberIds.length + 10,
  });

  async function withMembers(reader: Reader, chats: readonly Found[], keep: (fill: () => void) => void) {
    const groups = new Map<string, GroupChat>();
    const unknown: Found[] = [];
    for (const chat of chats) {
      const known = remembered.get(chat.chat_id);
      if (known?.version === chat.version) groups.set(chat.mid, known.group);
      else unknown.push(chat);
    }
    if (unknown.length === 0) return groups;
    const rows = await reader.each(
      q.membersOf,
      unknown.map((chat) => [chat.chat_id]),
    );
    const byChat = Map.groupBy(rows, (row) => row.chat_id);
    for (const { chat_id: chatId, mid, version } of unknown) {
      const group = { chatId, mid, memberIds: (byChat.get(chatId) ?? []).map((row) => row.account_id) };
      groups.set(mid, group);
      keep(() => remembered.set(chatId, { version, group }));
    }
    return groups;
  }

  return {
    async lock(tx: Tx, mids) {
      const chats = await tx.each(
        q.shareChats,
        mids.map((mid) => [mid]),
      );
      return withMembers(tx, chats, (fill) => tx.onCommit(fill));
    },
    async find(reader, mid) {
      const chat = await reader.one(q.findChat, mid);
      // Not remembered: outside of the lock, version and members may be of different moments.
      return chat && (await withMembers(reader, [chat], () => {})).get(mid);
    },
    async spans(reader, chatId, accountId) {
      const spans = await reader.all(q.spansOf, chatId, accountId, chatId, accountId);
      if (spans.at(-1)?.before_message_id !== null) return [];
      return spans.map((span) => ({ after: span.after_message_id, before: span.before_message_id ?? ALWAYS }));
    },
  };
}
