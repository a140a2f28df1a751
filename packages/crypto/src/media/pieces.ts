// Streams of bytes come in chunks of any size; ciphers and hashes want pieces of one size.
import type { Bytes } from '../bytes.ts';

/** Bytes in chunks of any size: a file's stream, a response's body, or just an array of one chunk. */
export type ByteSource = AsyncIterable<Uint8Array> | Iterable<Uint8Array> | ReadableStream<Uint8Array>;

/** The source in pieces of `size` bytes, the last one shorter. The last `behind` bytes are not yielded: `rest` gets them. */
export class Pieces {
  readonly #source: ByteSource;
  readonly #size: number;
  readonly #behind: number;
  /** Known when the pieces have been read to their end; shorter than `behind` if the whole source was. */
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

/** Any source as something to iterate: there are browsers whose ReadableStream is not that yet. */
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
