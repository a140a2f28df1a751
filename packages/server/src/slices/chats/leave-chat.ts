// deleteSelfFromChat and leaveRoom: the caller leaves a group or a room.
import type { MethodArgs } from '@sealpost/contract';
import type { UserCall } from '../../platform/rpc/call.ts';
import type { Tx } from '../../platform/store/store.ts';
import type { Heads, NewOperation } from '../../platform/stream/operation-log.ts';
import { removeUpTo } from '../messaging/index.ts';
import { announce, boundaryAfter, type ChangeDeps, lockLogs, tell } from './announce-change.ts';
import { type LockedChat, lockAsMember, lockRoom, othersThan, type Party } from './lock-chat.ts';
import { leave } from './members.ts';
import type { Empty, MembershipDeps } from './membership.ts';
import * as q from './queries.ts';

export const deleteSelfFromChat = (
  deps: MembershipDeps,
  call: UserCall,
  { reqSeq, chatMid }: MethodArgs<'TalkService.deleteSelfFromChat'>[0],
): Promise<Empty> =>
  deps.mutations.mutate(call, reqSeq, async (tx) => {
    const { caller } = call;
    const chat = await lockAsMember(tx, caller, 'request.chatMid', chatMid);
    const heads = await lockLogs(tx, deps, chat.members);
    await depart(tx, deps, chat, caller, heads, reqSeq, [
      { accountId: caller.accountId, to: 'self', type: 'DELETE_SELF_FROM_CHAT', reqSeq, params: { chatMid } },
    ]);
    return {};
  });

/** Ends the caller's membership in a room, and removes the messages of the room from the caller's view. */
export const leaveRoom = (deps: MembershipDeps, call: UserCall, reqSeq: number, roomMid: string): Promise<null> =>
  deps.mutations.mutate(call, reqSeq, async (tx) => {
    const { accountId, mid } = call.caller;
    const room = await lockRoom(tx, call.caller, roomMid);
    const heads = await lockLogs(tx, deps, room.members);
    const newest = (await tx.one(q.newestMessage, room.chatId))?.id ?? 0;
    await removeUpTo(tx, deps.clock, accountId, roomMid, newest);
    await leave(tx, room, [call.caller], await boundaryAfter(tx, deps, room.chatId, heads));
    const staying = othersThan(room.members, accountId);
    await announce(tx, deps, {
      chat: room,
      actor: call.caller,
      reqSeq,
      heads,
      operations: [
        { accountId, to: 'self', type: 'LEAVE_ROOM', reqSeq, params: { chatMid: roomMid } },
        {
          accountId,
          to: 'self',
          type: 'SEND_CHAT_REMOVED',
          reqSeq,
          params: { chatMid: roomMid, messageId: String(newest) },
        },
        ...tell('members', staying, { type: 'NOTIFIED_LEAVE_ROOM', params: { chatMid: roomMid, mid } }),
        ...tell('members', staying, { type: 'NOTIFIED_LEAVE_CHAT', params: { chatMid: roomMid, mid, reason: 0 } }),
      ],
    });
    return null;
  });

/** Ends a membership and announces it. The leaver does not get the system message about its own departure. */
export async function depart(
  tx: Tx,
  deps: ChangeDeps,
  chat: LockedChat,
  leaver: Party,
  heads: Heads,
  reqSeq: number,
  own: readonly NewOperation[],
): Promise<void> {
  await leave(tx, chat, [leaver], await boundaryAfter(tx, deps, chat.chatId, heads));
  const staying = othersThan(chat.members, leaver.accountId);
  await announce(tx, deps, {
    chat,
    actor: leaver,
    reqSeq,
    heads,
    operations: [
      ...own,
      ...tell('members', staying, {
        type: 'NOTIFIED_DELETE_SELF_FROM_CHAT',
        params: { chatMid: chat.mid, mid: leaver.mid },
      }),
      ...tell('members', staying, {
        type: 'NOTIFIED_LEAVE_CHAT',
        params: { chatMid: chat.mid, mid: leaver.mid, reason: 0 },
      }),
    ],
    messages: [{ key: 'C_ML', args: [leaver.mid] }],
    readers: staying,
  });
}
