// The two ids of a QR login. The login id is public: it is in the QR code, and other devices use it. The authSessionId
// is secret: the device that began the login continues with it. The authSessionId contains a MAC, so nobody can derive
// it from the login id without the server's secret.
import { hmac, sameText } from '../../platform/kernel/digest.ts';
import type { ServerSecret } from '../sessions/index.ts';

export interface AuthSessionIds {
  make(loginId: string): string;
  /** Returns the login id in an authSessionId; undefined for any other text, such as a bare login id. */
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
