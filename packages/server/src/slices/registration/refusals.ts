// The refusals of the registration API, as problems.
import type { InviteState } from '@sealpost/contract';
import { Problem } from '../../platform/json-api/problem.ts';
import { RateExceeded } from '../../platform/rpc/rate-exceeded.ts';
import { AccountConflict, InvalidAccount } from '../accounts/index.ts';

export const unknownCode = (): Problem =>
  new Problem(404, 'no invite has this code: compare it with the invitation letter by letter');

export const CLOSED = 'this server opens no accounts itself: ask whoever runs it';
export const INVITE_NEEDED = 'this server opens accounts for people with an invite only: send its code';
export const CHALLENGE_USED = 'the challenge was used already; ask for another';

const overTexts: Readonly<Record<Exclude<InviteState, 'usable'>, string>> = {
  'used-up': 'the invite is used up: all its accounts are open already',
  expired: 'the invite has expired',
  revoked: 'the invite was revoked',
};

/**
 * Returns the problem for an invite that cannot be used. If the state says `usable`, another registration has just
 * taken the last use.
 */
export const inviteOver = (state: InviteState): Problem =>
  new Problem(410, `${overTexts[state === 'usable' ? 'used-up' : state]}; ask for another`);

/** Returns the problem for an error of the account rules or of a limit; undefined for any other error. */
export function problemOf(error: unknown): Problem | undefined {
  if (error instanceof InvalidAccount) return new Problem(400, error.message, { errors: error.errors });
  if (error instanceof AccountConflict) return new Problem(409, error.message, { field: error.field });
  if (!(error instanceof RateExceeded)) return undefined;
  const seconds = Math.ceil(error.retryAfterMs / 1000);
  return new Problem(429, `${error.reason}; wait ${seconds} s`, { retryAfter: seconds });
}
