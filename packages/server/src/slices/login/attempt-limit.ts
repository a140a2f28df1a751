// Limits failures of one kind, such as wrong passwords. The first attempts need not wait. After a number of failures,
// only one attempt per delay is allowed. Each delay is twice as long as the one before, up to a maximum. An attempt is
// counted as a failure before it is checked, and the count is taken back if it succeeds. So concurrent attempts stay
// within the limit, even at several servers.
import type { FailureLimit } from '@sealpost/contract';
import RateLimiterRes from 'rate-limiter-flexible/lib/RateLimiterRes.js';
import { RateExceeded } from '../../platform/rpc/rate-exceeded.ts';
import type { AttemptStore } from './attempt-store.ts';

export interface Attempt {
  /** Number of the attempt among the failures of the time window; the first is 1. */
  readonly nth: number;
  /** Takes back the count of the attempt, because the attempt was not a failure. */
  takeBack(): Promise<void>;
}

export interface AttemptLimit {
  /**
   * Throws if an attempt is not allowed now; counts nothing.
   * @throws EXCESSIVE_ACCESS
   */
  check(key: string): Promise<void>;
  /**
   * Begins an attempt. It counts as a failure until it is taken back.
   * @throws EXCESSIVE_ACCESS if an attempt is not allowed now
   */
  take(key: string): Promise<Attempt>;
}

/**
 * Returns a limit on the failures of each key.
 * @param reason the text that a refused caller gets
 */
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
      // The first delay follows failure number `free`.
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

/**
 * Returns the thrown value if it is a refusal by the library; rethrows any other value. A refusal is not an `Error`.
 */
function overLimit(thrown: unknown): RateLimiterRes {
  if (thrown instanceof RateLimiterRes) return thrown;
  throw thrown;
}
