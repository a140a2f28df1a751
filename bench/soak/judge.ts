// Judges the samples of a soak: what should stay the same, and what has a limit.
import { median } from '../statistics.ts';
import { slopeOf } from '../web/figures.ts';
import type { SoakTotals, SoakWindow } from './load.ts';

export interface Sample extends SoakWindow {
  /** Minutes since the load began. */
  readonly minute: number;
  readonly residentMib: number;
  /** The heap as the server reports it, with its garbage. */
  readonly heapMib: number;
  readonly descriptors: number;
  /** What keeps the event loop of the server alive: sockets, timers, requests of files. */
  readonly resources: number;
  /** The write-ahead log of SQLite; undefined with PostgreSQL. */
  readonly walMib: number | undefined;
}

export interface Soak {
  readonly samples: readonly Sample[];
  /** The timers that were set in the warm-up and at the end. */
  readonly timers: readonly [number, number];
  readonly totals: SoakTotals;
}

export interface Row {
  readonly what: string;
  readonly measured: string;
  readonly goal: string;
  readonly good: boolean;
}

const GOALS = { mibPerTenMinutes: 1, growth: 1.05, walMib: 64, p99: 1.25 } as const;
const WARM_UP = 1 / 6;

/** Returns the samples after the warm-up, which is the first sixth of the time. */
export const counted = (samples: readonly Sample[]): readonly Sample[] =>
  samples.filter(({ minute }) => minute > (samples.at(-1)?.minute ?? 0) * WARM_UP);

/** Returns the medians of a value in the first and in the last third of the samples. */
export function thirds(samples: readonly Sample[], of: (sample: Sample) => number): readonly [number, number] {
  const length = Math.ceil(samples.length / 3);
  return [median(samples.slice(0, length).map(of)), median(samples.slice(-length).map(of))];
}

/** Returns the growth of the resident memory after the warm-up, in MiB for ten minutes. */
export const memoryGrowth = (samples: readonly Sample[]): number =>
  10 * slopeOf(counted(samples).map(({ minute, residentMib }) => [minute, residentMib] as const));

const errorCount = ({ samples, totals }: Soak): number =>
  [...samples, totals].flatMap(({ errors }) => Object.values(errors)).reduce((sum, count) => sum + count, 0);

/** Returns the row of a value that should be the same in the last third as in the first. */
function flat(what: string, [first, last]: readonly [number, number], most: number, digits = 0): Row {
  const ratio = last / first;
  const measured = `${first.toFixed(digits)}, then ${last.toFixed(digits)}: ${ratio.toFixed(2)} times`;
  return { what, measured, goal: `≤ ${most} times`, good: ratio <= most };
}

export function judge(soak: Soak): Row[] {
  const { samples, timers, totals } = soak;
  const after = counted(samples);
  const growth = memoryGrowth(samples);
  const logs = samples.flatMap(({ walMib }) => (walMib === undefined ? [] : [walMib]));
  const wal = Math.max(...logs);
  const { lost, twice, late } = totals;
  const errors = errorCount(soak);
  return [
    {
      what: 'resident memory, slope after the warm-up',
      measured: `${growth.toFixed(2)} MiB in ten minutes`,
      goal: `< ${GOALS.mibPerTenMinutes} MiB`,
      good: growth < GOALS.mibPerTenMinutes,
    },
    flat(
      'open descriptors',
      thirds(after, (sample) => sample.descriptors),
      GOALS.growth,
    ),
    flat('timers', timers, GOALS.growth),
    flat(
      'all that keeps the event loop alive',
      thirds(after, (sample) => sample.resources),
      GOALS.growth,
    ),
    ...(logs.length === 0
      ? []
      : [
          {
            what: 'write-ahead log, largest size',
            measured: `${wal.toFixed(1)} MiB`,
            goal: `≤ ${GOALS.walMib} MiB`,
            good: wal <= GOALS.walMib,
          },
        ]),
    flat(
      'p99 of a send in ms',
      thirds(after, (sample) => sample.p99),
      GOALS.p99,
      1,
    ),
    { what: 'errors', measured: String(errors), goal: '0', good: errors === 0 },
    {
      what: 'acknowledged messages at each cursor',
      measured: `${lost} missing, ${twice} twice, ${late} out of order`,
      goal: '0',
      good: lost + twice + late === 0,
    },
  ];
}
