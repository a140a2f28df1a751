// createChat: invites the targets into a group, or makes them members of a room at once. A new chat has no picture:
// `uploadProfile` sets it, and a path in the request is ignored.
import { ApiError, type Chat, chatTypes, type MethodArgs, midPrefix } from '@sealpost/contract';
import { timeOfId } from '../../platform/kernel/ids.ts';
import type { UserCall } from '../../platform/rpc/call.ts';
import type { Tx } from '../../platform/store/store.ts';
import type { NewOperation } from '../../platform/stream/operation-log.ts';
import { announce, lockLogs, MOST_JOINS_TOLD, tell } from './announce-change.ts';
import { requireChatName } from './chat-name.ts';
import { chatsFor } from './chat-view.ts';
import { midsOf, type Party } from './lock-chat.ts';
import { invite, join } from './members.ts';
import type { MembershipDeps } from './membership.ts';
import * as q from './queries.ts';
import { requireLiving, requireRoom, requireUsers, TARGETS, withBlockers } from './targets.ts';

type Request = MethodArgs<'TalkService.createChat'>[0];

export const createChat = (deps: MembershipDeps, call: UserCall, request: Request): Promise<{ chat: Chat }> =>
  deps.mutations.mutate(call, request.reqSeq, async (tx) => {
    const { caller } = call;
    if (request.type === chatTypes.PEER) {
      throw new ApiError('ILLEGAL_ARGUMENT', 'request.type PEER: a chat with one user begins with the first message');
    }
    const room = request.type === chatTypes.ROOM;
    const name = requireChatName(request.name ?? '');
    const named = await requireUsers(tx, caller, { field: TARGETS, mids: request.targetUserMids });
    requireRoom(deps.limits, named.length + 1);

    const chatId = deps.ids.next();
    const chat = { chatId, mid: deps.ids.mid(room ? midPrefix.room : midPrefix.group) };
    await tx.run(q.insertChat, chatId, chat.mid, request.type, timeOfId(chatId));
    await tx.run(q.insertGroup, chatId, name, caller.accountId);
    const heads = await lockLogs(tx, deps, named, [caller]);
    requireLiving(heads, TARGETS, named);
    const targets = await withBlockers(tx, deps, caller, named, room);
    const beginning = { now: deps.clock.now(), inviterId: caller.accountId, after: 0 };
    await join(tx, chat, [{ ...caller, withheld: false }], beginning);
    if (room) await join(tx, chat, targets, beginning);
    else await invite(tx, chat, targets, beginning);

    await announce(tx, deps, {
      chat,
      actor: caller,
      reqSeq: request.reqSeq,
      heads,
      operations: [
        {
          accountId: caller.accountId,
          to: 'self',
          type: 'CREATE_CHAT',
          reqSeq: request.reqSeq,
          params: { chatMid: chat.mid },
        },
        ...(room ? joinsOf(chat.mid, targets) : invitationsOf(call, request.reqSeq, chat.mid, targets)),
      ],
      ...(!room && {
        messages: targets.map((user) => ({ key: 'C_GI', args: [caller.mid, user.mid] })),
        readers: [caller],
      }),
    });
    return { chat: await newChat(tx, call, chat.mid) };
  });

function invitationsOf(call: UserCall, reqSeq: number, chatMid: string, invitees: readonly Party[]): NewOperation[] {
  if (invitees.length === 0) return [];
  const { accountId, mid } = call.caller;
  const params = { chatMid, invitees: midsOf(invitees) };
  return [
    { accountId, to: 'self', type: 'INVITE_INTO_CHAT', reqSeq, params },
    ...tell('invitees', invitees, { type: 'NOTIFIED_INVITE_INTO_CHAT', params: { ...params, inviter: mid } }),
  ];
}

/** Returns the operations about the members of a new room. If there are many, each is told only of its own joining. */
function joinsOf(chatMid: string, members: readonly Party[]): NewOperation[] {
  return members.flatMap((member) =>
    tell('members', members.length > MOST_JOINS_TOLD ? [member] : members, {
      type: 'NOTIFIED_JOIN_CHAT',
      params: { chatMid, mid: member.mid },
    }),
  );
}

async function newChat(tx: Tx, call: UserCall, mid: string): Promise<Chat> {
  const [chat] = await chatsFor(tx, call.caller, [mid], { members: true, invitees: true });
  return chat as Chat;
}
