// Decides what the answer to a send call means for the message.
import { GatewayError, isPassing, NetworkError } from '../gateway/errors.ts';
import { MediaError } from '../media/media-error.ts';
import { SealingError } from '../sealing/reasons.ts';
import { KeyTrustError } from '../trust/key-trust-error.ts';
import type { SendFailureNote } from './outgoing.ts';

/**
 * The outcome of a failed attempt. `sent`: the server has these bytes already. `unknown`: the message may have arrived.
 * `later`: the server refused the call before it looked at the message, but an earlier attempt may have arrived.
 * `refused`: the message did not arrive, and the same message never will.
 */
export type Outcome =
  | { readonly kind: 'sent' }
  | { readonly kind: 'unknown' }
  | { readonly kind: 'later'; readonly waitMs: number | undefined }
  | {
      readonly kind: 'refused';
      readonly failure: SendFailureNote;
      /**
       * True if the SDK did not expect such an error, for example an answer of a wrong form. In this case, the next
       * attempt may have another result.
       */
      readonly odd: boolean;
    };

/**
 * Returns the outcome of an attempt that failed with this error. An answer of the server is a certain refusal only if
 * the contract's table names its error.
 */
export function outcomeOf(error: unknown, sealed: boolean): Outcome {
  if (error instanceof NetworkError) return { kind: 'unknown' };
  if (error instanceof GatewayError) {
    if (error.error === 'DUPLICATED' && sealed) return { kind: 'sent' };
    if (error.error === undefined || error.http >= 500) return { kind: 'unknown' };
    if (isPassing(error) || error.needsRenewal || error.endsSession) {
      return { kind: 'later', waitMs: error.retryAfterMs };
    }
  }
  return { kind: 'refused', failure: failureOf(error), odd: !isOwn(error) };
}

const OWN = [GatewayError, SealingError, KeyTrustError, MediaError] as const;
const isOwn = (error: unknown): boolean => OWN.some((type) => error instanceof type);

/** Returns the reason why a message was refused, in the form that the outbox keeps. */
export function failureOf(error: unknown): SendFailureNote {
  const text = error instanceof Error ? error.message : String(error);
  return { reason: reasonOf(error), text };
}

function reasonOf(error: unknown): string {
  if (error instanceof GatewayError) return error.error ?? `HTTP ${error.http}`;
  if (error instanceof SealingError || error instanceof KeyTrustError || error instanceof MediaError) {
    return error.reason;
  }
  return error instanceof Error ? error.name : 'error';
}
