// Removes comments and the data of applications from a GIF. Frames and their timing stay.
import { BrokenPicture, type Bytes, byteAt, joined, slice, textAt } from './bytes.ts';

const HEADER_BYTES = 13;
const IMAGE_BYTES = 10;
const [EXTENSION, IMAGE, TRAILER] = [0x21, 0x2c, 0x3b] as const;
const [PLAIN_TEXT, CONTROL, APPLICATION] = [0x01, 0xf9, 0xff] as const;
/** The application blocks that affect how a GIF looks: how often frames repeat, and the colour profile. */
const DRAWS = new Set(['NETSCAPE2.0', 'ANIMEXTS1.0', 'ICCRGBG1012']);

export const isGif = (bytes: Bytes): boolean => /^GIF8[79]a$/.test(textAt(bytes, 0, 6));

/** Returns the size in bytes of the colour table that a byte of flags announces. */
const tableBytes = (flags: number): number => (flags & 0x80 ? 3 * 2 ** ((flags & 7) + 1) : 0);

/**
 * Returns the GIF without metadata.
 * @throws BrokenPicture if the bytes are cut short or are not a valid GIF
 */
export function stripGif(bytes: Bytes): Bytes {
  let at = HEADER_BYTES + tableBytes(byteAt(bytes, 10));
  const kept: Bytes[] = [slice(bytes, 0, at)];
  for (;;) {
    const kind = byteAt(bytes, at);
    if (kind === TRAILER) {
      kept.push(slice(bytes, at, at + 1));
      return joined(kept);
    }
    const end = endOfBlock(bytes, at, kind);
    if (kind === IMAGE || isNeeded(bytes, at)) kept.push(slice(bytes, at, end));
    at = end;
  }
}

function endOfBlock(bytes: Bytes, at: number, kind: number): number {
  if (kind === EXTENSION) return endOfParts(bytes, at + 2);
  if (kind !== IMAGE) throw new BrokenPicture(`byte ${at} does not begin a block of a GIF`);
  // The 1 at the end counts the byte after the colour table. That byte says how the frame is packed.
  return endOfParts(bytes, at + IMAGE_BYTES + tableBytes(byteAt(bytes, at + 9)) + 1);
}

function endOfParts(bytes: Bytes, from: number): number {
  let at = from;
  for (let length = byteAt(bytes, at); length > 0; length = byteAt(bytes, at)) at += length + 1;
  return at + 1;
}

function isNeeded(bytes: Bytes, at: number): boolean {
  const label = byteAt(bytes, at + 1);
  if (label === APPLICATION) return DRAWS.has(textAt(bytes, at + 3, 11));
  return label === CONTROL || label === PLAIN_TEXT;
}
