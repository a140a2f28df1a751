// Solves the challenge that an open server asks of people who register. A page runs this in a worker.
import type { Challenge, Solution } from '@sealpost/contract';
import { solveChallenge as solve } from 'altcha-lib';
import { deriveKey } from 'altcha-lib/algorithms/web/pbkdf2';

export interface SolveOptions {
  /**
   * Called with the probability, from 0 to 1, that the challenge would be solved after the tries so far. The
   * probability rises more and more slowly.
   */
  readonly onProgress?: (share: number) => void;
  /** Aborts the work. */
  readonly signal?: AbortSignal;
}

const HEX_VALUES = 16;

/**
 * Solves a challenge, which takes one or a few seconds of processor time.
 * @throws the reason of the signal if it aborts
 */
export async function solveChallenge(
  challenge: Challenge,
  { onProgress, signal }: SolveOptions = {},
): Promise<Solution> {
  const perTry = HEX_VALUES ** -challenge.parameters.keyPrefix.length;
  const controller = new AbortController();
  signal?.addEventListener('abort', () => controller.abort(), { once: true });
  let tries = 0;
  const found = await solve({
    challenge,
    controller,
    timeout: 0,
    deriveKey(...given) {
      tries += 1;
      onProgress?.(1 - (1 - perTry) ** tries);
      return deriveKey(...given);
    },
  });
  signal?.throwIfAborted();
  if (!found) throw new Error('the challenge was given up before it was solved');
  return { counter: found.counter, derivedKey: found.derivedKey };
}
