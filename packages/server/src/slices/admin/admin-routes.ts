// Serves the endpoints of the admin API as the contract declares them. The plugin is registered under `adminRoot`.
import {
  type AdminEndpoint,
  type AdminEndpointName,
  adminEndpointNames,
  adminEndpointOf,
  adminEndpoints,
} from '@sealpost/contract/admin';
import type { FastifyInstance, FastifyPluginAsync, FastifyReply, FastifyRequest, HTTPMethods } from 'fastify';
import { requireUncompressed } from '../../platform/http/body.ts';
import { isStorable, unstorable } from '../../platform/kernel/storable-text.ts';
import { parseJson } from '../../platform/rpc/json.ts';
import { resultCheck, type StrictContract } from '../../platform/rpc/strict-contract.ts';
import { type AccountAdminDeps, accountAdminHandlers, type OwnEndpoint } from './account-handlers.ts';
import type { AdminHandlers } from './call.ts';
import { type AdminGateDeps, createAdminGate } from './gate.ts';
import { inputReader } from './input.ts';
import { Problem, problemOf, problemType } from './problem.ts';

/** The endpoints whose handlers are in other slices. */
export type OtherEndpoint = Exclude<AdminEndpointName, OwnEndpoint>;

export interface AdminDeps extends AdminGateDeps, AccountAdminDeps {
  /** The handlers of other slices. Tests of the account endpoints leave them out. */
  readonly others: Partial<AdminHandlers<OtherEndpoint>>;
  /** Called with an unexpected error. The caller only gets status 500, without this error. */
  readonly onFault: (error: unknown) => void;
  /** Fails calls that break the contract, in tests and development. */
  readonly strict?: StrictContract | undefined;
}

type AnyHandler = (args: object) => unknown;
type Serve = (request: FastifyRequest, reply: FastifyReply) => Promise<unknown>;
/** The functions that serve a path, by HTTP method. */
type Verbs = Partial<Record<AdminEndpoint['verb'], Serve>>;

export function adminRoutes(deps: AdminDeps): FastifyPluginAsync {
  const gate = createAdminGate(deps);
  return async (app) => {
    app.setErrorHandler((error, _request, reply) => {
      const problem = problemOf(error);
      if (!problem) deps.onFault(error);
      return send(reply, problem ?? new Problem(500, 'a fault of the server; its log has the cause'));
    });
    app.setNotFoundHandler((request, reply) => {
      gate(request.raw);
      return send(reply, new Problem(404, `no such path: ${request.url}`));
    });
    app.addHook('onRequest', async (request) => {
      gate(request.raw);
      requireStorableNames(request);
      requireUncompressed(request.headers['content-encoding']);
    });
    parseBodies(app);
    const handlers = { ...accountAdminHandlers(deps), ...deps.others };
    for (const [path, verbs] of routesOf(handlers, deps.strict)) serve(app, path, verbs);
  };
}

/** Sets the parsers of bodies. An empty body of any content type counts as absent, because few changes need a body. */
function parseBodies(app: FastifyInstance): void {
  app.removeAllContentTypeParsers();
  app.addContentTypeParser('application/json', { parseAs: 'buffer' }, async (_request: FastifyRequest, body: Buffer) =>
    body.length === 0 ? undefined : parseJson(body),
  );
  app.addContentTypeParser(
    'application/zip',
    { parseAs: 'buffer', bodyLimit: adminEndpoints.importProduct.body.limitBytes },
    async (_request: FastifyRequest, body: Buffer) => body,
  );
  app.addContentTypeParser('*', { parseAs: 'buffer' }, async ({ headers }: FastifyRequest, body: Buffer) => {
    if (body.length === 0) return undefined;
    const type = headers['content-type'];
    const seen = type === undefined ? 'it names no type' : `not ${type.slice(0, 100)}`;
    throw new Problem(415, `the body must be JSON, of type application/json; ${seen}`);
  });
}

/** Returns the routes by path, taken from the contract. */
function routesOf(handlers: Partial<AdminHandlers>, strict: StrictContract | undefined): ReadonlyMap<string, Verbs> {
  const routes = new Map<string, Verbs>();
  for (const name of adminEndpointNames) {
    const handler = handlers[name] as AnyHandler | undefined;
    if (!handler) continue;
    const endpoint = adminEndpointOf(name);
    const path = endpoint.path.replaceAll(/\{(\w+)\}/g, ':$1');
    const answer = strict ? checked(`admin.${name}`, endpoint, handler, strict) : handler;
    routes.set(path, { ...routes.get(path), [endpoint.verb]: answering(endpoint, answer) });
  }
  return routes;
}

/** Returns an endpoint's handler with checks of its operations and results against the contract. */
function checked(name: string, endpoint: AdminEndpoint, handler: AnyHandler, strict: StrictContract): AnyHandler {
  const requireDeclared = resultCheck(name, endpoint.result);
  return async (args) => {
    const result = await strict.run(name, endpoint, undefined, () => handler(args));
    requireDeclared(result);
    return result;
  };
}

function answering(endpoint: AdminEndpoint, handler: AnyHandler): Serve {
  const read = inputReader(endpoint);
  const { location, result, status = result ? 200 : 204 } = endpoint;
  return async (request, reply) => {
    const answer = await handler(read(request));
    reply.code(status);
    if (location !== undefined) {
      const { [location]: name } = answer as Readonly<Record<string, unknown>>;
      reply.header('location', `${request.url.split('?')[0]}/${name}`);
    }
    return answer;
  };
}

function serve(app: FastifyInstance, url: string, verbs: Verbs): void {
  for (const [method, handler] of Object.entries(verbs)) app.route({ method: method as HTTPMethods, url, handler });
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

/** Throws 404 if the database cannot store a name in the path, because nothing can have such a name. */
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
