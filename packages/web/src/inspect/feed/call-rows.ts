// The calls and operations that the page has loaded, oldest first. A change creates a new list, so that React notices
// it.

/** Maximum number of rows that are kept; the server has the same limit. */
export const MOST_ROWS = 10_000;

/** Returns a list with calls inserted in the order of their ids. A call with the same id is replaced. */
export function withCalls<T extends { readonly id: number }>(rows: readonly T[], changed: Iterable<T>): readonly T[] {
  const next = rows.slice();
  for (const call of changed) {
    const at = placeOf(next, call.id);
    next.splice(at, next[at]?.id === call.id ? 1 : 0, call);
  }
  return newest(next);
}

export const newest = <T>(rows: readonly T[]): readonly T[] =>
  rows.length > MOST_ROWS ? rows.slice(-MOST_ROWS) : rows;

/** Returns the index of the first row whose id is not smaller than the given one. */
function placeOf(rows: readonly { readonly id: number }[], id: number): number {
  let [low, high] = [0, rows.length];
  while (low < high) {
    const middle = (low + high) >> 1;
    if ((rows[middle]?.id ?? 0) < id) low = middle + 1;
    else high = middle;
  }
  return low;
}
