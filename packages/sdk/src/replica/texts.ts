// The texts of messages that were searched before, in blocks. A search can read many of them at once, even texts of
// messages that are not kept any more. The commit that changes a message also changes its text, so the text of an
// unsent message does not stay here.
import type { Tx } from '../store/local-state.ts';
import {
  isNewer,
  messageIdOf,
  messageKey,
  type StoredMessage,
  type TextBlock,
  textBlocks,
  textRanges,
} from './tables.ts';

/** A message's id and its folded text. */
export type Entry = readonly [id: string, text: string];

/** The maximum number of messages in a block. */
export const BLOCK = 200;
const END = '\uffff';

/** Returns a text as searches compare it: case, character width and kinds of white space make no difference. */
export const folded = (text: string): string => text.normalize('NFKC').toLowerCase().replace(/\s+/g, ' ');

/**
 * Stores the text of a message, if the message lies within the range of the stored texts. Undefined removes the text.
 */
export async function setText(
  tx: Tx,
  chatMid: string,
  id: string,
  message: Pick<StoredMessage, 'text'> | undefined,
): Promise<void> {
  const range = await tx.get(textRanges, chatMid);
  // A search that is running may have read this text. It must not add the text, so the range is stored again. A search
  // adds nothing to a range that has changed.
  if (!message) tx.put(textRanges, chatMid, { ...(range ?? { count: 0, complete: false }) });
  if (range?.newestId === undefined || isNewer(id, range.newestId) || isNewer(range.oldestId ?? '0', id)) return;
  const key = messageKey(chatMid, id);
  const [found] = await tx.list(textBlocks, { prefix: `${chatMid}/`, below: key + END, reverse: true, limit: 1 });
  const others = found ? entriesOf(found[1]).filter(([other]) => other !== id) : [];
  const entries = message ? [...others, entryOf({ id, ...message })].sort(newestFirst) : others;
  if (found) tx.delete(textBlocks, found[0]);
  putBlocks(tx, chatMid, entries);
}

/** Removes the texts of a chat up to a message. Without a message, removes all of them. */
export async function forgetTexts(tx: Tx, chatMid: string, upTo?: string): Promise<void> {
  const range = await tx.get(textRanges, chatMid);
  if (!range) return;
  for (const [key, block] of await tx.list(textBlocks, { prefix: `${chatMid}/` })) {
    if (upTo !== undefined && isNewer(messageIdOf(key), upTo)) continue;
    tx.delete(textBlocks, key);
    const left = upTo === undefined ? [] : entriesOf(block).filter(([id]) => isNewer(id, upTo));
    putBlocks(tx, chatMid, left);
  }
  if (upTo === undefined) tx.delete(textRanges, chatMid);
  else tx.put(textRanges, chatMid, { ...range });
}

/** Returns the entry of a message. */
export const entryOf = ({ id, text }: Pick<StoredMessage, 'id' | 'text'>): Entry => [id, folded(text ?? '')];
const newestFirst = ([a]: Entry, [b]: Entry): number => (isNewer(a, b) ? -1 : 1);

/** Returns the entries of a block, the newest first. */
export function entriesOf({ ids, texts }: TextBlock): Entry[] {
  const lines = texts.split('\n');
  return ids.split(' ').map((id, at) => [id, lines[at] ?? '']);
}

/** Stores successive entries in blocks. The newest entry comes first. */
export function putBlocks(tx: Tx, chatMid: string, entries: readonly Entry[]): void {
  // The oldest blocks are filled first, because newer messages can be added only to the newest block.
  for (let end = entries.length; end > 0; end -= BLOCK) {
    const block = entries.slice(Math.max(0, end - BLOCK), end);
    const oldest = block.at(-1)?.[0] ?? '0';
    tx.put(textBlocks, messageKey(chatMid, oldest), {
      count: block.length,
      ids: block.map(([id]) => id).join(' '),
      texts: block.map(([, text]) => text).join('\n'),
    });
  }
}
