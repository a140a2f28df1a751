// Tests how `npm run bench:soak` judges: what a cursor brought, how the memory grew, and what stayed the same.
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { Arrivals } from '../../bench/soak/arrivals.ts';
import { counted, judge, memoryGrowth, type Sample, type Soak, thirds } from '../../bench/soak/judge.ts';
import { judgementTable } from '../../bench/soak/report.ts';

function arrivalsOf(counts: readonly number[]): Arrivals {
  const arrivals = new Arrivals();
  for (const count of counts) arrivals.take(count);
  return arrivals;
}

/** Returns a sample each minute, with the given values. */
function soakOf(minutes: number, valuesOf: (minute: number) => Partial<Sample> = () => ({})): Soak {
  const steady = {
    seconds: 60,
    sends: 100,
    p50: 5,
    p99: 20,
    unfinished: 0,
    streams: 40,
    reads: 2,
    logins: 1,
    errors: {},
  };
  const server = { residentMib: 200, heapMib: 60, descriptors: 320, resources: 330, walMib: 40 };
  const samples = Array.from({ length: minutes }, (_, at) => ({
    ...steady,
    ...server,
    minute: at + 1,
    ...valuesOf(at + 1),
  }));
  return {
    samples,
    timers: [12, 12],
    totals: { acknowledged: 100, deliveries: 200, cursors: 2, lost: 0, twice: 0, late: 0, errors: {} },
  };
}

const missed = (soak: Soak): string[] =>
  judge(soak)
    .filter(({ good }) => !good)
    .map(({ what }) => what);

test('every message once and in order is without a fault', () => {
  const arrivals = arrivalsOf([1, 2, 3]);
  assert.deepEqual(arrivals.faults(3), { lost: 0, twice: 0, late: 0 });
  assert.equal(arrivals.received, 3);
});

test('a message may come before its acknowledgement', () => {
  assert.deepEqual(arrivalsOf([1, 2]).faults(1), { lost: 0, twice: 0, late: 0 });
});

test('a message in the middle or at the end that never comes is lost', () => {
  assert.deepEqual(arrivalsOf([1, 3]).faults(5), { lost: 3, twice: 0, late: 0 });
  assert.deepEqual(arrivalsOf([]).faults(2), { lost: 2, twice: 0, late: 0 });
});

test('a message that comes again counts as twice, and one after a later one as late', () => {
  assert.deepEqual(arrivalsOf([1, 2, 2, 1, 3]).faults(3), { lost: 0, twice: 2, late: 0 });
  assert.deepEqual(arrivalsOf([1, 3, 2, 2]).faults(3), { lost: 0, twice: 1, late: 1 });
});

test('the first sixth does not count, and the rest is cut into thirds', () => {
  const samples = counted(soakOf(60, (minute) => ({ p99: minute })).samples);
  assert.equal(samples.length, 50);
  assert.deepEqual(
    thirds(samples, ({ p99 }) => p99),
    [19, 52],
  );
});

test('the slope of the memory is that of ten minutes after the warm-up', () => {
  const { samples } = soakOf(60, (minute) => ({ residentMib: minute <= 10 ? 10 * minute : 200 + 0.3 * minute }));
  assert.ok(Math.abs(memoryGrowth(samples) - 3) < 1e-9, String(memoryGrowth(samples)));
});

test('a steady server misses nothing', () => {
  assert.deepEqual(missed(soakOf(60)), []);
  assert.doesNotMatch(judgementTable(soakOf(60)), /missed/);
});

test('each thing that grows or fails is missed by itself', () => {
  const late = (minute: number): boolean => minute > 40;
  assert.deepEqual(missed(soakOf(60, (minute) => ({ residentMib: 200 + 0.2 * minute }))), [
    'resident memory, slope after the warm-up',
  ]);
  assert.deepEqual(missed(soakOf(60, (minute) => (late(minute) ? { descriptors: 400 } : {}))), ['open descriptors']);
  assert.deepEqual(missed({ ...soakOf(60), timers: [12, 20] }), ['timers']);
  assert.deepEqual(missed(soakOf(60, (minute) => (late(minute) ? { p99: 40 } : {}))), ['p99 of a send in ms']);
  assert.deepEqual(missed(soakOf(60, (minute) => (minute === 3 ? { walMib: 65 } : {}))), [
    'write-ahead log, largest size',
  ]);
  assert.deepEqual(missed(soakOf(60, (minute) => (minute === 1 ? { errors: { reset: 1 } } : {}))), ['errors']);
  const soak = soakOf(60);
  assert.deepEqual(missed({ ...soak, totals: { ...soak.totals, lost: 1 } }), ['acknowledged messages at each cursor']);
  assert.deepEqual(missed({ ...soak, totals: { ...soak.totals, errors: { reset: 2 } } }), ['errors']);
});

test('a run on PostgreSQL has no log of SQLite to judge', () => {
  const rows = judge(soakOf(60, () => ({ walMib: undefined }))).map(({ what }) => what);
  assert.ok(!rows.includes('write-ahead log, largest size'));
});
