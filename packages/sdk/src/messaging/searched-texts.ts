// The texts that searches have read: adds more of them, and finds words in them.
import {
  boxes,
  isNewer,
  type StoredMessage,
  type TextBlock,
  type TextRange,
  textBlocks,
  textRanges,
} from '../replica/tables.ts';
import { BLOCK, type Entry, entriesOf, entryOf, putBlocks } from '../replica/texts.ts';
import type { LocalState, Tx } from '../store/local-state.ts';

/** How many texts an account keeps at most; the others are read from the server at each search. */
const MOST_TEXTS = 500_000;
/** More chats than these are read at once. */
const FEW_CHATS = 50;

/** The blocks of each chat, the newest first. */
export type Blocks = ReadonlyMap<string, readonly TextBlock[]>;

/** Returns the blocks of chats. Those of many chats are read at once, because each read takes its time. */
export async function blocksOf(state: LocalState, chatMids: readonly string[]): Promise<Blocks> {
  const known = chatMids.filter((chatMid) => state.get(textRanges, chatMid) !== undefined);
  const reads = known.length > FEW_CHATS ? [''] : known.map((chatMid) => `${chatMid}/`);
  const blocks = new Map<string, TextBlock[]>();
  for (const read of await Promise.all(reads.map((prefix) => state.list(textBlocks, { prefix })))) {
    for (const [key, block] of read) {
      const chatMid = key.slice(0, key.indexOf('/'));
      const ofChat = blocks.get(chatMid);
      if (ofChat) ofChat.unshift(block);
      else blocks.set(chatMid, [block]);
    }
  }
  return blocks;
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
    putBlocks(tx, chatMid, areNewer ? [...added, ...(await takeNewest(tx, chatMid))] : added);
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

/** Returns the ids of a block's messages that have all words. */
export function idsWith(words: readonly string[], { ids, texts }: TextBlock): string[] {
  // Most blocks have no result, and are not taken apart.
  if (!words.every((word) => texts.includes(word))) return [];
  const all = ids.split(' ');
  return texts.split('\n').flatMap((text, at) => (words.every((word) => text.includes(word)) ? (all[at] ?? []) : []));
}

/** Removes the newest block if it is not full, and returns what it had. */
async function takeNewest(tx: Tx, chatMid: string): Promise<Entry[]> {
  const [found] = await tx.list(textBlocks, { prefix: `${chatMid}/`, reverse: true, limit: 1 });
  if (!found || found[1].count >= BLOCK) return [];
  tx.delete(textBlocks, found[0]);
  return entriesOf(found[1]);
}
