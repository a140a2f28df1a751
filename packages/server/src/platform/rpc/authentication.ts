// Authenticates a request: checks the signature over path and body, then finds the session of the token.
import { ApiError } from '@sealpost/contract';
import type { Logger } from '../kernel/logger.ts';
import type { SecurityEvents } from '../kernel/security-events.ts';
import type { Caller } from './call.ts';
import type { Exchange } from './exchange.ts';
import type { SessionLookup } from './live-session.ts';
import { requireSignature, type SignatureMode, type SignatureNeed, type Verifier } from './signature.ts';

export interface AuthenticationDeps {
  readonly sessions: SessionLookup;
  readonly signature: SignatureMode;
  readonly verifier: Verifier;
  readonly events: SecurityEvents;
  readonly log: Logger;
}

/** Returns the error for a request that needs an access token and has none. */
export const noToken = ({ accessHeader }: Exchange): ApiError =>
  new ApiError('REQUEST_NEED_LOGIN', `${accessHeader} is missing: send the access token of a login`);

/** The proofs that an endpoint requires from its callers. */
export interface Proof {
  readonly signature: SignatureNeed;
  readonly auth: 'user' | 'none';
  /** Whether the endpoint accepts the token in a cookie. */
  readonly cookie: boolean;
}

/** Checks the signature, then returns the caller. Nothing in the request is trusted or parsed before the check. */
export type Authenticate = (exchange: Exchange, body: Buffer, proof: Proof) => Promise<Caller | undefined>;

export function createAuthentication(deps: AuthenticationDeps): Authenticate {
  const { sessions, signature, verifier, events, log } = deps;
  return async (exchange, body, proof) => {
    const token = exchange.accessToken ?? (proof.cookie ? exchange.cookieToken : undefined) ?? '';
    const cached = token === '' ? undefined : sessions.cached(token);
    requireSignature(
      signature,
      verifier,
      proof.signature,
      {
        path: exchange.url,
        body,
        signature: exchange.signature,
        version: exchange.version,
        accessToken: token,
        accessHeader: proof.auth === 'user' ? exchange.accessHeader : undefined,
        keys: cached?.keys,
      },
      (path) => {
        events.note('wrong-signature', exchange.remoteAddress);
        log.debug({ path: path.split('?')[0] }, 'wrong signature let through by lenient mode');
      },
    );
    if (proof.auth === 'none') return undefined;
    if (token === '') throw noToken(exchange);
    return (cached ?? (await sessions.load(token))).caller;
  };
}
