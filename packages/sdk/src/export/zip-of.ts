// Writes files into a ZIP archive, one after another, in Node and in browsers. Nothing is compressed: media are already,
// and no file is in memory as a whole.
import { zipPieces } from '@sealpost/contract/zip-end';
import { makeZip } from 'client-zip';
import type { ExportEntry } from './export-deps.ts';

/** Yields the bytes of a ZIP archive with these files. Archives of any size are possible. */
export async function* zipOf(
  entries: AsyncIterable<ExportEntry>,
): AsyncGenerator<Uint8Array<ArrayBuffer>, void, undefined> {
  let count = 0;
  async function* inputs() {
    for await (const { path, content } of entries) {
      count += 1;
      yield { name: path, input: content };
    }
  }
  const files = inputs();
  try {
    yield* zipPieces(makeZip(files), () => count);
  } finally {
    // If the caller stopped early, the source of the entries ends too.
    await files.return();
  }
}
