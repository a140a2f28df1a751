// Removes metadata from a picture: places, times, names, devices, earlier versions. The pixels stay as they are. Colour
// profiles and the orientation stay too, because the picture would look different without them.
import { type Bytes, textAt } from './bytes.ts';
import { isGif, stripGif } from './gif.ts';
import { isJpeg, stripJpeg } from './jpeg.ts';
import { isPng, stripPng } from './png.ts';
import { isWebp, stripWebp } from './webp.ts';

export { BrokenPicture } from './bytes.ts';

const formats = [
  [isJpeg, stripJpeg],
  [isPng, stripPng],
  [isGif, stripGif],
  [isWebp, stripWebp],
] as const;

/** Matches the beginning of HEIF and AVIF pictures, from byte 4 on. */
const HEIF = /^ftyp(heic|heix|heim|heis|hevc|hevx|mif1|msf1|avif|avis|crx )/;

/** Returns whether a picture may have metadata that this code cannot remove. */
function mayHide(bytes: Bytes): boolean {
  const start = textAt(bytes, 0, 4);
  if (start === 'II*\0' || start === 'MM\0*') return true;
  return HEIF.test(textAt(bytes, 4, 8)) || textAt(bytes, 4, 4) === 'JXL ';
}

/**
 * Returns the picture without metadata. Bytes that are not a picture come back unchanged. Returns `undefined` for
 * formats whose metadata this code cannot remove: HEIF, AVIF, TIFF and JPEG XL.
 * @throws BrokenPicture
 */
export function withoutMetadata(bytes: Bytes): Bytes | undefined {
  const format = formats.find(([is]) => is(bytes));
  if (format) return format[1](bytes);
  return mayHide(bytes) ? undefined : bytes;
}
