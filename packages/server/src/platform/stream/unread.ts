// What clients leave unread, over all streams of the server. Each may leave a little; thousands that never read would
// still fill the memory, so those that owe most are cut when the sum is too large. They resume from their cursors.

interface Owing {
  readonly sink: { unread(): number };
}

export interface Unread<S extends Owing> {
  /** Notes what a client has not taken after a write. */
  note(stream: S, bytes: number): void;
  /** Counts anew, and returns the sum: what was noted may have been taken since. */
  recount(): number;
}

/** @param cut ends a stream and frees what it owes at once */
export function createUnread<S extends Owing>(mostBytes: number, cut: (stream: S) => void): Unread<S> {
  /** Streams that end stay here until their clients took everything. */
  const owing = new Map<S, number>();
  let total = 0;
  let isDue = false;

  function recount(): number {
    total = 0;
    for (const stream of owing.keys()) {
      const bytes = stream.sink.unread();
      if (bytes === 0) owing.delete(stream);
      else owing.set(stream, bytes);
      total += bytes;
    }
    return total;
  }

  function cutLargest(): void {
    isDue = false;
    if (recount() <= mostBytes) return;
    for (const [stream, bytes] of [...owing].sort((a, b) => b[1] - a[1])) {
      if (total <= mostBytes) return;
      owing.delete(stream);
      total -= bytes;
      cut(stream);
    }
  }

  return {
    note(stream, bytes) {
      total += bytes - (owing.get(stream) ?? 0);
      if (bytes === 0) owing.delete(stream);
      else owing.set(stream, bytes);
      if (total <= mostBytes || isDue) return;
      isDue = true;
      // What was just written goes to the system in the next turn, and what the system takes is not owed.
      process.nextTick(() => process.nextTick(cutLargest));
    },
    recount,
  };
}
