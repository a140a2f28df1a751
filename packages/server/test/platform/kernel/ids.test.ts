// Ids rise and are never repeated, whatever the clocks of the servers on one database do.
import assert from 'node:assert/strict';
import { randomBytes } from 'node:crypto';
import { describe, test } from 'node:test';
import { type VirtualTime, virtualTime } from '@sealpost/dev-env/virtual-time';
import { createIds, firstIdAt, maxNodes, timeOfId } from '../../../src/platform/kernel/ids.ts';

const random = { bytes: randomBytes };
const HOUR_MS = 3_600_000;
const START = Date.UTC(2026, 0, 1);
/** More ids than fit into one millisecond: twice as many. */
const MANY = 600;

function idsOf(clock: VirtualTime, number: number, newest = 0) {
  const node = { number, newest };
  return createIds(clock, random, () => node);
}

/** Asserts that ids rise in the order in which they were created. */
const requireRising = (given: readonly number[]): void => {
  for (const [i, id] of given.entries()) if (i > 0) assert.ok(id > (given[i - 1] as number), `number ${i}`);
};

describe('ids', () => {
  test('rise while the clock stands, runs and goes back', () => {
    const clock = virtualTime(START);
    const ids = idsOf(clock, 3);
    const given: number[] = [];
    for (const step of [0, 1, 5, -HOUR_MS, 1, 0, 2 * HOUR_MS, -1]) {
      clock.move(step);
      for (let i = 0; i < MANY; i += 1) given.push(ids.next());
    }
    requireRising(given);
    assert.ok(given.every(Number.isSafeInteger));
  });

  test('are above what they are asked to be above, of another server whose clock is ahead', () => {
    const [early, late] = [virtualTime(START), virtualTime(START + HOUR_MS)];
    const servers = [idsOf(early, 31), idsOf(late, 0)] as const;
    const given = [0];
    for (let i = 0; i < MANY; i += 1) given.push((servers[i % 2] ?? servers[0]).next(given.at(-1)));
    requireRising(given);
    // A server with a smaller number creates an id in the same millisecond. This id must still be higher than the given
    // one.
    const [low, high] = [idsOf(early, 0), idsOf(early, 31)];
    const first = high.next();
    assert.ok(low.next(first) > first);
  });

  test('tell the number of the server that created them', () => {
    for (let number = 0; number < maxNodes; number += 1) {
      const id = idsOf(virtualTime(START), number).next();
      assert.equal(Math.floor((id - firstIdAt(timeOfId(id))) / 256), number);
    }
  });

  test('of two servers never meet, however far apart their clocks are', () => {
    for (const apart of [0, 1, -HOUR_MS]) {
      const [one, other] = [idsOf(virtualTime(START), 0), idsOf(virtualTime(START + apart), maxNodes - 1)];
      const given = Array.from({ length: MANY }, () => [one.next(), other.next()]).flat();
      assert.equal(new Set(given).size, given.length);
    }
  });

  test('of a server that takes over a number are above all that were given under it', () => {
    const ahead = idsOf(virtualTime(START + HOUR_MS), 7);
    const given = Array.from({ length: MANY }, () => ahead.next());
    const behind = idsOf(virtualTime(START), 7, given.at(-1));
    for (let i = 0; i < MANY; i += 1) given.push(behind.next());
    requireRising(given);
  });

  test('tell the time that they were made at, and the first one of a time', () => {
    const clock = virtualTime(START);
    const id = idsOf(clock, 0).next();
    assert.equal(timeOfId(id), clock.now());
    assert.ok(firstIdAt(clock.now()) <= id && id < firstIdAt(clock.now() + 1));
  });
});
