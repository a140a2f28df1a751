// inviteIntoChat and inviteIntoRoom. A user invited into a room becomes a member at once.
import type { MethodArgs } from '@sealpost/contract';
import type { UserCall } from '../../platform/rpc/call.ts';
import type { Tx } from '../../platform/store/store.ts';
import type { NewOperation } from '../../platform/stream/operation-log.ts';
import { announce, boundaryAfter, tell } from './announce-change.ts';
import { has, type LockedChat, lockAsMember, lockRoom, midsOf, othersThan, type Party, toldOf } from './lock-chat.ts';
import { invite, join } from './members.ts';
import type { Empty, MembershipDeps } from './membership.ts';
import { lockNewcomers, type NamedUsers, TARGETS } from './targets.ts';

type Targets = MethodArgs<'TalkService.inviteIntoChat'>[0];

export const inviteIntoChat = (
  deps: MembershipDeps,
  call: UserCall,
  { reqSeq, chatMid, targetUserMids }: Targets,
): Promise<Empty> =>
  deps.mutations.mutate(call, reqSeq, async (tx) => {
    const { caller } = call;
    const named = { field: TARGETS, mids: targetUserMids };
    const chat = await lockAsMember(tx, caller, 'request.chatMid', chatMid);
    const news = (newcomers: readonly Party[], others: readonly Party[]): NewOperation[] => {
      const params = { chatMid, invitees: midsOf(newcomers) };
      const told = { type: 'NOTIFIED_INVITE_INTO_CHAT', params: { ...params, inviter: caller.mid } } as const;
      return [
        { accountId: caller.accountId, to: 'self', type: 'INVITE_INTO_CHAT', reqSeq, params },
        ...tell('invitees', newcomers, told),
        ...tell('members', others, told),
      ];
    };
    if (chat.isRoom) {
      await addToRoom(tx, deps, call, reqSeq, chat, named, news);
      return {};
    }
    const { newcomers, heads } = await lockNewcomers(tx, deps, caller, chat, named);
    if (newcomers.length === 0) return {};
    await invite(tx, chat, newcomers, { now: deps.clock.now(), inviterId: caller.accountId, after: 0 });
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
  });

export const inviteIntoRoom = (
  deps: MembershipDeps,
  call: UserCall,
  reqSeq: number,
  roomMid: string,
  contactIds: readonly string[],
): Promise<null> =>
  deps.mutations.mutate(call, reqSeq, async (tx) => {
    const { caller } = call;
    const room = await lockRoom(tx, caller, roomMid);
    const named = { field: 'contactIds', mids: contactIds };
    await addToRoom(tx, deps, call, reqSeq, room, named, (newcomers, others) => [
      {
        accountId: caller.accountId,
        to: 'self',
        type: 'INVITE_INTO_ROOM',
        reqSeq,
        params: { chatMid: roomMid, members: midsOf(newcomers) },
      },
      ...toldOf(newcomers).map((user): NewOperation => {
        const rest = othersThan([...others, call.caller, ...newcomers], user.accountId);
        return {
          accountId: user.accountId,
          to: 'target',
          type: 'NOTIFIED_INVITE_INTO_ROOM',
          params: { chatMid: roomMid, inviter: caller.mid, members: midsOf(rest) },
        };
      }),
    ]);
    return null;
  });

/**
 * Adds members to a room without an invitation. `news` receives the newcomers and the earlier members, without the
 * caller. The operations that `news` returns are announced before the operations about each newcomer.
 */
async function addToRoom(
  tx: Tx,
  deps: MembershipDeps,
  call: UserCall,
  reqSeq: number,
  chat: LockedChat,
  named: NamedUsers,
  news: (newcomers: readonly Party[], others: readonly Party[]) => NewOperation[],
): Promise<void> {
  const { newcomers, heads } = await lockNewcomers(tx, deps, call.caller, chat, named);
  if (newcomers.length === 0) return;
  const after = await boundaryAfter(tx, deps, chat.chatId, heads);
  await join(tx, chat, newcomers, { now: deps.clock.now(), inviterId: call.caller.accountId, after });
  const others = othersThan(chat.members, call.caller.accountId).filter((member) => !has(newcomers, member));
  const joins = newcomers.flatMap((user) =>
    tell('members', others, { type: 'NOTIFIED_JOIN_CHAT', params: { chatMid: chat.mid, mid: user.mid } }),
  );
  await announce(tx, deps, {
    chat,
    actor: call.caller,
    reqSeq,
    heads,
    operations: [...news(newcomers, others), ...joins],
  });
}
