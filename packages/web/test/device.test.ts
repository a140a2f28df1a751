// What the page finds out about the device: whether its clock agrees with the server's.
import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import { clockAhead } from '../src/chat/client/engine-device.ts';
import { timeApart } from '../src/words/time-apart.ts';

const MINUTE = 60_000;

describe('the clock of the device', () => {
  /** A server that answers after some time, as a clock of the device measures it. */
  const ahead = (serverTime: number, asked: number, answered: number) => {
    const times = [asked, answered];
    return clockAhead({ serverTime: async () => serverTime }, () => times.shift() ?? answered);
  };

  test('agrees within two minutes, and a slow answer does not make it wrong', async () => {
    assert.equal(await ahead(10 * MINUTE, 11 * MINUTE, 11 * MINUTE), undefined);
    assert.equal(await ahead(10 * MINUTE, 8 * MINUTE, 12 * MINUTE), undefined);
  });

  test('is ahead or behind', async () => {
    assert.equal(await ahead(0, 180 * MINUTE, 180 * MINUTE), 180 * MINUTE);
    assert.equal(await ahead(180 * MINUTE, 0, 0), -180 * MINUTE);
  });

  test('is told in the largest unit that fits', () => {
    assert.equal(timeApart('en', 180 * MINUTE), '3 hours');
    assert.equal(timeApart('en', -3 * MINUTE), '3 minutes');
    assert.equal(timeApart('en', 50 * 60 * MINUTE), '2 days');
    assert.equal(timeApart('ja', 180 * MINUTE), '3 時間');
  });
});
