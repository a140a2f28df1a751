// Writes the table about sends with and without many logins at once.
import type { SendMeasure } from './closed-loop.ts';
import { markdown, verdict, whole } from './markdown.ts';
import { type Result, resultOf } from './scenarios.ts';
import { median } from './statistics.ts';
import type { StormMeasure } from './storm-load.ts';

export interface StormRound {
  readonly calm: SendMeasure;
  readonly stormy: SendMeasure;
  readonly storm: StormMeasure;
}

export interface StormResult {
  readonly inFlight: number;
  readonly logins: number;
  readonly rounds: readonly StormRound[];
}

/**
 * The least share of the usual rate of sends that must remain during the logins. `P99_TARGET` is the largest factor by
 * which the p99 of sends may grow.
 */
const RATE_TARGET = 0.8;
const P99_TARGET = 1.5;

export function stormTable(result: StormResult | undefined): string {
  if (!result) return '';
  const { rounds, inFlight, logins } = result;
  const ratioOf = (figure: (measure: SendMeasure) => number) =>
    median(rounds.map(({ calm, stormy }) => figure(stormy) / figure(calm)));
  const rate = ratioOf(({ perSecond }) => perSecond);
  const p99 = ratioOf((measure) => measure.p99);
  const perSecond = median(rounds.map(({ storm }) => storm.loginsPerSecond));
  const row = (title: string, of: Result, ratios: readonly string[]) => [
    title,
    `${whole(of.perSecond)} (${whole(of.least)}–${whole(of.most)})`,
    of.p50.toFixed(1),
    of.p99.toFixed(1),
    ...ratios,
  ];
  return markdown(
    [
      `sends, ${inFlight} in flight, SQLite`,
      'per second (min–max)',
      'p50 ms',
      'p99 ms',
      'of the calm rate',
      'of the calm p99',
    ],
    [
      row('calm', resultOf(rounds.map(({ calm }) => calm)), ['–', '–']),
      row(
        `${logins} logins in flight, ${perSecond.toFixed(0)} a second`,
        resultOf(rounds.map(({ stormy }) => stormy)),
        [
          `${rate.toFixed(2)}; ≥ ${RATE_TARGET}: ${verdict(rate >= RATE_TARGET)}`,
          `${p99.toFixed(2)}; ≤ ${P99_TARGET}: ${verdict(p99 <= P99_TARGET)}`,
        ],
      ),
    ],
  );
}
