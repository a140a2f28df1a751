// Random bytes that are computed from a seed.
import { hash } from 'node:crypto';
import type { Random } from '@sealpost/contract/ports';

const BLOCK = 32;

export interface SeededRandom extends Random {
  /** The number of bytes drawn so far. Setting it moves to another position in the sequence of bytes. */
  drawn: number;
}

/**
 * Creates a source of bytes that depend only on the seed. Each block is the SHA-256 of the seed and the number of the
 * block.
 */
export function seededRandom(seed: number | string): SeededRandom {
  let known: { readonly number: number; readonly bytes: Buffer } | undefined;
  const block = (number: number): Buffer => {
    if (known?.number !== number) known = { number, bytes: hash('sha256', `sealpost ${seed} ${number}`, 'buffer') };
    return known.bytes;
  };
  return {
    drawn: 0,
    bytes(length) {
      const drawn = new Uint8Array(length);
      for (let at = 0; at < length; at++) {
        const place = this.drawn + at;
        drawn[at] = block(Math.floor(place / BLOCK))[place % BLOCK] as number;
      }
      this.drawn += length;
      return drawn;
    },
  };
}
