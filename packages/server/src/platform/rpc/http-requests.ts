// Paths beside RPC as endpoints: token renewal, the stream, notices, pictures and the like.
import type { IncomingMessage, ServerResponse } from 'node:http';
import { limits } from '@sealpost/contract';
import { type HttpEndpoint, httpEndpoints } from '@sealpost/contract/schemas';
import { queryOf } from '../http/query.ts';
import type { Authenticate, Proof } from './authentication.ts';
import type { Caller } from './call.ts';
import type { Endpoint } from './endpoint.ts';
import { createEndpointPaths, type FoundEndpoint, type GatewayEndpointName } from './endpoint-paths.ts';
import { parseJson } from './json.ts';

/** A request outside of RPC, as its handler gets it. */
export interface HttpCall {
  readonly name: GatewayEndpointName;
  /** What the path has in place of each `{name}` of the pattern, as sent. */
  readonly params: Readonly<Record<string, string>>;
  readonly request: IncomingMessage;
  readonly response: ServerResponse;
  readonly query: URLSearchParams;
  readonly caller: Caller | undefined;
  readonly body: Buffer;
  /** The body as JSON. @throws REQUEST_SCHEMA */
  json(): unknown;
  readonly remoteAddress: string;
  readonly chromeClient: boolean;
  header(name: string): string | undefined;
  readonly signal: AbortSignal;
  setCookie(cookie: string): void;
  /** Headers to add when the handler writes the answer itself. */
  readonly extraHeaders: readonly string[];
}

/** The JSON of the whole answer, or undefined when the handler writes the answer itself. */
export type HttpHandler = (call: HttpCall) => Promise<string | undefined>;
/** What the gateway serves beside RPC. Object storage is served by handlers of its own. */
export type HttpHandlers = { readonly [N in GatewayEndpointName]: HttpHandler };

export interface HttpRequestDeps {
  readonly authenticate: Authenticate;
  readonly handlers: HttpHandlers;
}

/** Returns what finds the endpoint of a path. */
export function createHttpEndpoints(deps: HttpRequestDeps): (path: string) => Endpoint | undefined {
  const find = createEndpointPaths();
  return (path) => {
    const found = find(path);
    return found && endpointOf(found, httpEndpoints[found.name], deps);
  };
}

function endpointOf(
  { name, params }: FoundEndpoint,
  declared: HttpEndpoint,
  { authenticate, handlers }: HttpRequestDeps,
): Endpoint {
  return {
    name,
    entry: declared,
    verbs: declared.verbs,
    bodyBytes: limits[declared.body?.limit ?? 'rpcBodyBytes'].value,
    authenticate: (exchange, body) => authenticate(exchange, body, proofOf(declared)),
    handle(exchange, caller, body) {
      const { request, response, remoteAddress, chromeClient, extraHeaders } = exchange;
      return handlers[name]({
        ...{ name, params, request, response, caller, body, remoteAddress, chromeClient, extraHeaders },
        query: queryOf(exchange.url),
        json: () => parseJson(body),
        header: (header) => exchange.header(header),
        get signal() {
          return exchange.signal;
        },
        setCookie: (cookie) => exchange.setCookie(cookie),
      });
    },
    toldOf: (error) => error,
    declared,
  };
}

const proofOf = ({ signed, auth, cookie }: HttpEndpoint): Proof => ({
  signature: signed === true ? 'required' : signed === 'lenient' ? 'lenient' : 'optional',
  auth: auth === 'user' ? 'user' : 'none',
  cookie: cookie ?? false,
});
