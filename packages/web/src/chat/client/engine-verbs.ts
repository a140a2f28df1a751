// Searches: a generator of the SDK cannot be sent to a page, so pages ask for one part after another.
import type { Client, StoredMessage } from '@sealpost/sdk';

export interface SearchPage {
  readonly found: readonly StoredMessage[];
  readonly done: boolean;
}

const PAGE_MESSAGES = 30;

/** Searches that are under way, by the number that the page gave them. A new one with the same number ends the old. */
export function createSearches(client: () => Client) {
  const open = new Map<string, AsyncGenerator<StoredMessage>>();
  return {
    /** Begins a search, and returns what it finds first. */
    async begin(key: string, query: string, chatMid?: string): Promise<SearchPage> {
      await open.get(key)?.return(undefined);
      open.set(key, client().messaging.search(query, chatMid === undefined ? {} : { chatMid }));
      return this.more(key);
    },
    async more(key: string): Promise<SearchPage> {
      const search = open.get(key);
      const found: StoredMessage[] = [];
      while (search && found.length < PAGE_MESSAGES) {
        const next = await search.next();
        if (next.done) {
          open.delete(key);
          return { found, done: true };
        }
        found.push(next.value);
      }
      return { found, done: search === undefined };
    },
    async end(key: string): Promise<void> {
      await open.get(key)?.return(undefined);
      open.delete(key);
    },
  };
}
