// The parts of the bench in which messages arrive: many at once, and few for a long time.

import { setTimeout as pause } from 'node:timers/promises';
import { type Findings, p95, shares, slopeOf } from './figures.ts';
import type { Bench } from './parts.ts';
import { openMessages } from './tab.ts';

const MB = 1e6;
const HOUR_MIN = 60;
/** Growth up to this value counts as no growth, because measurements of a heap vary by more. */
const FLAT_MB_PER_HOUR = 10;
const SHOWN_MS = 200;
/** A frame that comes later than this is a noticeable delay: at 60 frames per second, two frames were skipped. */
const LATE_FRAME_MS = 50;
const IN_FLIGHT = 32;
/** Maximum number of milliseconds until the last message must be in view. */
const END_MS = 30_000;

interface Sent {
  readonly number: number;
  /** In epoch milliseconds. */
  readonly at: number;
}

/** Sends marked messages at a fixed rate. Returns the time at which each was passed to the network. */
async function flow({ place, mark }: Bench, perSecond: number, count: number): Promise<Sent[]> {
  const sent: Sent[] = [];
  const open = new Set<Promise<void>>();
  const begun = performance.now();
  for (let message = 0; message < count; message++) {
    await pause(Math.max(0, begun + (message * 1000) / perSecond - performance.now()));
    const number = mark();
    sent.push({ number, at: performance.timeOrigin + performance.now() });
    const sending = place.friend.send(`message ${number} of the friend, as long as most are §${number}§`);
    open.add(sending);
    void sending.finally(() => open.delete(sending));
    if (open.size >= IN_FLIGHT) await Promise.race(open);
  }
  await Promise.all(open);
  return sent;
}

/** Measures how an open chat copes with a hundred messages per second. */
export async function measureFlood(bench: Bench): Promise<Findings> {
  const { place, tab, amounts } = bench;
  await openMessages(tab, place.friend.mid);
  await tab.page.evaluate(() => globalThis.benchFrames());
  const begun = await tab.page.evaluate(() => performance.now());
  const sent = await flow(bench, amounts.floodPerSecond, amounts.flood);
  const last = sent.at(-1)?.number ?? 0;
  // If the list no longer follows its end, the last message never comes into view.
  const endInView = await tab.page
    .waitForFunction((wanted) => globalThis.benchNotes.shown[wanted] !== undefined, last, { timeout: END_MS })
    .then(
      () => true,
      () => false,
    );
  const origin = await tab.page.evaluate(() => performance.timeOrigin);
  const { shown, longTasks, frames } = await tab.notes();
  const delays = sent.flatMap(({ number, at }) => {
    const seen = shown[number];
    return seen === undefined ? [] : [origin + seen - at];
  });
  const during = frames.filter((time) => time >= begun);
  const gaps = during.slice(1).map((time, at) => time - (during[at] ?? time));
  const late = gaps.filter((gap) => gap > LATE_FRAME_MS);
  const busy = longTasks.filter(({ start }) => start >= begun).map(({ duration }) => duration);
  const rate = `${amounts.floodPerSecond} messages a second into the open chat`;
  return {
    figures: [
      {
        ...p95(`${rate}: sent until shown`, delays, SHOWN_MS),
        beside: `${delays.length} of ${sent.length} were in view at some time, the last one ${endInView ? 'too' : 'not'}`,
      },
      p95(`${rate}: time between two frames`, gaps, LATE_FRAME_MS),
      {
        ...{ what: `${rate}: tasks of more than 50 ms`, value: busy.length, unit: '' },
        beside: `the longest ${Math.round(Math.max(0, ...busy))} ms; ${late.length} of ${gaps.length} frames late`,
      },
    ],
    plots: [
      {
        ...{ file: 'web-flood', title: `${rate}: sent until shown`, x: 'ms', y: '% of messages' },
        ...{ curves: [shares('messages', delays)], barX: SHOWN_MS },
      },
    ],
  };
}

/** Measures whether the heaps of the page and of the engine grow while messages arrive. */
export async function measureMemory(bench: Bench): Promise<Findings> {
  const { place, tab, amounts } = bench;
  await openMessages(tab, place.friend.mid);
  const heaps = [
    { name: 'page', send: (method: 'HeapProfiler.collectGarbage' | 'Runtime.getHeapUsage') => tab.cdp.send(method) },
    { name: 'engine', send: (method: string) => tab.engine.send<{ usedSize: number }>(method) },
  ].map((heap) => ({ ...heap, points: [] as [number, number][] }));
  const begun = performance.now();
  const look = async (): Promise<void> => {
    const minutes = (performance.now() - begun) / 60_000;
    for (const { send, points } of heaps) {
      await send('HeapProfiler.collectGarbage');
      const usage = await send('Runtime.getHeapUsage');
      points.push([minutes, (usage && 'usedSize' in usage ? usage.usedSize : Number.NaN) / MB]);
    }
  };
  const samples = amounts.memorySamples;
  const perSample = (amounts.memoryMinutes * 60 * amounts.memoryPerSecond) / samples;
  await look();
  for (let sample = 0; sample < samples; sample++) {
    await flow(bench, amounts.memoryPerSecond, Math.ceil(perSample));
    await look();
  }
  return {
    figures: heaps.map(({ name, points }) => {
      // The first quarter is left out, because loading and compiling code does not count as growth.
      const settled = points.slice(Math.floor(points.length / 4));
      return {
        what: `Heap of the ${name} at ${amounts.memoryPerSecond} messages a second: growth`,
        ...{ value: slopeOf(settled) * HOUR_MIN, unit: 'MB per hour', bar: FLAT_MB_PER_HOUR },
        beside: `${points[0]?.[1].toFixed(1)} MB at first, ${points.at(-1)?.[1].toFixed(1)} MB after ${amounts.memoryMinutes} minutes`,
      };
    }),
    plots: [
      {
        file: 'web-memory',
        title: `Heaps at ${amounts.memoryPerSecond} messages a second`,
        ...{ x: 'minutes', y: 'MB' },
        curves: heaps.map(({ name, points }) => ({ name, points })),
      },
    ],
  };
}
