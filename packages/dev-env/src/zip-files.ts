// Reads a whole zip for tests.
import { buffer } from 'node:stream/consumers';
import { fromBufferPromise } from 'yauzl';

/** Returns the files of a zip by name, in its order. Fails if the zip has a fault, or a name twice. */
export async function filesOfZip(bytes: Buffer): Promise<ReadonlyMap<string, Buffer>> {
  const files = new Map<string, Buffer>();
  const zip = await fromBufferPromise(bytes, { lazyEntries: true, strictFileNames: true });
  for await (const entry of zip.eachEntry()) {
    if (files.has(entry.fileName)) throw new Error(`the zip has ${entry.fileName} twice`);
    files.set(entry.fileName, await buffer(await zip.openReadStreamPromise(entry)));
  }
  return files;
}
