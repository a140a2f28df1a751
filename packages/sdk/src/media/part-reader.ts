// Reads a stream in parts of a requested size, and hashes all bytes that it reads.
import { type ByteSource, chunksOf, createSha256 } from '@sealpost/crypto';

export class PartReader {
  readonly #chunks: AsyncGenerator<Uint8Array>;
  readonly #hash = createSha256();
  #rest: Uint8Array = new Uint8Array();
  #part = new Uint8Array();

  constructor(source: ByteSource) {
    this.#chunks = allOf(source);
  }

  /** Returns the next `size` bytes, or fewer at the end of the source. They are valid until the next call of `take`. */
  async take(size: number): Promise<Uint8Array<ArrayBuffer>> {
    // All parts share one buffer. With a new buffer for each part, garbage collection would take as long as the rest of
    // the work.
    if (this.#part.length < size) this.#part = new Uint8Array(size);
    const part = this.#part;
    let filled = 0;
    for await (const piece of this.#pieces(size)) {
      part.set(piece, filled);
      filled += piece.length;
    }
    return part.subarray(0, filled);
  }

  /** Skips `size` bytes, or fewer at the end of the source. Returns how many were skipped. */
  async skip(size: number): Promise<number> {
    let passed = 0;
    for await (const piece of this.#pieces(size)) passed += piece.length;
    return passed;
  }

  /** Returns the SHA-256 of all bytes that were read, in hex. May be called only once, at the end. */
  digest(): string {
    return Array.from(this.#hash.digest(), (byte) => byte.toString(16).padStart(2, '0')).join('');
  }

  async close(): Promise<void> {
    await this.#chunks.return(undefined);
  }

  async *#pieces(size: number): AsyncGenerator<Uint8Array> {
    for (let left = size; left > 0; ) {
      if (this.#rest.length === 0) {
        const next = await this.#chunks.next();
        if (next.done) return;
        this.#rest = next.value;
      }
      const piece = this.#rest.subarray(0, left);
      this.#rest = this.#rest.subarray(piece.length);
      left -= piece.length;
      this.#hash.update(piece);
      yield piece;
    }
  }
}

async function* allOf(source: ByteSource): AsyncGenerator<Uint8Array> {
  yield* chunksOf(source);
}
