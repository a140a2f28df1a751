// The methods of messaging by wire name (specification: Endpoints, Messaging).
import { ApiError, contentTypes, limits, mediaMessageFlows, parseI64 } from '@sealpost/contract';
import type { messaging } from '@sealpost/contract/schemas';
import { fingerprintOf, isKey } from '../../platform/idempotency/mutations.ts';
import { firstIdAt, timeOfId } from '../../platform/kernel/ids.ts';
import { type Handlers, RawJson, type UserCall } from '../../platform/rpc/call.ts';
import type { Reader } from '../../platform/store/store.ts';
import { countOf, createBoxes } from './boxes.ts';
import { requireContent } from './content.ts';
import { createConversations, createHeldConversations, nothingThere, spansOf } from './conversation.ts';
import type { GroupChats } from './groups.ts';
import { hideChat } from './hide-chat.ts';
import { answerRoom, oldestVisible, readPage, withReactions } from './history.ts';
import type { ChangeDeps } from './message-change.ts';
import { sendPostback } from './postback.ts';
import * as q from './queries.ts';
import { createReactions } from './reactions.ts';
import { moveReadMark } from './read-marks.ts';
import { removeHistory } from './remove-history.ts';
import { createSender, type SendDeps } from './send-message.ts';
import { unsendMessage } from './unsend-message.ts';

/** Whether messages of the chat are to be sealed, as the caller sees it. */
export type MediaFlow = (reader: Reader, call: UserCall, chatMid: string) => Promise<boolean>;

export interface MessagingDeps extends Omit<SendDeps, 'conversations'>, Omit<ChangeDeps, 'conversations'> {
  readonly groups: GroupChats;
  readonly sealed: MediaFlow;
}

const FLOW_KEYS = ['IMAGE', 'VIDEO', 'AUDIO', 'FILE'] as const;

export function messagingHandlers(deps: MessagingDeps): Handlers<keyof typeof messaging> {
  const { store, log } = deps;
  const conversations = createConversations(deps.groups);
  const changing = { ...deps, conversations: createHeldConversations(deps.groups) };
  const send = createSender(changing);
  const reactions = createReactions(changing);
  const boxes = createBoxes(deps);

  /** Only official accounts may send their kind of content; asked only when a message has it. */
  async function isOfficial(call: UserCall): Promise<boolean> {
    const account = await store.read((reader) => reader.one(q.accountByMid, call.caller.mid));
    return account?.kind === 'official';
  }

  async function page(
    call: UserCall,
    field: string,
    chatMid: string,
    limit: number,
    before?: number,
    receivedOnly?: boolean,
  ): Promise<RawJson> {
    return store.read(async (reader) => {
      const conversation = await conversations.find(reader, call.caller, chatMid);
      if (!conversation) return new RawJson(nothingThere(field, chatMid) ?? '[]');
      const messages = await readPage(reader, {
        chatId: conversation.box.chat_id,
        viewerId: call.caller.accountId,
        spans: conversation.spans,
        limit,
        ...(before !== undefined && { before }),
        ...(receivedOnly && { receivedOnly }),
      });
      return new RawJson(`[${messages.map((message) => message.json).join(',')}]`);
    });
  }

  return {
    'TalkService.sendMessage': async (call, reqSeq, message) => {
      const official = (message.contentType ?? 0) >= contentTypes.HTML && (await isOfficial(call));
      requireContent(message, call.caller.mid, official);
      const fingerprint = isKey(reqSeq) ? fingerprintOf(call.method, call.args) : undefined;
      return new RawJson(await send({ caller: call.caller, reqSeq, fingerprint, message }));
    },
    'TalkService.unsendMessage': unsendMessage(changing),
    'TalkService.sendChatChecked': moveReadMark(changing),
    'TalkService.sendChatRemoved': removeHistory(changing),
    'TalkService.setChatHiddenStatus': hideChat(changing),
    'TalkService.react': reactions.react,
    'TalkService.cancelReaction': reactions.cancelReaction,
    'TalkService.sendPostback': sendPostback(changing),

    'TalkService.determineMediaMessageFlow': async (call, { chatMid }) =>
      store.read(async (reader) => {
        if (!(await conversations.find(reader, call.caller, chatMid))) nothingThere('request.chatMid', chatMid);
        const sealed = await deps.sealed(reader, call, chatMid);
        const flow = sealed ? mediaMessageFlows.V2 : mediaMessageFlows.V1;
        const keys = FLOW_KEYS.flatMap((name) => [name, String(contentTypes[name])]);
        return {
          flowMap: Object.fromEntries(keys.map((key) => [key, flow])),
          cacheTtlMillis: String(limits.mediaFlowTtlMs.value),
        };
      }),

    'TalkService.getMessageReadRange': async (call, chatIds) =>
      store.read(async (reader) => {
        const found = [];
        for (const chatId of new Set(chatIds)) {
          const conversation = await conversations.find(reader, call.caller, chatId);
          if (conversation) found.push({ chatId, ranges: await readRanges(reader, conversation.box.chat_id) });
        }
        return found;
      }),

    'TalkService.getMessageBoxes': boxes.page,
    'TalkService.getMessageBoxesByIds': boxes.byIds,

    'TalkService.getMessagesByIds': async (call, messageIds) =>
      store.read(async (reader) => {
        const found: string[] = [];
        const room = answerRoom();
        for (const wireId of messageIds) {
          const id = parseI64(wireId);
          const hit = id === undefined ? undefined : await conversations.findMessage(reader, call.caller, id);
          for (const json of hit ? await withReactions(reader, [hit.message]) : []) {
            room.take(json);
            found.push(json);
          }
        }
        return new RawJson(`[${found.join(',')}]`);
      }),

    'TalkService.getPreviousMessagesV2WithRequest': async (call, request) => {
      const limit = countOf(request.messagesCount, limits.recentMessages.value);
      const { messageBoxId, endMessageId, receivedOnly } = request;
      return page(call, 'request.messageBoxId', messageBoxId, limit, boundaryOf(endMessageId), receivedOnly);
    },

    'TalkService.getRecentMessagesV2': async (call, messageBoxId, messagesCount) =>
      page(call, 'messageBoxId', messageBoxId, countOf(messagesCount, limits.recentMessages.value)),

    'TalkService.getLastOpRevision': async (call) =>
      String((await store.read((reader) => log.head(reader, call.caller.accountId))).revision),
  };

  /** How far each member has read: one range for each time of membership, up to its read mark. */
  async function readRanges(reader: Reader, chatId: number) {
    const ranges: Record<
      string,
      { startMessageId: string; endMessageId: string; startTime: string; endTime: string }[]
    > = {};
    const boxes = await reader.all(q.boxesOfChat, chatId);
    const addRanges = async (box: q.BoxRow): Promise<void> => {
      const mid = (await reader.one(q.midOfAccount, box.account_id))?.mid;
      // What the member removed from its own view was read all the same.
      const spans = await spansOf(reader, deps.groups, { ...box, removed_message_id: 0 });
      for (const span of spans) {
        const end = Math.min(box.seen_message_id, span.before - 1);
        const start = await oldestVisible(reader, chatId, box.account_id, span);
        if (!mid || start === 0 || end < start) continue;
        ranges[mid] ??= [];
        ranges[mid].push({
          startMessageId: String(start),
          endMessageId: String(end),
          startTime: String(timeOfId(start)),
          endTime: String(timeOfId(end)),
        });
      }
    };
    await Promise.all(boxes.filter((box) => box.seen_message_id > 0).map(addRanges));
    return ranges;
  }
}

/** A boundary without a message id cuts by time alone. */
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
