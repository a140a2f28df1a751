// Request sequence numbers (specification: Wire conventions, reqSeq).
import type { Clock } from '@sealpost/contract/ports';

const START_MODULUS = 1_000_000_000;
const LARGEST_I32 = 2 ** 31 - 1;
/** The smallest reqSeq that serves as an idempotency key. */
const SMALLEST = 2;

/**
 * Returns a function that counts up, starting at a number made from the current time. A restarted client then does not
 * repeat the numbers of its last run.
 */
export function createReqSeq(clock: Clock): () => number {
  let next = clock.now() % START_MODULUS;
  return () => {
    next = next >= LARGEST_I32 || next < SMALLEST ? SMALLEST : next;
    return next++;
  };
}
