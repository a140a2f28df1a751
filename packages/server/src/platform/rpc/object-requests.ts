// Endpoints of object storage. Requests are handled while their bodies still arrive, so nothing in this file reads a
// body. The handler reads the body piece by piece, or leaves it unread.
import type { IncomingMessage, ServerResponse } from 'node:http';
import { ApiError } from '@sealpost/contract';
import { type HttpEndpoint, httpEndpoints } from '@sealpost/contract/schemas';
import { queryOf } from '../http/query.ts';
import { noToken } from './authentication.ts';
import type { Caller } from './call.ts';
import type { Endpoint } from './endpoint.ts';
import type { Exchange } from './exchange.ts';
import type { SessionLookup } from './live-session.ts';
import { type ObjectPath, readObjectPath } from './object-paths.ts';
import { type BodySignature, type BodySignatureDeps, bodySignature } from './signature.ts';

/** The proof that a path requires: none, an access token or a channel token. */
export type ObjectAuth = 'none' | 'access' | 'channel';

export interface ObjectCall {
  readonly path: ObjectPath;
  readonly request: IncomingMessage;
  readonly response: ServerResponse;
  readonly query: URLSearchParams;
  readonly caller: Caller | undefined;
  header(name: string): string | undefined;
  /**
   * The check of the body's signature. The handler passes each piece of the body to the check. Undefined if the request
   * has no signature to check.
   */
  readonly signature: BodySignature | undefined;
  /** Headers to add to the response. */
  readonly extraHeaders: readonly string[];
}

export interface ObjectHandlers {
  /**
   * Returns the proof that a path requires. Returns undefined if the path names no kind of object, or a kind that does
   * not accept the HTTP method.
   */
  authOf(path: ObjectPath, verb: string): ObjectAuth | undefined;
  readonly serve: {
    /** Returns JSON; undefined if the handler has written the response itself. */
    readonly [O in ObjectPath['endpoint']]: (call: ObjectCall) => Promise<string | undefined>;
  };
}

/** The functions of the sessions slice that object storage needs. */
export interface ObjectCallers extends SessionLookup {
  readObjectToken(token: string): Promise<Caller | undefined>;
}

export interface ObjectRequestDeps {
  /** Returns the caller that a channel token belongs to; undefined for any other text. */
  readonly channelCallerOf: (token: string | undefined) => Promise<Caller | undefined>;
  readonly callers: ObjectCallers;
  readonly handlers: ObjectHandlers;
  readonly signatures: BodySignatureDeps;
}

/** Headers that allow pages in a browser to read the headers of object storage. */
export const EXPOSED_OF_OBJECTS: readonly string[] = [
  'Access-Control-Expose-Headers',
  'x-obs-oid, x-obs-hash, x-obs-offset, Content-Range, ETag',
];

/**
 * Returns a function that finds the endpoint of a path below `/r/`. Kinds of objects differ in the HTTP methods that
 * they accept.
 */
export function createObjectEndpoints(deps: ObjectRequestDeps): (path: string) => Endpoint | undefined {
  const { handlers } = deps;
  return (text) => {
    const path = readObjectPath(text);
    if (!path) return undefined;
    const declared: HttpEndpoint = httpEndpoints[path.endpoint];
    const verbs = Object.fromEntries(Object.entries(declared.verbs).filter(([verb]) => handlers.authOf(path, verb)));
    // A path that names no kind of object accepts no HTTP method.
    if (Object.keys(verbs).length === 0) return undefined;
    return {
      name: path.endpoint,
      entry: declared,
      verbs,
      bodyBytes: undefined,
      authenticate: (exchange) => callerOf(exchange, handlers.authOf(path, exchange.verb), deps),
      async handle(exchange, caller) {
        const { request, response, extraHeaders } = exchange;
        const signature = signatureOf(exchange, handlers.authOf(path, exchange.verb), deps.signatures);
        // GET and HEAD have no body, so the signature can be checked at once.
        if (exchange.verb !== 'POST') signature?.require();
        return handlers.serve[path.endpoint]({
          ...{ path, request, response, caller, signature, extraHeaders },
          query: queryOf(exchange.url),
          header: (name) => exchange.header(name.toLowerCase()),
        });
      },
      toldOf: (error) => error,
      declared,
    };
  };
}

async function callerOf(
  exchange: Exchange,
  auth: ObjectAuth | undefined,
  { callers, channelCallerOf }: ObjectRequestDeps,
): Promise<Caller | undefined> {
  if (auth === 'none') return undefined;
  if (auth === 'channel') {
    const caller = await channelCallerOf(exchange.channelToken);
    if (!caller) throw new ApiError('REQUEST_NEED_LOGIN', 'the channel token is missing, wrong or expired');
    return caller;
  }
  // Browsers also send cookies with requests that other sites cause. So a cookie does not authorize a change.
  const cookie = exchange.verb === 'POST' ? undefined : exchange.cookieToken;
  const token = exchange.accessToken ?? cookie ?? '';
  if (token === '') throw noToken(exchange);
  return (await callers.readObjectToken(token)) ?? (callers.cached(token) ?? (await callers.load(token))).caller;
}

/** Returns the check of a signature. Object storage requires no signature, but a signature that is sent is checked. */
const signatureOf = (
  exchange: Exchange,
  auth: ObjectAuth | undefined,
  deps: BodySignatureDeps,
): BodySignature | undefined =>
  bodySignature(deps, {
    path: exchange.url,
    signature: exchange.signature,
    version: exchange.version,
    accessToken: exchange.accessToken ?? '',
    accessHeader: auth === 'access' ? exchange.accessHeader : undefined,
  });
