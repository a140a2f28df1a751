// Pure functions for the list of messages. They find the day at its upper edge and the number of new messages. They
// also find the place of the line above unread messages, and the row to which an arrow key leads.
import { contentTypes } from '@sealpost/contract';
import type { StoredMessage } from '@sealpost/sdk';
import type { Waiting } from '../../client/protocol.ts';
import type { Row } from '../../rows/rows.ts';

export interface Placed {
  readonly index: number;
  readonly start: number;
  readonly end: number;
}

/**
 * Returns the day of the message at the upper edge of the view, as a time. Returns undefined if the line with that day
 * is already visible at the upper edge.
 */
export function dayAtTop(rows: readonly Row[], items: readonly Placed[], scrollTop: number): number | undefined {
  const item = items.find(({ end }) => end > scrollTop);
  const row = item && rows[item.index];
  if (!item || row?.kind === 'day' || item.start >= scrollTop) return undefined;
  const dated = rows.slice(0, item.index + 1).findLast(({ kind }) => kind === 'day');
  return dated?.kind === 'day' ? dated.time : undefined;
}

/** Returns how many messages of other people came after a message. */
export const newSince = (messages: readonly StoredMessage[], id: string, me: string): number =>
  messages.filter((message) => message.from !== me && Number(message.id) > Number(id)).length;

/** The result of `writtenNow`. */
export interface Written {
  /** The local id of the newest message that was written in this browser since the first call. */
  readonly last: string | undefined;
  /** The id of the newest message at this call. */
  readonly newest: string | undefined;
  /** The local ids of the messages that wait to be sent at this call. */
  readonly waiting: readonly string[];
}

/**
 * Finds the newest message that was written in this browser. A message may already be sent before the page gets to know
 * it as a waiting message. So both the waiting messages and the new ones are searched. Older messages that are loaded
 * later do not count.
 * @param before the result of the last call; undefined at the first call
 */
export function writtenNow(
  before: Written | undefined,
  messages: readonly StoredMessage[],
  waiting: readonly Pick<Waiting, 'localId'>[],
): Written {
  const localIds = waiting.map(({ localId }) => localId);
  const newest = messages.at(-1)?.id;
  if (!before) return { last: undefined, newest, waiting: localIds };
  const known = new Set([before.last, ...before.waiting]);
  const sent = messages.filter(({ id }) => Number(id) > Number(before.newest ?? 0)).map(({ localId }) => localId);
  const fresh = [...sent, ...localIds].findLast((localId) => localId !== undefined && !known.has(localId));
  return { last: fresh ?? before.last, newest: newest ?? before.newest, waiting: localIds };
}

/** The id of the message below which the line above unread messages stands; undefined if there is no line. */
export type UnreadLine = string | undefined;

export interface LineInput {
  readonly unread: number;
  readonly seenId: string;
  /** True if the page is visible and has the focus. */
  readonly focused: boolean;
}

/**
 * Returns the position of the line above unread messages after a change. A message that arrives while the page has the
 * focus adds no line. The first message that arrives without the focus adds one. If the page loses the focus while
 * nothing is unread, the line is removed.
 */
export function nextLine(line: UnreadLine, before: LineInput, now: LineInput): UnreadLine {
  if (now.focused) return line;
  if (before.focused && now.unread === 0) return undefined;
  return line === undefined && now.unread > 0 ? now.seenId : line;
}

/** Messages of the system are only text. */
const canHaveFocus = (row: Row | undefined): boolean =>
  row?.kind === 'message' ? row.message.contentType !== contentTypes.CHATEVENT : row?.kind === 'waiting';

/** Returns the index of the next row in a direction that can have the focus; undefined if there is none. */
export function nextFocusable(rows: readonly Row[], from: number, step: 1 | -1): number | undefined {
  for (let index = from + step; index >= 0 && index < rows.length; index += step) {
    if (canHaveFocus(rows[index])) return index;
  }
  return undefined;
}

/** Returns the index of the row of a message, or -1 if no row shows it. */
export const indexOfMessage = (rows: readonly Row[], id: string): number =>
  rows.findIndex((row) => row.kind === 'message' && row.message.id === id);
