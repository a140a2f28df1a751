// What the list of messages decides: the day at its upper edge, and how many messages are new. Where the line above
// unread messages stands, and which row the arrow keys go to.
import type { StoredMessage } from '@sealpost/sdk';
import type { Waiting } from '../../client/protocol.ts';
import type { Row } from '../../rows/rows.ts';

export interface Placed {
  readonly index: number;
  readonly start: number;
  readonly end: number;
}

/** Returns when the message at the upper edge of the view was written; undefined if the line with its day is there. */
export function dayAtTop(rows: readonly Row[], items: readonly Placed[], scrollTop: number): number | undefined {
  const item = items.find(({ end }) => end > scrollTop);
  const row = item && rows[item.index];
  if (!item || row?.kind === 'day' || item.start >= scrollTop) return undefined;
  const dated = rows.slice(0, item.index + 1).findLast(({ kind }) => kind === 'day');
  return dated?.kind === 'day' ? dated.time : undefined;
}

/** Returns how many messages of others came after a message. */
export const newSince = (messages: readonly StoredMessage[], id: string, me: string): number =>
  messages.filter((message) => message.from !== me && Number(message.id) > Number(id)).length;

/** The newest message at a look, and what waited then. */
export interface Written {
  /** The local id of the newest message that was written here since the first look. */
  readonly last: string | undefined;
  readonly newest: string | undefined;
  readonly waiting: readonly string[];
}

/**
 * Returns what was written here up to now. A message may be sent before the page hears that it waits, so it is looked for
 * among the sent ones too. Older messages that are read later do not count.
 * @param before the result of the look before; undefined at the first look
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

/** Where the line above unread messages stands: below the message with this id. Undefined: there is no line. */
export type UnreadLine = string | undefined;

export interface LineInput {
  readonly unread: number;
  readonly seenId: string;
  /** Whether the page is in front. */
  readonly focused: boolean;
}

/**
 * Returns the line after something changed. Messages that come while somebody looks make no line. While nobody looks,
 * the first one makes it, and it stays as long as the chat is open or until the next absence.
 */
export function nextLine(line: UnreadLine, before: LineInput, now: LineInput): UnreadLine {
  if (now.focused) return line;
  if (before.focused && now.unread === 0) return undefined;
  return line === undefined && now.unread > 0 ? now.seenId : line;
}

const canHaveFocus = (row: Row | undefined): boolean => row?.kind === 'message' || row?.kind === 'waiting';

/** Returns the index of the next row in a direction that can have the focus; undefined if there is none. */
export function nextFocusable(rows: readonly Row[], from: number, step: 1 | -1): number | undefined {
  for (let index = from + step; index >= 0 && index < rows.length; index += step) {
    if (canHaveFocus(rows[index])) return index;
  }
  return undefined;
}

/** Returns the index of the row of a message, or -1. */
export const indexOfMessage = (rows: readonly Row[], id: string): number =>
  rows.findIndex((row) => row.kind === 'message' && row.message.id === id);
