// Counts the bytes that clients leave unread, over all streams of the server. Each client may leave some bytes unread,
// but thousands of clients that never read would fill the memory. If the sum is too large, the clients with the most
// unread bytes are disconnected. These clients resume from their last revision.

interface UnreadOwner {
  readonly sink: { unread(): number };
}

export interface Unread<S extends UnreadOwner> {
  /** Records the number of bytes that a client has not read after a write. */
  note(stream: S, bytes: number): void;
  /** Counts the unread bytes again, because clients may have read since the last count. Returns the sum. */
  recount(): number;
}

/**
 * Creates the counter.
 * @param cut ends a stream and frees its unread bytes at once
 */
export function createUnread<S extends UnreadOwner>(mostBytes: number, cut: (stream: S) => void): Unread<S> {
  /** Unread bytes by stream. An ended stream stays here until its client has read everything. */
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
      // The check runs two turns later, because the operating system takes written bytes in the next turn. Only bytes
      // that the operating system did not take count as unread.
      process.nextTick(() => process.nextTick(cutLargest));
    },
    recount,
  };
}
