// setChatHiddenStatus: hides a chat in the caller's chat list or shows it again.
import { type MethodArgs, parseI64 } from '@sealpost/contract';
import type { UserCall } from '../../platform/rpc/call.ts';
import { nothingThere } from './conversation.ts';
import { newestVisible } from './history.ts';
import { type ChangeDeps, lockBox } from './message-change.ts';
import * as q from './queries.ts';

/** Hides a chat up to a message; the id 0, or no id, means the newest message. A later message shows the chat again. */
export const hideChat =
  ({ log, mutations, conversations }: ChangeDeps) =>
  async (call: UserCall, request: MethodArgs<'TalkService.setChatHiddenStatus'>[0]): Promise<null> => {
    const { reqSeq, chatMid, lastMessageId, hidden } = request;
    return mutations.mutate(call, reqSeq, async (tx) => {
      const conversation = await conversations.find(tx, call.caller, chatMid);
      if (!conversation) return nothingThere('request.chatMid', chatMid);
      const { accountId } = call.caller;
      const box = await lockBox(tx, accountId, chatMid);
      const newest = await newestVisible(tx, box.chat_id, accountId, conversation.spans);
      const asked = Math.max(0, parseI64(lastMessageId) ?? 0);
      const upTo = asked === 0 ? newest : Math.min(asked, newest);
      // The mark never moves back, so an outdated device cannot show a chat that another device has hidden. A mark of 1
      // is below every message id, so it also hides a chat without messages.
      const mark = hidden ? Math.max(box.hidden_message_id, upTo, 1) : 0;
      await tx.run(q.markHidden, mark, accountId, chatMid);
      const params = { chatMid, messageId: String(upTo), hidden };
      await log.lockAndAppend(tx, [{ accountId, to: 'self', type: 'SEND_CHAT_HIDDEN', reqSeq, params }]);
      return null;
    });
  };
