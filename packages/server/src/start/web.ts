// Everything that is served outside the protocol: health, metrics, the admin API, documents and pages.

import { adminProof, adminRoot, type StatusEndpoint } from '@sealpost/contract/admin';
import { registrationRoot } from '@sealpost/contract/registration-names';
import { docsRoutes, pageHeaders } from '@sealpost/reference';
import type { FastifyReply, FastifyRequest, RouteHandlerMethod } from 'fastify';
import { Compile } from 'typebox/compile';
import type { ClientAddress } from '../platform/http/client-address.ts';
import { corsFor } from '../platform/http/cors.ts';
import { answerWith, type PageFile } from '../platform/http/page-folder.ts';
import { createWebApp } from '../platform/http/web-app.ts';
import { isJsonApiPath, type WebPaths } from '../platform/http/web-paths.ts';
import { Problem, problemType } from '../platform/json-api/problem.ts';
import type { Logger } from '../platform/kernel/logger.ts';
import { onFirstUse } from '../platform/kernel/on-first-use.ts';
import type { SecurityEvents } from '../platform/kernel/security-events.ts';
import { observeWeb, type WebObserverDeps } from '../platform/observability/observed-web.ts';
import { httpFailure } from '../platform/rpc/envelope.ts';
import type { RateLimits } from '../platform/rpc/rate-limit.ts';
import type { Refuse } from '../platform/rpc/refusals.ts';
import type { StrictContract } from '../platform/rpc/strict-contract.ts';
import type { Store } from '../platform/store/store.ts';
import { type AdminHandlers, adminRoutes } from '../slices/admin/index.ts';
import { qrPath } from '../slices/login/index.ts';
import { registrationRoutes } from '../slices/registration/index.ts';
import type { AdminPages } from './admin-pages.ts';
import { METRICS_PATH, type MetricsPage } from './metrics-page.ts';
import type { Readiness } from './readiness.ts';
import type { Slices } from './slices.ts';
import { factsHeaders, stateOf, WEB_FACTS, type WebClient } from './web-client.ts';

export interface WebDeps extends WebObserverDeps {
  readonly store: Store;
  readonly slices: Slices;
  readonly refuse: Refuse;
  readonly clientAddress: ClientAddress;
  readonly adminToken: string;
  readonly rates: RateLimits;
  readonly events: SecurityEvents;
  readonly proofOf: (challenge: string) => string;
  readonly version: string;
  readonly brand: string;
  /** Origins of other web pages that may call this server. */
  readonly allowedOrigins: readonly string[];
  /** The build token that the try-it page fills in. Undefined if the token is secret. */
  readonly buildToken: string | undefined;
  readonly webClient: WebClient | undefined;
  readonly adminPages: AdminPages | undefined;
  /** The handlers of the admin endpoints about the server itself. */
  readonly statusHandlers: AdminHandlers<StatusEndpoint>;
  /** Returns the addresses of the server. They are known once the server listens. */
  readonly addresses: () => { readonly url: string; readonly obsUrl: string };
  readonly readiness: Readiness;
  /** The metrics page; undefined if the metrics have a separate address. */
  readonly metricsPage: MetricsPage | undefined;
  readonly stopping: () => boolean;
  readonly log: Logger;
  /** Called with each unexpected error. */
  readonly onFault: (error: unknown) => void;
  readonly strict: StrictContract | undefined;
}

export interface Web extends WebPaths {
  close(): Promise<void>;
}

const proofQuery = onFirstUse(() => Compile(adminProof.query));

export async function createWeb(deps: WebDeps): Promise<Web> {
  const { app, listener } = createWebApp(refuse);
  observeWeb(app, deps);

  // The error handler is set before the routes, because a route keeps the error handler that is set when the route is
  // added.
  app.setErrorHandler((error, request, reply) => {
    // If no route matches, the answer is 404 even if the request's body is faulty.
    if (request.is404) return pageOrNotFound(request, reply);
    reply.hijack();
    deps.refuse({
      request: request.raw,
      response: reply.raw,
      extraHeaders: [],
      error,
      endpoint: undefined,
      call: undefined,
    });
  });

  const states: Record<string, RouteHandlerMethod> = {
    '/livez': async () => ({ status: 'ok' }),
    '/readyz': async (_request, reply) => showReadiness(deps, reply),
    '/version': async () => ({ name: 'sealpost', version: deps.version, protocol: '3.7.2' }),
  };
  const { webClient, metricsPage } = deps;
  if (metricsPage) states[METRICS_PATH] = async (request, reply) => showMetrics(metricsPage, request, reply);
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
  await app.register(registrationOf(deps), { prefix: registrationRoot });
  const isServed = (path: string): boolean =>
    path in states || documents().has(path) || (path.startsWith(qrPath) && !path.includes('/', qrPath.length));
  /** Looks for the files of the web client last, so that none of them can replace a path of the server. */
  async function pageOrNotFound(request: FastifyRequest, reply: FastifyReply): Promise<FastifyReply> {
    const { method, url } = request;
    const path = pathOf(request);
    const admin = await deps.adminPages?.at(path);
    if (admin?.redirect !== undefined) return reply.redirect(admin.redirect, 308);
    const page = admin?.page ?? (await webClient?.pages?.at(path));
    if (!['GET', 'HEAD'].includes(method)) {
      if (page || isServed(path))
        return refuse(reply.header('allow', 'GET, HEAD'), url, 405, `${method} is not GET or HEAD`);
    } else if (page) return showPage(admin ?? webClient, page, request, reply);
    return refuse(reply, url, 404, `nothing at ${url.slice(0, 200)}; /docs lists what is here`);
  }
  app.setNotFoundHandler(pageOrNotFound);
  await app.ready();
  return { listener, refusalAt, close: () => app.close() };
}

const adminOf = (deps: WebDeps) =>
  adminRoutes({
    adminToken: deps.adminToken,
    credentials: deps.slices.administrators.credentials,
    origin: () => originOf(deps.addresses().url),
    rates: deps.rates,
    events: deps.events,
    clientAddress: deps.clientAddress,
    store: deps.store,
    accounts: deps.slices.accounts,
    sessions: deps.slices.sessions,
    audit: deps.slices.audit,
    others: { ...deps.slices.adminHandlers, ...deps.statusHandlers },
    onFault(error) {
      deps.onFault(error);
      deps.log.error({ error }, 'an admin request failed');
    },
    strict: deps.strict,
  });

const registrationOf = (deps: WebDeps) =>
  registrationRoutes({
    handlers: deps.slices.registration.handlers,
    rates: deps.rates,
    events: deps.events,
    clientAddress: deps.clientAddress,
    corsHeaders: corsFor(deps.allowedOrigins, ['Content-Type']),
    onFault: (error) => deps.log.error({ error }, 'a request of the registration API failed'),
    strict: deps.strict,
  });

/** Returns the origin of an address; undefined while the address is not known. */
export const originOf = (url: string): string | undefined => URL.parse(url)?.origin;

/**
 * Returns the documents by their paths. They name the server's address, which is known by the time of the first
 * request.
 */
const documentsOf = ({ addresses, version, brand, buildToken, webClient }: WebDeps) =>
  onFirstUse(() => {
    const info = { ...addresses(), version, brand, webClient: stateOf(webClient) };
    const routes = docsRoutes({ ...info, ...(buildToken !== undefined && { buildToken }) });
    return new Map(routes.map((document) => [document.path, document]));
  });

function showPage(
  owner: Pick<WebClient, 'headers'> | undefined,
  page: PageFile,
  { headers }: FastifyRequest,
  reply: FastifyReply,
): FastifyReply {
  const acceptEncoding = headers['accept-encoding']?.toString();
  const answer = answerWith(page, { acceptEncoding, ifNoneMatch: headers['if-none-match'] });
  return reply
    .code(answer.status)
    .headers({ ...owner?.headers, ...answer.headers })
    .send(answer.body);
}

const pathOf = ({ url }: FastifyRequest): string => url.split('?')[0] as string;

const refusalAt: WebPaths['refusalAt'] = (path, status, reason) =>
  isJsonApiPath(path)
    ? { type: problemType, body: JSON.stringify(new Problem(status, reason).body) }
    : { type: 'application/json; charset=utf-8', body: httpFailure(status, reason) };

function refuse(reply: FastifyReply, path: string, status: number, reason: string): FastifyReply {
  const { type, body } = refusalAt(path, status, reason);
  return reply.code(status).header('content-type', type).send(body);
}

async function showMetrics(page: MetricsPage, { raw }: FastifyRequest, reply: FastifyReply): Promise<FastifyReply> {
  const { status, headers, body } = await page(raw);
  return reply.code(status).headers(headers).send(body);
}

/** Answers 200 if every required part works and the server is not stopping. The body gives the state of each part. */
async function showReadiness({ readiness, stopping }: WebDeps, reply: FastifyReply) {
  const { state, required, parts } = await readiness();
  const status = stopping() ? 'unavailable' : state;
  return reply.code(status === 'unavailable' ? 503 : 200).send({ status, ...parts, required, stopping: stopping() });
}
