// Methods that end an invitation: the invitee accepts or declines it, or a member cancels it.
import { ApiError, type MethodArgs } from '@sealpost/contract';
import type { UserCall } from '../../platform/rpc/call.ts';
import type { NewOperation } from '../../platform/stream/operation-log.ts';
import { announce, boundaryAfter, lockLogs, tell } from './announce-change.ts';
import { lockAsInvitee, lockAsMember, othersThan, type Party } from './lock-chat.ts';
import { drop, join } from './members.ts';
import type { Empty, MembershipDeps } from './membership.ts';
import { pickParties, TARGETS } from './targets.ts';

type Targets = MethodArgs<'TalkService.cancelChatInvitation'>[0];
type ChatRequest = MethodArgs<'TalkService.acceptChatInvitation'>[0];

export const acceptChatInvitation = (
  deps: MembershipDeps,
  call: UserCall,
  { reqSeq, chatMid }: ChatRequest,
): Promise<Empty> =>
  deps.mutations.mutate(call, reqSeq, async (tx) => {
    const { caller } = call;
    const chat = await lockAsInvitee(tx, caller, 'request.chatMid', chatMid);
    const heads = await lockLogs(tx, deps, chat.members, [caller]);
    const after = await boundaryAfter(tx, deps, chat.chatId, heads);
    await join(tx, chat, [{ ...caller, withheld: false }], {
      now: deps.clock.now(),
      inviterId: caller.accountId,
      after,
    });
    await announce(tx, deps, {
      chat,
      actor: caller,
      reqSeq,
      heads,
      operations: [
        { accountId: caller.accountId, to: 'self', type: 'ACCEPT_CHAT_INVITATION', reqSeq, params: { chatMid } },
        ...tell('members', chat.members, {
          type: 'NOTIFIED_ACCEPT_CHAT_INVITATION',
          params: { chatMid, mid: caller.mid },
        }),
        ...tell('members', chat.members, { type: 'NOTIFIED_JOIN_CHAT', params: { chatMid, mid: caller.mid } }),
      ],
      messages: [{ key: 'C_MJ', args: [caller.mid] }],
      readers: [...chat.members, caller],
    });
    return {};
  });

export const rejectChatInvitation = (
  deps: MembershipDeps,
  call: UserCall,
  { reqSeq, chatMid }: ChatRequest,
): Promise<Empty> =>
  deps.mutations.mutate(call, reqSeq, async (tx) => {
    const { caller } = call;
    const chat = await lockAsInvitee(tx, caller, 'request.chatMid', chatMid);
    const heads = await lockLogs(tx, deps, [caller]);
    await drop(tx, chat, [caller]);
    const operation: NewOperation = {
      accountId: caller.accountId,
      to: 'self',
      type: 'REJECT_CHAT_INVITATION',
      reqSeq,
      params: { chatMid },
    };
    await announce(tx, deps, { chat, actor: call.caller, reqSeq, heads, operations: [operation] });
    return {};
  });

export const cancelChatInvitation = (
  deps: MembershipDeps,
  call: UserCall,
  { reqSeq, chatMid, targetUserMids }: Targets,
): Promise<Empty> =>
  deps.mutations.mutate(call, reqSeq, async (tx) => {
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
    const told = ({ mid }: Party) =>
      ({ type: 'NOTIFIED_CANCEL_CHAT_INVITATION', params: { chatMid, canceller: caller.mid, invitee: mid } }) as const;
    await announce(tx, deps, {
      chat,
      actor: caller,
      reqSeq,
      heads,
      operations: cancelled.flatMap((user): NewOperation[] => [
        {
          accountId: caller.accountId,
          to: 'self',
          type: 'CANCEL_CHAT_INVITATION',
          reqSeq,
          params: { chatMid, invitee: user.mid, alsoInvitee: user.mid },
        },
        ...tell('target', [user], told(user)),
        ...tell('members', others, told(user)),
      ]),
      messages: cancelled.map((user) => ({ key: 'C_IC', args: [caller.mid, user.mid] })),
      readers: chat.members,
    });
    return {};
  });
