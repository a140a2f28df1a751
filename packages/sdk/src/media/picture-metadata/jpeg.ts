// Removes metadata from a JPEG. The segments needed to decode the picture, its colour profile and its orientation stay.
// Bytes after the end of the picture are dropped.
import { BrokenPicture, type Bytes, byteAt, bytesOf, joined, numberAt, numberBytes, slice, textAt } from './bytes.ts';
import { exifOf, orientationIn, UPRIGHT } from './orientation.ts';

const SOI = 0xd8;
const EOI = 0xd9;
const SOS = 0xda;
const COM = 0xfe;
const [APP0, APP1, APP2, APP14, APP15] = [0xe0, 0xe1, 0xe2, 0xee, 0xef] as const;
const EXIF = 'Exif\0\0';
/**
 * Number of bytes of the JFIF and Adobe segments that a decoder needs. Thumbnails and other data after them are
 * dropped.
 */
const JFIF_BYTES = 12;
const ADOBE_BYTES = 12;

export const isJpeg = (bytes: Bytes): boolean => bytes[0] === 0xff && bytes[1] === SOI && bytes[2] === 0xff;

const isRestart = (marker: number): boolean => marker >= 0xd0 && marker <= 0xd7;
const isApplication = (marker: number): boolean => marker >= APP0 && marker <= APP15;

const segment = (marker: number, content: Bytes): Bytes =>
  joined([Uint8Array.of(0xff, marker), numberBytes(content.length + 2, 2), content]);

/**
 * Returns the JPEG without metadata.
 * @throws BrokenPicture if the bytes are cut short or are not a valid JPEG
 */
export function stripJpeg(bytes: Bytes): Bytes {
  const kept: Bytes[] = [];
  let orientation = UPRIGHT;
  for (let at = 2; at < bytes.length; ) {
    if (byteAt(bytes, at) !== 0xff) throw new BrokenPicture(`byte ${at} is not a marker of a JPEG`);
    const marker = byteAt(bytes, at + 1);
    // 0xff is a fill byte here: any number of them may come before a marker.
    if (marker === 0xff) {
      at += 1;
      continue;
    }
    if (marker === EOI) {
      kept.push(slice(bytes, at, at + 2));
      break;
    }
    if (marker === SOI || marker === 0 || isRestart(marker))
      throw new BrokenPicture(`a marker at byte ${at} is out of place`);
    const length = numberAt(bytes, at + 2, 2);
    if (length < 2) throw new BrokenPicture(`the segment at byte ${at} has the length ${length}`);
    const end = at + 2 + length;
    const content = slice(bytes, at + 4, end);
    if (marker === APP1 && textAt(content, 0, EXIF.length) === EXIF) {
      orientation = orientation === UPRIGHT ? orientationIn(content.subarray(EXIF.length)) : orientation;
    } else if (!isApplication(marker) && marker !== COM) kept.push(slice(bytes, at, end));
    else kept.push(...neededOf(marker, content));
    at = end;
    if (marker !== SOS) continue;
    const scanEnd = endOfScan(bytes, at);
    kept.push(slice(bytes, at, scanEnd));
    at = scanEnd;
  }
  const turned = orientation === UPRIGHT ? [] : [segment(APP1, joined([bytesOf(EXIF), exifOf(orientation)]))];
  // A JFIF header must be the first segment.
  const first = kept[0]?.[1] === APP0 ? kept.splice(0, 1) : [];
  return joined([slice(bytes, 0, 2), ...first, ...turned, ...kept]);
}

/** Returns the part of an application segment that a decoder needs; empty if a decoder needs no part of it. */
function neededOf(marker: number, content: Bytes): Bytes[] {
  if (marker === APP0 && textAt(content, 0, 5) === 'JFIF\0' && content.length >= JFIF_BYTES) {
    return [segment(APP0, joined([content.subarray(0, JFIF_BYTES), Uint8Array.of(0, 0)]))];
  }
  if (marker === APP2 && textAt(content, 0, 12) === 'ICC_PROFILE\0') return [segment(APP2, content)];
  if (marker === APP14 && textAt(content, 0, 5) === 'Adobe' && content.length >= ADOBE_BYTES) {
    return [segment(APP14, content.subarray(0, ADOBE_BYTES))];
  }
  return [];
}

/**
 * Returns where the compressed bytes end: at the next marker that is not part of them, or at the end of a truncated
 * picture.
 */
function endOfScan(bytes: Bytes, from: number): number {
  for (let at = from; ; ) {
    const found = bytes.indexOf(0xff, at);
    const marker = found < 0 ? undefined : bytes[found + 1];
    if (marker === undefined) return bytes.length;
    if (marker !== 0 && marker !== 0xff && !isRestart(marker)) return found;
    at = found + (marker === 0xff ? 1 : 2);
  }
}
