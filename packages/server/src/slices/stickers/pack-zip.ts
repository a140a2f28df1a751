// Reads the files of a zip into memory. The file names are used as data only; nothing is written to a path that a zip
// names.
import { buffer } from 'node:stream/consumers';
import type { Entry } from 'yauzl';
import { InvalidPack, packLimits } from './pack.ts';

const MAX_ENTRIES = 500;
const WANTED = /\.(png|json|m4a)$/i;
/** Files that some systems add to every zip and that packs do not need. */
const CLUTTER = /(^|\/)(__MACOSX\/|\._)/;

/**
 * Returns the files by name. If pack.json is in a folder, returns only the files of this folder, and their names leave
 * out the folder.
 * @throws InvalidPack if the bytes are not a usable zip
 */
export async function readZip(bytes: Buffer): Promise<ReadonlyMap<string, Buffer>> {
  // The module is loaded only when it is used, because loading it would slow down the start of the server.
  const { fromBufferPromise } = await import('yauzl');
  const files = new Map<string, Buffer>();
  try {
    // The library refuses absolute names, names with `..`, and entries that are larger than they claim.
    const zip = await fromBufferPromise(bytes, { lazyEntries: true, strictFileNames: true });
    if (zip.entryCount > MAX_ENTRIES)
      throw new InvalidPack(`the zip has ${zip.entryCount} entries; at most ${MAX_ENTRIES}`);
    let left: number = packLimits.packBytes;
    for await (const entry of zip.eachEntry()) {
      if (!isWanted(entry)) continue;
      if (files.has(entry.fileName)) throw new InvalidPack(`the zip has ${entry.fileName} twice; keep one of them`);
      left -= entry.uncompressedSize;
      if (left < 0) throw new InvalidPack(`the files are more than ${packLimits.packBytes} bytes`);
      files.set(entry.fileName, await buffer(await zip.openReadStreamPromise(entry)));
    }
  } catch (error) {
    if (error instanceof InvalidPack) throw error;
    throw new InvalidPack(`this is not a usable zip: ${(error as Error).message}`);
  }
  return withoutFolder(files);
}

function isWanted({ fileName, uncompressedSize }: Entry): boolean {
  if (!WANTED.test(fileName) || CLUTTER.test(fileName)) return false;
  if (uncompressedSize > packLimits.pictureBytes) {
    throw new InvalidPack(`${fileName} has ${uncompressedSize} bytes; at most ${packLimits.pictureBytes}`);
  }
  return true;
}

function withoutFolder(files: ReadonlyMap<string, Buffer>): ReadonlyMap<string, Buffer> {
  if (files.has('pack.json')) return files;
  const [path, other] = [...files.keys()].filter((name) => /^[^/]+\/pack\.json$/.test(name));
  if (!path) return files;
  if (other !== undefined) throw new InvalidPack(`the zip has ${path} and ${other}; put each pack into its own zip`);
  const folder = path.slice(0, path.indexOf('/') + 1);
  const inside = [...files].filter(([name]) => name.startsWith(folder));
  return new Map(inside.map(([name, bytes]) => [name.slice(folder.length), bytes]));
}
