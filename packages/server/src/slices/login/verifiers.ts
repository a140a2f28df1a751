// Verifiers of credential logins: the first names the login for its polls, the second is the reward of the confirmation.
// Both are made from the login's id and the server's secret, so none is stored and a lost answer can be given again.
import { hmac, sameText } from '../../platform/kernel/digest.ts';
import type { ServerSecret } from '../sessions/index.ts';

export type VerifierKind = 'first' | 'second';

export interface Verifiers {
  make(loginId: string, kind: VerifierKind): string;
  /** The id of the login that a verifier of either kind names. */
  read(verifier: string): string | undefined;
}

const FORM = /^(CL[0-9a-f]{32})-(first|second)-[\w-]{43}$/;

export function createVerifiers(secret: ServerSecret): Verifiers {
  const key = secret.key('login verifier');
  const make = (loginId: string, kind: VerifierKind): string =>
    `${loginId}-${kind}-${hmac(key, `${loginId} ${kind}`).toString('base64url')}`;
  return {
    make,
    read(verifier) {
      const [, loginId, kind] = FORM.exec(verifier) ?? [];
      if (!loginId || !kind) return undefined;
      return sameText(make(loginId, kind as VerifierKind), verifier) ? loginId : undefined;
    },
  };
}
