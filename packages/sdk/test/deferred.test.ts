import assert from 'node:assert/strict';
import { test } from 'node:test';
import { deferred, loaded } from '../src/deferred.ts';
import { NetworkError } from '../src/gateway/errors.ts';

const notLoaded = () => new TypeError('Failed to fetch dynamically imported module: https://example.org/part.js');

test('a deferred part is loaded once, at the first call', async () => {
  let loads = 0;
  const part = deferred(['add', 'fail'], async () => {
    loads += 1;
    return { add: async (one: number, other: number) => one + other, fail: () => Promise.reject(new RangeError('no')) };
  });
  assert.equal(loads, 0);
  assert.deepEqual(await Promise.all([part.add(1, 2), part.add(3, 4)]), [3, 7]);
  await assert.rejects(part.fail(), RangeError);
  assert.equal(loads, 1);
});

test('a part that cannot be loaded is like a server that does not answer, and is tried again', async () => {
  let loads = 0;
  const part = deferred(['name'], async () => {
    loads += 1;
    if (loads === 1) throw notLoaded();
    return { name: async () => 'part' };
  });
  await assert.rejects(part.name(), (error) => error instanceof NetworkError && /part\.js/.test(error.message));
  assert.equal(await part.name(), 'part');
  await assert.rejects(loaded(Promise.reject(notLoaded())), NetworkError);
});
