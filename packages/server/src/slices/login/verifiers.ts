// Verifiers of password logins. The first verifier names the login in long polls. The device gets the second verifier
// after the confirmation. Both contain a MAC of the login's id under the server's secret. So the server need not store
// a verifier, and can send it again if an answer is lost.
import { hmac, sameText } from '../../platform/kernel/digest.ts';
import type { ServerSecret } from '../sessions/index.ts';

export type VerifierKind = 'first' | 'second';

export interface Verifiers {
  make(loginId: string, kind: VerifierKind): string;
  /** Returns the id of the login that a verifier of either kind names; undefined if the verifier is invalid. */
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
