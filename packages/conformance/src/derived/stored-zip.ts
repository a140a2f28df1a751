// Makes a zip of files without compression, which is enough for a few small files. The format is defined in APPNOTE,
// sections 4.3.7, 4.3.12 and 4.3.16.
import { crc32 } from 'node:zlib';

const LOCAL = 0x04034b50;
const CENTRAL = 0x02014b50;
const END = 0x06054b50;
const VERSION = 20;
/** 1 January 1980 as zip files encode dates. The format has no earlier date. */
const DATE = 0x21;

const shorts = (...values: readonly number[]): Buffer => Buffer.from(Uint16Array.from(values).buffer);
const longs = (...values: readonly number[]): Buffer => Buffer.from(Uint32Array.from(values).buffer);

export function storedZip(files: Readonly<Record<string, Buffer>>): Buffer {
  const contents: Buffer[] = [];
  const directory: Buffer[] = [];
  let at = 0;
  for (const [name, bytes] of Object.entries(files)) {
    // The fields are, in this order: flags, method, time, date; checksum and both sizes; length of the name, length of
    // the extra fields.
    const facts = [shorts(0, 0, 0, DATE), longs(crc32(bytes), bytes.length, bytes.length), shorts(name.length, 0)];
    const file = Buffer.concat([longs(LOCAL), shorts(VERSION), ...facts, Buffer.from(name), bytes]);
    // The zeros mean: no comment, first disk, no attributes. The last number is the position of the file.
    const place = [shorts(0, 0, 0), longs(0, at)];
    directory.push(longs(CENTRAL), shorts(VERSION, VERSION), ...facts, ...place, Buffer.from(name));
    contents.push(file);
    at += file.length;
  }
  const entries = Buffer.concat(directory);
  const count = Object.keys(files).length;
  return Buffer.concat([
    ...contents,
    entries,
    longs(END),
    shorts(0, 0, count, count),
    longs(entries.length, at),
    shorts(0),
  ]);
}
