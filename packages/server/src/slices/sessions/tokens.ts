// The texts of tokens. All are made from the server secret and facts in the store, so that a lost answer can be given
// again, and only hashes of access tokens are kept.
import { hmac, sameText } from '../../platform/kernel/digest.ts';
import type { ServerSecret } from './server-secret.ts';

export interface AccessClaims {
  /** Seconds since the epoch. */
  readonly iat: number;
  readonly exp: number;
  readonly aid: string;
  /** The login session's id. */
  readonly lsid: string;
  readonly jti: string;
}

export interface RefreshClaims {
  readonly sessionId: number;
  readonly generation: number;
}

export interface Tokens {
  access(session: { id: number; mid: string }, generation: number, issuedTime: number, expiresTime: number): string;
  /** The claims of a token that this server signed, expired or not. */
  readAccess(token: string): AccessClaims | undefined;
  refresh(sessionId: number, generation: number): string;
  readRefresh(token: string): RefreshClaims | undefined;
  /** Tokens for one purpose beside the protocol's own. */
  scoped(purpose: string): ScopedTokens;
}

/** Texts that name a session and a time. */
export interface ScopedTokens {
  /** @param id makes it another token than every other one, those of the same moment included */
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
