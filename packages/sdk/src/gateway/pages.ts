// Splits lists for calls that take a limited number of ids.

/** Returns the items in pages of at most `size`, without repetitions. No page is empty. */
export function pagesOf<T>(items: Iterable<T>, size: number): T[][] {
  const different = [...new Set(items)];
  const pages: T[][] = [];
  for (let at = 0; at < different.length; at += size) pages.push(different.slice(at, at + size));
  return pages;
}
