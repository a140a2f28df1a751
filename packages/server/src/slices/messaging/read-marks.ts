// sendChatChecked: records how far an account has read a chat.
import { parseI64 } from '@sealpost/contract';
import type { UserCall } from '../../platform/rpc/call.ts';
import { nothingThere } from './conversation.ts';
import { newestVisible } from './history.ts';
import { type ChangeDeps, lockBox, type WireId } from './message-change.ts';
import * as q from './queries.ts';

/**
 * Moves the read mark forward, at most to the newest message. Others are told the newest message up to the mark that was
 * kept from nobody. Otherwise a user who blocked the reader would learn that there are further messages.
 */
export const moveReadMark =
  ({ log, mutations, conversations }: ChangeDeps) =>
  async (call: UserCall, reqSeq: number, chatMid: string, wireId: WireId): Promise<null> =>
    mutations.mutate(call, reqSeq, async (tx) => {
      const conversation = await conversations.find(tx, call.caller, chatMid);
      if (!conversation) return nothingThere('consumer', chatMid);
      const box = await lockBox(tx, call.caller.accountId, chatMid);
      // Messages that the reader removed from its own view can still be read.
      const newest = await newestVisible(tx, box.chat_id, box.account_id, conversation.allSpans);
      const seen = Math.min(parseI64(wireId) ?? 0, newest);
      if (seen <= box.seen_message_id) return null;
      await tx.run(q.markSeen, seen, box.account_id, chatMid);
      const { accountId, mid } = call.caller;
      const told =
        box.peer_id === null
          ? seen
          : await newestVisible(tx, box.chat_id, null, [{ after: box.seen_message_id, before: seen + 1 }]);
      await log.lockAndAppend(tx, [
        { accountId, to: 'self', type: 'SEND_CHAT_CHECKED', reqSeq, params: { chatMid, messageId: String(seen) } },
        ...(told > 0 ? conversation.others : []).map(
          (party) =>
            ({
              accountId: party.accountId,
              to: 'members',
              type: 'NOTIFIED_READ_MESSAGE',
              params: { chatMid: party.chatMid, reader: mid, messageId: String(told) },
            }) as const,
        ),
      ]);
      return null;
    });
