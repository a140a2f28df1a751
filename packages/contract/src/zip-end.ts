// The end of a ZIP archive with very many files. The library that writes archives, client-zip, leaves out what their
// readers need there, unless the archive has more than 4 GB.

const ZIP64_END = 0x06064b50;
const ZIP64_LOCATOR = 0x07064b50;
const ZIP64_END_BYTES = 56;
const LOCATOR_BYTES = 20;
/** The version of the format that has ZIP64. */
const VERSION = 45;
/** A value in the usual end that says: look at the ZIP64 end. */
const MANY_FILES = 0xffff;
const LARGE = 0xffffffff;
/** The first bytes of ZIP64_END are not counted by its own field for the size. */
const UNCOUNTED_BYTES = 12;

/**
 * Yields copies of the pieces of an archive, and completes its end, which is the last piece.
 * @param files returns the number of files in the archive; called at its end
 */
export async function* zipPieces(
  archive: ReadableStream<Uint8Array>,
  files: () => number,
): AsyncGenerator<Uint8Array<ArrayBuffer>, void, undefined> {
  const reader = archive.getReader();
  let last: Uint8Array<ArrayBuffer> | undefined;
  for (;;) {
    const { value, done } = await reader.read();
    if (done) break;
    if (last) yield last;
    last = new Uint8Array(value);
  }
  if (last) yield zipEnd(last, files());
}

/**
 * Returns the end of an archive, after the ZIP64 end that it needs if it has 65,535 files or more.
 * @param end the end of central directory, as client-zip has written it
 * @param files the number of files in the archive
 */
function zipEnd(end: Uint8Array<ArrayBuffer>, files: number): Uint8Array<ArrayBuffer> {
  const usual = new DataView(end.buffer, end.byteOffset, end.length);
  const [size, offset] = [usual.getUint32(12, true), usual.getUint32(16, true)];
  // In an archive of more than 4 GB, the ZIP64 end has been written.
  if (files < MANY_FILES || offset === LARGE) return end;
  const all = new Uint8Array(ZIP64_END_BYTES + LOCATOR_BYTES + end.length);
  const view = new DataView(all.buffer);
  view.setUint32(0, ZIP64_END, true);
  view.setBigUint64(4, BigInt(ZIP64_END_BYTES - UNCOUNTED_BYTES), true);
  view.setUint16(12, VERSION, true);
  view.setUint16(14, VERSION, true);
  for (const at of [24, 32]) view.setBigUint64(at, BigInt(files), true);
  view.setBigUint64(40, BigInt(size), true);
  view.setBigUint64(48, BigInt(offset), true);
  view.setUint32(ZIP64_END_BYTES, ZIP64_LOCATOR, true);
  view.setBigUint64(ZIP64_END_BYTES + 8, BigInt(offset) + BigInt(size), true);
  view.setUint32(ZIP64_END_BYTES + 16, 1, true);
  all.set(end, ZIP64_END_BYTES + LOCATOR_BYTES);
  return all;
}
