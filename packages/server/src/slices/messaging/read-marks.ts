// sendChatChecked: records how far an account has read a chat.
import { parseI64 } from '@sealpost/contract';
import type { UserCall } from '../../platform/rpc/call.ts';
import { nothingThere } from './conversation.ts';
import { newestVisible } from './history.ts';
import type { ChangeDeps, WireId } from './message-change.ts';
import * as q from './queries.ts';

/** Moves the read mark forward, at most to the newest message. */
export const moveReadMark =
  ({ log, mutations, conversations }: ChangeDeps) =>
  async (call: UserCall, reqSeq: number, chatMid: string, wireId: WireId): Promise<null> =>
    mutations.mutate(call, reqSeq, async (tx) => {
      const conversation = await conversations.find(tx, call.caller, chatMid);
      if (!conversation) return nothingThere('consumer', chatMid);
      const box = (await tx.one(q.lockBox, call.caller.accountId, chatMid)) as q.BoxRow;
      const newest = await newestVisible(tx, box.chat_id, box.account_id, conversation.spans);
      const seen = Math.min(parseI64(wireId) ?? 0, newest);
      if (seen <= box.seen_message_id) return null;
      await tx.run(q.markSeen, seen, box.account_id, chatMid);
      const { accountId, mid } = call.caller;
      const messageId = String(seen);
      await log.lockAndAppend(tx, [
        { accountId, to: 'self', type: 'SEND_CHAT_CHECKED', reqSeq, params: { chatMid, messageId } },
        ...conversation.others.map(
          (party) =>
            ({
              accountId: party.accountId,
              to: 'members',
              type: 'NOTIFIED_READ_MESSAGE',
              params: { chatMid: party.chatMid, reader: mid, messageId },
            }) as const,
        ),
      ]);
      return null;
    });
