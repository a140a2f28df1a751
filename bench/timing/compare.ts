// Compares the times of two kinds of requests that were made in pairs, one directly after the other.
import { randomBytes } from 'node:crypto';
import { markdown } from '../markdown.ts';
import { mannWhitney, median, medianWithin } from '../statistics.ts';

/** Differences that occur by chance in so many of all runs count as told apart. */
const LIKELY_CHANCE = 0.01;

export interface Comparison {
  readonly name: string;
  /** Milliseconds of each request of this kind, and of the request of the other kind beside it. */
  readonly times: readonly number[];
  readonly beside: readonly number[];
}

export interface Compared {
  readonly name: string;
  readonly medianMs: number;
  /** The median of the differences of all pairs, and the limits between which it is with a probability of 99 %. */
  readonly difference: number;
  readonly within: readonly [low: number, high: number];
  /** The chance of such times if both kinds take equally long. */
  readonly p: number;
  readonly isToldApart: boolean;
}

/** @param of the number of comparisons of the run: the more there are, the less likely chance must be in each */
export function compare({ name, times, beside }: Comparison, of: number): Compared {
  const differences = times.map((time, i) => time - (beside[i] as number));
  const p = mannWhitney(times, beside);
  return {
    name,
    medianMs: median(times),
    difference: median(differences),
    within: medianWithin(differences),
    p,
    isToldApart: p <= LIKELY_CHANCE / of,
  };
}

/** Returns a table with a line for each comparison. Times are in the unit, of which a millisecond has `perMs`. */
export function comparisonTable(head: string, compared: readonly Compared[], unit: string, perMs: number): string {
  const shown = (ms: number): string => (ms * perMs).toFixed(2);
  const rows = compared.map(({ name, medianMs, difference, within: [low, high], p, isToldApart }) => [
    name,
    shown(medianMs),
    shown(difference),
    `${shown(low)} to ${shown(high)}`,
    p.toFixed(3),
    isToldApart ? '**told apart**' : 'not told apart',
  ]);
  const heads = [head, `median ${unit}`, `difference ${unit}`, `with 99 % between`, 'p'];
  return markdown([...heads, `at p ≤ ${LIKELY_CHANCE} in all`], rows);
}

/** Returns the items in an order that nobody can foresee. */
export const shuffled = <T>(items: readonly T[]): T[] =>
  items
    .map((item) => [randomBytes(4).readUInt32BE(), item] as const)
    .sort(([a], [b]) => a - b)
    .map(([, item]) => item);
