import type { Bytes } from '../bytes.ts';

/** The eight bytes of a whole number, highest first. */
export function uint64(value: number): Bytes {
  if (!Number.isSafeInteger(value) || value < 0) throw new RangeError(`${value} is no whole number above zero`);
  const bytes = new Uint8Array(8);
  new DataView(bytes.buffer).setBigUint64(0, BigInt(value));
  return bytes;
}
