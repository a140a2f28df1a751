// react and cancelReaction: set or remove the caller's reaction to a message.
import { ApiError, type MethodArgs, type ReactionType, sticonResourceTypes } from '@sealpost/contract';
import type { Caller, UserCall } from '../../platform/rpc/call.ts';
import type { Tx } from '../../platform/store/store.ts';
import type { Conversation, Party } from './conversation.ts';
import { audience, type ChangeDeps, requireMessage, type WireId } from './message-change.ts';
import * as q from './queries.ts';
import type { SendDeps } from './send-message.ts';

type ReactionDeps = ChangeDeps & Pick<SendDeps, 'guardsOf'>;

/** Returns whom a reaction is told. As with a message, a user who blocked the reactor is not told. */
async function toldOf(
  tx: Tx,
  { guardsOf }: ReactionDeps,
  { accountId }: Caller,
  message: q.MessageRow,
  conversation: Conversation,
): Promise<readonly Party[]> {
  const others = audience(message, conversation);
  if (conversation.box.peer_id === null) return others;
  const guards = await guardsOf(
    tx,
    others.map((party) => ({ senderId: accountId, recipientId: party.accountId })),
  );
  return others.filter((party) => guards.get(`${accountId}:${party.accountId}`) !== 'withheld');
}

export function createReactions(deps: ReactionDeps) {
  const { log, clock, mutations, conversations } = deps;

  /** Stores or removes a reaction, and notifies the caller's sessions and the others who have the message. */
  async function reactTo(
    call: UserCall,
    reqSeq: number,
    wireId: WireId,
    reaction: ReactionType | undefined,
  ): Promise<null> {
    return mutations.mutate(call, reqSeq, async (tx) => {
      const { message, conversation } = await requireMessage(tx, { conversations }, call, wireId);
      const { accountId, mid } = call.caller;
      if (reaction) {
        await tx.run(q.putReaction, message.chat_id, message.id, accountId, clock.now(), JSON.stringify(reaction));
      } else if (!(await tx.one(q.dropReaction, message.chat_id, message.id, accountId))) {
        return null;
      }
      const change = (chatMid: string) => (reaction ? { chatMid, curr: reaction } : { chatMid });
      const messageId = String(message.id);
      const told = await toldOf(tx, deps, call.caller, message, conversation);
      await log.lockAndAppend(tx, [
        {
          accountId,
          to: 'self',
          type: 'SEND_REACTION',
          reqSeq,
          params: { messageId, reaction: change(conversation.chatMid) },
        },
        ...told.map(
          (party) =>
            ({
              accountId: party.accountId,
              to: 'members',
              type: 'NOTIFIED_SEND_REACTION',
              params: { messageId, reaction: change(party.chatMid), reactor: mid },
            }) as const,
        ),
      ]);
      return null;
    });
  }

  return {
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
  };
}

/** Returns whether a reaction names a picture of an emoji pack. The pack may be unknown to this server. */
const isPaidReaction = ({ productId, emojiId, resourceType }: NonNullable<ReactionType['paidReactionType']>): boolean =>
  productId !== '' && emojiId !== '' && (Object.values(sticonResourceTypes) as number[]).includes(resourceType);
