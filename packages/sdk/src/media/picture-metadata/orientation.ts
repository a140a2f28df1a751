// The orientation of a picture: the only part of Exif that a viewer needs.
import { type Bytes, bytesOf, joined, numberAt, numberBytes, textAt } from './bytes.ts';

const ORIENTATION = 0x0112;
const SHORT = 3;
const ENTRY_BYTES = 12;
/** The orientation of a picture that is shown without turning it. */
export const UPRIGHT = 1;
const MOST = 8;

/** Returns the orientation in Exif data, from 1 to 8. Returns `UPRIGHT` if there is none or the data cannot be read. */
export function orientationIn(exif: Bytes): number {
  const order = textAt(exif, 0, 2);
  if ((order !== 'II' && order !== 'MM') || exif.length < 8) return UPRIGHT;
  const little = order === 'II';
  const directory = numberAt(exif, 4, 4, little);
  if (directory + 2 > exif.length) return UPRIGHT;
  const entries = numberAt(exif, directory, 2, little);
  for (let i = 0; i < entries; i++) {
    const at = directory + 2 + i * ENTRY_BYTES;
    if (at + ENTRY_BYTES > exif.length) return UPRIGHT;
    if (numberAt(exif, at, 2, little) !== ORIENTATION || numberAt(exif, at + 2, 2, little) !== SHORT) continue;
    const value = numberAt(exif, at + 8, 2, little);
    return value >= UPRIGHT && value <= MOST ? value : UPRIGHT;
  }
  return UPRIGHT;
}

/** Returns Exif data that have only an orientation. */
export const exifOf = (orientation: number): Bytes =>
  joined([
    ...[bytesOf('MM'), numberBytes(42, 2), numberBytes(8, 4)],
    ...[numberBytes(1, 2), numberBytes(ORIENTATION, 2), numberBytes(SHORT, 2), numberBytes(1, 4)],
    ...[numberBytes(orientation, 2), numberBytes(0, 2), numberBytes(0, 4)],
  ]);
