// Reads and joins bytes of a picture. Reading beyond the end throws.

/** The error for a picture that is cut short, or does not have the format that its beginning shows. */
export class BrokenPicture extends Error {
  override name = 'BrokenPicture';
}

export type Bytes = Uint8Array<ArrayBuffer>;

/**
 * Returns the bytes from one position to another, `to` excluded.
 * @throws BrokenPicture if the picture ends before `to`
 */
export function slice(bytes: Bytes, from: number, to: number): Bytes {
  if (to > bytes.length || from > to) throw new BrokenPicture(`it ends at byte ${bytes.length}, before ${to}`);
  return bytes.subarray(from, to);
}

/**
 * Returns one byte.
 * @throws BrokenPicture if the picture ends before this byte
 */
export function byteAt(bytes: Bytes, at: number): number {
  const value = bytes[at];
  if (value === undefined) throw new BrokenPicture(`it ends at byte ${bytes.length}`);
  return value;
}

/**
 * Reads a number of `length` bytes.
 * @throws BrokenPicture if the picture ends inside the number
 */
export function numberAt(bytes: Bytes, at: number, length: number, littleEndian = false): number {
  const parts = slice(bytes, at, at + length);
  const ordered = littleEndian ? parts.toReversed() : parts;
  return ordered.reduce((sum, byte) => sum * 256 + byte, 0);
}

export const textAt = (bytes: Bytes, at: number, length: number): string =>
  String.fromCharCode(...bytes.subarray(at, at + length));

export const bytesOf = (text: string): Bytes => Uint8Array.from(text, (letter) => letter.charCodeAt(0));

export function numberBytes(value: number, length: number, littleEndian = false): Bytes {
  const bytes = Uint8Array.from({ length }, (_, i) => Math.floor(value / 256 ** (length - 1 - i)) % 256);
  return littleEndian ? bytes.toReversed() : bytes;
}

export function joined(pieces: readonly Bytes[]): Bytes {
  const whole = new Uint8Array(pieces.reduce((sum, { length }) => sum + length, 0));
  let at = 0;
  for (const piece of pieces) {
    whole.set(piece, at);
    at += piece.length;
  }
  return whole;
}
