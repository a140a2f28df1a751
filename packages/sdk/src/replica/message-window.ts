// The messages of a chat that are kept: the newest ones, without gaps, up to a bound. Only the server has older
// messages.
import { contentTypes } from '@sealpost/contract';
import type { Tx } from '../store/local-state.ts';
import { isClosed, markIfClosed } from './closed.ts';
import { mark } from './marks.ts';
import {
  type Box,
  boxes,
  chatOf,
  cursors,
  isNewer,
  isUnsent,
  ME,
  messageKey,
  messages,
  places,
  type StoredMessage,
  windows,
} from './tables.ts';
import { forgetTexts, setText } from './texts.ts';

/** Number of newest messages of a chat that are kept. */
const WINDOW = 200;
/** Number of messages that may come before the oldest are deleted. So not every new message causes a deletion. */
const SLACK = 50;

const emptyBox = (chatMid: string): Box => ({ chatMid, unread: 0, newestId: '0', seenId: '0', hidden: false });

/**
 * Returns the box of a chat that gets a message. One that is new here is read from the server too, which may know how far
 * the chat was read before its history was removed.
 */
async function boxOf(tx: Tx, chatMid: string): Promise<Box> {
  const known = await tx.get(boxes, chatMid);
  if (!known) mark(tx, 'box', chatMid, (await tx.get(cursors, ME))?.revision ?? '0');
  return known ?? emptyBox(chatMid);
}

/** Adds a message that came by an operation, as the newest of its chat. */
export async function addNewest(tx: Tx, me: string, message: StoredMessage): Promise<void> {
  const chatMid = chatOf(message, me);
  const box = await boxOf(tx, chatMid);
  await keep(tx, chatMid, message);
  // The box may have been read from the server after this operation. In that case, it already counts the message.
  if (!isNewer(message.id, box.newestId)) return;
  const unread = box.unread + (isUnread(message, me) ? 1 : 0);
  tx.put(boxes, chatMid, { ...withLast(box, message), unread, newestId: message.id, hidden: false });
}

/**
 * Adds a message that this client sent, before its operation comes. Does not move `newestId`, because operations of
 * earlier messages may still come and must be counted.
 */
export async function addOwn(tx: Tx, me: string, message: StoredMessage): Promise<void> {
  const chatMid = chatOf(message, me);
  if (await replaceMessage(tx, message.id, message)) return;
  await keep(tx, chatMid, message);
  tx.put(boxes, chatMid, withLast(await boxOf(tx, chatMid), message));
}

const withLast = (box: Box, message: StoredMessage): Box =>
  isNewer(message.id, box.last?.id ?? '0') ? { ...box, last: message } : box;

/** Stores a message in the window of its chat, unless it is older than the window. */
async function keep(tx: Tx, chatMid: string, message: StoredMessage): Promise<void> {
  if ((await tx.get(places, message.id)) !== undefined) return;
  const window = (await tx.get(windows, chatMid)) ?? { oldestId: message.id, count: 0 };
  if (isNewer(window.oldestId, message.id)) return;
  tx.put(messages, messageKey(chatMid, message.id), message);
  tx.put(places, message.id, chatMid);
  await markIfClosed(tx, 'message', message.id, message);
  await setText(tx, chatMid, message.id, message);
  const grown = { ...window, count: window.count + 1 };
  tx.put(windows, chatMid, grown.count > WINDOW + SLACK ? await shortened(tx, chatMid, grown.count) : grown);
}

async function shortened(tx: Tx, chatMid: string, count: number): Promise<{ oldestId: string; count: number }> {
  const surplus = count - WINDOW;
  const oldest = await tx.list(messages, { prefix: `${chatMid}/`, limit: surplus + 1 });
  for (const [key, { id }] of oldest.slice(0, surplus)) {
    tx.delete(messages, key);
    tx.delete(places, id);
  }
  return { oldestId: oldest[surplus]?.[1].id ?? '0', count: WINDOW };
}

/**
 * Replaces a kept message with what the server has now; undefined deletes it. Returns false for a message that is not
 * kept.
 */
export async function replaceMessage(tx: Tx, id: string, message: StoredMessage | undefined): Promise<boolean> {
  if (message) await markIfClosed(tx, 'message', id, message);
  const chatMid = await tx.get(places, id);
  if (chatMid === undefined) return false;
  await setText(tx, chatMid, id, message);
  const key = messageKey(chatMid, id);
  const known = await tx.get(messages, key);
  const box = await tx.get(boxes, chatMid);
  if (message) {
    const localId = message.localId ?? known?.localId;
    const record = { ...message, ...(localId !== undefined && { localId }) };
    tx.put(messages, key, record);
    if (box?.last?.id === id) tx.put(boxes, chatMid, { ...box, last: record });
  } else {
    tx.delete(messages, key);
    tx.delete(places, id);
    const window = await tx.get(windows, chatMid);
    if (window) tx.put(windows, chatMid, { ...window, count: window.count - 1 });
  }
  return true;
}

/** Replaces a kept message that stayed sealed with one that was read again and opened. */
export async function openKept(tx: Tx, chatMid: string, message: StoredMessage): Promise<void> {
  const kept = await tx.get(messages, messageKey(chatMid, message.id));
  if (isClosed(kept) && !isClosed(message)) await replaceMessage(tx, message.id, message);
}

export interface OlderPage {
  /** The id of the oldest kept message at the time of the request. The page has the messages before it. */
  readonly before: string | undefined;
  /** The messages of the page, newest first. */
  readonly messages: readonly StoredMessage[];
  /** True if the chat has no messages that are older than the page. */
  readonly complete: boolean;
}

/**
 * Adds messages that are older than the window. If the window has changed since the request, adds none, because there
 * could be a gap.
 */
export async function addOlder(
  tx: Tx,
  chatMid: string,
  { before, messages: page, complete }: OlderPage,
): Promise<void> {
  for (const message of page) await markIfClosed(tx, 'message', message.id, message);
  const window = await tx.get(windows, chatMid);
  if (window?.oldestId !== before) return;
  const added = page.slice(0, Math.max(0, WINDOW - (window?.count ?? 0)));
  for (const message of added) {
    tx.put(messages, messageKey(chatMid, message.id), message);
    tx.put(places, message.id, chatMid);
  }
  const oldestId = added.at(-1)?.id ?? before;
  if (oldestId === undefined) return;
  const count = (window?.count ?? 0) + added.length;
  tx.put(windows, chatMid, { oldestId, count, complete: complete && added.length === page.length });
}

/** Deletes the kept messages of a chat up to an id. Without an id, deletes all of them. */
export async function forgetMessages(tx: Tx, chatMid: string, upTo?: string): Promise<void> {
  await forgetTexts(tx, chatMid, upTo);
  let left = 0;
  let oldestId: string | undefined;
  for (const [key, { id }] of await tx.list(messages, { prefix: `${chatMid}/` })) {
    if (upTo !== undefined && isNewer(id, upTo)) {
      left += 1;
      oldestId ??= id;
      continue;
    }
    tx.delete(messages, key);
    tx.delete(places, id);
  }
  if (oldestId === undefined) tx.delete(windows, chatMid);
  else tx.put(windows, chatMid, { oldestId, count: left });
}

/**
 * Returns whether the server counts a message as unread until it is read. System messages and unsent ones do not count.
 */
const isUnread = (message: StoredMessage, me: string): boolean =>
  message.from !== me && message.contentType !== contentTypes.CHATEVENT && !isUnsent(message);
