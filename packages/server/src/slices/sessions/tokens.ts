// Creates and reads the texts of tokens. The texts are derived from the server secret and from stored facts. So the
// server can send a lost token again, although the store contains only hashes of access tokens.
import { hmac, sameText } from '../../platform/kernel/digest.ts';
import type { ServerSecret } from './server-secret.ts';

export interface AccessClaims {
  /** Time of issue in seconds since 1970. */
  readonly iat: number;
  readonly exp: number;
  readonly aid: string;
  /** Id of the login session. */
  readonly lsid: string;
  readonly jti: string;
}

export interface RefreshClaims {
  readonly sessionId: number;
  readonly generation: number;
}

export interface Tokens {
  access(session: { id: number; mid: string }, generation: number, issuedTime: number, expiresTime: number): string;
  /** Returns the claims of a token with a valid signature, even if it has expired. */
  readAccess(token: string): AccessClaims | undefined;
  refresh(sessionId: number, generation: number): string;
  readRefresh(token: string): RefreshClaims | undefined;
  /**
   * Returns functions for tokens of a further purpose, in addition to the access and refresh tokens of the protocol.
   */
  scoped(purpose: string): ScopedTokens;
}

/** Signed texts that contain a session id and an expiry time. */
export interface ScopedTokens {
  /**
   * Returns a signed token.
   * @param id makes the token unique, even if another token has the same session and time
   */
  make(sessionId: number, expiresTime: number, id: number): string;
  read(token: string): { readonly sessionId: number; readonly expiresTime: number } | undefined;
}

const JWT_HEADER = Buffer.from('{"alg":"HS256","typ":"JWT"}').toString('base64url');
const JWT = /^([\w-]{1,100})\.([\w-]{1,1000})\.([\w-]{43})$/;
const NUMBERED = /^(\d{1,16}(?:\.\d{1,16}){1,2})\.([\w-]{43})$/;
const JTI_BYTES = 16;

export function createTokens(secret: ServerSecret): Tokens {
  const accessKey = secret.key('access token');
  const idKey = secret.key('access token id');
  const refreshKey = secret.key('refresh token');

  function numbered(key: Buffer, ...numbers: readonly number[]): string {
    const text = numbers.join('.');
    return `${text}.${hmac(key, text).toString('base64url')}`;
  }

  function readNumbered(key: Buffer, token: string, count: number): readonly number[] | undefined {
    const numbers = NUMBERED.exec(token)?.[1]?.split('.').map(Number);
    if (numbers?.length !== count || !numbers.every(Number.isSafeInteger)) return undefined;
    return sameText(numbered(key, ...numbers), token) ? numbers : undefined;
  }

  return {
    access(session, generation, issuedTime, expiresTime) {
      const claims: AccessClaims = {
        iat: Math.floor(issuedTime / 1000),
        exp: Math.floor(expiresTime / 1000),
        aid: session.mid,
        lsid: String(session.id),
        jti: hmac(idKey, `${session.id}.${generation}`).subarray(0, JTI_BYTES).toString('base64url'),
      };
      const signed = `${JWT_HEADER}.${Buffer.from(JSON.stringify(claims)).toString('base64url')}`;
      return `${signed}.${hmac(accessKey, signed).toString('base64url')}`;
    },
    readAccess(token) {
      const match = JWT.exec(token);
      if (!match) return undefined;
      const signed = `${match[1]}.${match[2]}`;
      if (!sameText(hmac(accessKey, signed).toString('base64url'), match[3] ?? '')) return undefined;
      return JSON.parse(Buffer.from(match[2] ?? '', 'base64url').toString()) as AccessClaims;
    },
    refresh: (sessionId, generation) => numbered(refreshKey, sessionId, generation),
    readRefresh(token) {
      const [sessionId, generation] = readNumbered(refreshKey, token, 2) ?? [];
      return sessionId === undefined || generation === undefined ? undefined : { sessionId, generation };
    },
    scoped(purpose) {
      const key = secret.key(purpose);
      return {
        make: (sessionId, expiresTime, id) => numbered(key, sessionId, expiresTime, id),
        read(token) {
          const [sessionId, expiresTime] = readNumbered(key, token, 3) ?? [];
          return sessionId === undefined || expiresTime === undefined ? undefined : { sessionId, expiresTime };
        },
      };
    },
  };
}
