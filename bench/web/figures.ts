// The results of a part of the bench: figures, and curves to draw. A figure may have a bar, which it should not exceed.
import { percentile } from '../statistics.ts';

export interface Figure {
  readonly what: string;
  readonly value: number;
  readonly unit: 'ms' | 'px' | 'kB' | 'MB' | 'MB per hour' | '';
  /** The largest value that is good enough. */
  readonly bar?: number;
  /** Further results, as text. */
  readonly beside?: string;
}

export interface Curve {
  readonly name: string;
  readonly points: readonly (readonly [x: number, y: number])[];
}

export interface Plot {
  readonly file: string;
  readonly title: string;
  readonly x: string;
  readonly y: string;
  readonly curves: readonly Curve[];
  /** A value of x that is drawn as the bar. */
  readonly barX?: number;
  /** The axes that have powers of ten at equal distances. All values of such an axis are above 0. */
  readonly powers?: 'x' | 'both';
}

/** The name of a plot's file and its title. */
export type PlotName = Pick<Plot, 'file' | 'title'>;

export interface Findings {
  readonly figures: readonly Figure[];
  readonly plots?: readonly Plot[];
}

const sorted = (values: readonly number[]): number[] => values.toSorted((a, b) => a - b);

/** Returns a figure with the 95th percentile. Its text has the median and the largest value. */
export function p95(what: string, values: readonly number[], bar?: number): Figure {
  const ordered = sorted(values);
  const [p50, most] = [percentile(ordered, 0.5), ordered.at(-1) ?? Number.NaN];
  return {
    what,
    value: percentile(ordered, 0.95),
    unit: 'ms',
    ...(bar !== undefined && { bar }),
    beside: `median ${Math.round(p50)}, largest ${Math.round(most)}, ${values.length} measured`,
  };
}

/** Returns a curve that shows, for each value, the percentage of values that are not larger. */
export function shares(name: string, values: readonly number[]): Curve {
  const ordered = sorted(values);
  return { name, points: ordered.map((value, at) => [value, ((at + 1) / ordered.length) * 100] as const) };
}

/** Returns the slope of the line that fits the points best, by the method of least squares. */
export function slopeOf(points: Curve['points']): number {
  const mean = (of: 0 | 1): number => points.reduce((sum, point) => sum + point[of], 0) / points.length;
  const [meanX, meanY] = [mean(0), mean(1)];
  const over = points.reduce((sum, [x, y]) => sum + (x - meanX) * (y - meanY), 0);
  return over / points.reduce((sum, [x]) => sum + (x - meanX) ** 2, 0);
}
