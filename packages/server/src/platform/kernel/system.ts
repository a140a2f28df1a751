// The real clock, randomness and timers of the process, and its threads for slow cryptography.
import { randomBytes } from 'node:crypto';
import type { Timer } from '@sealpost/contract/ports';
import type { ServerPorts } from './ports.ts';
import { slowCrypto } from './slow-crypto.ts';

const POOL_BYTES = 4096;
let pool: Buffer<ArrayBuffer> = Buffer.alloc(0);
let used = 0;

/**
 * Returns random bytes from a block that was generated in advance, because calling the generator for every few bytes is
 * slow.
 */
function pooledBytes(length: number): Buffer<ArrayBuffer> {
  if (length > POOL_BYTES) return randomBytes(length);
  if (used + length > pool.length) {
    pool = randomBytes(POOL_BYTES);
    used = 0;
  }
  used += length;
  return pool.subarray(used - length, used);
}

export const systemPorts: ServerPorts = {
  clock: { now: () => Date.now(), monotonic: () => performance.now() },
  random: { bytes: pooledBytes },
  timers: {
    after: (ms, run) => toTimer(setTimeout(run, ms), clearTimeout),
    every: (ms, run) => toTimer(setInterval(run, ms), clearInterval),
  },
  crashPoint: () => {},
  slowCrypto,
};

/** Returns a timer that does not keep the process alive. The listening socket keeps the process alive. */
function toTimer(handle: NodeJS.Timeout, clear: (handle: NodeJS.Timeout) => void): Timer {
  handle.unref();
  return { cancel: () => clear(handle) };
}
