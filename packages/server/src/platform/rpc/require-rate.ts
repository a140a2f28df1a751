import type { LimitClass } from '@sealpost/contract';
import { addressBlock } from '../kernel/address-block.ts';
import type { Caller } from './call.ts';
import { RateExceeded } from './rate-exceeded.ts';
import type { RateLimits } from './rate-limit.ts';
import type { TakeResult } from './token-bucket.ts';

const bucketOf = (caller: Caller | undefined, address: string): number | string =>
  caller?.accountId ?? addressBlock(address);

/** Counts a call of an account, or of an address if the call needs no login. Throws if it is one too many. */
export function requireRate(rates: RateLimits, limit: LimitClass, caller: Caller | undefined, address: string): void {
  requireTaken(limit, rates.take(limit, bucketOf(caller, address)));
}

/**
 * Counts a call as several calls. The call was already counted once, before its arguments were read. If it is refused,
 * it does not count at all. So the time to wait, which the error tells, is enough for the whole call.
 */
export function requireRateOf(
  calls: number,
  rates: RateLimits,
  limit: LimitClass,
  caller: Caller | undefined,
  address: string,
): void {
  if (calls <= 1) return;
  const bucket = bucketOf(caller, address);
  rates.give(limit, bucket);
  requireTaken(limit, rates.take(limit, bucket, calls));
}

function requireTaken(limit: LimitClass, taken: TakeResult): void {
  if (taken.ok) return;
  const seconds = Math.ceil(taken.retryAfterMs / 1000);
  throw new RateExceeded(`too many calls of the class ${limit}; wait ${seconds} s`, taken.retryAfterMs);
}
