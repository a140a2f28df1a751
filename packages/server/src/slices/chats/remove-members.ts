// deleteOtherFromChat: a member removes other members from a group.
import { ApiError, type MethodArgs } from '@sealpost/contract';
import type { UserCall } from '../../platform/rpc/call.ts';
import type { NewOperation } from '../../platform/stream/operation-log.ts';
import { announce, boundaryAfter, lockLogs, tell } from './announce-change.ts';
import { lockAsMember, othersThan, type Party } from './lock-chat.ts';
import { leave } from './members.ts';
import type { Empty, MembershipDeps } from './membership.ts';
import { pickParties, TARGETS } from './targets.ts';

type Targets = MethodArgs<'TalkService.deleteOtherFromChat'>[0];

export const deleteOtherFromChat = (
  deps: MembershipDeps,
  call: UserCall,
  { reqSeq, chatMid, targetUserMids }: Targets,
): Promise<Empty> =>
  deps.mutations.mutate(call, reqSeq, async (tx) => {
    const { caller } = call;
    const chat = await lockAsMember(tx, caller, 'request.chatMid', chatMid);
    if (chat.isRoom) throw new ApiError('INVALID_STATE', 'members of a room cannot be removed');
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
    const told = ({ mid }: Party) =>
      ({ type: 'NOTIFIED_DELETE_OTHER_FROM_CHAT', params: { chatMid, remover: caller.mid, removed: mid } }) as const;
    await announce(tx, deps, {
      chat,
      actor: caller,
      reqSeq,
      heads,
      operations: removed.flatMap((user): NewOperation[] => [
        {
          accountId: caller.accountId,
          to: 'self',
          type: 'DELETE_OTHER_FROM_CHAT',
          reqSeq,
          params: { chatMid, removed: user.mid },
        },
        ...tell('target', [user], told(user)),
        ...tell('members', others, told(user)),
        ...tell('members', others, { type: 'NOTIFIED_LEAVE_CHAT', params: { chatMid, mid: user.mid } }),
      ]),
      messages: removed.map((user) => ({ key: 'C_MR', args: [caller.mid, user.mid] })),
      readers: staying,
    });
    return {};
  });
