// The data about groups and rooms that the messaging slice needs. The chats slice implements this interface.
import type { Reader, Tx } from '../../platform/store/store.ts';

export interface GroupChat {
  readonly chatId: number;
  readonly mid: string;
  /** Account ids of the joined members, with the caller and without invitees, in ascending order. */
  readonly memberIds: readonly number[];
  /** Account ids of the members that muted the chat. */
  readonly mutedIds: ReadonlySet<number>;
  /** Account ids of the members that are told nothing of the chat. Others see them there as any other member. */
  readonly withheldIds: ReadonlySet<number>;
  readonly key: GroupKey;
}

/** The shared key with which clients seal the messages of a group. */
export interface GroupKey {
  /** Id of the newest group key; 0 while no key exists for the present members. */
  readonly id: number;
  /** Id of the newest member key for which the group key is wrapped. */
  readonly covers: number;
}

/** Range of message ids that a member may read: greater than `after` and less than `before`. */
export interface Span {
  readonly after: number;
  readonly before: number;
}

/** A group or room, and an account that asks for it. */
export interface AskedGroup {
  readonly mid: string;
  readonly accountId: number;
}

export interface GroupChats {
  /**
   * Returns the chats of which at least one of the accounts that ask is a member, keyed by mid, and locks them. Nobody
   * joins or leaves before the transaction ends.
   */
  lock(tx: Tx, asked: readonly AskedGroup[]): Promise<ReadonlyMap<string, GroupChat>>;
  /** Returns the chat without locking it. */
  find(reader: Reader, mid: string): Promise<GroupChat | undefined>;
  /**
   * Returns the spans of a present member, one per time of membership, oldest first; an empty list for other accounts.
   */
  spans(reader: Reader, chatId: number, accountId: number): Promise<readonly Span[]>;
  /** Returns the spans of all members, by account id. Members that are told nothing of the chat are among them. */
  allSpans(reader: Reader, chatId: number): Promise<ReadonlyMap<number, readonly Span[]>>;
}
