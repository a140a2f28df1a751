// unsendMessage: deletes a message for everyone and leaves a tombstone in its place.
import { ApiError, contentTypes } from '@sealpost/contract';
import { timeOfId } from '../../platform/kernel/ids.ts';
import type { UserCall } from '../../platform/rpc/call.ts';
import { tombstone } from './content.ts';
import { audience, type ChangeDeps, requireMessage, type WireId } from './message-change.ts';
import * as q from './queries.ts';

export const unsendMessage =
  ({ log, clock, mutations, conversations, carriers, limits }: ChangeDeps) =>
  async (call: UserCall, reqSeq: number, wireId: WireId): Promise<null> =>
    mutations.mutate(call, reqSeq, async (tx) => {
      const { message, conversation } = await requireMessage(tx, { conversations }, call, wireId);
      if (message.sender_id !== call.caller.accountId || message.content_type === contentTypes.CHATEVENT) {
        throw new ApiError(
          'MESSAGE_NOT_DESTRUCTIBLE',
          `not your message: only its sender can unsend messageId ${message.id}`,
        );
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
      const messageId = String(message.id);
      await log.lockAndAppend(tx, [
        {
          accountId: call.caller.accountId,
          to: 'self',
          type: 'DESTROY_MESSAGE',
          reqSeq,
          params: { chatMid: conversation.box.chat_mid, messageId, flags: 0 },
        },
        ...audience(message, conversation).map(
          (party) =>
            ({
              accountId: party.accountId,
              to: 'members',
              type: 'NOTIFIED_DESTROY_MESSAGE',
              params: { chatMid: party.chatMid, messageId, flags: 0 },
            }) as const,
        ),
      ]);
      return null;
    });
