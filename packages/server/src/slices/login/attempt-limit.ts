// One limit on failures: some are free, then a delay lets through one attempt at a time and doubles. An attempt is
// counted as a failure before it is looked at, and taken back if it was none: so attempts that run at the same time,
// on any number of servers, never get more than their share.
import type { FailureLimit } from '@sealpost/contract';
import RateLimiterRes from 'rate-limiter-flexible/lib/RateLimiterRes.js';
import { RateExceeded } from '../../platform/rpc/rate-exceeded.ts';
import type { AttemptStore } from './attempt-store.ts';

export interface Attempt {
  /** Its number among the failures of the window. */
  readonly nth: number;
  /** It was no failure. */
  takeBack(): Promise<void>;
}

export interface AttemptLimit {
  /** Counts nothing. @throws EXCESSIVE_ACCESS */
  check(key: string): Promise<void>;
  /** @throws EXCESSIVE_ACCESS */
  take(key: string): Promise<Attempt>;
}

/** @param reason what a refused caller is told */
export function createAttemptLimit(
  attempts: AttemptStore,
  name: string,
  { free, windowSec, delaySec, longestDelaySec }: Omit<FailureLimit, 'doc'>,
  reason: string,
): AttemptLimit {
  const failures = attempts.limiter(name, free, windowSec);
  const turns = attempts.limiter(`${name} turn`, 1, longestDelaySec);
  const delayAfter = (late: number): number => Math.min(delaySec * 2 ** Math.min(late - 1, 30), longestDelaySec);

  return {
    async check(key) {
      const counted = await failures.get(key);
      if (!counted || counted.consumedPoints < free) return;
      const turn = await turns.get(key);
      if (turn && turn.consumedPoints > 0) throw new RateExceeded(reason, turn.msBeforeNext);
    },
    async take(key) {
      const { consumedPoints: nth } = await failures.consume(key).catch(overLimit);
      // The last free one starts the first delay.
      const late = nth - free + 1;
      if (late > 0) {
        await turns.consume(key, 1, { customDuration: delayAfter(late) }).catch((refusal) => {
          throw new RateExceeded(reason, overLimit(refusal).msBeforeNext);
        });
      }
      return {
        nth,
        async takeBack() {
          await Promise.all([failures.reward(key), late > 0 && turns.delete(key)]);
        },
      };
    },
  };
}

/** The library throws its refusals as results; anything else is a fault. */
function overLimit(thrown: unknown): RateLimiterRes {
  if (thrown instanceof RateLimiterRes) return thrown;
  throw thrown;
}
