// Failed logins are counted per account and per address. Successful ones give back what they took.
import { loginFailureLimits } from '@sealpost/contract';
import type { Clock } from '../kernel/ports.ts';
import { RateExceeded } from '../rpc/rate-exceeded.ts';
import { type Buckets, createBuckets, type Taken } from '../rpc/token-bucket.ts';

const REMEMBERED = 100_000;

/**
 * Whose failures: the same account under any of its identifiers, and the address. A device that the account knows is
 * counted apart, so that strangers who guess the password cannot keep its owner out.
 */
export interface Attempt {
  readonly who: string;
  readonly address: string;
}

export interface Failures {
  /** Throws EXCESSIVE_ACCESS when there were too many. */
  check(attempt: Attempt): void;
  /** As `check`, and counts a failure. Answers whether it was the last that is allowed for now. */
  count(attempt: Attempt): boolean;
  /** It was none. */
  forgive(attempt: Attempt): void;
}

export function createFailures(clock: Clock): Failures {
  const perAccount = createBuckets(clock, loginFailureLimits.perAccount, REMEMBERED);
  const perAddress = createBuckets(clock, loginFailureLimits.perAddress, REMEMBERED);

  const each = ({ who, address }: Attempt): [Buckets, string][] => [
    [perAddress, address],
    [perAccount, who],
  ];
  function check(attempt: Attempt): void {
    for (const [buckets, key] of each(attempt)) refuseUnless(buckets.peek(key));
  }
  return {
    check,
    count(attempt) {
      check(attempt);
      for (const [buckets, key] of each(attempt)) buckets.take(key);
      return !perAccount.peek(attempt.who).ok;
    },
    forgive(attempt) {
      for (const [buckets, key] of each(attempt)) buckets.give(key);
    },
  };
}

function refuseUnless(taken: Taken): void {
  if (taken.ok) return;
  throw new RateExceeded('Too many login attempts', taken.retryAfterMs);
}
