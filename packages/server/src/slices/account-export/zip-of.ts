// Writes files into a ZIP archive, one after another. Nothing is compressed, and no file is in memory as a whole.
import { zipPieces } from '@sealpost/contract/zip-end';

/** A file of the archive. Its content is read before the next file is asked for. */
export interface ZipFile {
  readonly name: string;
  readonly input: AsyncIterable<Uint8Array> | string;
}

export const textFile = (name: string, input: string): ZipFile => ({ name, input });

export const jsonFile = (name: string, value: unknown): ZipFile =>
  textFile(name, `${JSON.stringify(value, null, 1)}\n`);

/** Copies pieces that are valid only until the next one is asked for. */
export async function* copied(
  pieces: AsyncIterable<Uint8Array> | Iterable<Uint8Array>,
): AsyncGenerator<Uint8Array, void, undefined> {
  for await (const piece of pieces) yield Uint8Array.from(piece);
}

/** Yields the bytes of an archive with these files. */
export async function* zipOf(files: AsyncGenerator<ZipFile, void>): AsyncGenerator<Uint8Array, void, undefined> {
  // The module is loaded only when it is used, because loading it would slow down the start of the server.
  const { makeZip } = await import('client-zip');
  let count = 0;
  async function* counted() {
    for await (const file of files) {
      count += 1;
      yield file;
    }
  }
  const inputs = counted();
  try {
    yield* zipPieces(makeZip(inputs), () => count);
  } finally {
    await inputs.return();
    await files.return();
  }
}
