// Composes what screen readers say about new messages: at most one sentence a second.
import type { ChatView, StoredMessage } from '@sealpost/sdk';

export interface Incoming {
  readonly chatMid: string;
  readonly message: StoredMessage;
}

/** Returns the newest message of each chat that has a new one from somebody else. Leaves out muted chats. */
export function incoming(
  before: ReadonlyMap<string, ChatView>,
  now: ReadonlyMap<string, ChatView>,
  me: string,
): readonly Incoming[] {
  if (before === now) return [];
  return [...now.values()].flatMap(({ mid, last, muted }) => {
    const old = before.get(mid);
    if (!last || muted || last.from === me || old === now.get(mid)) return [];
    return Number(last.id) > Number(old?.last?.id ?? 0) ? [{ chatMid: mid, message: last }] : [];
  });
}

export interface Heard {
  /** The newest of the new messages in the open chat. */
  readonly last?: StoredMessage;
  /** The number of new messages in the open chat. Those in other chats are counted in `elsewhere`. */
  readonly here: number;
  readonly elsewhere: number;
}

export const silence: Heard = { here: 0, elsewhere: 0 };

/** Returns the announcement with further new messages added. */
export function heard(before: Heard, came: readonly Incoming[], openChat: string | undefined): Heard {
  const here = came.filter(({ chatMid }) => chatMid === openChat);
  const last = here.at(-1)?.message ?? before.last;
  return {
    here: before.here + here.length,
    elsewhere: before.elsewhere + came.length - here.length,
    ...(last && { last }),
  };
}

/** Returns the title of the page: the brand, after the number of chats with unread messages if there are any. */
export const pageTitle = (brand: string, unread: number): string => (unread === 0 ? brand : `(${unread}) ${brand}`);
