// Methods that read messages: the newest of a chat, those before a given message, or messages by id.

import { ApiError, limits, type MethodArgs, parseI64 } from '@sealpost/contract';
import { firstIdAt } from '../../platform/kernel/ids.ts';
import { answerRoom } from '../../platform/rpc/answer-room.ts';
import { RawJson, type UserCall } from '../../platform/rpc/call.ts';
import type { Store } from '../../platform/store/store.ts';
import { countOf } from './boxes.ts';
import { createReadableChats, nothingThere, spansOnce } from './conversation.ts';
import type { GroupChats } from './groups.ts';
import { type Page, readPage, withReactions } from './history.ts';

export interface ReadingDeps {
  readonly store: Store;
  readonly groups: GroupChats;
}

/** The chat whose messages are read, the argument that names the chat, and the wanted page. */
interface PageRequest extends Omit<Page, 'box' | 'spans'> {
  readonly field: string;
  readonly chatMid: string;
}

export function createReading({ store, groups }: ReadingDeps) {
  const chats = createReadableChats(groups);
  const page = (call: UserCall, { field, chatMid, ...wanted }: PageRequest): Promise<RawJson> =>
    store.read(async (reader) => {
      const chat = await chats.find(reader, call.caller, chatMid);
      if (!chat) return new RawJson(nothingThere(field, chatMid) ?? '[]');
      const { box, spans } = chat;
      const messages = await readPage(reader, { box, spans, ...wanted });
      return new RawJson(`[${messages.map((message) => message.json).join(',')}]`);
    });

  return {
    recent: (call: UserCall, chatMid: string, count: number | undefined): Promise<RawJson> =>
      page(call, { field: 'messageBoxId', chatMid, limit: countOf(count, limits.recentMessages.value) }),

    async previous(
      call: UserCall,
      request: MethodArgs<'TalkService.getPreviousMessagesV2WithRequest'>[0],
    ): Promise<RawJson> {
      const before = boundaryOf(request.endMessageId);
      return page(call, {
        field: 'request.messageBoxId',
        chatMid: request.messageBoxId,
        limit: countOf(request.messagesCount, limits.recentMessages.value),
        ...(before !== undefined && { before }),
        ...(request.receivedOnly && { receivedOnly: true }),
      });
    },

    byIds: (call: UserCall, messageIds: readonly (string | number)[]): Promise<RawJson> =>
      store.read(async (reader) => {
        const found: string[] = [];
        const room = answerRoom('messages');
        const readable = createReadableChats(spansOnce(groups));
        for (const wireId of messageIds) {
          const id = parseI64(wireId);
          const hit = id === undefined ? undefined : await readable.findMessage(reader, call.caller, id);
          for (const json of hit ? await withReactions(reader, [hit.message], call.caller.accountId) : []) {
            room.take(json);
            found.push(json);
          }
        }
        return new RawJson(`[${found.join(',')}]`);
      }),
  };
}

/**
 * Returns the message id below which a page ends; undefined for no limit. If the request gives only a time, the page
 * ends at this time.
 */
function boundaryOf(
  end: { messageId?: string | number; deliveredTime?: string | number } | undefined,
): number | undefined {
  if (!end) return undefined;
  const id = parseI64(end.messageId);
  if (id !== undefined && id !== 0) {
    if (id < 0) throw new ApiError('ILLEGAL_ARGUMENT', `request.endMessageId.messageId ${id} is negative`);
    return id;
  }
  const time = parseI64(end.deliveredTime);
  return time === undefined || time <= 0 ? undefined : firstIdAt(time);
}
