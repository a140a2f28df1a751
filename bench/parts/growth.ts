// Sends to stores of different sizes, in turn.
import path from 'node:path';
import type { GatewayMeasure } from '../load.ts';
import { preload } from '../preload.ts';
import type { Growth } from '../report.ts';
import { resultOf } from '../scenarios.ts';
import { median } from '../statistics.ts';
import { type Bench, say, type Target } from './bench.ts';

const SIZES = { quick: [1_000, 100_000], full: [1_000, 10_000, 100_000, 1_000_000] };

interface Stored {
  readonly stored: number;
  readonly target: Target;
  readonly measures: GatewayMeasure[];
}

/** @param more the number of messages in one more store; undefined for no such store */
export async function measureGrowth(bench: Bench, more: number | undefined): Promise<Growth[]> {
  const sizes = [...SIZES[bench.quick ? 'quick' : 'full'], ...(more === undefined ? [] : [more])];
  const targets: Stored[] = [];
  for (const stored of sizes) targets.push({ stored, target: await serverWith(bench, stored), measures: [] });
  for (let round = 0; round <= bench.rounds; round++) {
    for (const { stored, target, measures } of targets) {
      const measured = await bench.measure(target, { inFlight: 64, delivered: false });
      if (round === 0) continue;
      measures.push(measured);
      say(`round ${round}: ${stored} stored: ${measured.perSecond.toFixed(0)}/s, ${measured.cpuMicros.toFixed(0)} µs`);
    }
  }
  const smallest = targets[0]?.measures ?? [];
  return targets.map((target) => growthOf(target, smallest));
}

async function serverWith({ prepared, copyOf, start }: Bench, messages: number): Promise<Target> {
  say(`storing ${messages} messages`);
  const folder = copyOf(prepared.folder);
  preload(path.join(folder, 'data/sealpost.db'), messages);
  const { port, pid } = await start(folder);
  return { port, pid, users: prepared.users };
}

function growthOf({ stored, measures }: Stored, smallest: readonly GatewayMeasure[]): Growth {
  const result = resultOf(measures);
  const ofSmallest = (costOf: (measured: GatewayMeasure) => number): number =>
    median(measures.map((measured, i) => costOf(measured) / costOf(smallest[i] as GatewayMeasure)));
  return {
    ...{ stored, micros: 1e6 / result.perSecond, cpuMicros: result.cpuMicros },
    timeOfSmallest: ofSmallest(({ perSecond }) => 1 / perSecond),
    cpuOfSmallest: ofSmallest(({ cpuMicros }) => cpuMicros),
  };
}
