// Searches: a generator of the SDK cannot be sent to a page, so pages ask for one part after another.
import type { Client, StoredMessage } from '@sealpost/sdk';

export interface SearchPage {
  readonly found: readonly StoredMessage[];
  readonly done: boolean;
  /** How many messages were looked at so far. */
  readonly looked: number;
  /** Whether only what this device keeps could be searched in some chats, because the server cannot be reached. */
  readonly partial: boolean;
}

const PAGE_MESSAGES = 30;
/** A page of results is told after this time, however few there are, so that one sees the progress. */
const PAGE_MS = 100;

interface RunningSearch {
  readonly results: AsyncGenerator<StoredMessage>;
  readonly stop: AbortController;
  /** A result that was asked for and has not come yet. */
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

/** Searches that are under way, by the name that the page gave them. A new one with the same name ends the old. */
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
    /** Begins a search, and returns what it finds first. */
    begin(key: string, query: string, chatMid?: string): Promise<SearchPage> {
      end(key);
      open.set(key, started(client(), query, chatMid));
      return more(key);
    },
    more,
    end,
  };
}
