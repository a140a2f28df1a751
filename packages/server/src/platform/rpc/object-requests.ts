// Objects as endpoints. Unlike all others they are answered while their bodies are still arriving, so nothing here
// reads a body: the handler takes it piece by piece, or leaves it.
import type { IncomingMessage, ServerResponse } from 'node:http';
import { ApiError } from '@sealpost/contract';
import { type HttpEndpoint, httpEndpoints } from '@sealpost/contract/schemas';
import { queryOf } from '../http/query.ts';
import type { Caller } from './call.ts';
import type { Endpoint } from './endpoint.ts';
import type { Exchange } from './exchange.ts';
import type { SessionLookup } from './live-session.ts';
import { type ObjectPath, readObjectPath } from './object-paths.ts';
import { type BodySignature, type BodySignatureDeps, bodySignature } from './signature.ts';

/** Which proof of the caller a path asks for (specification: Authentication, Object-storage headers). */
export type ObjectAuth = 'none' | 'access' | 'channel';

export interface ObjectCall {
  readonly path: ObjectPath;
  readonly request: IncomingMessage;
  readonly response: ServerResponse;
  readonly query: URLSearchParams;
  readonly caller: Caller | undefined;
  header(name: string): string | undefined;
  /** The check of the body's signature, which the handler feeds; undefined where there is none. */
  readonly signature: BodySignature | undefined;
  /** Headers to add to the answer. */
  readonly extraHeaders: readonly string[];
}

export interface ObjectHandlers {
  /** Undefined where the path names no kind of object, or one that does not take the verb. */
  authOf(path: ObjectPath, verb: string): ObjectAuth | undefined;
  readonly serve: {
    /** Answers JSON, or undefined when the handler wrote the answer itself. */
    readonly [O in ObjectPath['endpoint']]: (call: ObjectCall) => Promise<string | undefined>;
  };
}

/** What object storage asks of the sessions slice. */
export interface ObjectCallers extends SessionLookup {
  readObjectToken(token: string): Promise<Caller | undefined>;
}

export interface ObjectRequestDeps {
  /** Whose channel token it is, if it is one. */
  readonly channelCallerOf: (token: string | undefined) => Promise<Caller | undefined>;
  readonly callers: ObjectCallers;
  readonly handlers: ObjectHandlers;
  readonly signatures: BodySignatureDeps;
}

/** A browser shows these to a page only if told so. */
export const EXPOSED_OF_OBJECTS: readonly string[] = [
  'Access-Control-Expose-Headers',
  'x-obs-oid, x-obs-hash, x-obs-offset, Content-Range, ETag',
];

/** Returns what finds the endpoint of a path below `/r/`. Not every kind of object takes every verb. */
export function createObjectEndpoints(deps: ObjectRequestDeps): (path: string) => Endpoint | undefined {
  const { handlers } = deps;
  return (text) => {
    const path = readObjectPath(text);
    if (!path) return undefined;
    const declared: HttpEndpoint = httpEndpoints[path.endpoint];
    const verbs = Object.fromEntries(Object.entries(declared.verbs).filter(([verb]) => handlers.authOf(path, verb)));
    // A path that names no kind of object takes none.
    if (Object.keys(verbs).length === 0) return undefined;
    return {
      name: path.endpoint,
      entry: declared,
      verbs,
      bodyBytes: undefined,
      authenticate: (exchange) => callerOf(exchange, handlers.authOf(path, exchange.verb), deps),
      async handle(exchange, caller) {
        const { request, response, extraHeaders } = exchange;
        const signature = signatureOf(exchange, deps.signatures);
        // There is no body whose end would have to be waited for.
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
    if (!caller) throw new ApiError('REQUEST_NEED_LOGIN', 'no channel token, or one that is wrong or over');
    return caller;
  }
  // A cookie comes along with requests that other pages cause, so it is no proof for a change.
  const cookie = exchange.verb === 'POST' ? undefined : exchange.cookieToken;
  const token = exchange.accessToken ?? cookie ?? '';
  if (token === '') throw new ApiError('REQUEST_NEED_LOGIN');
  return (await callers.readObjectToken(token)) ?? (callers.cached(token) ?? (await callers.load(token))).caller;
}

/** Object storage asks for no signature; one that comes all the same must be right. */
const signatureOf = (exchange: Exchange, deps: BodySignatureDeps): BodySignature | undefined =>
  bodySignature(deps, {
    path: exchange.url,
    signature: exchange.signature,
    version: exchange.version,
    accessToken: exchange.accessToken ?? '',
  });
