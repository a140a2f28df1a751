// The two names of a QR login. Its login id is public: it is in the code, and other devices go by it. Its authSessionId
// is what the device that began it goes on with; nobody makes it from the login id without the server's secret.
import { hmac, sameText } from '../../platform/kernel/digest.ts';
import type { ServerSecret } from '../sessions/index.ts';

export interface AuthSessionIds {
  make(loginId: string): string;
  /** The login id of an authSessionId; undefined for anything else, a login id included. */
  read(authSessionId: string): string | undefined;
}

const FORM = /^(SQ[0-9a-f]{32})[0-9a-f]{64}$/;

export function createAuthSessionIds(secret: ServerSecret): AuthSessionIds {
  const key = secret.key('auth session id');
  const make = (loginId: string): string => loginId + hmac(key, loginId).toString('hex');
  return {
    make,
    read(authSessionId) {
      const [, loginId] = FORM.exec(authSessionId) ?? [];
      return loginId && sameText(make(loginId), authSessionId) ? loginId : undefined;
    },
  };
}
