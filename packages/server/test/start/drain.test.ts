import assert from 'node:assert/strict';
import { test } from 'node:test';
import { virtualTime } from '@sealpost/dev-env/virtual-time';
import { drain } from '../../src/start/drain.ts';

const DRAIN_MS = 10_000;

/** Drains a server with so many streams. Returns the milliseconds after which each stream ended, and the whole time. */
async function drained(size: number): Promise<{ ends: number[]; wholeMs: number }> {
  const time = virtualTime(0);
  const ends: number[] = [];
  let wholeMs = Number.NaN;
  const openStreams = {
    size,
    async closeAll(_reason: Buffer, pause: () => Promise<void>) {
      for (let n = 0; n < size; n += 1) {
        ends.push(time.monotonic());
        await pause();
      }
    },
  };
  const draining = drain({
    drainMs: DRAIN_MS,
    openStreams,
    ports: { clock: time, timers: time.timers },
    logger: { info: () => {} },
  }).then(() => {
    wholeMs = time.monotonic();
  });
  await time.advance(2 * DRAIN_MS);
  await draining;
  return { ends, wholeMs };
}

test('streams end in equal steps over the whole drain', async () => {
  const { ends, wholeMs } = await drained(99);
  assert.deepEqual(
    ends,
    Array.from({ length: 99 }, (_, n) => n * 100),
  );
  assert.equal(wholeMs, DRAIN_MS);
});

test('more streams than timers can tell apart end in the same time', async () => {
  const { ends, wholeMs } = await drained(40_000);
  assert.equal(ends.length, 40_000);
  assert.equal(wholeMs, DRAIN_MS);
  const inEachSecond = Array.from({ length: 10 }, (_, s) => ends.filter((ms) => Math.floor(ms / 1000) === s).length);
  for (const count of inEachSecond) assert.ok(count > 3_900 && count < 4_100, `${inEachSecond}`);
});

test('a server without streams goes on for the whole drain too, because calls still arrive', async () => {
  assert.deepEqual(await drained(0), { ends: [], wholeMs: DRAIN_MS });
});
