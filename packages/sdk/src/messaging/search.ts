// Searches texts without an index: only this device can read sealed messages.
import type { StoredMessage } from '../replica/tables.ts';

export interface SearchOptions {
  /** Only this chat; all chats, one after another, if not given. */
  readonly chatMid?: string | undefined;
  /** Ends the search. */
  readonly signal?: AbortSignal | undefined;
  /** Called for each message that was looked at. */
  readonly onLooked?: ((message: StoredMessage) => void) | undefined;
}

/** Yields the messages whose text has all words of the query, chat by chat. Case and width of letters do not matter. */
export async function* search(
  query: string,
  chatMids: readonly string[],
  historyOf: (chatMid: string) => AsyncIterable<StoredMessage>,
  { signal, onLooked }: Omit<SearchOptions, 'chatMid'> = {},
): AsyncGenerator<StoredMessage> {
  const words = folded(query).split(/\s+/).filter(Boolean);
  if (words.length === 0) return;
  for (const chatMid of chatMids) {
    for await (const message of historyOf(chatMid)) {
      if (signal?.aborted) return;
      onLooked?.(message);
      const text = folded(message.text ?? '');
      if (words.every((word) => text.includes(word))) yield message;
    }
  }
}

const folded = (text: string): string => text.normalize('NFKC').toLowerCase();
