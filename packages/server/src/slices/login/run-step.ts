import { ApiError } from '@sealpost/contract';
import type { Store, Tx } from '../../platform/store/store.ts';

/**
 * Runs one step of a login in a transaction. If the step returns an error, the error is thrown after the commit, so
 * that a used-up try stays counted. If the step throws, the transaction rolls back.
 */
export async function runStep<T>(store: Store, step: (tx: Tx) => Promise<T | ApiError>): Promise<T> {
  const outcome = await store.transact(step);
  if (outcome instanceof ApiError) throw outcome;
  return outcome;
}
