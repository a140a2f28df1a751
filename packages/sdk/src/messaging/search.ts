// Searches texts on this device, because the server cannot read sealed messages. Texts that an earlier search has read
// are stored in blocks. All other texts come from the messages on this device, and then from the server.
import type { Timers } from '@sealpost/contract/ports';
import { NetworkError } from '../gateway/errors.ts';
import type { Replica } from '../replica/replica.ts';
import {
  isNewer,
  messageKey,
  messages,
  type StoredMessage,
  type TextBlock,
  type TextRange,
  textRanges,
} from '../replica/tables.ts';
import { folded } from '../replica/texts.ts';
import type { LocalState } from '../store/local-state.ts';
import { addTexts, blocksOf, hasNewer, idsWith } from './searched-texts.ts';

export interface SearchOptions {
  /** The chat to search; if not given, all chats are searched one after another. */
  readonly chatMid?: string | undefined;
  /** Ends the search. */
  readonly signal?: AbortSignal | undefined;
  /** Called with the number of messages that were searched since the last call. */
  readonly onLooked?: ((count: number) => void) | undefined;
  /**
   * Called for a chat whose older messages cannot be read because the server cannot be reached; the search continues.
   * If not given, the search throws.
   */
  readonly onUnread?: ((chatMid: string, error: Error) => void) | undefined;
}

/** The places from which a search reads. */
export interface SearchSource {
  readonly state: LocalState;
  readonly timers: Timers;
  readonly replica: Pick<Replica, 'keptMessages' | 'messages'>;
  /** Returns messages from the server by id; those that the account may not read any more are left out. */
  read(ids: readonly string[]): Promise<readonly StoredMessage[]>;
}

/** Number of messages that are requested from the server at a time. */
const PAGE = 200;
/** Number of found messages that are read together. */
const READ_AT_ONCE = 50;

/**
 * Yields the messages whose text has all words of the query, chat by chat. Case and width of letters do not matter. A
 * query without words yields nothing; it brings the stored texts into memory for the search that follows.
 */
export async function* search(
  query: string,
  chatMids: readonly string[],
  source: SearchSource,
  options: Omit<SearchOptions, 'chatMid'> = {},
): AsyncGenerator<StoredMessage> {
  const words = folded(query).split(' ').filter(Boolean);
  const blocks = await blocksOf(source.state, source.timers, chatMids);
  if (words.length === 0) return;
  for (const chatMid of chatMids) {
    if (options.signal?.aborted) return;
    const chat = new ChatSearch(words, chatMid, source, options);
    try {
      yield* chat.run(blocks.get(chatMid) ?? []);
    } catch (error) {
      if (!options.onUnread || !(error instanceof NetworkError)) throw error;
      options.onUnread(chatMid, error);
    }
  }
}

class ChatSearch {
  readonly #words: readonly string[];
  readonly #chatMid: string;
  readonly #source: SearchSource;
  readonly #options: SearchOptions;
  /** The range of messages whose texts are stored in blocks; undefined if there are no texts, or none can be added. */
  #range: TextRange | undefined;
  #adds = true;

  constructor(words: readonly string[], chatMid: string, source: SearchSource, options: SearchOptions) {
    this.#words = words;
    this.#chatMid = chatMid;
    this.#source = source;
    this.#options = options;
    this.#range = source.state.get(textRanges, chatMid);
  }

  async *run(blocks: readonly TextBlock[]): AsyncGenerator<StoredMessage> {
    const range = this.#range;
    if (range?.newestId === undefined) return yield* this.#older();
    if (hasNewer(this.#source.state, this.#chatMid, range)) yield* this.#newer(range.newestId, range.complete);
    let ids: string[] = [];
    for (const block of blocks) {
      if (this.#isEnded()) return;
      this.#options.onLooked?.(block.count);
      ids.push(...idsWith(this.#words, block));
      if (ids.length < READ_AT_ONCE) continue;
      yield* this.#read(ids);
      ids = [];
    }
    yield* this.#read(ids);
    if (!range.complete) yield* this.#older(range.oldestId);
  }

  /**
   * Reads the messages in whose stored texts the words were found. Checks each text once more, because the message may
   * have changed since the text was stored.
   */
  async *#read(ids: readonly string[]): AsyncGenerator<StoredMessage> {
    if (ids.length === 0) return;
    const kept = await this.#kept(ids);
    yield* kept.filter(this.#hasWords);
    // Messages that this device does not have are older than those that it has, so they come last.
    const others = ids.filter((id) => !kept.some((message) => message.id === id));
    if (others.length > 0) yield* (await this.#source.read(others)).filter(this.#hasWords);
  }

  async #kept(ids: readonly string[]): Promise<StoredMessage[]> {
    const { state } = this.#source;
    const records = ids.map((id) => state.list(messages, { prefix: messageKey(this.#chatMid, id) }));
    return (await Promise.all(records)).flatMap((found) => found.map(([, message]) => message));
  }

  /**
   * Yields the messages before an id in pages, newest first: first the messages on this device, then those that only
   * the server has.
   */
  async *#pages(before?: string): AsyncGenerator<readonly StoredMessage[]> {
    const { replica } = this.#source;
    let page = await replica.keptMessages(this.#chatMid, { before });
    for (let oldest = before; ; ) {
      if (page.length > 0) yield page;
      oldest = page.at(-1)?.id ?? oldest;
      page = await replica.messages(this.#chatMid, { before: oldest, limit: PAGE });
      if (page.length === 0) return;
    }
  }

  /** Searches the messages that are newer than the stored texts. */
  async *#newer(newestId: string, complete: boolean): AsyncGenerator<StoredMessage> {
    const fresh: StoredMessage[] = [];
    for await (const page of this.#pages()) {
      const newer = page.filter(({ id }) => isNewer(id, newestId));
      fresh.push(...newer);
      yield* this.#found(newer);
      if (this.#isEnded()) return;
      if (newer.length < page.length) break;
    }
    await this.#add(fresh, complete);
  }

  /** Searches the messages that are older than the stored texts; all messages if no texts are stored. */
  async *#older(before?: string): AsyncGenerator<StoredMessage> {
    for await (const page of this.#pages(before)) {
      yield* this.#found(page);
      if (this.#isEnded()) return;
      await this.#add(page, false);
    }
    await this.#add([], true);
  }

  *#found(messages: readonly StoredMessage[]): Generator<StoredMessage> {
    for (const message of messages) {
      if (this.#isEnded()) return;
      this.#options.onLooked?.(1);
      if (this.#hasWords(message)) yield message;
    }
  }

  async #add(messages: readonly StoredMessage[], complete: boolean): Promise<void> {
    if (!this.#adds) return;
    const range = await addTexts(this.#source.state, this.#chatMid, { range: this.#range, messages, complete });
    this.#adds = range !== undefined;
    this.#range = range;
  }

  readonly #hasWords = ({ text }: StoredMessage): boolean => {
    const seen = folded(text ?? '');
    return this.#words.every((word) => seen.includes(word));
  };

  #isEnded(): boolean {
    return this.#options.signal?.aborted ?? false;
  }
}
