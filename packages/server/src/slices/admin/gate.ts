// Admits requests by the admin token of the server, by a token that an administrator made, or by the cookie of an
// administrator. Requests without any of them are rate-limited per address and recorded.
import type { IncomingMessage } from 'node:http';
import { type AdminScope, TOKEN_PREFIX, type TokenScope } from '@sealpost/contract/admin';
import type { ClientAddress } from '../../platform/http/client-address.ts';
import type { Asked } from '../../platform/json-api/json-routes.ts';
import { Problem } from '../../platform/json-api/problem.ts';
import { addressBlock } from '../../platform/kernel/address-block.ts';
import { sameText } from '../../platform/kernel/digest.ts';
import type { SecurityEvents } from '../../platform/kernel/security-events.ts';
import type { RateLimits } from '../../platform/rpc/rate-limit.ts';
import type { AdminCaller, CallerSession } from './call.ts';
import { isOfOwnPage } from './same-origin.ts';

/** Finds the owners of cookies and of the tokens that administrators made. */
export interface AdminCredentials {
  sessionOf(cookieHeader: string | undefined): Promise<CallerSession | undefined>;
  /** Returns true if there is a cookie in the form of those that administrators get. */
  hasCookie(cookieHeader: string | undefined): boolean;
  tokenOf(token: string): Promise<{ readonly name: string; readonly scopes: readonly TokenScope[] } | undefined>;
}

export interface AdminGateDeps {
  readonly adminToken: string;
  readonly credentials: AdminCredentials;
  /** Returns the origin of the address that clients use; undefined until it is known. */
  readonly origin: () => string | undefined;
  readonly clientAddress: ClientAddress;
  readonly rates: RateLimits;
  readonly events: SecurityEvents;
}

/**
 * Returns the caller. Throws unless the caller may call the endpoint. On a path without an endpoint, any known caller
 * gets the answer that there is no endpoint.
 * @throws Problem
 */
export type AdminGate = (request: IncomingMessage, asked: Asked) => Promise<AdminCaller>;

export function createAdminGate(deps: AdminGateDeps): AdminGate {
  const { credentials, clientAddress, origin } = deps;
  return async (request, { endpoint, addHeader }) => {
    const address = clientAddress(request);
    const common = {
      address,
      userAgent: request.headers['user-agent'] ?? '',
      setCookie: (cookie: string) => addHeader('set-cookie', cookie),
    };
    const scope = endpoint?.scope;
    const { authorization = '', cookie } = request.headers;
    // Browsers add their password for a proxy to each request, as "Basic".
    if (scope !== 'none' && /^Bearer\b/i.test(authorization)) {
      return { ...common, actor: await tokenActor(deps, authorization, scope, address) };
    }
    const isChange = request.method !== 'GET' && request.method !== 'HEAD';
    const session = await credentials.sessionOf(cookie);
    if (isChange && (session || scope === 'none') && !isOfOwnPage(request, origin())) {
      throw new Problem(403, 'a change with the cookie of an administrator must come from a page of this server');
    }
    if (scope === 'none') return { ...common, actor: actorOf(session), session };
    // Nobody guesses a cookie, so one of an ended session does not count as an attempt.
    if (!session && credentials.hasCookie(cookie)) throw new Problem(401, 'the session has ended; log in again');
    if (!session) refuseToken(deps, address);
    if (session.state !== 'full' && scope !== 'login')
      throw new Problem(401, `the login is not finished: ${session.state}`);
    return { ...common, actor: actorOf(session), session };
  };
}

const actorOf = (session: CallerSession | undefined): string =>
  session ? `administrator:${session.administrator}` : 'anybody';

/** Returns the name of a token's owner in the audit log. */
async function tokenActor(
  deps: AdminGateDeps,
  authorization: string,
  scope: AdminScope | undefined,
  address: string,
): Promise<string> {
  const given = /^Bearer +(\S+)$/i.exec(authorization)?.[1] ?? '';
  // The limit is checked before the token, so that an address over the limit cannot test tokens.
  takeTurn(deps, address);
  deps.rates.give('admin', addressBlock(address));
  const ofServer = sameText(given, deps.adminToken);
  const made = !ofServer && given.startsWith(TOKEN_PREFIX) ? await deps.credentials.tokenOf(given) : undefined;
  if (!ofServer && !made) refuseToken(deps, address);
  if (scope === 'login' || scope === 'administrator') {
    throw new Problem(403, 'only an administrator who is logged in may call this endpoint, not a token');
  }
  if (!made) return 'admin-token';
  if (scope !== undefined && !made.scopes.some((own) => own === scope)) {
    throw new Problem(403, `the token has the scopes ${made.scopes.join(', ')}, and this endpoint needs ${scope}`);
  }
  return `token:${made.name}`;
}

function refuseToken(deps: AdminGateDeps, address: string): never {
  takeTurn(deps, address);
  deps.events.note('wrong-admin-token', address);
  throw new Problem(401, 'the header Authorization must be "Bearer" and the admin token, or an administrator logs in');
}

function takeTurn({ rates, events }: AdminGateDeps, address: string): void {
  const turn = rates.take('admin', addressBlock(address));
  if (turn.ok) return;
  events.note('limit', address);
  const seconds = Math.ceil(turn.retryAfterMs / 1000);
  throw new Problem(429, `too many requests with wrong admin tokens from this address; wait ${seconds} s`, {
    retryAfter: seconds,
  });
}
