// Makes the error for a call that the server refused.
import { loaded } from '../deferred.ts';
import { type ErrorBody, GatewayError } from './errors.ts';

/** Returns the error that an answer describes, with what the contract says about this error. */
export async function refusal(
  what: string,
  http: number,
  body: ErrorBody,
  retryAfterMs?: number,
): Promise<GatewayError> {
  const { knownError } = await loaded(import('./known-errors.ts'));
  return new GatewayError(what, http, body, { known: knownError(http, body), retryAfterMs });
}
