// Writes the results of `npm run bench:curves`: the table, the plots, and the section of docs/performance.md.
import type { SendMeasure } from '../closed-loop.ts';
import { markdown, whole } from '../markdown.ts';
import { CURVES_SECTION } from '../page-section.ts';
import { resultOf } from '../scenarios.ts';
import { median } from '../statistics.ts';
import type { Curve, Plot } from '../web/figures.ts';

export const STORES = ['sqlite', 'postgres'] as const;
export type StoreName = (typeof STORES)[number];
export const IN_FLIGHT: readonly number[] = [1, 4, 16, 64, 200, 400];
const TITLES: Readonly<Record<StoreName, string>> = { sqlite: 'SQLite', postgres: 'PostgreSQL' };
const SHARES_IN_FLIGHT = 64;

/** The rounds of each store, by the number of sends in flight. */
export type Curves = Readonly<Record<StoreName, ReadonlyMap<number, SendMeasure[]>>>;

export interface AboutCurves {
  readonly rounds: number;
  readonly ms: number;
  readonly load: number;
  readonly machine: string;
  readonly date: string;
  readonly postgres: string;
}

export const curvesTable = (found: Curves): string =>
  markdown(
    ['store', 'in flight', 'per second (min–max)', 'p50 ms', 'p99 ms', 'CPU µs each'],
    STORES.flatMap((store) =>
      [...found[store]].map(([inFlight, rounds]) => {
        const { perSecond, least, most, p50, p99, cpuMicros } = resultOf(rounds);
        const rate = `${whole(perSecond)} (${whole(least)}–${whole(most)})`;
        return [TITLES[store], String(inFlight), rate, p50.toFixed(1), p99.toFixed(1), cpuMicros.toFixed(0)];
      }),
    ),
  );

/** Returns the median over the rounds of each centile. The largest latency is left out: one send decides it. */
const centilesOf = (rounds: readonly SendMeasure[]): Curve['points'] =>
  Array.from({ length: 100 }, (_, percent) => [median(rounds.map(({ centiles }) => centiles[percent] ?? 0)), percent]);

export function plotsOf(found: Curves): Plot[] {
  const curve = (store: StoreName, name: string, of: (measure: SendMeasure) => number): Curve => ({
    name,
    points: [...found[store]].map(([inFlight, rounds]) => [inFlight, median(rounds.map(of))]),
  });
  return [
    {
      file: 'sends-rate',
      title: 'Sends with their deliveries, a second',
      x: 'in flight',
      y: 'a second',
      powers: 'x',
      curves: STORES.map((store) => curve(store, TITLES[store], ({ perSecond }) => perSecond)),
    },
    {
      file: 'sends-latency',
      title: 'Latency of a send with its delivery',
      x: 'in flight',
      y: 'ms',
      powers: 'both',
      curves: STORES.flatMap((store) => [
        curve(store, `${TITLES[store]}, p99`, ({ p99 }) => p99),
        curve(store, `${TITLES[store]}, p50`, ({ p50 }) => p50),
      ]),
    },
    {
      file: 'sends-shares',
      title: `Latencies with ${SHARES_IN_FLIGHT} in flight: the share of sends that is not slower`,
      x: 'ms',
      y: '%',
      powers: 'x',
      curves: STORES.map((store) => ({
        name: TITLES[store],
        points: centilesOf(found[store].get(SHARES_IN_FLIGHT) ?? []),
      })),
    },
  ];
}

export function curvesSection(found: Curves, { rounds, ms, load, machine, date, postgres }: AboutCurves): string {
  const pictures = plotsOf(found).map(({ file, title }) => `![${title}](plots/${file}.svg)`);
  return `## ${CURVES_SECTION}

Written by \`npm run bench:curves\` on ${date}, on ${machine}, with a load of ${load.toFixed(1)} before. 50 people send to 50 others. The next message of a slot is sent when the last one was answered, and the recipient's stream has it. The figures are medians of ${rounds} rounds, in turn, of ${ms / 1000} s each. PostgreSQL ${postgres} is one of its own, and runs on the core that the system chooses. The latency is that of answer and delivery together. The shares end at 99 percent.

${curvesTable(found)}

${pictures.join('\n\n')}

\`npm run bench:flame\` shows where the main thread of the server spends its time. A box is a function: the wider, the more time it took with all that it called, which is above it. A viewer of SVG shows the names of narrow boxes when the pointer is over them.

![A send on SQLite](plots/flame-sqlite.svg)

![A send on PostgreSQL](plots/flame-postgres.svg)
`;
}
