import { ApiError } from '@sealpost/contract';
import type { Store, Tx } from '../../platform/store/store.ts';

/**
 * Runs one step of a login in a transaction. An error that the step returns is thrown after the commit, so that a used-up
 * try stays counted. An error that the step throws rolls back.
 */
export async function runStep<T>(store: Store, step: (tx: Tx) => Promise<T | ApiError>): Promise<T> {
  const outcome = await store.transact(step);
  if (outcome instanceof ApiError) throw outcome;
  return outcome;
}
