// Who comes and goes (specification: Endpoints, Groups, chats, rooms). Any member may invite, remove and take back
// invitations; an invitee may only accept or decline.
import { ApiError, isMid, type Limits, type MethodArgs } from '@sealpost/contract';
import type { Mutations } from '../../platform/idempotency/mutations.ts';
import type { Caller, UserCall } from '../../platform/rpc/call.ts';
import { invalidMid } from '../../platform/rpc/mids.ts';
import type { Tx } from '../../platform/store/store.ts';
import type { Heads, NewOperation } from '../../platform/stream/operation-log.ts';
import { announce, boundaryAfter, type ChangeDeps, lockLogs, tell } from './announce-change.ts';
import { isRoom, type LockedChat, lockAsInvitee, lockAsMember, midsOf, othersThan, type Party } from './lock-chat.ts';
import { drop, invite, join, leave } from './members.ts';
import * as q from './queries.ts';
import { type NamedUsers, newcomersTo, pickParties, requireLiving, TARGETS } from './targets.ts';

export interface MembershipDeps extends ChangeDeps {
  readonly mutations: Mutations;
  readonly limits: Limits;
}

type Targets = MethodArgs<'TalkService.inviteIntoChat'>[0];
type ChatRequest = MethodArgs<'TalkService.acceptChatInvitation'>[0];
type Empty = Record<string, never>;

export function createMembership(deps: MembershipDeps) {
  const { mutations, clock } = deps;

  /** New members of a room at once. `news` makes the operations of the call for the room as it was before. */
  async function addToRoom(
    tx: Tx,
    call: UserCall,
    reqSeq: number,
    chat: LockedChat,
    named: NamedUsers,
    news: (newcomers: readonly Party[], others: readonly Party[]) => NewOperation[],
  ): Promise<void> {
    const newcomers = await newcomersTo(tx, deps, call.caller, chat, named);
    if (newcomers.length === 0) return;
    const heads = await lockLogs(tx, deps, chat.members, newcomers);
    requireLiving(heads, named.field, newcomers);
    const after = await boundaryAfter(tx, deps, chat.chatId, heads);
    await join(tx, chat, newcomers, { now: clock.now(), inviterId: call.caller.accountId, after });
    const others = othersThan(chat.members, call.caller.accountId);
    const joins = newcomers.flatMap((user) =>
      tell(others, { type: 'NOTIFIED_JOIN_CHAT', params: { chatMid: chat.mid, mid: user.mid } }),
    );
    await announce(tx, deps, {
      chat,
      actor: call.caller,
      reqSeq,
      heads,
      operations: [...news(newcomers, others), ...joins],
    });
  }

  return {
    inviteIntoChat: (call: UserCall, { reqSeq, chatMid, targetUserMids }: Targets): Promise<Empty> =>
      mutations.mutate(call, reqSeq, async (tx) => {
        const { caller } = call;
        const named = { field: TARGETS, mids: targetUserMids };
        const chat = await lockAsMember(tx, caller, 'request.chatMid', chatMid);
        const news = (newcomers: readonly Party[], others: readonly Party[]): NewOperation[] => {
          const params = { chatMid, invitees: midsOf(newcomers) };
          return [
            { accountId: caller.accountId, type: 'INVITE_INTO_CHAT', reqSeq, params },
            ...tell([...newcomers, ...others], {
              type: 'NOTIFIED_INVITE_INTO_CHAT',
              params: { ...params, inviter: caller.mid },
            }),
          ];
        };
        if (chat.isRoom) {
          await addToRoom(tx, call, reqSeq, chat, named, news);
          return {};
        }
        const newcomers = await newcomersTo(tx, deps, caller, chat, named);
        if (newcomers.length === 0) return {};
        const heads = await lockLogs(tx, deps, chat.members, newcomers);
        requireLiving(heads, TARGETS, newcomers);
        await invite(tx, chat, newcomers, { now: clock.now(), inviterId: caller.accountId, after: 0 });
        await announce(tx, deps, {
          chat,
          actor: caller,
          reqSeq,
          heads,
          operations: news(newcomers, othersThan(chat.members, caller.accountId)),
          messages: newcomers.map((user) => ({ key: 'C_MI', args: [caller.mid, user.mid] })),
          readers: chat.members,
        });
        return {};
      }),

    inviteIntoRoom: (call: UserCall, reqSeq: number, roomMid: string, contactIds: readonly string[]): Promise<null> =>
      mutations.mutate(call, reqSeq, async (tx) => {
        const { caller } = call;
        const room = await holdRoom(tx, caller, roomMid);
        const named = { field: 'contactIds', mids: contactIds };
        await addToRoom(tx, call, reqSeq, room, named, (newcomers) => [
          {
            accountId: caller.accountId,
            type: 'INVITE_INTO_ROOM',
            reqSeq,
            params: { chatMid: roomMid, members: midsOf(newcomers) },
          },
          ...newcomers.map((user): NewOperation => {
            const rest = othersThan([...room.members, ...newcomers], user.accountId);
            return {
              accountId: user.accountId,
              type: 'NOTIFIED_INVITE_INTO_ROOM',
              params: { chatMid: roomMid, inviter: caller.mid, members: midsOf(rest) },
            };
          }),
        ]);
        return null;
      }),

    acceptChatInvitation: (call: UserCall, { reqSeq, chatMid }: ChatRequest): Promise<Empty> =>
      mutations.mutate(call, reqSeq, async (tx) => {
        const { caller } = call;
        const chat = await lockAsInvitee(tx, caller, 'request.chatMid', chatMid);
        const heads = await lockLogs(tx, deps, chat.members, [caller]);
        const after = await boundaryAfter(tx, deps, chat.chatId, heads);
        await join(tx, chat, [caller], { now: clock.now(), inviterId: caller.accountId, after });
        await announce(tx, deps, {
          chat,
          actor: caller,
          reqSeq,
          heads,
          operations: [
            { accountId: caller.accountId, type: 'ACCEPT_CHAT_INVITATION', reqSeq, params: { chatMid } },
            ...tell(chat.members, { type: 'NOTIFIED_ACCEPT_CHAT_INVITATION', params: { chatMid, mid: caller.mid } }),
            ...tell(chat.members, { type: 'NOTIFIED_JOIN_CHAT', params: { chatMid, mid: caller.mid } }),
          ],
          messages: [{ key: 'C_MJ', args: [caller.mid] }],
          readers: [...chat.members, caller],
        });
        return {};
      }),

    rejectChatInvitation: (call: UserCall, { reqSeq, chatMid }: ChatRequest): Promise<Empty> =>
      mutations.mutate(call, reqSeq, async (tx) => {
        const { caller } = call;
        const chat = await lockAsInvitee(tx, caller, 'request.chatMid', chatMid);
        const heads = await lockLogs(tx, deps, [caller]);
        await drop(tx, chat, [caller]);
        const operation: NewOperation = {
          accountId: caller.accountId,
          type: 'REJECT_CHAT_INVITATION',
          reqSeq,
          params: { chatMid },
        };
        await announce(tx, deps, { chat, actor: call.caller, reqSeq, heads, operations: [operation] });
        return {};
      }),

    cancelChatInvitation: (call: UserCall, { reqSeq, chatMid, targetUserMids }: Targets): Promise<Empty> =>
      mutations.mutate(call, reqSeq, async (tx) => {
        const { caller } = call;
        const chat = await lockAsMember(tx, caller, 'request.chatMid', chatMid);
        const cancelled = pickParties(
          chat.invitees,
          targetUserMids,
          (mid) => new ApiError('NOT_AN_INVITEE', `${TARGETS}: ${mid.slice(0, 40)} is not invited`),
        );
        if (cancelled.length === 0) return {};
        const heads = await lockLogs(tx, deps, chat.members, cancelled);
        await drop(tx, chat, cancelled);
        const others = othersThan(chat.members, caller.accountId);
        await announce(tx, deps, {
          chat,
          actor: caller,
          reqSeq,
          heads,
          operations: cancelled.flatMap((user): NewOperation[] => [
            {
              accountId: caller.accountId,
              type: 'CANCEL_CHAT_INVITATION',
              reqSeq,
              params: { chatMid, invitee: user.mid, alsoInvitee: user.mid },
            },
            ...tell([user, ...others], {
              type: 'NOTIFIED_CANCEL_CHAT_INVITATION',
              params: { chatMid, canceller: caller.mid, invitee: user.mid },
            }),
          ]),
          messages: cancelled.map((user) => ({ key: 'C_IC', args: [caller.mid, user.mid] })),
          readers: chat.members,
        });
        return {};
      }),

    deleteOtherFromChat: (call: UserCall, { reqSeq, chatMid, targetUserMids }: Targets): Promise<Empty> =>
      mutations.mutate(call, reqSeq, async (tx) => {
        const { caller } = call;
        const chat = await lockAsMember(tx, caller, 'request.chatMid', chatMid);
        if (chat.isRoom) throw new ApiError('INVALID_STATE', 'members of a room can not be removed');
        if (targetUserMids.includes(caller.mid)) {
          throw new ApiError('ILLEGAL_ARGUMENT', `${TARGETS} has the caller; leave with deleteSelfFromChat`);
        }
        const removed = pickParties(
          chat.members,
          targetUserMids,
          (mid) => new ApiError('NOT_FOUND', `${TARGETS}: ${mid.slice(0, 40)} is not a member`),
        );
        if (removed.length === 0) return {};
        const heads = await lockLogs(tx, deps, chat.members);
        await leave(tx, chat, removed, await boundaryAfter(tx, deps, chat.chatId, heads));
        const gone = new Set(removed);
        const staying = chat.members.filter((member) => !gone.has(member));
        const others = othersThan(staying, caller.accountId);
        await announce(tx, deps, {
          chat,
          actor: caller,
          reqSeq,
          heads,
          operations: removed.flatMap((user): NewOperation[] => [
            {
              accountId: caller.accountId,
              type: 'DELETE_OTHER_FROM_CHAT',
              reqSeq,
              params: { chatMid, removed: user.mid },
            },
            ...tell([user, ...others], {
              type: 'NOTIFIED_DELETE_OTHER_FROM_CHAT',
              params: { chatMid, remover: caller.mid, removed: user.mid },
            }),
            ...tell(others, { type: 'NOTIFIED_LEAVE_CHAT', params: { chatMid, mid: user.mid } }),
          ]),
          messages: removed.map((user) => ({ key: 'C_MR', args: [caller.mid, user.mid] })),
          readers: staying,
        });
        return {};
      }),

    deleteSelfFromChat: (
      call: UserCall,
      { reqSeq, chatMid }: MethodArgs<'TalkService.deleteSelfFromChat'>[0],
    ): Promise<Empty> =>
      mutations.mutate(call, reqSeq, async (tx) => {
        const { caller } = call;
        const chat = await lockAsMember(tx, caller, 'request.chatMid', chatMid);
        const heads = await lockLogs(tx, deps, chat.members);
        await depart(tx, deps, chat, caller, heads, reqSeq, [
          { accountId: caller.accountId, type: 'DELETE_SELF_FROM_CHAT', reqSeq, params: { chatMid } },
        ]);
        return {};
      }),

    leaveRoom: (call: UserCall, reqSeq: number, roomMid: string): Promise<null> =>
      mutations.mutate(call, reqSeq, async (tx) => {
        const { accountId, mid } = call.caller;
        const room = await holdRoom(tx, call.caller, roomMid);
        const heads = await lockLogs(tx, deps, room.members);
        const newest = (await tx.one(q.newestMessage, room.chatId))?.id ?? 0;
        await leave(tx, room, [call.caller], await boundaryAfter(tx, deps, room.chatId, heads));
        const staying = othersThan(room.members, accountId);
        await announce(tx, deps, {
          chat: room,
          actor: call.caller,
          reqSeq,
          heads,
          operations: [
            { accountId, type: 'LEAVE_ROOM', reqSeq, params: { chatMid: roomMid } },
            { accountId, type: 'SEND_CHAT_REMOVED', reqSeq, params: { chatMid: roomMid, messageId: String(newest) } },
            ...tell(staying, { type: 'NOTIFIED_LEAVE_ROOM', params: { chatMid: roomMid, mid } }),
            ...tell(staying, { type: 'NOTIFIED_LEAVE_CHAT', params: { chatMid: roomMid, mid, reason: 0 } }),
          ],
        });
        return null;
      }),
  };
}

/** A member leaves. It is gone when the system message about it is written: it does not get that. */
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
      ...tell(staying, { type: 'NOTIFIED_DELETE_SELF_FROM_CHAT', params: { chatMid: chat.mid, mid: leaver.mid } }),
      ...tell(staying, { type: 'NOTIFIED_LEAVE_CHAT', params: { chatMid: chat.mid, mid: leaver.mid, reason: 0 } }),
    ],
    messages: [{ key: 'C_ML', args: [leaver.mid] }],
    readers: staying,
  });
}

async function holdRoom(tx: Tx, caller: Caller, roomMid: string): Promise<LockedChat> {
  if (!isMid(roomMid) || !isRoom(roomMid)) throw invalidMid('roomMid', roomMid, 'room');
  return lockAsMember(tx, caller, 'roomMid', roomMid);
}
