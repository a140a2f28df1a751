// Searches in messages. The SDK returns the results as a generator, which cannot be sent to a page. So a page asks for
// one part of the results after another.
import type { Client, StoredMessage } from '@sealpost/sdk';

export interface SearchPage {
  readonly found: readonly StoredMessage[];
  readonly done: boolean;
  /** The number of messages that were searched so far. */
  readonly looked: number;
  /** True if the server could not be reached, so that in some chats only messages on this device were searched. */
  readonly partial: boolean;
}

export type SearchVerbs = ReturnType<typeof createSearches>;

const PAGE_MESSAGES = 30;
/**
 * Milliseconds after which a part of the results is returned, even if it is empty, so that the person sees progress.
 */
const PAGE_MS = 100;

interface RunningSearch {
  readonly results: AsyncGenerator<StoredMessage>;
  readonly stop: AbortController;
  /** The next result, if it was requested and has not come yet. */
  next?: Promise<IteratorResult<StoredMessage>> | undefined;
  looked: number;
  partial: boolean;
}

function started(client: Client, query: string, chatMid: string | undefined): RunningSearch {
  const stop = new AbortController();
  const search = { stop, looked: 0, partial: false };
  const results = client.messaging.search(query, {
    chatMid,
    signal: stop.signal,
    onLooked: (count) => {
      search.looked += count;
    },
    onUnread: () => {
      search.partial = true;
    },
  });
  return Object.assign(search, { results });
}

/** Returns the verbs for searches. A page gives each search a key. A new search ends an older one with the same key. */
export function createSearches(client: () => Client) {
  const open = new Map<string, RunningSearch>();
  const end = (key: string): void => {
    open.get(key)?.stop.abort();
    open.delete(key);
  };
  const more = async (key: string): Promise<SearchPage> => {
    const search = open.get(key);
    if (!search) return { found: [], done: true, looked: 0, partial: false };
    const found: StoredMessage[] = [];
    const time = new Promise<'time'>((resolve) => setTimeout(resolve, PAGE_MS, 'time'));
    const page = (done: boolean): SearchPage => ({ found, done, looked: search.looked, partial: search.partial });
    while (found.length < PAGE_MESSAGES) {
      search.next ??= search.results.next();
      const next = await Promise.race([search.next, time]);
      if (next === 'time') return page(false);
      search.next = undefined;
      if (next.done) {
        if (open.get(key) === search) open.delete(key);
        return page(true);
      }
      found.push(next.value);
    }
    return page(false);
  };
  return {
    /** Begins a search, and returns the first part of its results. */
    begin(key: string, query: string, chatMid?: string): Promise<SearchPage> {
      end(key);
      open.set(key, started(client(), query, chatMid));
      return more(key);
    },
    more,
    end,
  };
}
