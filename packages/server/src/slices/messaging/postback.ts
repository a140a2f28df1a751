// sendPostback: tells an official account that a user chose one of its buttons.
import { ApiError, type MethodArgs, parseI64 } from '@sealpost/contract';
import type { UserCall } from '../../platform/rpc/call.ts';
import type { Party } from './conversation.ts';
import { type ChangeDeps, requireMessage } from './message-change.ts';
import * as q from './queries.ts';
import { isWithheld, type WithholdingDeps } from './withholding.ts';

/**
 * Passes the button's url to the official account as data. This server never fetches the url. If the account gets no
 * messages of the caller, it does not get the url either, and the answer is the usual one.
 */
export const sendPostback =
  (deps: ChangeDeps & WithholdingDeps) =>
  async (call: UserCall, request: MethodArgs<'TalkService.sendPostback'>[0]): Promise<null> => {
    const { store, log, conversations } = deps;
    return store.transact(async (tx) => {
      // Some clients send 0 instead of a message id. Then the caller needs access to the chat only.
      const conversation =
        parseI64(request.messageId) === 0
          ? await conversations.find(tx, call.caller, request.chatMID)
          : (await requireMessage(tx, { conversations }, call, request.messageId)).conversation;
      const origin = await tx.one(q.accountByMid, request.originMID);
      const isOrigin = (party: Party) => party.accountId === origin?.id;
      const told = conversation?.others.find(isOrigin);
      const party = told ?? conversation?.withheld.find(isOrigin);
      if (origin?.kind !== 'official' || !party || conversation?.box.chat_mid !== request.chatMID) {
        throw new ApiError('NOT_FOUND', 'originMID is not an official account in this chat');
      }
      if (!told) return null;
      const heads = await log.lock(tx, [origin.id, call.caller.accountId]);
      if (!heads.has(call.caller.accountId)) throw new ApiError('SESSION_LOGGED_OUT');
      if (await isWithheld(tx, deps, call.caller, conversation)) return null;
      const params = { chatMid: told.chatMid, url: request.url, messageId: String(request.messageId) };
      await log.append(tx, [{ accountId: origin.id, to: 'target', type: 'NOTIFIED_POSTBACK', params }], heads);
      return null;
    });
  };
