// Message boxes: the list of an account's chats, each with its newest messages and its unread count.

import { limits, type MethodArgs } from '@sealpost/contract';
import { timeOfId } from '../../platform/kernel/ids.ts';
import { type AnswerRoom, answerRoom } from '../../platform/rpc/answer-room.ts';
import { RawJson, type UserCall } from '../../platform/rpc/call.ts';
import type { Reader, Store } from '../../platform/store/store.ts';
import { toTypeOf } from './content.ts';
import { spansOf } from './conversation.ts';
import type { GroupChats } from './groups.ts';
import { newestVisible, ROWS_AT_ONCE, readPage, unreadCount } from './history.ts';
import * as q from './queries.ts';

type BoxesRequest = MethodArgs<'TalkService.getMessageBoxes'>[0];

interface BoxOptions {
  readonly withUnreadCount: boolean;
  readonly lastMessages: number;
  /**
   * Counts the bytes of all boxes of one answer, so that their sum is limited. If absent, each box may be as large as a
   * whole answer.
   */
  readonly room?: AnswerRoom;
}

interface Box {
  readonly json: string;
  readonly newest: number;
  readonly unread: number;
  readonly hidden: boolean;
}

export function createBoxes({ store, groups }: { readonly store: Store; readonly groups: GroupChats }) {
  /** Yields the boxes that a request asks for, in the order of their chat ids. */
  async function* boxesOf(reader: Reader, accountId: number, request: BoxesRequest, wanted: BoxOptions, limit: number) {
    const countUnread = wanted.withUnreadCount || (request.unreadOnly ?? false);
    // The boxes of a page are read at the same time, because their queries then share trips to the database.
    // ROWS_AT_ONCE limits the number of messages that are in memory together.
    const atOnce = Math.max(1, Math.min(limit + 1, Math.floor(ROWS_AT_ONCE / Math.max(1, wanted.lastMessages))));
    const query = boxesQuery(request);
    let after = request.minChatId ?? '';
    for (;;) {
      const rows = await reader.all(query, accountId, after, atOnce);
      const boxes = await Promise.all(rows.map((row) => boxOf(reader, groups, row, wanted, countUnread)));
      for (const [i, row] of rows.entries()) {
        if (request.maxChatId && row.chat_mid > request.maxChatId) return;
        after = row.chat_mid;
        const box = boxes[i];
        if (!box || (request.activeOnly && (box.hidden || box.newest === 0))) continue;
        if (request.unreadOnly && box.unread === 0) continue;
        yield box;
      }
      if (rows.length < atOnce) return;
    }
  }

  return {
    /** Returns a page of boxes in the order of their chat ids. `minChatId` is the last chat of the previous page. */
    async page(call: UserCall, request: BoxesRequest): Promise<RawJson> {
      const limit = countOf(request.messageBoxCountLimit, limits.syncMessageBoxes.value);
      const wanted = {
        withUnreadCount: request.withUnreadCount ?? false,
        lastMessages: countOf(request.lastMessagesPerMessageBoxCount, 5),
      };
      return store.read(async (reader) => {
        const found: string[] = [];
        let size = 0;
        let hasNext = false;
        for await (const { json } of boxesOf(reader, call.caller.accountId, request, wanted, limit)) {
          size += Buffer.byteLength(json);
          if (found.length === limit || (found.length > 0 && size > limits.pageBytes.value)) {
            hasNext = true;
            break;
          }
          found.push(json);
        }
        return new RawJson(`{"messageBoxes":[${found.join(',')}],"hasNext":${hasNext}}`);
      });
    },

    async byIds(call: UserCall, request: MethodArgs<'TalkService.getMessageBoxesByIds'>[0]): Promise<RawJson> {
      const wanted = {
        withUnreadCount: request.withUnreadCount ?? false,
        lastMessages: countOf(request.lastMessagesCount, 1),
        room: answerRoom('messages'),
      };
      return store.read(async (reader) => {
        const found: string[] = [];
        for (const id of new Set(request.messageBoxIds)) {
          const row = await reader.one(q.boxOf, call.caller.accountId, id);
          const box = row && (await boxOf(reader, groups, row, wanted, wanted.withUnreadCount));
          if (box) found.push(`"${row.chat_mid}":${box.json}`);
        }
        return new RawJson(`{"messageBoxesByIds":{${found.join(',')}}}`);
      });
    },
  };
}

/** Returns an account's box for a chat; undefined if the chat has nothing that the account may see. */
async function boxOf(
  reader: Reader,
  groups: GroupChats,
  row: q.BoxRow,
  wanted: BoxOptions,
  countUnread: boolean,
): Promise<Box | undefined> {
  const spans = await spansOf(reader, groups, row);
  const page = { box: row, spans, limit: wanted.lastMessages };
  const shown = await readPage(reader, page, wanted.room);
  const newest =
    wanted.lastMessages > 0 ? (shown[0]?.id ?? 0) : await newestVisible(reader, row.chat_id, row.account_id, spans);
  if (newest === 0 && (row.peer_id !== null || spans.length === 0)) return undefined;
  const unread = countUnread && newest > row.seen_message_id ? await unreadCount(reader, row, spans, newest) : 0;
  const hidden = row.hidden_message_id > 0 && row.hidden_message_id >= newest;
  let json = `{"id":"${row.chat_mid}","midType":${toTypeOf(row.chat_mid)}`;
  if (wanted.withUnreadCount) json += `,"unreadCount":"${unread}"`;
  json += `,"lastMessages":[${shown.map((message) => message.json).join(',')}],"lastSeenMessageId":"${row.seen_message_id}"`;
  if (newest > 0) json += `,"lastDeliveredMessageId":{"deliveredTime":"${timeOfId(newest)}","messageId":"${newest}"}`;
  if (row.removed_message_id > 0) {
    json += `,"lastRemovedMessageId":"${row.removed_message_id}","lastRemovedTime":"${row.removed_time}"`;
  }
  if (hidden) json += `,"hiddenAtMessageId":"${row.hidden_message_id}"`;
  return { json: `${json}}`, newest, unread, hidden };
}

function boxesQuery({ unreadOnly, activeOnly }: BoxesRequest) {
  if (unreadOnly) return activeOnly ? q.unreadActiveBoxesAfter : q.unreadBoxesAfter;
  return activeOnly ? q.activeBoxesAfter : q.boxesAfter;
}

/** Returns the count that a client asked for, or the default if the client gave a negative count or none. */
export const countOf = (asked: number | undefined, fallback: number): number =>
  asked === undefined || asked < 0 ? fallback : asked;
