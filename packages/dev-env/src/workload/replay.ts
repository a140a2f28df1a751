// Computes what a client knows about its chats from its operations alone.
import { type Operation, operationTypes as types } from '@sealpost/contract';

const LIST_SEPARATOR = '\x1e';

export type Membership = 'member' | 'invitee';

export interface Replay {
  /** Whether the account is a member or an invitee, by the mid of the chat. */
  readonly own: ReadonlyMap<string, Membership>;
  /**
   * The members of each chat, by its mid. The list is incomplete for chats that the account entered during the replayed
   * operations.
   */
  readonly members: ReadonlyMap<string, ReadonlySet<string>>;
  readonly invitees: ReadonlyMap<string, ReadonlySet<string>>;
  readonly readMarks: ReadonlyMap<string, string>;
  /** Operations on chats in which the account was neither member nor invitee when the operation came. */
  readonly strays: readonly Operation[];
}

/** A chat as getChats returned it at some revision. */
export interface KnownChat {
  readonly mid: string;
  readonly members: readonly string[];
  readonly invitees: readonly string[];
  readonly own: Membership;
}

export function replay(self: string, operations: readonly Operation[], known: readonly KnownChat[] = []): Replay {
  const own = new Map(known.map((chat) => [chat.mid, chat.own]));
  const members = new Map(known.map((chat) => [chat.mid, new Set(chat.members)]));
  const invitees = new Map(known.map((chat) => [chat.mid, new Set(chat.invitees)]));
  const readMarks = new Map<string, string>();
  const strays: Operation[] = [];

  /**
   * Notes that the account entered a chat. The account does not know the members, because it did not get the earlier
   * operations of the chat. A client has to call getChats.
   */
  function enter(chat: string, as: Membership): void {
    if (as === 'invitee' || !own.has(chat)) {
      members.delete(chat);
      invitees.delete(chat);
    }
    own.set(chat, as);
  }
  function depart(chat: string, user: string): void {
    members.get(chat)?.delete(user);
    if (user === self) own.delete(chat);
  }
  function uninvite(chat: string, user: string): void {
    invitees.get(chat)?.delete(user);
    if (user === self) own.delete(chat);
  }
  function joined(chat: string, user: string): void {
    invitees.get(chat)?.delete(user);
    members.get(chat)?.add(user);
    if (user === self) enter(chat, 'member');
  }
  function invited(chat: string, users: readonly string[]): void {
    for (const user of users) (chat.startsWith('r') ? members : invitees).get(chat)?.add(user);
    if (users.includes(self) && own.get(chat) !== 'member') enter(chat, chat.startsWith('r') ? 'member' : 'invitee');
  }

  for (const operation of operations) {
    const { type, param1 = '', param2 = '', param3 = '' } = operation;
    const list = (text: string): string[] => text.split(LIST_SEPARATOR);
    const chat = chatOf(operation);
    // SEND_CHAT_REMOVED comes directly after the account has left the chat, so it does not count as a stray operation.
    const farewell = type === types.SEND_CHAT_REMOVED;
    switch (type) {
      case types.CREATE_CHAT:
        own.set(param1, 'member');
        // The members of a new room are in the result of createChat, not in the operation.
        if (param1.startsWith('r')) break;
        members.set(param1, new Set([self]));
        invitees.set(param1, new Set());
        break;
      case types.INVITE_INTO_CHAT:
      case types.INVITE_INTO_ROOM:
        invited(param1, list(param2));
        break;
      case types.NOTIFIED_INVITE_INTO_CHAT:
        invited(param1, list(param3));
        break;
      case types.NOTIFIED_INVITE_INTO_ROOM:
        enter(param1, 'member');
        break;
      case types.ACCEPT_CHAT_INVITATION:
        joined(param1, self);
        break;
      case types.NOTIFIED_JOIN_CHAT:
      case types.NOTIFIED_ACCEPT_CHAT_INVITATION:
        joined(param1, param2);
        break;
      default:
    }
    if (chat !== undefined && !own.has(chat) && !farewell) strays.push(operation);
    switch (type) {
      case types.REJECT_CHAT_INVITATION:
        uninvite(param1, self);
        break;
      case types.CANCEL_CHAT_INVITATION:
        uninvite(param1, param2);
        break;
      case types.NOTIFIED_CANCEL_CHAT_INVITATION:
        uninvite(param1, param3);
        break;
      case types.DELETE_SELF_FROM_CHAT:
      case types.LEAVE_ROOM:
        depart(param1, self);
        break;
      case types.DELETE_OTHER_FROM_CHAT:
      case types.NOTIFIED_LEAVE_CHAT:
      case types.NOTIFIED_DELETE_SELF_FROM_CHAT:
      case types.NOTIFIED_LEAVE_ROOM:
        depart(param1, param2);
        break;
      case types.NOTIFIED_DELETE_OTHER_FROM_CHAT:
        depart(param1, param3);
        break;
      case types.SEND_CHAT_CHECKED:
        readMarks.set(param1, param2);
        break;
      default:
    }
  }
  return { own, members, invitees, readMarks, strays: strays.filter((stray) => !isOfNewRoom(self, stray, operations)) };
}

/**
 * Returns whether a stray operation belongs to a new room. All members of a new room are announced in one commit. So
 * operations about other members may come before the operation about the account itself.
 */
const isOfNewRoom = (self: string, stray: Operation, operations: readonly Operation[]): boolean =>
  stray.type === types.NOTIFIED_JOIN_CHAT &&
  operations.some(
    ({ type, param1, param2, createdTime }) =>
      type === stray.type && param1 === stray.param1 && param2 === self && createdTime === stray.createdTime,
  );

/** Returns the mid of the group or room that an operation is about; undefined for other operations. */
function chatOf({ param1, param2, message, type }: Operation): string | undefined {
  if (message) return isGroup(message.to) ? message.to : undefined;
  if (type === types.SEND_REACTION || type === types.NOTIFIED_SEND_REACTION) {
    const { chatMid } = JSON.parse(param2 ?? '{}') as { chatMid?: string };
    return isGroup(chatMid) ? chatMid : undefined;
  }
  return isGroup(param1) ? param1 : undefined;
}

const isGroup = (mid: string | undefined): mid is string => /^[cr][0-9a-f]{32}$/.test(mid ?? '');
