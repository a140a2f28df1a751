// Stores the texts that searches have read, and finds words in them.
import type { Timers } from '@sealpost/contract/ports';
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
import { type Blocks, byChat, ReadTexts } from './read-texts.ts';

/** The maximum number of texts that an account keeps. Further texts are read from the server at each search. */
const MOST_TEXTS = 500_000;
/** If more chats than this number are searched, the blocks of all chats are read. */
const FEW_CHATS = 50;

/** The texts that are in memory, by the state to which they belong. */
const inMemory = new WeakMap<LocalState, ReadTexts>();

/** Returns the blocks of chats. For many chats, all blocks are read together and stay in memory for a while. */
export async function blocksOf(state: LocalState, timers: Timers, chatMids: readonly string[]): Promise<Blocks> {
  const known = chatMids.filter((chatMid) => state.get(textRanges, chatMid) !== undefined);
  if (known.length <= FEW_CHATS) {
    return byChat(
      (await Promise.all(known.map((chatMid) => state.list(textBlocks, { prefix: `${chatMid}/` })))).flat(),
    );
  }
  const texts = inMemory.get(state) ?? new ReadTexts(state, timers);
  inMemory.set(state, texts);
  return texts.all();
}

/** Returns whether a chat has messages that are newer than its stored texts. */
export const hasNewer = (state: LocalState, chatMid: string, { newestId = '0' }: TextRange): boolean =>
  isNewer(state.get(boxes, chatMid)?.last?.id ?? '0', newestId);

export interface AddedTexts {
  /**
   * The stored range at the time when the messages were read. If the range has changed since then, nothing is added.
   */
  readonly range: TextRange | undefined;
  /** Messages next to the range without a gap, the newest first. All are newer than the range, or all are older. */
  readonly messages: readonly StoredMessage[];
  /** True if the chat has no messages that are older than these and the range. */
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
  // Most blocks have no result, so they are checked as a whole first.
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
