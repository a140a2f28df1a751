// Token buckets, one for each key. A bucket holds at most `burst` tokens and gains `perSecond` tokens each second. What
// costs more than `burst` needs a full bucket, and its level falls below zero. So every cost is possible, but no bucket
// gives more over time. If there are too many keys, the least recently used bucket is dropped.

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

  const resultOf = (level: number, cost: number): TakeResult => {
    const lacking = Math.min(cost, burst) - level;
    return lacking > 0 ? { ok: false, retryAfterMs: Math.ceil((lacking / perSecond) * 1000) } : OK;
  };

  return {
    take(key, cost = 1) {
      const bucket = current(key);
      const result = resultOf(bucket.level, cost);
      if (result.ok) bucket.level -= cost;
      return result;
    },
    peek: (key, cost = 1) => resultOf(current(key).level, cost),
    give(key, cost = 1) {
      const bucket = current(key);
      bucket.level = Math.min(burst, bucket.level + cost);
    },
  };
}
