// The rate limits of the contract as token buckets in the memory of one server.
import { type LimitClass, rateLimits } from '@sealpost/contract';
import type { Clock } from '@sealpost/contract/ports';
import { type Buckets, createBuckets, type TakeResult } from './token-bucket.ts';

const MAX_KEYS = 100_000;

export type RateSettings = {
  readonly [L in LimitClass]?: { readonly burst: number; readonly perSecond: number };
};

export interface RateLimits {
  /**
   * Takes tokens from the bucket of a key.
   * @param cost tokens to take, 1 by default
   */
  take(limit: LimitClass, key: number | string, cost?: number): TakeResult;
  /** Returns one token to the bucket. */
  give(limit: LimitClass, key: number | string): void;
}

export function createRateLimits(clock: Clock, settings: RateSettings): RateLimits {
  const buckets = new Map<LimitClass, Buckets>();
  for (const limit of Object.keys(rateLimits) as LimitClass[]) {
    buckets.set(limit, createBuckets(clock, settings[limit] ?? rateLimits[limit], MAX_KEYS));
  }
  const of = (limit: LimitClass): Buckets => buckets.get(limit) as Buckets;
  return {
    take: (limit, key, cost) => of(limit).take(key, cost),
    give: (limit, key) => of(limit).give(key),
  };
}
