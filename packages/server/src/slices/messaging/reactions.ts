// react and cancelReaction: set or remove the caller's reaction to a message.
import { ApiError, type MethodArgs, type ReactionType, sticonResourceTypes } from '@sealpost/contract';
import type { UserCall } from '../../platform/rpc/call.ts';
import type { NewOperation } from '../../platform/stream/operation-log.ts';
import { audience, type ChangeDeps, requireMessage, type WireId } from './message-change.ts';
import * as q from './queries.ts';
import { isWithheld, type WithholdingDeps } from './withholding.ts';

/** Returns what an operation tells of a reaction. Without `curr`, it was taken away. */
const changeOf = (chatMid: string, curr: ReactionType | undefined) => (curr ? { chatMid, curr } : { chatMid });

export function createReactions(deps: ChangeDeps & WithholdingDeps) {
  const { log, clock, mutations, conversations } = deps;

  /** Stores or removes a reaction, and notifies the caller's sessions and the others who see a change. */
  async function reactTo(
    call: UserCall,
    reqSeq: number,
    wireId: WireId,
    reaction: ReactionType | undefined,
  ): Promise<null> {
    return mutations.mutate(call, reqSeq, async (tx) => {
      const { message, conversation } = await requireMessage(tx, { conversations }, call, wireId);
      const { accountId, mid } = call.caller;
      const others = audience(message, conversation);
      const heads = await log.lock(tx, [accountId, ...others.map((party) => party.accountId)]);
      const withheld = await isWithheld(tx, deps, call.caller, conversation);
      const earlier = await tx.one(q.dropReaction, message.chat_id, message.id, accountId);
      if (reaction) {
        const value = JSON.stringify(reaction);
        const onlyFor = withheld ? accountId : null;
        await tx.run(q.insertReaction, message.chat_id, message.id, accountId, clock.now(), value, onlyFor);
      } else if (!earlier) return null;
      const shown = withheld ? undefined : reaction;
      const changes = shown !== undefined || earlier?.only_for === null;
      const messageId = String(message.id);
      const own: NewOperation = {
        accountId,
        to: 'self',
        type: 'SEND_REACTION',
        reqSeq,
        params: { messageId, reaction: changeOf(conversation.box.chat_mid, reaction) },
      };
      const told = (changes ? others : []).map(
        (party): NewOperation => ({
          accountId: party.accountId,
          to: 'members',
          type: 'NOTIFIED_SEND_REACTION',
          params: { messageId, reaction: changeOf(party.chatMid, shown), reactor: mid },
        }),
      );
      await log.append(tx, [own, ...told], heads);
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
