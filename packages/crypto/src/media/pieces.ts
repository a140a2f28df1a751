// Cuts streams of bytes, whose chunks have any size, into pieces of one size for ciphers and hashes.
import type { Bytes } from '../bytes.ts';

/** Bytes in chunks of any size: a file's stream, a response's body, or an array of chunks. */
export type ByteSource = AsyncIterable<Uint8Array> | Iterable<Uint8Array> | ReadableStream<Uint8Array>;

/**
 * Splits a source into pieces of `size` bytes; the last may be shorter. The last `behind` bytes of the source are not
 * yielded. They are kept in `rest`.
 */
export class Pieces {
  readonly #source: ByteSource;
  readonly #size: number;
  readonly #behind: number;
  /**
   * The last `behind` bytes of the source, or all bytes of a shorter source. Set only after all pieces have been read.
   */
  rest: Bytes = new Uint8Array();

  constructor(source: ByteSource, size: number, behind = 0) {
    this.#source = source;
    this.#size = size;
    this.#behind = behind;
  }

  async *[Symbol.asyncIterator](): AsyncGenerator<Bytes, void> {
    const buffer = new Uint8Array(this.#size + this.#behind);
    let filled = 0;
    for await (const chunk of chunksOf(this.#source)) {
      for (let at = 0; at < chunk.length; ) {
        const taken = chunk.subarray(at, at + buffer.length - filled);
        buffer.set(taken, filled);
        filled += taken.length;
        at += taken.length;
        if (filled < buffer.length) continue;
        yield buffer.slice(0, this.#size);
        buffer.copyWithin(0, this.#size);
        filled = this.#behind;
      }
    }
    const end = Math.max(filled - this.#behind, 0);
    this.rest = buffer.slice(end, filled);
    if (end > 0) yield buffer.slice(0, end);
  }
}

/** Returns any source as an iterable, because in some browsers a ReadableStream is not iterable. */
export function chunksOf(source: ByteSource): AsyncIterable<Uint8Array> | Iterable<Uint8Array> {
  return Symbol.asyncIterator in source || Symbol.iterator in source ? source : readAll(source);
}

async function* readAll(stream: ReadableStream<Uint8Array>): AsyncGenerator<Uint8Array, void> {
  const reader = stream.getReader();
  try {
    for (let next = await reader.read(); !next.done; next = await reader.read()) yield next.value;
  } finally {
    await reader.cancel();
  }
}
