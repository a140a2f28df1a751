import type { Bytes } from '../bytes.ts';

/** Returns the eight bytes of a whole number, highest first. */
export function uint64(value: number): Bytes {
  if (!Number.isSafeInteger(value) || value < 0)
    throw new RangeError(`${value} is not a whole number from 0 to 2^53 - 1`);
  const bytes = new Uint8Array(8);
  new DataView(bytes.buffer).setBigUint64(0, BigInt(value));
  return bytes;
}
