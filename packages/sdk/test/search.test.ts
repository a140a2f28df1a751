// Searching texts: words, case and width, chat by chat, and how a search is watched and ended.
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { search } from '../src/messaging/search.ts';
import type { StoredMessage } from '../src/replica/tables.ts';

async function all<T>(items: AsyncIterable<T>): Promise<T[]> {
  const found: T[] = [];
  for await (const item of items) found.push(item);
  return found;
}

const texts: Record<string, string[]> = {
  a: ['The HARBOUR', 'ｈａｒｂｏｕｒ wide', 'other'],
  b: ['no', 'harbour again'],
};

async function* historyOf(chatMid: string): AsyncGenerator<StoredMessage> {
  for (const text of texts[chatMid] ?? []) yield { text } as StoredMessage;
}

test('messages with all words are found, whatever their case and width', async () => {
  const found = await all(search('harbour', ['a', 'b'], historyOf));
  assert.deepEqual(
    found.map(({ text }) => text),
    ['The HARBOUR', 'ｈａｒｂｏｕｒ wide', 'harbour again'],
  );
  assert.equal((await all(search('harbour wide', ['a', 'b'], historyOf))).length, 1);
});

test('each message that is looked at is told, and an ended search looks at no further one', async () => {
  const stop = new AbortController();
  let looked = 0;
  const onLooked = () => {
    looked += 1;
    if (looked === 2) stop.abort();
  };
  assert.equal((await all(search('harbour', ['a', 'b'], historyOf, { signal: stop.signal, onLooked }))).length, 2);
  assert.equal(looked, 2);
});
