// The rows that a conversation shows: lines between days, the line above unread messages, messages, and messages that
// wait to be sent.
import { contentTypes } from '@sealpost/contract';
import type { StoredMessage } from '@sealpost/sdk';
import { daysBetween } from '../../words/dates.ts';
import type { Waiting } from '../client/protocol.ts';

export type Row =
  | { readonly kind: 'day'; readonly key: string; readonly time: number }
  | { readonly kind: 'unread'; readonly key: string }
  /** A row that says that the other person of the chat, or a member, got a new key. */
  | { readonly kind: 'new-key'; readonly key: string; readonly mid: string }
  | {
      readonly kind: 'message';
      /** The key of the row in React. It stays the same when the message gets its id from the server. */
      readonly key: string;
      readonly message: StoredMessage;
      /** True if the message is the first of a group: messages of one sender with only short pauses between them. */
      readonly first: boolean;
      readonly last: boolean;
    }
  | {
      readonly kind: 'waiting';
      readonly key: string;
      readonly waiting: Waiting;
      readonly first: boolean;
      readonly last: boolean;
    };

const GROUP_MS = 3 * 60_000;

interface Item {
  readonly key: string;
  readonly from: string;
  readonly time: number;
  readonly message?: StoredMessage;
  readonly waiting?: Waiting;
}

export interface RowsInput {
  readonly me: string;
  readonly messages: readonly StoredMessage[];
  readonly waiting: readonly Waiting[];
  /**
   * The id of the last message that had been read when the chat was opened. Undefined if no line is drawn above the
   * unread messages.
   */
  readonly readUpTo: string | undefined;
}

export function rowsOf({ me, messages, waiting, readUpTo }: RowsInput): Row[] {
  const sent = new Set(messages.map(({ localId }) => localId));
  const items: Item[] = [
    ...messages.map((message) => ({
      key: message.localId ?? message.id,
      from: message.from,
      time: Number(message.createdTime),
      message,
    })),
    // For a moment, a sent message may be both among the messages and among the waiting ones.
    ...waiting
      .filter(({ localId }) => !sent.has(localId))
      .map((row) => ({ key: row.localId, from: me, time: Number(row.content.createdTime), waiting: row })),
  ];
  const rows: Row[] = [];
  let lineDrawn = readUpTo === undefined;
  items.forEach((item, index) => {
    const before = items[index - 1];
    const after = items[index + 1];
    if (!before || daysBetween(before.time, item.time) !== 0) {
      rows.push({ kind: 'day', key: `day-${new Date(item.time).toDateString()}`, time: item.time });
    }
    const { message } = item;
    if (!lineDrawn && message && message.from !== me && Number(message.id) > Number(readUpTo)) {
      rows.push({ kind: 'unread', key: 'unread' });
      lineDrawn = true;
    }
    const afterLine = rows.at(-1)?.kind !== 'message' && rows.at(-1)?.kind !== 'waiting';
    const shape = { key: item.key, first: afterLine || !together(before, item), last: !together(item, after) };
    if (message) rows.push({ kind: 'message', message, ...shape });
    else if (item.waiting) rows.push({ kind: 'waiting', waiting: item.waiting, ...shape });
  });
  return rows;
}

/** Returns true if two consecutive messages belong to one group of bubbles. */
function together(one: Item | undefined, next: Item | undefined): boolean {
  if (!one || !next || one.from !== next.from) return false;
  if (isSystem(one) || isSystem(next)) return false;
  return next.time - one.time < GROUP_MS && daysBetween(one.time, next.time) === 0;
}

const isSystem = ({ message }: Item): boolean => message?.contentType === contentTypes.CHATEVENT;
