// Message boxes: an account's list of chats, with what is newest and unread in each.
import { limits, type MethodArgs } from '@sealpost/contract';
import { timeOfId } from '../kernel/ids.ts';
import { RawJson, type UserCall } from '../rpc/call.ts';
import type { Reader, Store } from '../store/store.ts';
import { toTypeOf } from './content.ts';
import type { Conversations } from './conversation.ts';
import { newestVisible, rowsOf, unreadCount, withReactions } from './history.ts';
import * as q from './queries.ts';

interface Wanted {
  readonly withUnreadCount: boolean;
  readonly lastMessages: number;
}

interface Box {
  readonly json: string;
  readonly newest: number;
  readonly unread: number;
  readonly hidden: boolean;
}

export function createBoxes({ store, conversations }: { store: Store; conversations: Conversations }) {
  /** Undefined for a chat that shows nothing to this account. */
  async function boxOf(reader: Reader, row: q.BoxRow, wanted: Wanted, countUnread: boolean): Promise<Box | undefined> {
    const spans = await conversations.spansOf(reader, row);
    const page = { chatId: row.chat_id, viewerId: row.account_id, spans, limit: wanted.lastMessages };
    const rows = wanted.lastMessages > 0 ? await rowsOf(reader, page) : [];
    const newest =
      wanted.lastMessages > 0 ? (rows[0]?.id ?? 0) : await newestVisible(reader, row.chat_id, row.account_id, spans);
    if (newest === 0 && (row.peer_id !== null || spans.length === 0)) return undefined;
    const unread = countUnread && newest > row.seen_message_id ? await unreadCount(reader, row, spans) : 0;
    const messages = await withReactions(reader, rows);
    const hidden = row.hidden_message_id > 0 && row.hidden_message_id >= newest;
    let json = `{"id":"${row.chat_mid}","midType":${toTypeOf(row.chat_mid)}`;
    if (wanted.withUnreadCount) json += `,"unreadCount":"${unread}"`;
    json += `,"lastMessages":[${messages.join(',')}],"lastSeenMessageId":"${row.seen_message_id}"`;
    if (newest > 0) json += `,"lastDeliveredMessageId":{"deliveredTime":"${timeOfId(newest)}","messageId":"${newest}"}`;
    if (row.removed_message_id > 0) {
      json += `,"lastRemovedMessageId":"${row.removed_message_id}","lastRemovedTime":"${row.removed_time}"`;
    }
    if (hidden) json += `,"hiddenAtMessageId":"${row.hidden_message_id}"`;
    return { json: `${json}}`, newest, unread, hidden };
  }

  return {
    /** A page in the order of chat ids; `minChatId` is the last chat of the page before. */
    async page(call: UserCall, request: MethodArgs<'TalkService.getMessageBoxes'>[0]): Promise<RawJson> {
      const limit = clamp(
        request.messageBoxCountLimit,
        limits.messageBoxesPerPage.value,
        limits.messageBoxesPerPage.value,
      );
      const wanted = {
        withUnreadCount: request.withUnreadCount ?? false,
        lastMessages: clamp(request.lastMessagesPerMessageBoxCount, 5, limits.messagesPerPage.value),
      };
      const countUnread = wanted.withUnreadCount || (request.unreadOnly ?? false);
      return store.read(async (reader) => {
        const found: string[] = [];
        const query = boxesQuery(request);
        let after = request.minChatId ?? '';
        let hasNext = false;
        pages: for (;;) {
          const rows = await reader.all(query, call.caller.accountId, after, limit + 1);
          // At once: the reads of a page share their way to the database.
          const boxes = await Promise.all(rows.map((row) => boxOf(reader, row, wanted, countUnread)));
          for (const [i, row] of rows.entries()) {
            if (request.maxChatId && row.chat_mid > request.maxChatId) break pages;
            if (found.length === limit) {
              hasNext = true;
              break pages;
            }
            after = row.chat_mid;
            const box = boxes[i];
            if (!box || (request.activeOnly && (box.hidden || box.newest === 0))) continue;
            if (request.unreadOnly && box.unread === 0) continue;
            found.push(box.json);
          }
          if (rows.length <= limit) break;
        }
        return new RawJson(`{"messageBoxes":[${found.join(',')}],"hasNext":${hasNext}}`);
      });
    },

    async byIds(call: UserCall, request: MethodArgs<'TalkService.getMessageBoxesByIds'>[0]): Promise<RawJson> {
      const wanted = {
        withUnreadCount: request.withUnreadCount ?? false,
        lastMessages: clamp(request.lastMessagesCount, 1, limits.messagesPerPage.value),
      };
      return store.read(async (reader) => {
        const found: string[] = [];
        for (const id of new Set(request.messageBoxIds)) {
          const row = await reader.one(q.boxOf, call.caller.accountId, id);
          const box = row && (await boxOf(reader, row, wanted, wanted.withUnreadCount));
          if (box) found.push(`"${row.chat_mid}":${box.json}`);
        }
        return new RawJson(`{"messageBoxesByIds":{${found.join(',')}}}`);
      });
    },
  };
}

function boxesQuery({ unreadOnly, activeOnly }: MethodArgs<'TalkService.getMessageBoxes'>[0]) {
  if (unreadOnly) return activeOnly ? q.unreadActiveBoxesAfter : q.unreadBoxesAfter;
  return activeOnly ? q.activeBoxesAfter : q.boxesAfter;
}

/** A count that a client asked for, within what a page may hold; negative and absent ones mean the default. */
export function clamp(asked: number | undefined, fallback: number, most: number): number {
  return asked === undefined || asked < 0 ? fallback : Math.min(asked, most);
}
