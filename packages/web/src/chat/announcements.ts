// What is said to screen readers about messages that come in: at most one sentence a second.
import type { ChatView, StoredMessage } from '@sealpost/sdk';

export interface Incoming {
  readonly chatMid: string;
  readonly message: StoredMessage;
}

/** Returns the messages of others that are the newest of their chats now and were not before. Muted chats are silent. */
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
  /** The last message of the open chat. */
  readonly last?: StoredMessage;
  /** How many came in the open chat, and in others. */
  readonly here: number;
  readonly elsewhere: number;
}

export const silence: Heard = { here: 0, elsewhere: 0 };

/** Returns what has to be said after more messages came. */
export function heard(before: Heard, came: readonly Incoming[], openChat: string | undefined): Heard {
  const here = came.filter(({ chatMid }) => chatMid === openChat);
  const last = here.at(-1)?.message ?? before.last;
  return {
    here: before.here + here.length,
    elsewhere: before.elsewhere + came.length - here.length,
    ...(last && { last }),
  };
}

/** Returns the title of the page: its name, and the number of chats with unread messages before it. */
export const pageTitle = (brand: string, unread: number): string => (unread === 0 ? brand : `(${unread}) ${brand}`);
