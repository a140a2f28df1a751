// Serves endpoints with JSON bodies and refusals in problem+json, as the contract declares them: those of the admin API
// and those of the workbench.
import type { IncomingMessage } from 'node:http';
import { Readable } from 'node:stream';
import type { AdminEndpoint } from '@sealpost/contract/admin';
import type { FastifyInstance, FastifyPluginAsync, FastifyReply, FastifyRequest, HTTPMethods } from 'fastify';
import { requireUncompressed } from '../http/body.ts';
import { isStorable, unstorable } from '../kernel/storable-text.ts';
import { parseJson } from '../rpc/json.ts';
import { resultCheck, type StrictContract } from '../rpc/strict-contract.ts';
import { inputReader } from './input.ts';
import { Problem, problemOf, problemType } from './problem.ts';

/** The handler of an endpoint. It gets the arguments by name, checked against the contract, and who calls. */
export type JsonHandler<Caller> = (args: never, caller: Caller) => unknown;
type AnyHandler<Caller> = (args: object, caller: Caller) => unknown;

/** The endpoint that a request asks for, and how to add a header to its answer. */
export interface Asked {
  /** Undefined if no endpoint has the verb and path of the request. */
  readonly endpoint: AdminEndpoint | undefined;
  readonly addHeader: (name: string, value: string) => void;
}

/** @typeParam Caller what the gate finds out about the caller, for the handlers */
export interface JsonRoutesOptions<Caller> {
  /** The name of the API, which precedes the names of its endpoints in messages. */
  readonly api: string;
  readonly endpoints: Readonly<Record<string, AdminEndpoint>>;
  /** The handlers by the names of their endpoints. An endpoint without a handler is not served. */
  readonly handlers: Readonly<Record<string, JsonHandler<Caller> | undefined>>;
  /**
   * Returns the headers that allow pages of an origin to call. If this function is absent, no page of another origin
   * may call.
   */
  readonly corsHeaders?: (origin: string | undefined) => readonly string[];
  /** Returns who calls. Throws a problem if the request must not be served. */
  readonly gate: (request: IncomingMessage, asked: Asked) => Caller | Promise<Caller>;
  /** Returns the problem of an error that only this API knows. */
  readonly problemOf?: (error: unknown) => Problem | undefined;
  /** Called with an unexpected error. The client gets only status 500, without the error. */
  readonly onFault: (error: unknown) => void;
  /** Makes calls that break the contract fail. Set in tests and development only. */
  readonly strict?: StrictContract | undefined;
}

/** The caller of each request. */
type Callers<Caller> = WeakMap<FastifyRequest, { readonly caller: Caller }>;
type Serve = (request: FastifyRequest, reply: FastifyReply) => Promise<unknown>;
interface Served {
  readonly endpoint: AdminEndpoint;
  readonly serve: Serve;
}
/** The endpoints of a path, by HTTP method. */
type Verbs = Partial<Record<AdminEndpoint['verb'], Served>>;

declare module 'fastify' {
  interface FastifyContextConfig {
    /** The endpoint that a route serves. Absent where a path refuses a verb. */
    readonly endpoint?: AdminEndpoint;
  }
}

/** Returns the plugin, which is registered under the root of the API. */
export function jsonRoutes<Caller>(options: JsonRoutesOptions<Caller>): FastifyPluginAsync {
  const { gate, onFault } = options;
  const callers: Callers<Caller> = new WeakMap();
  return async (app) => {
    const gateOf = async (request: FastifyRequest, reply: FastifyReply): Promise<Caller> =>
      gate(request.raw, {
        endpoint: request.routeOptions.config.endpoint,
        addHeader: (name, value) => void reply.header(name, value),
      });
    app.setErrorHandler((error, _request, reply) => {
      const problem = options.problemOf?.(error) ?? problemOf(error);
      if (!problem && !isClientGone(error, reply)) onFault(error);
      return send(reply, problem ?? new Problem(500, 'a fault of the server; its log has the cause'));
    });
    app.setNotFoundHandler(async (request, reply) => {
      await gateOf(request, reply);
      return send(reply, new Problem(404, `no such path: ${request.url}`));
    });
    app.addHook('onRequest', async (request, reply) => {
      const { corsHeaders } = options;
      if (corsHeaders) allowOrigin(request, reply, corsHeaders);
      if (corsHeaders && request.method === 'OPTIONS') return reply.code(204).send();
      callers.set(request, { caller: await gateOf(request, reply) });
      requireStorableNames(request);
      requireUncompressed(request.headers['content-encoding']);
      return undefined;
    });
    parseBodies(app, options);
    for (const [path, verbs] of routesOf(options, callers)) serve(app, path, verbs);
  };
}

/** Returns whether an answer in bytes ended because its client left. An error of the bytes themselves is told elsewhere. */
const isClientGone = (error: unknown, { raw }: FastifyReply): boolean =>
  raw.destroyed && error instanceof Error && 'code' in error && error.code === 'ERR_STREAM_PREMATURE_CLOSE';

/**
 * Sets the parsers of bodies. An empty body counts as absent, whatever its content type, because few calls need a body.
 */
function parseBodies(app: FastifyInstance, { endpoints }: Pick<JsonRoutesOptions<never>, 'endpoints'>): void {
  app.removeAllContentTypeParsers();
  app.addContentTypeParser('application/json', { parseAs: 'buffer' }, async (_request: FastifyRequest, body: Buffer) =>
    body.length === 0 ? undefined : parseJson(body),
  );
  for (const { body } of Object.values(endpoints)) {
    if (!body || 'schema' in body) continue;
    app.addContentTypeParser(
      body.contentType,
      { parseAs: 'buffer', bodyLimit: body.limitBytes },
      async (_request: FastifyRequest, bytes: Buffer) => bytes,
    );
  }
  app.addContentTypeParser('*', { parseAs: 'buffer' }, async ({ headers }: FastifyRequest, body: Buffer) => {
    if (body.length === 0) return undefined;
    const type = headers['content-type'];
    const seen = type === undefined ? 'it names no type' : `not ${type.slice(0, 100)}`;
    throw new Problem(415, `the body must be JSON, of type application/json; ${seen}`);
  });
}

/** Returns the routes by path, taken from the contract. */
function routesOf<Caller>(
  { api, endpoints, handlers, strict, onFault }: JsonRoutesOptions<Caller>,
  callers: Callers<Caller>,
): ReadonlyMap<string, Verbs> {
  const routes = new Map<string, Verbs>();
  for (const [name, endpoint] of Object.entries(endpoints)) {
    const handler = handlers[name] as AnyHandler<Caller> | undefined;
    if (!handler) continue;
    const path = endpoint.path.replaceAll(/\{(\w+)\}/g, ':$1');
    const answer = strict ? checked(`${api}.${name}`, endpoint, handler, strict) : handler;
    routes.set(path, {
      ...routes.get(path),
      [endpoint.verb]: { endpoint, serve: answering(endpoint, answer, callers, onFault) },
    });
  }
  return routes;
}

/** Wraps an endpoint's handler, so that its operations and results are checked against the contract. */
function checked<Caller>(
  name: string,
  endpoint: AdminEndpoint,
  handler: AnyHandler<Caller>,
  strict: StrictContract,
): AnyHandler<Caller> {
  const requireDeclared = endpoint.resultBytes ? () => {} : resultCheck(name, endpoint.result);
  return async (args, caller) => {
    const result = await strict.run({ name, entry: endpoint }, undefined, () => handler(args, caller));
    requireDeclared(result);
    return result;
  };
}

function answering<Caller>(
  endpoint: AdminEndpoint,
  handler: AnyHandler<Caller>,
  callers: Callers<Caller>,
  onFault: (error: unknown) => void,
): Serve {
  const read = inputReader(endpoint);
  const { location, result, resultBytes, status = result || resultBytes ? 200 : 204 } = endpoint;
  return async (request, reply) => {
    const args = read(request);
    const known = callers.get(request);
    if (!known) throw new Error('the gate did not see the request');
    const answer = await handler(args, known.caller);
    reply.code(status);
    if (location !== undefined) {
      const { [location]: name } = answer as Readonly<Record<string, unknown>>;
      reply.header('location', `${request.url.split('?')[0]}/${name}`);
    }
    if (!resultBytes || !isBytes(answer)) return answer;
    reply.header('content-type', resultBytes.contentType).header('cache-control', 'no-store');
    return reply.send(Readable.from(reported(answer, onFault), { objectMode: false }));
  };
}

const isBytes = (answer: unknown): answer is AsyncIterable<Uint8Array> =>
  typeof answer === 'object' && answer !== null && Symbol.asyncIterator in answer;

/** Passes on the bytes of an answer. An error breaks the answer off, because its status was already sent. */
async function* reported(
  content: AsyncIterable<Uint8Array>,
  onFault: (error: unknown) => void,
): AsyncGenerator<Uint8Array, void> {
  try {
    yield* content;
  } catch (error) {
    onFault(error);
    throw error;
  }
}

function serve(app: FastifyInstance, url: string, verbs: Verbs): void {
  for (const [method, { endpoint, serve: handler }] of Object.entries(verbs))
    app.route({ method: method as HTTPMethods, url, handler, config: { endpoint } });
  // Fastify adds HEAD to each route with GET.
  const allowed = Object.keys(verbs).flatMap((verb) => (verb === 'GET' ? ['GET', 'HEAD'] : [verb]));
  const refuse: Serve = async (request, reply) => {
    reply.header('allow', allowed.join(', '));
    const possible = `${allowed.join(' and ')} ${allowed.length > 1 ? 'are' : 'is'}`;
    throw new Problem(405, `${request.method} is not possible here; ${possible}`);
  };
  app.route({
    method: app.supportedMethods.filter((method) => !allowed.includes(method)) as HTTPMethods[],
    url,
    // The request is refused in this early hook, so that its body cannot cause another error first.
    onRequest: refuse,
    handler: refuse,
  });
}

/** Adds the headers that allow a page of another origin to read the answer, and to see how long it must wait. */
function allowOrigin(
  { headers: { origin } }: FastifyRequest,
  reply: FastifyReply,
  corsHeaders: (origin: string | undefined) => readonly string[],
): void {
  const lines = origin === undefined ? [] : corsHeaders(origin);
  if (lines.length === 0) return;
  lines.forEach((name, i) => {
    if (i % 2 === 0) reply.header(name, lines[i + 1]);
  });
  reply.header('access-control-expose-headers', 'Retry-After');
}

/** Throws 404 for a name in the path that the database cannot store, because nothing can have such a name. */
function requireStorableNames(request: FastifyRequest): void {
  for (const name of Object.values(request.params as Record<string, string>)) {
    if (!isStorable(name)) throw new Problem(404, unstorable(`the name ${JSON.stringify(name)}`));
  }
}

function send(reply: FastifyReply, { body, retryAfter }: Problem): FastifyReply {
  if (retryAfter !== undefined) reply.header('retry-after', String(retryAfter));
  if (body.status === 401) reply.header('www-authenticate', 'Bearer realm="admin"');
  return reply.code(body.status).header('content-type', problemType).send(JSON.stringify(body));
}
