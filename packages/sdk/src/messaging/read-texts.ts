// The stored texts of all chats, kept in memory while somebody searches. A new search runs after each typed letter, so
// the texts are read only once.
import type { Timer, Timers } from '@sealpost/contract/ports';
import { type TextBlock, textBlocks } from '../replica/tables.ts';
import type { LocalState } from '../store/local-state.ts';

const MINUTE = 60_000;
/** Milliseconds that texts stay in memory after the last search. */
const KEPT_MS = MINUTE;

/** The blocks of each chat, the newest first. */
export type Blocks = ReadonlyMap<string, readonly TextBlock[]>;

export class ReadTexts {
  readonly #state: LocalState;
  readonly #timers: Timers;
  #blocks: Promise<Map<string, TextBlock>> | undefined;
  /** The ids of blocks that were changed since they were read. */
  readonly #changed = new Set<string>();
  #stopWatching: () => void = () => {};
  #forgetting: Timer | undefined;

  constructor(state: LocalState, timers: Timers) {
    this.#state = state;
    this.#timers = timers;
  }

  /** Returns the blocks of all chats, as of the last commit. */
  async all(): Promise<Blocks> {
    this.#forgetting?.cancel();
    this.#forgetting = this.#timers.after(KEPT_MS, () => this.#forget(), { background: true });
    this.#blocks ??= this.#read();
    const blocks = await this.#blocks;
    for (const id of this.#changed) {
      this.#changed.delete(id);
      const [found] = await this.#state.list(textBlocks, { prefix: id });
      if (found) blocks.set(id, found[1]);
      else blocks.delete(id);
    }
    return byChat(blocks);
  }

  async #read(): Promise<Map<string, TextBlock>> {
    this.#stopWatching = this.#state.onCommit((changes) => {
      for (const { table, id } of changes) if (table === textBlocks.name) this.#changed.add(id);
    });
    try {
      return new Map(await this.#state.list(textBlocks));
    } catch (error) {
      this.#forget();
      throw error;
    }
  }

  #forget(): void {
    this.#stopWatching();
    this.#changed.clear();
    this.#blocks = undefined;
  }
}

/** Sorts blocks into chats. Each id has the mid of its chat, and orders the blocks of a chat. */
export function byChat(blocks: Iterable<readonly [id: string, block: TextBlock]>): Blocks {
  const chats = new Map<string, TextBlock[]>();
  for (const [id, block] of [...blocks].sort(([one], [other]) => (one < other ? 1 : -1))) {
    const chatMid = id.slice(0, id.indexOf('/'));
    const ofChat = chats.get(chatMid);
    if (ofChat) ofChat.push(block);
    else chats.set(chatMid, [block]);
  }
  return chats;
}
