// What messaging needs to know of groups and rooms. The slice that owns them implements it.
import type { Reader, Tx } from '../../platform/store/store.ts';

export interface GroupChat {
  readonly chatId: number;
  readonly mid: string;
  /** Joined members, the caller included; not invitees. Sorted. */
  readonly memberIds: readonly number[];
  /** Those of them that muted the chat. */
  readonly mutedIds: ReadonlySet<number>;
  readonly key: GroupKey;
}

/** The key that messages of a group are to be sealed with. */
export interface GroupKey {
  /** 0 while there is none for the members that are in. */
  readonly id: number;
  /** The newest of the members' keys that it is wrapped for. */
  readonly covers: number;
}

/** Message ids that a member may read: those after `after` and before `before`. */
export interface Span {
  readonly after: number;
  readonly before: number;
}

export interface GroupChats {
  /** The chats with these mids, held until the transaction ends: no one joins or leaves meanwhile. */
  lock(tx: Tx, mids: readonly string[]): Promise<ReadonlyMap<string, GroupChat>>;
  /** The chat, without holding it. */
  find(reader: Reader, mid: string): Promise<GroupChat | undefined>;
  /** Times of membership of a present member, oldest first; none for anybody else. */
  spans(reader: Reader, chatId: number, accountId: number): Promise<readonly Span[]>;
}
