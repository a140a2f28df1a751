// Prepares RSA key pairs in advance, because generating one takes tens of milliseconds. Waiting addresses get pairs in
// turn, so that many requests from one address do not delay other addresses.
import { ApiError } from '@sealpost/contract';
import { addressBlock } from '../../platform/kernel/address-block.ts';
import { fairQueue } from '../../platform/kernel/fair-queue.ts';
import type { SlowCrypto } from '../../platform/kernel/ports.ts';
import { type RsaPair, SLOW_THREADS } from '../../platform/kernel/slow-crypto.ts';

const BITS = 2048;
const READY = 4;
/**
 * Number of threads that generate pairs. The remaining threads stay free for other work, such as checks of passwords.
 */
const GENERATING = SLOW_THREADS - 1;
const WAITING = 128;

export type { RsaPair };
export const KEY_BYTES = BITS / 8;
export const newPair = (slowCrypto: SlowCrypto): Promise<RsaPair> => slowCrypto.makeRsaPair(BITS);

export interface KeyPairs {
  /**
   * Returns a key pair.
   * @throws SERVER_BUSY if too many requests wait, either from this address or from all addresses together
   */
  take(address: string): Promise<RsaPair>;
}

interface Waiter {
  resolve(pair: RsaPair): void;
  reject(error: unknown): void;
}

export function createKeyPairs(slowCrypto: SlowCrypto): KeyPairs {
  const ready: RsaPair[] = [];
  const waiting = fairQueue<Waiter>(WAITING);
  let generating = 0;

  function fill(): void {
    while (generating < GENERATING && ready.length + generating < READY + waiting.size) {
      generating += 1;
      void newPair(slowCrypto)
        .then(deliver, (error: unknown) => waiting.shift()?.reject(error))
        .finally(() => {
          generating -= 1;
          fill();
        });
    }
  }

  function deliver(pair: RsaPair): void {
    const next = waiting.shift();
    if (next) next.resolve(pair);
    else ready.push(pair);
  }

  return {
    take(address) {
      const pair = ready.shift();
      const taken = pair
        ? Promise.resolve(pair)
        : new Promise<RsaPair>((resolve, reject) => {
            const refused = waiting.push(addressBlock(address), { resolve, reject });
            refused?.reject(new ApiError('SERVER_BUSY', 'too many login keys are being made'));
          });
      fill();
      return taken;
    },
  };
}
