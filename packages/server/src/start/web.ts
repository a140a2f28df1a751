// Everything that is served beside the protocol: health, metrics, the admin API, documents and pages.

import type { RequestListener } from 'node:http';
import { adminProof, adminRoot } from '@sealpost/contract/admin';
import { docsRoutes, pageHeaders } from '@sealpost/reference';
import { type FastifyReply, type FastifyRequest, fastify, type RouteHandlerMethod } from 'fastify';
import { collectDefaultMetrics, Gauge, Registry } from 'prom-client';
import { Compile } from 'typebox/compile';
import type { ClientAddress } from '../platform/http/client-address.ts';
import { createServer } from '../platform/http/node-http.ts';
import { answerWith, type PageFile } from '../platform/http/page-folder.ts';
import { isAdminPath, type WebPaths } from '../platform/http/web-paths.ts';
import type { Logger } from '../platform/kernel/logger.ts';
import { onFirstUse } from '../platform/kernel/on-first-use.ts';
import type { SecurityEvents } from '../platform/kernel/security-events.ts';
import { httpFailure } from '../platform/rpc/envelope.ts';
import type { RateLimits } from '../platform/rpc/rate-limit.ts';
import type { Refuse } from '../platform/rpc/refusals.ts';
import type { Route } from '../platform/rpc/routes.ts';
import type { StrictContract } from '../platform/rpc/strict-contract.ts';
import type { Store } from '../platform/store/store.ts';
import type { OpenStreams } from '../platform/stream/open-streams.ts';
import type { Subscribers } from '../platform/subscriber/subscribers.ts';
import { adminRoutes, Problem, problemType } from '../slices/admin/index.ts';
import { qrPath } from '../slices/login/index.ts';
import type { Readiness } from './readiness.ts';
import type { Slices } from './slices.ts';
import { factsHeaders, stateOf, WEB_FACTS, type WebClient } from './web-client.ts';

export interface WebDeps {
  readonly store: Store;
  readonly openStreams: OpenStreams;
  readonly subscribers: Pick<Subscribers, 'state'>;
  readonly slices: Slices;
  readonly routes: ReadonlyMap<string, Route>;
  readonly refuse: Refuse;
  readonly clientAddress: ClientAddress;
  readonly adminToken: string;
  readonly rates: RateLimits;
  readonly events: SecurityEvents;
  readonly proofOf: (challenge: string) => string;
  readonly version: string;
  readonly brand: string;
  /** The build token that the try-it page fills in. Undefined if the token is secret. */
  readonly buildToken: string | undefined;
  readonly webClient: WebClient | undefined;
  /** Returns the addresses of the server. They are known once the server listens. */
  readonly addresses: () => { readonly url: string; readonly obsUrl: string };
  readonly readiness: Readiness;
  readonly stopping: () => boolean;
  readonly log: Logger;
  readonly strict: StrictContract | undefined;
}

export interface Web extends WebPaths {
  close(): Promise<void>;
}

/** The longest name in a path, in characters. No name that the server creates is as long. */
const NAME_CHARS = 100;
const proofQuery = onFirstUse(() => Compile(adminProof.query));

/**
 * Replaces Fastify's schema compilers, so that they are not loaded. Routes have no Fastify schemas, because bodies are
 * checked like those of the protocol.
 */
const noCompiler = () => {
  throw new Error('a route has a schema, and nothing that compiles schemas is loaded');
};

export async function createWeb(deps: WebDeps): Promise<Web> {
  const { app, listener } = newApp();
  const metrics = registryFor(deps);

  // The error handler is set before the routes, because a route keeps the error handler that is set when the route is
  // added.
  app.setErrorHandler((error, request, reply) => {
    // If no route matches, the answer is 404 even if the request's body is faulty.
    if (request.is404) return pageOrNotFound(request, reply);
    reply.hijack();
    deps.refuse({ request: request.raw, response: reply.raw, extraHeaders: [], error, endpoint: undefined });
  });

  const states: Record<string, RouteHandlerMethod> = {
    '/livez': async () => ({ status: 'ok' }),
    '/readyz': async (_request, reply) => showReadiness(deps, reply),
    '/version': async () => ({ name: 'sealpost', version: deps.version, protocol: '3.7.2' }),
    '/metrics': async (_request, reply) => reply.type(metrics.contentType).send(await metrics.metrics()),
  };
  const { webClient } = deps;
  if (webClient) states[WEB_FACTS] = async (_request, reply) => reply.headers(factsHeaders).send(webClient.facts);
  for (const [path, handler] of Object.entries(states)) app.get(path, handler);

  const documents = documentsOf(deps);
  const show = async (request: FastifyRequest, reply: FastifyReply) => {
    const page = documents().get(pathOf(request));
    if (!page) return reply.callNotFound();
    return reply.type(page.contentType).headers(page.headers).send(page.body);
  };
  const shown = ['/docs', '/docs/:file', '/openapi.json', '/asyncapi.json', ...(webClient?.pages ? [] : ['/'])];
  for (const path of shown) app.get(path, show);

  app.get(`${qrPath}:loginId`, async (request, reply) => {
    const { loginId } = request.params as { loginId: string };
    const page = await deps.slices.login.qrPage(loginId);
    return reply
      .code(page.status)
      .type('text/html; charset=utf-8')
      .headers({ ...pageHeaders, 'cache-control': 'no-store' })
      .send(page.html);
  });

  // Clients call this endpoint before they send the token, so it requires no token.
  app.get(adminRoot + adminProof.path, async (request, reply) => {
    const { query } = request;
    if (proofQuery().Check(query)) return { proof: deps.proofOf(query.challenge) };
    return refuse(reply, request.url, 400, 'challenge must be 32 random bytes in base64url, 43 characters');
  });
  await app.register(adminOf(deps), { prefix: adminRoot });
  const isServed = (path: string): boolean =>
    path in states || documents().has(path) || (path.startsWith(qrPath) && !path.includes('/', qrPath.length));
  /** Looks for the files of the web client last, so that none of them can replace a path of the server. */
  async function pageOrNotFound(request: FastifyRequest, reply: FastifyReply): Promise<FastifyReply> {
    const { method, url } = request;
    const path = pathOf(request);
    const page = await webClient?.pages?.at(path);
    if (!['GET', 'HEAD'].includes(method)) {
      if (page || isServed(path))
        return refuse(reply.header('allow', 'GET, HEAD'), url, 405, `${method} is not GET or HEAD`);
    } else if (webClient && page) return showPage(webClient, page, request, reply);
    return refuse(reply, url, 404, `nothing at ${url.slice(0, 200)}; /docs lists what is here`);
  }
  app.setNotFoundHandler(pageOrNotFound);
  await app.ready();
  return { listener, refusalAt, close: () => app.close() };
}

/**
 * Returns Fastify and its request listener. Fastify gets a server that never listens; the real server passes requests
 * on to the listener.
 */
function newApp() {
  let listener: RequestListener | undefined;
  const app = fastify({
    bodyLimit: 64 * 1024,
    routerOptions: { maxParamLength: NAME_CHARS },
    frameworkErrors: ({ code }, { url }, reply) => {
      const shown = url.slice(0, 200);
      if (code === 'FST_ERR_MAX_PARAM_LENGTH')
        refuse(reply, url, 414, `a name in the path is longer than ${NAME_CHARS} characters: ${shown}`);
      else refuse(reply, url, 400, `a % in the path is not part of UTF-8 in hex digits (% itself is %25): ${shown}`);
    },
    schemaController: { compilersFactory: { buildValidator: noCompiler, buildSerializer: noCompiler } },
    serverFactory: (handler) => {
      listener = handler;
      // Fastify needs its own server object, which never listens.
      return createServer();
    },
  });
  return { app, listener: listener as RequestListener };
}

const adminOf = (deps: WebDeps) =>
  adminRoutes({
    adminToken: deps.adminToken,
    rates: deps.rates,
    events: deps.events,
    clientAddress: deps.clientAddress,
    store: deps.store,
    accounts: deps.slices.accounts,
    sessions: deps.slices.sessions,
    audit: deps.slices.audit,
    others: deps.slices.adminHandlers,
    onFault: (error) => deps.log.error({ error }, 'an admin request failed'),
    strict: deps.strict,
  });

/** Returns the documents by their paths. They name the server's address, which is known at the first request. */
const documentsOf = ({ addresses, version, brand, buildToken, webClient }: WebDeps) =>
  onFirstUse(() => {
    const info = { ...addresses(), version, brand, webClient: stateOf(webClient) };
    const routes = docsRoutes({ ...info, ...(buildToken !== undefined && { buildToken }) });
    return new Map(routes.map((document) => [document.path, document]));
  });

function showPage(client: WebClient, page: PageFile, { headers }: FastifyRequest, reply: FastifyReply): FastifyReply {
  const acceptEncoding = headers['accept-encoding']?.toString();
  const answer = answerWith(page, { acceptEncoding, ifNoneMatch: headers['if-none-match'] });
  return reply
    .code(answer.status)
    .headers({ ...client.headers, ...answer.headers })
    .send(answer.body);
}

const pathOf = ({ url }: FastifyRequest): string => url.split('?')[0] as string;

const refusalAt: WebPaths['refusalAt'] = (path, status, reason) =>
  isAdminPath(path)
    ? { type: problemType, body: JSON.stringify(new Problem(status, reason).body) }
    : { type: 'application/json; charset=utf-8', body: httpFailure(status, reason) };

function refuse(reply: FastifyReply, path: string, status: number, reason: string): FastifyReply {
  const { type, body } = refusalAt(path, status, reason);
  return reply.code(status).header('content-type', type).send(body);
}

/** Answers 200 if every part works and the server is not stopping. The body gives the state of each part. */
async function showReadiness({ readiness, stopping }: WebDeps, reply: FastifyReply) {
  const { ready, parts } = await readiness();
  const serving = ready && !stopping();
  return reply
    .code(serving ? 200 : 503)
    .send({ status: serving ? 'ok' : 'unavailable', ...parts, stopping: stopping() });
}

function registryFor({ routes, openStreams, subscribers, events }: WebDeps): Registry {
  const registry = new Registry();
  collectDefaultMetrics({ register: registry });
  new Gauge({
    name: 'sealpost_calls',
    help: 'RPC calls answered since the start, by method and outcome',
    labelNames: ['method', 'outcome'],
    registers: [registry],
    collect() {
      for (const { name, counts } of new Set(routes.values())) {
        for (const [outcome, count] of counts) this.set({ method: name, outcome }, count);
      }
    },
  });
  new Gauge({
    name: 'sealpost_security_events',
    help: 'refusals since the start that an attacker may have caused, by kind',
    labelNames: ['event'],
    registers: [registry],
    collect() {
      for (const [event, count] of events.counts) this.set({ event }, count);
    },
  });
  new Gauge({
    name: 'sealpost_streams',
    help: 'open operation streams',
    registers: [registry],
    collect() {
      this.set(openStreams.size);
    },
  });
  new Gauge({
    name: 'sealpost_stream_unread_bytes',
    help: 'bytes that clients of operation streams have not read yet',
    registers: [registry],
    collect() {
      this.set(openStreams.unread());
    },
  });
  new Gauge({
    name: 'sealpost_subscriber_operations',
    help: 'operations since the start that log subscribers handled, tried again, parked or missed',
    labelNames: ['subscriber', 'outcome'],
    registers: [registry],
    collect() {
      for (const { name, counts } of subscribers.state())
        for (const [outcome, count] of Object.entries(counts)) this.set({ subscriber: name, outcome }, count);
    },
  });
  new Gauge({
    name: 'sealpost_subscriber_lag_seconds',
    help: 'time for which the oldest news of a log subscriber has waited',
    labelNames: ['subscriber'],
    registers: [registry],
    collect() {
      for (const { name, lagMs } of subscribers.state()) this.set({ subscriber: name }, lagMs / 1000);
    },
  });
  return registry;
}
