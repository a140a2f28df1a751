import assert from 'node:assert/strict';
import { test } from 'node:test';
import { isQuiet } from '../../../src/slices/push/quiet-hours.ts';

const at = (time: string) => Date.parse(`2026-07-01T${time}:00Z`);

test('quiet hours end before their end, may pass midnight, and follow their time zone', () => {
  const night = { from: '22:00', to: '07:00', timeZone: 'UTC' };
  const noon = { from: '12:00', to: '13:00', timeZone: 'UTC' };
  for (const [hours, time, quiet] of [
    [night, '21:59', false],
    [night, '22:00', true],
    [night, '00:00', true],
    [night, '06:59', true],
    [night, '07:00', false],
    [noon, '11:59', false],
    [noon, '12:30', true],
    [noon, '13:00', false],
    [{ ...night, timeZone: 'Asia/Tokyo' }, '13:00', true],
    [{ ...night, timeZone: 'Asia/Tokyo' }, '22:00', false],
    [{ ...night, timeZone: 'Europe/Berlin' }, '20:00', true],
  ] as const)
    assert.equal(isQuiet(hours, at(time)), quiet, `${time} ${JSON.stringify(hours)}`);
});
