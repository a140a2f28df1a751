// Changes to messages and chats after the send: unsend, read marks, removal, hiding, reactions, postbacks.
import {
  ApiError,
  contentTypes,
  type Limits,
  type MethodArgs,
  parseI64,
  type ReactionType,
  sticonResourceTypes,
} from '@sealpost/contract';
import type { Mutations } from '../../platform/idempotency/mutations.ts';
import { timeOfId } from '../../platform/kernel/ids.ts';
import type { Clock } from '../../platform/kernel/ports.ts';
import type { UserCall } from '../../platform/rpc/call.ts';
import type { Store, Tx } from '../../platform/store/store.ts';
import type { OperationLog } from '../../platform/stream/operation-log.ts';
import { tombstone } from './content.ts';
import { absent, type Conversation, type Conversations } from './conversation.ts';
import { newestVisible } from './history.ts';
import type { MediaCarriers } from './media-messages.ts';
import * as q from './queries.ts';

export interface ChangeDeps {
  readonly store: Store;
  readonly log: OperationLog;
  readonly clock: Clock;
  readonly mutations: Mutations;
  readonly conversations: Conversations;
  readonly limits: Limits;
  readonly carriers: MediaCarriers;
}

type WireId = string | number;

export function createChanges({ store, log, clock, mutations, conversations, carriers, limits }: ChangeDeps) {
  async function requireMessage(tx: Tx, call: UserCall, wireId: WireId) {
    const id = parseI64(wireId);
    const found = id === undefined ? undefined : await conversations.findMessage(tx, call.caller, id);
    const message = found && (await tx.one(q.lockMessage, found.message.chat_id, found.message.id));
    if (!found || !message || message.unsent === 1)
      throw new ApiError('MESSAGE_NOT_FOUND', `no message ${wireId} to change`);
    return { message, conversation: found.conversation };
  }

  /** Who besides the caller has the message. */
  const audience = (message: q.MessageRow, { others }: Conversation) => (message.only_for === null ? others : []);

  /** Tells the caller's sessions and, where they have the message, the others. */
  async function reactTo(
    call: UserCall,
    reqSeq: number,
    wireId: WireId,
    reaction: ReactionType | undefined,
  ): Promise<null> {
    return mutations.mutate(call, reqSeq, async (tx) => {
      const { message, conversation } = await requireMessage(tx, call, wireId);
      const { accountId, mid } = call.caller;
      if (reaction) {
        await tx.run(q.putReaction, message.chat_id, message.id, accountId, clock.now(), JSON.stringify(reaction));
      } else if (!(await tx.one(q.dropReaction, message.chat_id, message.id, accountId))) {
        return null;
      }
      const change = (chatMid: string) => JSON.stringify(reaction ? { chatMid, curr: reaction } : { chatMid });
      await log.append(tx, [
        { accountId, type: 'SEND_REACTION', reqSeq, param1: String(message.id), param2: change(conversation.chatMid) },
        ...audience(message, conversation).map(
          (party) =>
            ({
              accountId: party.accountId,
              type: 'NOTIFIED_SEND_REACTION',
              param1: String(message.id),
              param2: change(party.chatMid),
              param3: mid,
            }) as const,
        ),
      ]);
      return null;
    });
  }

  return {
    async unsend(call: UserCall, reqSeq: number, wireId: WireId): Promise<null> {
      return mutations.mutate(call, reqSeq, async (tx) => {
        const { message, conversation } = await requireMessage(tx, call, wireId);
        if (message.sender_id !== call.caller.accountId || message.content_type === contentTypes.CHATEVENT) {
          throw new ApiError('MESSAGE_NOT_DESTRUCTIBLE', 'not your message');
        }
        const now = clock.now();
        if (now - timeOfId(message.id) > limits.unsendWindowMs.value) {
          throw new ApiError('MESSAGE_NOT_DESTRUCTIBLE', 'message too old', {
            messageUnsendPeriodMillis: String(limits.unsendWindowMs.value),
          });
        }
        await tx.run(q.eraseMessage, tombstone(message.body, now), message.chat_id, message.id);
        await tx.run(q.dropReactions, message.chat_id, message.id);
        await carriers.drop(tx, { chatId: message.chat_id, messageId: message.id, senderId: message.sender_id });
        const id = String(message.id);
        await log.append(tx, [
          {
            accountId: call.caller.accountId,
            type: 'DESTROY_MESSAGE',
            reqSeq,
            param1: conversation.chatMid,
            param2: id,
            param3: '0',
          },
          ...audience(message, conversation).map(
            (party) =>
              ({
                accountId: party.accountId,
                type: 'NOTIFIED_DESTROY_MESSAGE',
                param1: party.chatMid,
                param2: id,
                param3: '0',
              }) as const,
          ),
        ]);
        return null;
      });
    },

    /** Moves the read mark, never back and never beyond the newest message. */
    async checked(call: UserCall, reqSeq: number, chatMid: string, wireId: WireId): Promise<null> {
      return mutations.mutate(call, reqSeq, async (tx) => {
        const conversation = await conversations.find(tx, call.caller, chatMid);
        if (!conversation) return nothingThere('consumer', chatMid);
        const box = (await tx.one(q.lockBox, call.caller.accountId, chatMid)) as q.BoxRow;
        const newest = await newestVisible(tx, box.chat_id, box.account_id, conversation.spans);
        const seen = Math.min(parseI64(wireId) ?? 0, newest);
        if (seen <= box.seen_message_id) return null;
        await tx.run(q.markSeen, seen, box.account_id, chatMid);
        const { accountId, mid } = call.caller;
        const id = String(seen);
        await log.append(tx, [
          { accountId, type: 'SEND_CHAT_CHECKED', reqSeq, param1: chatMid, param2: id },
          ...conversation.others.map(
            (party) =>
              ({
                accountId: party.accountId,
                type: 'NOTIFIED_READ_MESSAGE',
                param1: party.chatMid,
                param2: mid,
                param3: id,
              }) as const,
          ),
        ]);
        return null;
      });
    },

    /** Removes history up to a message for the caller; 0 removes all that is there now. */
    async removed(call: UserCall, reqSeq: number, chatMid: string, wireId: WireId): Promise<null> {
      return mutations.mutate(call, reqSeq, async (tx) => {
        const conversation = await conversations.find(tx, call.caller, chatMid);
        if (!conversation) return nothingThere('chatMid', chatMid);
        const box = (await tx.one(q.lockBox, call.caller.accountId, chatMid)) as q.BoxRow;
        const newest = await newestVisible(tx, box.chat_id, box.account_id, conversation.spans);
        const asked = Math.max(0, parseI64(wireId) ?? 0);
        const cut = asked === 0 ? newest : Math.min(asked, newest);
        if (cut > box.removed_message_id) await tx.run(q.markRemoved, cut, clock.now(), box.account_id, chatMid);
        const { accountId } = call.caller;
        await log.append(tx, [{ accountId, type: 'SEND_CHAT_REMOVED', reqSeq, param1: chatMid, param2: String(cut) }]);
        return null;
      });
    },

    /** Hides a chat up to a message; 0 or none means the newest. What came after that message shows the chat. */
    async hidden(call: UserCall, request: MethodArgs<'TalkService.setChatHiddenStatus'>[0]): Promise<null> {
      const { reqSeq, chatMid, lastMessageId, hidden } = request;
      return mutations.mutate(call, reqSeq, async (tx) => {
        const conversation = await conversations.require(tx, call.caller, 'request.chatMid', chatMid);
        const { accountId } = call.caller;
        const box = (await tx.one(q.lockBox, accountId, chatMid)) as q.BoxRow;
        const newest = await newestVisible(tx, box.chat_id, accountId, conversation.spans);
        const asked = Math.max(0, parseI64(lastMessageId) ?? 0);
        const upTo = asked === 0 ? newest : Math.min(asked, newest);
        // A device that is behind does not bring back what another hid. 1 is below every message id: a chat without
        // messages is hidden too.
        const mark = hidden ? Math.max(box.hidden_message_id, upTo, 1) : 0;
        await tx.run(q.markHidden, mark, accountId, chatMid);
        const change = { param1: chatMid, param2: String(upTo), param3: String(hidden) };
        await log.append(tx, [{ accountId, type: 'SEND_CHAT_HIDDEN', reqSeq, ...change }]);
        return null;
      });
    },

    async react(call: UserCall, request: MethodArgs<'TalkService.react'>[0]): Promise<null> {
      const { predefinedReactionType, paidReactionType } = request.reactionType;
      if ((predefinedReactionType === undefined) === (paidReactionType === undefined)) {
        throw new ApiError('ILLEGAL_ARGUMENT', 'request.reactionType must hold exactly one of its two arms');
      }
      if (paidReactionType && !isPaidReaction(paidReactionType)) {
        throw new ApiError('ILLEGAL_ARGUMENT', 'invalid paidReactionType in reactionType');
      }
      const reaction =
        predefinedReactionType !== undefined
          ? { predefinedReactionType }
          : { paidReactionType: paidReactionType as NonNullable<typeof paidReactionType> };
      return reactTo(call, request.reqSeq, request.messageId, reaction);
    },

    cancelReaction: (call: UserCall, request: MethodArgs<'TalkService.cancelReaction'>[0]): Promise<null> =>
      reactTo(call, request.reqSeq, request.messageId, undefined),

    /** The url is data for the official account; this server never fetches it. */
    async postback(call: UserCall, request: MethodArgs<'TalkService.sendPostback'>[0]): Promise<null> {
      return store.transact(async (tx) => {
        // Clients whose form has no place for the message send 0: then the chat itself is what the caller must have.
        const conversation =
          parseI64(request.messageId) === 0
            ? await conversations.find(tx, call.caller, request.chatMID)
            : (await requireMessage(tx, call, request.messageId)).conversation;
        const origin = await tx.one(q.accountByMid, request.originMID);
        const party = conversation?.others.find((other) => other.accountId === origin?.id);
        if (origin?.kind !== 'official' || !party || conversation?.chatMid !== request.chatMID) {
          throw new ApiError('NOT_FOUND', 'originMID is no official account of this chat');
        }
        await log.append(tx, [
          {
            accountId: origin.id,
            type: 'NOTIFIED_POSTBACK',
            param1: party.chatMid,
            param2: request.url,
            param3: String(request.messageId),
          },
        ]);
        return null;
      });
    },
  };
}

/** A picture of an emoji pack. Which packs there are is not asked: a client may know more of them than this server. */
const isPaidReaction = ({ productId, emojiId, resourceType }: NonNullable<ReactionType['paidReactionType']>): boolean =>
  productId !== '' && emojiId !== '' && (Object.values(sticonResourceTypes) as number[]).includes(resourceType);

/** A chat with a user that has no message yet is empty, not absent; a group is absent unless one is in it. */
export function nothingThere(field: string, chatMid: string): null {
  const refusal = absent(field, chatMid);
  if (refusal.code !== 'NOT_FOUND') throw refusal;
  return null;
}
