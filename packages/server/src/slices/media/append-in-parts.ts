// A long body is written in parts: each is durable and noted before the next begins, so that a server which dies loses
// little of it.

/** Bytes of one part. A sync for each costs little at this size. */
const PART_BYTES = 64 * 1024 * 1024;

/**
 * @param append writes a part at an offset and answers where it ended
 * @param note remembers that so many bytes are durable
 */
export async function appendInParts(
  source: AsyncIterable<readonly Buffer[]>,
  from: number,
  append: (offset: number, part: AsyncIterable<readonly Buffer[]>) => Promise<number>,
  note: (received: number) => Promise<void>,
): Promise<number> {
  const pieces = source[Symbol.asyncIterator]();
  let over = false;
  async function* part(): AsyncGenerator<readonly Buffer[]> {
    for (let bytes = 0; bytes < PART_BYTES; ) {
      const { value, done } = await pieces.next();
      if (done) {
        over = true;
        return;
      }
      for (const piece of value) bytes += piece.length;
      yield value;
    }
  }
  try {
    for (let at = from; ; await note(at)) {
      at = await append(at, part());
      if (over) return at;
    }
  } finally {
    await pieces.return?.();
  }
}
