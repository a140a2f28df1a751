// Pictures without what cameras and editors wrote into them: places, times, names, devices, earlier versions. The pixels
// stay as they are; so do colour profiles and the orientation, without which the picture would look different.
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

/** How pictures of other formats begin that have metadata. */
const HEIF = /^ftyp(heic|heix|heim|heis|hevc|hevx|mif1|msf1|avif|avis|crx )/;

/** Whether a picture may have metadata that cannot be removed here. */
function mayHide(bytes: Bytes): boolean {
  const start = textAt(bytes, 0, 4);
  if (start === 'II*\0' || start === 'MM\0*') return true;
  return HEIF.test(textAt(bytes, 4, 8)) || textAt(bytes, 4, 4) === 'JXL ';
}

/**
 * The picture without metadata; what is no picture comes back as it is. `undefined` where the format may have some that
 * cannot be removed here: HEIF, AVIF, TIFF and JPEG XL.
 * @throws BrokenPicture
 */
export function withoutMetadata(bytes: Bytes): Bytes | undefined {
  const format = formats.find(([is]) => is(bytes));
  if (format) return format[1](bytes);
  return mayHide(bytes) ? undefined : bytes;
}
