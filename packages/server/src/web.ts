// What is served beside the protocol: health, metrics, the admin API, documents and pages.
import { createServer, type RequestListener } from 'node:http';
import { type FastifyReply, fastify } from 'fastify';
import { collectDefaultMetrics, Gauge, Registry } from 'prom-client';
import { adminRoutes } from './admin/index.ts';
import type { Bus } from './bus/bus.ts';
import { pageHeaders } from './docs/html.ts';
import { docsRoutes } from './docs/routes.ts';
import type { Logger } from './kernel/logger.ts';
import { qrPath } from './login/index.ts';
import type { Objects } from './objects/objects.ts';
import type { Route } from './rpc/routes.ts';
import type { Slices } from './slices.ts';
import type { Store } from './store/store.ts';
import type { Outbox } from './stream/outbox.ts';

export interface WebDeps {
  readonly store: Store;
  readonly bus: Bus;
  readonly objects: Objects;
  readonly outbox: Outbox;
  readonly slices: Slices;
  readonly routes: ReadonlyMap<string, Route>;
  readonly adminToken: string;
  readonly version: string;
  readonly brand: string;
  /** Filled into the try-it page where it is no secret. */
  readonly buildToken: string | undefined;
  /** Known once the server listens. */
  readonly addresses: () => { readonly url: string; readonly obsUrl: string };
  readonly stopping: () => boolean;
  readonly log: Logger;
}

export interface Web {
  readonly listener: RequestListener;
  close(): Promise<void>;
}

/** Routes have no schemas of Fastify's: bodies are judged as those of the protocol are. Its compilers are not even loaded. */
const noCompiler = () => {
  throw new Error('a route has a schema, and nothing that compiles schemas is loaded');
};

export async function createWeb(deps: WebDeps): Promise<Web> {
  let listener: RequestListener | undefined;
  const app = fastify({
    bodyLimit: 64 * 1024,
    schemaController: { compilersFactory: { buildValidator: noCompiler, buildSerializer: noCompiler } },
    serverFactory: (handler) => {
      listener = handler;
      // Fastify wants a server to own; the real one listens elsewhere and hands requests over.
      return createServer();
    },
  });
  const metrics = registryFor(deps);

  app.get('/livez', async () => ({ status: 'ok' }));
  app.get('/readyz', async (_request, reply) => readiness(deps, reply));
  app.get('/version', async () => ({ name: 'sealpost', version: deps.version, protocol: '3.7.2' }));
  app.get('/metrics', async (_request, reply) => reply.type(metrics.contentType).send(await metrics.metrics()));

  const { buildToken, version, brand } = deps;
  const info = () => ({ ...deps.addresses(), version, brand, ...(buildToken !== undefined && { buildToken }) });
  // Made on the first look, because they name the address.
  let pages: Map<string, ReturnType<typeof docsRoutes>[number]> | undefined;
  const show = async (request: { url: string }, reply: FastifyReply) => {
    pages ??= new Map(docsRoutes(info()).map((page) => [page.path, page]));
    const page = pages.get(request.url.split('?')[0] as string);
    if (!page) return reply.callNotFound();
    return reply.type(page.contentType).headers(page.headers).send(page.body);
  };
  for (const path of ['/', '/docs', '/docs/:file', '/openapi.json', '/asyncapi.json']) app.get(path, show);

  app.get(`${qrPath}:authSessionId`, async (request, reply) => {
    const { authSessionId } = request.params as { authSessionId: string };
    const { secret } = request.query as { secret?: unknown };
    const page = await deps.slices.login.qrPage(authSessionId, typeof secret === 'string' ? secret : undefined);
    return reply
      .code(page.status)
      .type('text/html; charset=utf-8')
      .headers({ ...pageHeaders, 'cache-control': 'no-store' })
      .send(page.html);
  });

  await app.register(
    adminRoutes({
      adminToken: deps.adminToken,
      store: deps.store,
      accounts: deps.slices.accounts,
      sessions: deps.slices.sessions,
      audit: deps.slices.audit,
      more: deps.slices.adminRoutes,
      onFault: (error) => deps.log.error({ error }, 'an admin request failed'),
    }),
    { prefix: '/api/admin/v1' },
  );
  app.setNotFoundHandler((request, reply) =>
    reply.code(404).send({
      code: 10052,
      message: 'RESPONSE_HTTP_ERROR',
      data: { statusCode: 404, reason: `nothing at ${request.url.slice(0, 200)}; / lists what is here` },
    }),
  );
  await app.ready();
  return { listener: listener as RequestListener, close: () => app.close() };
}

/** 200 when the database, the bus and the object store answer and the server is not stopping; each part says how it is. */
async function readiness({ store, bus, objects, stopping }: WebDeps, reply: FastifyReply) {
  const part = async (check: Promise<void>) =>
    check.then(
      () => 'ok',
      (error: Error) => error.message,
    );
  const parts = {
    database: await part(store.check()),
    bus: await part(bus.check()),
    objects: await part(objects.check()),
    stopping: stopping(),
  };
  const ready = parts.database === 'ok' && parts.bus === 'ok' && parts.objects === 'ok' && !parts.stopping;
  return reply.code(ready ? 200 : 503).send({ status: ready ? 'ok' : 'unavailable', ...parts });
}

function registryFor({ routes, outbox }: WebDeps): Registry {
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
    name: 'sealpost_streams',
    help: 'open operation streams',
    registers: [registry],
    collect() {
      this.set(outbox.size);
    },
  });
  return registry;
}
