// Finds out why a login failed, from an error of the SDK.

/** The fields of a failed call's error that tell why the login failed. */
export interface LoginFailure {
  readonly name: string;
  readonly fields: Readonly<Record<string, unknown>>;
}

export type LoginProblem =
  | { readonly kind: 'too-many' | 'busy'; readonly waitMs: number }
  | {
      readonly kind:
        | 'wrong'
        | 'disabled'
        | 'network'
        | 'over'
        | 'pin'
        | 'unsafe'
        | 'no-more-devices'
        | 'not-allowed'
        | 'cancelled'
        | 'other';
    };

const USUAL_WAIT_MS = 5_000;

const byName: Readonly<Record<string, LoginProblem['kind']>> = {
  INVALID_IDENTITY_CREDENTIAL: 'wrong',
  NOT_FOUND: 'wrong',
  EXCESSIVE_ACCESS: 'too-many',
  SERVER_BUSY: 'busy',
  ABUSE_BLOCK: 'disabled',
  NOT_ALLOWED_SECONDARY_DEVICE: 'no-more-devices',
  FEATURE_RESTRICTED: 'not-allowed',
  AUTHENTICATION_FAILED: 'over',
  QR_INVALID_CONTEXT: 'over',
  QR_NOT_ALLOWED: 'over',
};

const byKind: Readonly<Record<string, LoginProblem['kind']>> = {
  refused: 'over',
  expired: 'over',
  pin: 'pin',
  unsafe: 'unsafe',
};

/** Returns the problem behind a failed login. */
export function loginProblemOf({ name, fields }: LoginFailure): LoginProblem {
  if (name === 'AbortError') return { kind: 'cancelled' };
  if (name === 'NetworkError') return { kind: 'network' };
  const kind = byName[String(fields.error)] ?? byKind[String(fields.kind)] ?? 'other';
  if (kind !== 'too-many' && kind !== 'busy') return { kind };
  return { kind, waitMs: typeof fields.retryAfterMs === 'number' ? fields.retryAfterMs : USUAL_WAIT_MS };
}
