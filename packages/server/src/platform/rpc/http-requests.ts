// Endpoints outside of RPC: token renewal, the stream, notices, pictures and others.
import type { IncomingMessage, ServerResponse } from 'node:http';
import { limits } from '@sealpost/contract';
import { type HttpEndpoint, httpEndpoints } from '@sealpost/contract/schemas';
import { queryOf } from '../http/query.ts';
import { type Connection, release } from '../http/released.ts';
import type { Authenticate, Proof } from './authentication.ts';
import type { Caller } from './call.ts';
import type { Endpoint } from './endpoint.ts';
import { createEndpointPaths, type FoundEndpoint, type GatewayEndpointName } from './endpoint-paths.ts';
import { parseJson } from './json.ts';

/** A request outside of RPC, in the form that its handler gets. */
export interface HttpCall {
  readonly name: GatewayEndpointName;
  /** The parts of the path that match each `{name}` of the pattern, as sent. */
  readonly params: Readonly<Record<string, string>>;
  readonly request: IncomingMessage;
  readonly response: ServerResponse;
  readonly query: URLSearchParams;
  readonly caller: Caller | undefined;
  readonly body: Buffer;
  /**
   * Returns the body as JSON.
   * @throws REQUEST_SCHEMA if the body is not valid JSON
   */
  json(): unknown;
  readonly remoteAddress: string;
  readonly chromeClient: boolean;
  header(name: string): string | undefined;
  readonly signal: AbortSignal;
  setCookie(cookie: string): void;
  /** Headers to add if the handler itself writes the response. */
  readonly extraHeaders: readonly string[];
  /**
   * Returns where to write what follows the head of a response that lasts for hours. It takes far less memory than the
   * response, unless a watch sees the response.
   */
  release(): Connection;
}

/** Returns the JSON of the complete answer; undefined if the handler itself writes the response. */
export type HttpHandler = (call: HttpCall) => Promise<string | undefined>;
/** The handlers of the gateway's endpoints outside of RPC. Object storage has separate handlers. */
export type HttpHandlers = { readonly [N in GatewayEndpointName]: HttpHandler };

export interface HttpRequestDeps {
  readonly authenticate: Authenticate;
  readonly handlers: HttpHandlers;
}

/** Returns a function that finds the endpoint of a path. */
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
        release: () => (exchange.isWatched ? response : release(response)),
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
