// Moves the focus inside a list with the arrow keys, so that the whole list is only one stop of the Tab key.

/**
 * Returns the index in a list to which a key moves the focus; undefined if the key does not move the focus in lists.
 */
export function movedTo(key: string, index: number, count: number): number | undefined {
  if (count === 0) return undefined;
  switch (key) {
    case 'ArrowDown':
      return Math.min(count - 1, index + 1);
    case 'ArrowUp':
      return Math.max(0, index - 1);
    case 'Home':
      return 0;
    case 'End':
      return count - 1;
    default:
      return undefined;
  }
}
