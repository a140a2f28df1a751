// Token buckets, one for each key. A bucket holds at most `burst` tokens and gains `perSecond` tokens each second. If
// there are too many keys, the least recently used bucket is dropped.

import type { Clock } from '@sealpost/contract/ports';
import { growingCache } from '../kernel/growing-cache.ts';

export interface BucketRate {
  readonly burst: number;
  readonly perSecond: number;
}

export type TakeResult = { readonly ok: true } | { readonly ok: false; readonly retryAfterMs: number };

export interface Buckets {
  take(key: string | number, cost?: number): TakeResult;
  /** Returns what `take` would return, without taking tokens. */
  peek(key: string | number, cost?: number): TakeResult;
  /** Returns tokens to the bucket. */
  give(key: string | number, cost?: number): void;
}

interface Bucket {
  level: number;
  /** Time on the monotonic clock at which `level` was calculated. */
  time: number;
}

const OK: TakeResult = { ok: true };

/**
 * Creates the buckets.
 * @param max keys to remember; a dropped bucket starts full again
 */
export function createBuckets(clock: Clock, { burst, perSecond }: BucketRate, max: number): Buckets {
  const buckets = growingCache<string | number, Bucket>(max);

  function current(key: string | number): Bucket {
    const now = clock.monotonic();
    const bucket = buckets.get(key);
    if (!bucket) {
      const full = { level: burst, time: now };
      buckets.set(key, full);
      return full;
    }
    bucket.level = Math.min(burst, bucket.level + ((now - bucket.time) / 1000) * perSecond);
    bucket.time = now;
    return bucket;
  }

  const refusal = (level: number, cost: number): TakeResult => ({
    ok: false,
    retryAfterMs: Math.ceil(((cost - level) / perSecond) * 1000),
  });

  return {
    take(key, cost = 1) {
      const bucket = current(key);
      if (bucket.level < cost) return refusal(bucket.level, cost);
      bucket.level -= cost;
      return OK;
    },
    peek(key, cost = 1) {
      const { level } = current(key);
      return level < cost ? refusal(level, cost) : OK;
    },
    give(key, cost = 1) {
      const bucket = current(key);
      bucket.level = Math.min(burst, bucket.level + cost);
    },
  };
}
