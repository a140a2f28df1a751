// The texts of messages that were searched before, in blocks. A search opens many texts at once, also of messages that
// are not kept any more. Texts change in the commits that change messages, so that nothing unsent stays here.
import type { LocalState, Tx } from '../store/local-state.ts';
import {
  boxes,
  isNewer,
  messageIdOf,
  messageKey,
  type StoredMessage,
  type TextBlock,
  type TextRange,
  textBlocks,
  textRanges,
} from './tables.ts';

type Entry = readonly [id: string, text: string];

const BLOCK = 200;
/** How many texts an account keeps at most; the others are read from the server at each search. */
const MOST_TEXTS = 500_000;
const END = '\uffff';

/** Returns a text without differences that a search ignores: case, width, and kinds of white space. */
export const folded = (text: string): string => text.normalize('NFKC').toLowerCase().replace(/\s+/g, ' ');

/** Returns the blocks of a chat, the newest first. */
export async function blocksOf(state: LocalState, chatMid: string): Promise<TextBlock[]> {
  if (state.get(textRanges, chatMid) === undefined) return [];
  return (await state.list(textBlocks, { prefix: `${chatMid}/` })).map(([, block]) => block).reverse();
}

/** Returns whether a chat has messages that are newer than those with texts here. */
export const hasNewer = (state: LocalState, chatMid: string, { newestId = '0' }: TextRange): boolean =>
  isNewer(state.get(boxes, chatMid)?.last?.id ?? '0', newestId);

export interface AddedTexts {
  /** The range when the messages were read. If it has changed meanwhile, nothing is added. */
  readonly range: TextRange | undefined;
  /** Messages that follow the range without a gap, the newest first: all newer than it, or all older. */
  readonly messages: readonly StoredMessage[];
  /** Whether nothing older is left. */
  readonly complete: boolean;
}

/** Adds texts to those of a chat. Returns the new range; undefined if nothing was added. */
export function addTexts(
  state: LocalState,
  chatMid: string,
  { range, messages, complete }: AddedTexts,
): Promise<TextRange | undefined> {
  return state.change(async (tx) => {
    if ((await tx.get(textRanges, chatMid)) !== range) return undefined;
    let total = messages.length;
    for (const { count } of state.all(textRanges).values()) total += count;
    if (total > MOST_TEXTS) return undefined;
    const added = messages.map(entryOf);
    const first = added[0]?.[0] ?? '0';
    const last = added.at(-1)?.[0] ?? '0';
    const { newestId = first, oldestId = last, count = 0 } = range ?? {};
    const areNewer = isNewer(first, newestId);
    await putBlocks(tx, chatMid, areNewer ? [...added, ...(await takeNewest(tx, chatMid))] : added);
    const next = {
      newestId: areNewer ? first : newestId,
      oldestId: added.length > 0 && isNewer(oldestId, last) ? last : oldestId,
      count: count + added.length,
      complete,
    };
    tx.put(textRanges, chatMid, next);
    return next;
  });
}

/** Stores a message's text, if the texts around it are here. Undefined removes it. */
export async function setText(
  tx: Tx,
  chatMid: string,
  id: string,
  message: Pick<StoredMessage, 'text'> | undefined,
): Promise<void> {
  const range = await tx.get(textRanges, chatMid);
  // A search may have read the text a moment ago. It adds nothing to a range that has changed.
  if (!message) tx.put(textRanges, chatMid, { ...(range ?? { count: 0, complete: false }) });
  if (range?.newestId === undefined || isNewer(id, range.newestId) || isNewer(range.oldestId ?? '0', id)) return;
  const key = messageKey(chatMid, id);
  const [found] = await tx.list(textBlocks, { prefix: `${chatMid}/`, below: key + END, reverse: true, limit: 1 });
  const others = found ? entriesOf(found[1]).filter(([other]) => other !== id) : [];
  const entries = message ? [...others, entryOf({ id, ...message })].sort(newestFirst) : others;
  if (found) tx.delete(textBlocks, found[0]);
  await putBlocks(tx, chatMid, entries);
}

/** Removes the texts of a chat up to a message, or all. */
export async function forgetTexts(tx: Tx, chatMid: string, upTo?: string): Promise<void> {
  const range = await tx.get(textRanges, chatMid);
  if (!range) return;
  for (const [key, block] of await tx.list(textBlocks, { prefix: `${chatMid}/` })) {
    if (upTo !== undefined && isNewer(messageIdOf(key), upTo)) continue;
    tx.delete(textBlocks, key);
    if (upTo !== undefined) {
      await putBlocks(
        tx,
        chatMid,
        entriesOf(block).filter(([id]) => isNewer(id, upTo)),
      );
    }
  }
  if (upTo === undefined) tx.delete(textRanges, chatMid);
  else tx.put(textRanges, chatMid, { ...range });
}

/** Returns the ids of a block's messages that have all words. */
export function idsWith(words: readonly string[], { ids, texts }: TextBlock): string[] {
  // Most blocks have no result, and are not taken apart.
  if (!words.every((word) => texts.includes(word))) return [];
  const all = ids.split(' ');
  return texts.split('\n').flatMap((text, at) => (words.every((word) => text.includes(word)) ? (all[at] ?? []) : []));
}

const entryOf = ({ id, text = '' }: Pick<StoredMessage, 'id' | 'text'>): Entry => [id, folded(text ?? '')];
const newestFirst = ([a]: Entry, [b]: Entry): number => (isNewer(a, b) ? -1 : 1);

function entriesOf({ ids, texts }: TextBlock): Entry[] {
  const lines = texts.split('\n');
  return ids.split(' ').map((id, at) => [id, lines[at] ?? '']);
}

/** Removes the newest block if it is not full, and returns what it had. */
async function takeNewest(tx: Tx, chatMid: string): Promise<Entry[]> {
  const [found] = await tx.list(textBlocks, { prefix: `${chatMid}/`, reverse: true, limit: 1 });
  if (!found || found[1].count >= BLOCK) return [];
  tx.delete(textBlocks, found[0]);
  return entriesOf(found[1]);
}

async function putBlocks(tx: Tx, chatMid: string, entries: readonly Entry[]): Promise<void> {
  // The oldest blocks are full, and newer messages join the newest.
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
