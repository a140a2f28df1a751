// Removes metadata from a PNG: only the chunks that a viewer needs stay.
import { BrokenPicture, type Bytes, bytesOf, joined, numberAt, numberBytes, slice, textAt } from './bytes.ts';
import { exifOf, orientationIn, UPRIGHT } from './orientation.ts';

const SIGNATURE = Uint8Array.of(0x89, 0x50, 0x4e, 0x47, 0x0d, 0x0a, 0x1a, 0x0a);
const EXIF = 'eXIf';
/**
 * Optional chunks that stay: colours, transparency and animation. Chunks whose type begins with a capital letter always
 * stay, because every decoder needs them.
 */
const DRAWS = new Set('tRNS gAMA cHRM sRGB iCCP sBIT bKGD pHYs hIST sPLT cICP mDCV cLLI acTL fcTL fdAT'.split(' '));
const isCritical = (type: string): boolean => /^[A-Z]/.test(type);

export const isPng = (bytes: Bytes): boolean => SIGNATURE.every((byte, i) => bytes[i] === byte);

/**
 * Returns the PNG without metadata.
 * @throws BrokenPicture if the bytes are cut short or are not a valid PNG
 */
export function stripPng(bytes: Bytes): Bytes {
  const kept: Bytes[] = [];
  let orientation = UPRIGHT;
  for (let at = SIGNATURE.length, type = ''; type !== 'IEND'; ) {
    const length = numberAt(bytes, at, 4);
    type = textAt(bytes, at + 4, 4);
    if (!/^[A-Za-z]{4}$/.test(type)) throw new BrokenPicture(`the chunk at byte ${at} has no type`);
    const end = at + 12 + length;
    const chunk = slice(bytes, at, end);
    if (type === EXIF) orientation = orientationIn(chunk.subarray(8, 8 + length));
    else if (isCritical(type) || DRAWS.has(type)) kept.push(chunk);
    at = end;
  }
  const [header, ...rest] = kept;
  if (!header || textAt(header, 4, 4) !== 'IHDR') throw new BrokenPicture('its first chunk is not IHDR');
  const turned = orientation === UPRIGHT ? [] : [chunkOf(EXIF, exifOf(orientation))];
  return joined([SIGNATURE, header, ...turned, ...rest]);
}

function chunkOf(type: string, content: Bytes): Bytes {
  const checked = joined([bytesOf(type), content]);
  return joined([numberBytes(content.length, 4), checked, numberBytes(crc32(checked), 4)]);
}

function crc32(bytes: Bytes): number {
  let crc = 0xffffffff;
  for (const byte of bytes) {
    crc ^= byte;
    for (let bit = 0; bit < 8; bit++) crc = crc & 1 ? (crc >>> 1) ^ 0xedb88320 : crc >>> 1;
  }
  return (crc ^ 0xffffffff) >>> 0;
}
