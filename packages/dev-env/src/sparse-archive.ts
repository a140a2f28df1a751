// An archive of which only the parts around its large pieces exist.
import { Readable } from 'node:stream';
import { buffer } from 'node:stream/consumers';
import { fromRandomAccessReaderPromise, RandomAccessReader } from 'yauzl';

export const GIB = 1024 ** 3;

/**
 * A piece that an archive counts as 1 GiB, without having its bytes. The first
 * reading of its length is for the checksum, and the second for the size. So its checksum is that of nothing, because
 * the real one would take long.
 */
export class LargePiece extends Uint8Array {
  #readings = 0;
  override get length(): number {
    this.#readings += 1;
    return this.#readings === 1 ? 0 : GIB;
  }
}

export class SparseArchive extends RandomAccessReader {
  readonly #parts: { readonly at: number; readonly bytes: Uint8Array }[] = [];
  size = 0;

  add(bytes: Uint8Array): void {
    // Only large pieces have no bytes.
    if (bytes.length > 0) this.#parts.push({ at: this.size, bytes });
    this.size += bytes.length || GIB;
  }

  /** Returns the names and sizes of the files, and the contents of the small ones. */
  async files(): Promise<(readonly [name: string, size: number, content?: string])[]> {
    const zip = await fromRandomAccessReaderPromise(this, this.size, { lazyEntries: true, autoClose: false });
    const read: (readonly [name: string, size: number, content?: string])[] = [];
    for await (const entry of zip.eachEntry()) {
      const { fileName, uncompressedSize } = entry;
      if (uncompressedSize >= GIB) read.push([fileName, uncompressedSize]);
      else read.push([fileName, uncompressedSize, String(await buffer(await zip.openReadStreamPromise(entry)))]);
    }
    return read;
  }

  override _readStreamForRange(start: number, end: number): Readable {
    const range = Buffer.alloc(end - start);
    for (const { at, bytes } of this.#parts) {
      if (at < end && at + bytes.length > start)
        range.set(bytes.subarray(Math.max(0, start - at), end - at), Math.max(0, at - start));
    }
    return Readable.from([range]);
  }
}
