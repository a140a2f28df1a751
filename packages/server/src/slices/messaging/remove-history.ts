// sendChatRemoved: removes messages of a chat from the caller's view; other participants keep them.
import { parseI64 } from '@sealpost/contract';
import type { Clock } from '@sealpost/contract/ports';
import type { UserCall } from '../../platform/rpc/call.ts';
import type { Tx } from '../../platform/store/store.ts';
import { nothingThere } from './conversation.ts';
import { newestVisible } from './history.ts';
import { type ChangeDeps, lockBox, type WireId } from './message-change.ts';
import * as q from './queries.ts';

/** Removes messages up to the given id from the caller's view. The id 0 removes all present messages. */
export const removeHistory =
  ({ log, clock, mutations, conversations }: ChangeDeps) =>
  async (call: UserCall, reqSeq: number, chatMid: string, wireId: WireId): Promise<null> =>
    mutations.mutate(call, reqSeq, async (tx) => {
      const conversation = await conversations.find(tx, call.caller, chatMid);
      if (!conversation) return nothingThere('chatMid', chatMid);
      const box = await lockBox(tx, call.caller.accountId, chatMid);
      const newest = await newestVisible(tx, box.chat_id, box.account_id, conversation.spans);
      const asked = Math.max(0, parseI64(wireId) ?? 0);
      const cut = asked === 0 ? newest : Math.min(asked, newest);
      const { accountId } = call.caller;
      await removeUpTo(tx, clock, accountId, chatMid, cut);
      await log.lockAndAppend(tx, [
        { accountId, to: 'self', type: 'SEND_CHAT_REMOVED', reqSeq, params: { chatMid, messageId: String(cut) } },
      ]);
      return null;
    });

/** Removes messages up to an id from an account's view. What was removed before stays removed. */
export const removeUpTo = (tx: Tx, clock: Clock, accountId: number, chatMid: string, cut: number): Promise<void> =>
  tx.run(q.markRemoved, cut, clock.now(), accountId, chatMid, cut);
