// Computes what a client knows about its chats if it reads nothing but its operations.
import { type Operation, operationTypes as types } from '@sealpost/contract';

const LIST_SEPARATOR = '\x1e';

export type Membership = 'member' | 'invitee';

export interface Replay {
  /** Says for each chat of the account, by mid, whether the account is a member or an invitee. */
  readonly own: ReadonlyMap<string, Membership>;
  /**
   * The members of each chat, by its mid. Members are missing for a chat that the account entered during these
   * operations.
   */
  readonly members: ReadonlyMap<string, ReadonlySet<string>>;
  readonly invitees: ReadonlyMap<string, ReadonlySet<string>>;
  readonly readMarks: ReadonlyMap<string, string>;
  /** Operations about chats in which the account was neither a member nor an invitee at that moment. */
  readonly strays: readonly Operation[];
}

/** A chat as getChats returned it before the operations. */
export interface KnownChat {
  readonly mid: string;
  readonly members: readonly string[];
  readonly invitees: readonly string[];
  readonly own: Membership;
}

export function replay(self: string, operations: readonly Operation[], known: readonly KnownChat[] = []): Replay {
  const chats = new FollowedChats(self, known);
  const strays: Operation[] = [];
  for (const operation of operations) {
    chats.arrive(operation);
    const chat = chatOf(operation);
    // SEND_CHAT_REMOVED comes directly after the account has left the chat, so it is expected.
    const farewell = operation.type === types.SEND_CHAT_REMOVED;
    if (chat !== undefined && !chats.own.has(chat) && !farewell) strays.push(operation);
    chats.leave(operation);
  }
  const { own, members, invitees, readMarks } = chats;
  return { own, members, invitees, readMarks, strays: strays.filter((stray) => !isOfNewRoom(self, stray, operations)) };
}

/**
 * The chats of an account, updated by its operations. Each operation is applied in two halves, `arrive` and `leave`.
 * Between the halves, the account is in every chat that the operation may concern.
 */
class FollowedChats {
  readonly own: Map<string, Membership>;
  readonly members: Map<string, Set<string>>;
  readonly invitees: Map<string, Set<string>>;
  readonly readMarks = new Map<string, string>();
  readonly #self: string;

  constructor(self: string, known: readonly KnownChat[]) {
    this.#self = self;
    this.own = new Map(known.map((chat) => [chat.mid, chat.own]));
    this.members = new Map(known.map((chat) => [chat.mid, new Set(chat.members)]));
    this.invitees = new Map(known.map((chat) => [chat.mid, new Set(chat.invitees)]));
  }

  /** Applies the half of an operation by which somebody enters a chat. */
  arrive({ type, param1 = '', param2 = '', param3 = '' }: Operation): void {
    switch (type) {
      case types.CREATE_CHAT:
        this.#create(param1);
        break;
      case types.INVITE_INTO_CHAT:
      case types.INVITE_INTO_ROOM:
        this.#invited(param1, param2.split(LIST_SEPARATOR));
        break;
      case types.NOTIFIED_INVITE_INTO_CHAT:
        this.#invited(param1, param3.split(LIST_SEPARATOR));
        break;
      case types.NOTIFIED_INVITE_INTO_ROOM:
        this.#enter(param1, 'member');
        break;
      case types.ACCEPT_CHAT_INVITATION:
        this.#joined(param1, this.#self);
        break;
      case types.NOTIFIED_JOIN_CHAT:
      case types.NOTIFIED_ACCEPT_CHAT_INVITATION:
        this.#joined(param1, param2);
        break;
      default:
    }
  }

  /** Applies the half of an operation by which somebody leaves a chat, an invitation ends, or a read mark moves. */
  leave({ type, param1 = '', param2 = '', param3 = '' }: Operation): void {
    switch (type) {
      case types.REJECT_CHAT_INVITATION:
        this.#drop(this.invitees, param1, this.#self);
        break;
      case types.CANCEL_CHAT_INVITATION:
        this.#drop(this.invitees, param1, param2);
        break;
      case types.NOTIFIED_CANCEL_CHAT_INVITATION:
        this.#drop(this.invitees, param1, param3);
        break;
      case types.DELETE_SELF_FROM_CHAT:
      case types.LEAVE_ROOM:
        this.#drop(this.members, param1, this.#self);
        break;
      case types.DELETE_OTHER_FROM_CHAT:
      case types.NOTIFIED_LEAVE_CHAT:
      case types.NOTIFIED_DELETE_SELF_FROM_CHAT:
      case types.NOTIFIED_LEAVE_ROOM:
        this.#drop(this.members, param1, param2);
        break;
      case types.NOTIFIED_DELETE_OTHER_FROM_CHAT:
        this.#drop(this.members, param1, param3);
        break;
      case types.SEND_CHAT_CHECKED:
        this.readMarks.set(param1, param2);
        break;
      default:
    }
  }

  #create(chat: string): void {
    this.own.set(chat, 'member');
    // The members of a new room are in the result of createChat, not in the operation.
    if (isRoom(chat)) return;
    this.members.set(chat, new Set([this.#self]));
    this.invitees.set(chat, new Set());
  }

  /**
   * Records that the account entered a chat. The members are then unknown, because the account did not get the earlier
   * operations of the chat. A client has to call getChats.
   */
  #enter(chat: string, as: Membership): void {
    if (as === 'invitee' || !this.own.has(chat)) {
      this.members.delete(chat);
      this.invitees.delete(chat);
    }
    this.own.set(chat, as);
  }

  #joined(chat: string, user: string): void {
    this.invitees.get(chat)?.delete(user);
    this.members.get(chat)?.add(user);
    if (user === this.#self) this.#enter(chat, 'member');
  }

  #invited(chat: string, users: readonly string[]): void {
    const list = isRoom(chat) ? this.members : this.invitees;
    for (const user of users) list.get(chat)?.add(user);
    if (!users.includes(this.#self) || this.own.get(chat) === 'member') return;
    this.#enter(chat, isRoom(chat) ? 'member' : 'invitee');
  }

  #drop(from: Map<string, Set<string>>, chat: string, user: string): void {
    from.get(chat)?.delete(user);
    if (user === this.#self) this.own.delete(chat);
  }
}

/**
 * Returns true if an unexpected operation belongs to a new room. All members of a new room are announced in one commit.
 * So operations about other members may come before the operation about the account itself.
 */
const isOfNewRoom = (self: string, stray: Operation, operations: readonly Operation[]): boolean =>
  stray.type === types.NOTIFIED_JOIN_CHAT &&
  operations.some(
    ({ type, param1, param2, createdTime }) =>
      type === stray.type && param1 === stray.param1 && param2 === self && createdTime === stray.createdTime,
  );

/** Returns the mid of the group or room that an operation concerns; undefined for all other operations. */
function chatOf({ param1, param2, message, type }: Operation): string | undefined {
  if (message) return isGroup(message.to) ? message.to : undefined;
  if (type === types.SEND_REACTION || type === types.NOTIFIED_SEND_REACTION) {
    const { chatMid } = JSON.parse(param2 ?? '{}') as { chatMid?: string };
    return isGroup(chatMid) ? chatMid : undefined;
  }
  return isGroup(param1) ? param1 : undefined;
}

const isGroup = (mid: string | undefined): mid is string => /^[cr][0-9a-f]{32}$/.test(mid ?? '');
const isRoom = (mid: string): boolean => mid.startsWith('r');
