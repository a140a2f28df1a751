// Searches texts without an index: only this device can read sealed messages.
import type { StoredMessage } from '../replica/tables.ts';

/** Yields the messages whose text has all words of the query, chat by chat. Case and width of letters do not matter. */
export async function* search(
  query: string,
  chatMids: readonly string[],
  historyOf: (chatMid: string) => AsyncIterable<StoredMessage>,
): AsyncGenerator<StoredMessage> {
  const words = folded(query).split(/\s+/).filter(Boolean);
  if (words.length === 0) return;
  for (const chatMid of chatMids) {
    for await (const message of historyOf(chatMid)) {
      const text = folded(message.text ?? '');
      if (words.every((word) => text.includes(word))) yield message;
    }
  }
}

const folded = (text: string): string => text.normalize('NFKC').toLowerCase();
