// Finds out from an error why a call of the registration was refused.
import type { InviteState } from '@sealpost/contract';
import { RegistrationError } from '../../../client/registration.ts';

export type FieldName = 'userid' | 'password' | 'displayName';

export type Refusal =
  /**
   * There were too many calls, wrong codes or new accounts. `until` is the time in epoch milliseconds after which the
   * user may try again.
   */
  | { readonly kind: 'wait'; readonly until: number }
  /** The server refused the values of some fields. */
  | { readonly kind: 'fields'; readonly fields: readonly FieldName[] }
  | { readonly kind: 'other'; readonly detail: string }
  | {
      readonly kind:
        | Exclude<InviteState, 'usable'>
        /** The invite or the solved challenge can no longer be used. */
        | 'over'
        | 'unknown-code'
        /** The solution of the challenge is wrong, or it came too late. */
        | 'work'
        | 'taken'
        | 'closed'
        | 'network';
    };

const FIELDS: readonly FieldName[] = ['userid', 'password', 'displayName'];
const USUAL_WAIT_MS = 5_000;

const byStatus: Readonly<Record<number, 'closed' | 'unknown-code' | 'taken' | 'over' | 'work'>> = {
  403: 'closed',
  404: 'unknown-code',
  409: 'taken',
  410: 'over',
  422: 'work',
};

/**
 * Returns the reason why a call was refused.
 * @param now the time in epoch milliseconds
 */
export function refusalOf(error: unknown, now: number): Refusal {
  if (!(error instanceof RegistrationError)) {
    if (!(error instanceof Error)) return { kind: 'other', detail: String(error) };
    return error.name === 'NetworkError' ? { kind: 'network' } : { kind: 'other', detail: error.message };
  }
  const { status, detail, errors, retryAfterMs = USUAL_WAIT_MS } = error;
  if (status === 429) return { kind: 'wait', until: now + retryAfterMs };
  const kind = byStatus[status];
  if (kind !== undefined) return { kind };
  const fields = FIELDS.filter((name) => errors.some(({ field }) => field === name));
  return fields.length > 0 ? { kind: 'fields', fields } : { kind: 'other', detail };
}
