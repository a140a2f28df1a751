// Writes a long body in parts. Each part is durable and recorded before the next begins, so a crash loses at most one
// part.

/** Size of one part in bytes. At this size, a disk sync per part costs little time. */
const PART_BYTES = 64 * 1024 * 1024;

/**
 * Writes a body in parts and returns the offset at which it ends.
 * @param append writes a part at an offset and returns the offset at which the part ends
 * @param note records that the bytes up to an offset are durable
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
