// inviteIntoChat and inviteIntoRoom. A user invited into a room becomes a member at once.
import type { MethodArgs, NamedOperation } from '@sealpost/contract';
import type { Caller, UserCall } from '../../platform/rpc/call.ts';
import type { Tx } from '../../platform/store/store.ts';
import type { NewOperation } from '../../platform/stream/operation-log.ts';
import { announce, boundaryAfter, MOST_JOINS_TOLD, tell } from './announce-change.ts';
import { type LockedChat, lockAsMember, lockRoom, midsOf, othersThan, type Party, toldOf } from './lock-chat.ts';
import { invite, join, tellFromNow } from './members.ts';
import type { Empty, MembershipDeps } from './membership.ts';
import { type Invited, lockInvited, TARGETS } from './targets.ts';

type Targets = MethodArgs<'TalkService.inviteIntoChat'>[0];

export const inviteIntoChat = (
  deps: MembershipDeps,
  call: UserCall,
  { reqSeq, chatMid, targetUserMids }: Targets,
): Promise<Empty> =>
  deps.mutations.mutate(call, reqSeq, async (tx) => {
    const { caller } = call;
    const chat = await lockAsMember(tx, caller, 'request.chatMid', chatMid);
    const invited = await lockInvited(tx, deps, caller, chat, { field: TARGETS, mids: targetUserMids });
    const { newcomers, found, heads } = invited;
    if (newcomers.length + found.length === 0) return {};
    const told = (invitees: readonly Party[]) => invitationOf(chatMid, caller, invitees);
    const others = othersThan(chat.members, caller.accountId);
    const news: NewOperation[] = [
      ...ownNews(caller, newcomers, {
        type: 'INVITE_INTO_CHAT',
        reqSeq,
        params: { chatMid, invitees: midsOf(newcomers) },
      }),
      ...tell('invitees', newcomers, told(newcomers)),
      ...tell('invitees', found, told(found)),
      ...(newcomers.length > 0 ? tell('members', others, told(newcomers)) : []),
    ];
    if (chat.isRoom) {
      await addToRoom(tx, deps, call, reqSeq, chat, invited, news);
      return {};
    }
    const now = deps.clock.now();
    await invite(tx, chat, newcomers, { now, inviterId: caller.accountId, after: 0 });
    await tellFromNow(tx, chat, found, { joined: false, after: 0 });
    await announce(tx, deps, {
      chat,
      actor: caller,
      reqSeq,
      heads,
      operations: news,
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
    const invited = await lockInvited(tx, deps, caller, room, { field: 'contactIds', mids: contactIds });
    const { newcomers, found } = invited;
    if (newcomers.length + found.length === 0) return null;
    const others = othersThan(room.members, caller.accountId);
    const toldTo = (user: Party): NewOperation => {
      const rest = othersThan([...room.members, ...newcomers], user.accountId);
      return {
        accountId: user.accountId,
        to: 'target',
        type: 'NOTIFIED_INVITE_INTO_ROOM',
        params: { chatMid: roomMid, inviter: caller.mid, members: midsOf(rest) },
      };
    };
    await addToRoom(tx, deps, call, reqSeq, room, invited, [
      ...ownNews(caller, newcomers, {
        type: 'INVITE_INTO_ROOM',
        reqSeq,
        params: { chatMid: roomMid, members: midsOf(newcomers) },
      }),
      ...toldOf(newcomers).map(toldTo),
      ...found.map(toldTo),
      ...(joinAsMany(newcomers) ? tell('members', others, invitationOf(roomMid, caller, newcomers)) : []),
    ]);
    return null;
  });

const invitationOf = (chatMid: string, { mid: inviter }: Caller, invitees: readonly Party[]) =>
  ({ type: 'NOTIFIED_INVITE_INTO_CHAT', params: { chatMid, invitees: midsOf(invitees), inviter } }) as const;

const joinAsMany = (newcomers: readonly Party[]): boolean => newcomers.length > MOST_JOINS_TOLD;

/** Returns the operation for the inviter's own sessions. There is none if others see no newcomer. */
const ownNews = (
  { accountId }: Caller,
  newcomers: readonly Party[],
  operation: NamedOperation & { readonly reqSeq: number },
): NewOperation[] => (newcomers.length > 0 ? [{ accountId, to: 'self', ...operation }] : []);

/**
 * Adds members to a room without an invitation. The given operations come before those about each newcomer. If there
 * are many newcomers, the given operations name all of them to each member, and none is about a single newcomer.
 */
async function addToRoom(
  tx: Tx,
  deps: MembershipDeps,
  call: UserCall,
  reqSeq: number,
  chat: LockedChat,
  { newcomers, found, heads }: Invited,
  news: readonly NewOperation[],
): Promise<void> {
  const after = await boundaryAfter(tx, deps, chat.chatId, heads);
  const { accountId } = call.caller;
  if (newcomers.length > 0) {
    await join(tx, chat, newcomers, { now: deps.clock.now(), inviterId: accountId, after });
  }
  await tellFromNow(tx, chat, found, { joined: true, after });
  const single = joinAsMany(newcomers) ? [] : newcomers;
  const joins = single.flatMap((user) =>
    tell('members', othersThan(chat.members, accountId), {
      type: 'NOTIFIED_JOIN_CHAT',
      params: { chatMid: chat.mid, mid: user.mid },
    }),
  );
  await announce(tx, deps, { chat, actor: call.caller, reqSeq, heads, operations: [...news, ...joins] });
}
