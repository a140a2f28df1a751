// Numbered messages of tests that kill their sender: number after number, in turn into each of some chats.
import assert from 'node:assert/strict';
import { isDeepStrictEqual } from 'node:util';
import type { Client } from '@sealpost/sdk';

/**
 * Checks that a receiver has each number once, in order, in the chat of its turn.
 * @param next the number after the last one that the sender told; later ones may have been stored without being told
 */
export async function assertNumbered(receiver: Client, chats: readonly string[], next: number): Promise<void> {
  await receiver.synced();
  for (const [index, chatMid] of chats.entries()) {
    const numbers: number[] = [];
    for await (const { text, contentType } of receiver.messaging.history(chatMid)) {
      if (contentType === 0) numbers.unshift(Number(text));
    }
    const most = Math.max(next, (numbers.at(-1) ?? 0) + 1);
    const wanted = Array.from({ length: most }, (_, number) => number).filter(
      (number) => number % chats.length === index,
    );
    if (isDeepStrictEqual(numbers, wanted)) continue;
    const stored = (await receiver.sealing.history(chatMid, next)).map(({ id, text }) => `${id}: ${text}`);
    assert.deepEqual(numbers, wanted, `of chat ${index}; the server has ${stored.join(', ')}`);
  }
}
