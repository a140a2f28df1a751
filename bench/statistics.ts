// Functions for medians of rounds and percentiles of samples.

export function median(values: readonly number[]): number {
  const sorted = values.toSorted((a, b) => a - b);
  const middle = sorted.length >> 1;
  return sorted.length % 2 === 1
    ? (sorted[middle] as number)
    : ((sorted[middle - 1] as number) + (sorted[middle] as number)) / 2;
}

/** @param sorted values in ascending order */
export const percentile = (sorted: ArrayLike<number>, share: number): number =>
  sorted[Math.min(sorted.length - 1, Math.floor(sorted.length * share))] ?? Number.NaN;

/**
 * Returns limits between which the median of the distribution is with a probability of 99 %, whatever the distribution
 * is. They are values of the sample, by their ranks.
 */
export function medianWithin(values: readonly number[]): readonly [low: number, high: number] {
  const sorted = values.toSorted((a, b) => a - b);
  const away = Math.ceil((Z_99 * Math.sqrt(sorted.length)) / 2);
  const middle = (sorted.length - 1) / 2;
  return [
    sorted[Math.max(0, Math.floor(middle - away))] as number,
    sorted[Math.min(sorted.length - 1, Math.ceil(middle + away))] as number,
  ];
}
const Z_99 = 2.5758;

/**
 * Returns the probability that two samples of the same distribution differ at least as much as `a` and `b`. Uses
 * Mann-Whitney's two-sided test, in the form for large samples.
 */
export function mannWhitney(a: readonly number[], b: readonly number[]): number {
  const all = [...a.map((value) => ({ value, mine: 1 })), ...b.map((value) => ({ value, mine: 0 }))].sort(
    (x, y) => x.value - y.value,
  );
  let ranks = 0;
  let ties = 0;
  for (let from = 0; from < all.length; ) {
    let to = from + 1;
    while (to < all.length && all[to]?.value === all[from]?.value) to += 1;
    const same = to - from;
    ties += same ** 3 - same;
    for (let i = from; i < to; i++) ranks += (all[i]?.mine ?? 0) * ((from + 1 + to) / 2);
    from = to;
  }
  const n = all.length;
  const pairs = a.length * b.length;
  const u = ranks - (a.length * (a.length + 1)) / 2;
  const deviation = Math.sqrt((pairs / 12) * (n + 1 - ties / (n * (n - 1))));
  const z = Math.max(0, Math.abs(u - pairs / 2) - 0.5) / deviation;
  return 2 * upperTail(z);
}

/** Returns the upper tail of the normal distribution, to 1e-7 (Abramowitz and Stegun 26.2.17). */
function upperTail(z: number): number {
  const t = 1 / (1 + 0.2316419 * z);
  const poly = t * (0.31938153 + t * (-0.356563782 + t * (1.781477937 + t * (-1.821255978 + t * 1.330274429))));
  return (Math.exp((-z * z) / 2) / Math.sqrt(2 * Math.PI)) * poly;
}
