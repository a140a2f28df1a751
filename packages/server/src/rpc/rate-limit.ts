// The limit classes of the contract as token buckets, in memory of one server.
import { type LimitClass, rateLimits } from '@sealpost/contract';
import type { Clock } from '../kernel/ports.ts';
import { type Buckets, createBuckets, type Taken } from './token-bucket.ts';

const MAX_KEYS = 100_000;

export type RateSettings = {
  readonly [L in LimitClass]?: { readonly burst: number; readonly perSecond: number };
};

export interface RateLimits {
  /** @param cost calls that this one counts as; 1 if not given */
  take(limit: LimitClass, key: number | string, cost?: number): Taken;
}

export function createRateLimits(clock: Clock, settings: RateSettings): RateLimits {
  const buckets = new Map<LimitClass, Buckets>();
  for (const limit of Object.keys(rateLimits) as LimitClass[]) {
    buckets.set(limit, createBuckets(clock, settings[limit] ?? rateLimits[limit], MAX_KEYS));
  }
  return { take: (limit, key, cost) => (buckets.get(limit) as Buckets).take(key, cost) };
}
