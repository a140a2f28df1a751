import assert from 'node:assert/strict';
import { test } from 'node:test';
import { oneAtATime } from '../../../src/platform/kernel/one-at-a-time.ts';

test('work that goes on is not begun again, and is begun anew after its end and after a failure', async () => {
  const begun: PromiseWithResolvers<void>[] = [];
  const work = oneAtATime(() => {
    const one = Promise.withResolvers<void>();
    begun.push(one);
    return one.promise;
  });
  const first = work();
  await work();
  assert.equal(begun.length, 1);
  begun[0]?.resolve();
  await first;
  const second = work();
  begun[1]?.reject(new Error('a disk is full'));
  await assert.rejects(second, /a disk is full/);
  void work();
  assert.equal(begun.length, 3);
});
