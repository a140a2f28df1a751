// The queue of spans: what it drops, what it says, and when it sends.
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { pino } from 'pino';
import { MOST_WAITING, SpanQueue } from '../../../src/platform/observability/span-queue.ts';
import type { SpanOutcome } from '../../../src/platform/observability/traces.ts';

const [ROUND_MS, MINUTE_MS] = [1_000, 60_000];

/** Returns a queue of numbers with its clock, timers and log. */
function queueOf(send: (spans: number[]) => Promise<Error | undefined>) {
  const counts: Record<SpanOutcome, number> = { exported: 0, dropped: 0, failed: 0 };
  const lines: string[] = [];
  const due: { readonly ms: number; readonly run: () => void }[] = [];
  let now = 0;
  const set = (ms: number, run: () => void) => {
    const timer = { ms, run };
    due.push(timer);
    return { cancel: () => void due.splice(due.indexOf(timer), 1) };
  };
  const queue = new SpanQueue<number>({
    clock: { now: () => now, monotonic: () => now },
    timers: { after: set, every: set },
    logger: pino({ base: null }, { write: (line: string) => void lines.push(line) }),
    count: (outcome, spans) => {
      counts[outcome] += spans;
    },
    send,
  });
  const fire = (ms: number): void => {
    for (const timer of due.filter((one) => one.ms === ms)) timer.run();
  };
  /** Lets the promises of the queue go on. */
  const settle = () => new Promise(setImmediate);
  return { queue, counts, lines, due, fire, settle, pass: (ms: number) => (now += ms) };
}

test('spans that find the queue full are dropped and counted, while the collector is slow', async () => {
  const { promise, resolve } = Promise.withResolvers<undefined>();
  const { queue, counts, fire, settle } = queueOf(() => promise);
  queue.add(0);
  fire(ROUND_MS);
  for (let span = 1; span <= MOST_WAITING + 5; span++) queue.add(span);
  assert.deepEqual(counts, { exported: 0, dropped: 5, failed: 0 });
  resolve(undefined);
  while (counts.exported < MOST_WAITING + 1) await settle();
  assert.deepEqual(counts, { exported: MOST_WAITING + 1, dropped: 5, failed: 0 });
});

test('a collector that fails has one line a minute', async () => {
  const { queue, counts, lines, fire, settle, pass } = queueOf(async () => new Error('refused'));
  for (let round = 1; round <= 3; round++) {
    queue.add(round);
    fire(ROUND_MS);
    await settle();
    pass(MINUTE_MS / 2 - 1);
  }
  assert.equal(counts.failed, 3);
  assert.equal(lines.length, 1);
  pass(MINUTE_MS / 2);
  queue.add(4);
  fire(ROUND_MS);
  await settle();
  assert.equal(lines.length, 2);
  assert.match(String(lines[0]), /"level":40.*"cause":"refused","spans":1/);
});

test('many spans are sent at once, but not by the call that adds the last', async () => {
  const sent: number[] = [];
  const { queue, due, fire, settle } = queueOf(async (spans) => {
    sent.push(spans.length);
    return undefined;
  });
  for (let span = 0; span < 256; span++) queue.add(span);
  assert.deepEqual(sent, []);
  assert.ok(due.some(({ ms }) => ms === 0));
  fire(0);
  await settle();
  assert.deepEqual(sent, [256]);
});

test('the end does not wait for a collector that does not answer', async () => {
  const { queue, counts, fire } = queueOf(() => new Promise(() => {}));
  for (let span = 0; span < 300; span++) queue.add(span);
  const closed = queue.close();
  fire(2_000);
  await closed;
  queue.add(1);
  assert.equal(counts.dropped, 300 - 256 + 1);
});
