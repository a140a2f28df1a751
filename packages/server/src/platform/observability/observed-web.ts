// Follows every request outside the protocol: pages and the admin API.
import type { Random } from '@sealpost/contract/ports';
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify';
import { isJsonApiPath } from '../http/web-paths.ts';
import { randomHex } from '../kernel/random-text.ts';
import type { Metrics } from './metrics.ts';
import { NO_ENDPOINT } from './observed-calls.ts';
import type { RequestLog } from './request-log.ts';
import { failureOf, httpAttributes } from './traced-calls.ts';
import type { Span, Traces } from './traces.ts';

const ID_BYTES = 8;
const LEAST_ERROR = 400;

export interface WebObserverDeps {
  readonly metrics: Pick<Metrics, 'callBegan' | 'callEnded'>;
  readonly random: Random;
  readonly requestLog: RequestLog | undefined;
  readonly traces: Traces | undefined;
}

/** Adds the observer to an application. Must be called before its routes are added. */
export function observeWeb(app: FastifyInstance, { metrics, random, requestLog, traces }: WebObserverDeps): void {
  const spanOf = traces && traceWeb(app, traces);
  app.addHook('onRequest', async (_request, reply) => {
    metrics.callBegan('beside');
    if (requestLog) reply.header('x-request-id', randomHex(random, ID_BYTES));
  });
  app.addHook('onResponse', async (request, reply) => {
    const { statusCode: status } = reply.raw;
    const outcome = status < LEAST_ERROR ? 'OK' : `HTTP_${status}`;
    const endpoint = endpointOf(request, status);
    metrics.callEnded('beside', endpoint, outcome, reply.elapsedTime / 1000);
    requestLog?.({
      ...{ endpoint, verb: request.method, outcome, status },
      ms: Math.round(reply.elapsedTime * 1000) / 1000,
      bytesIn: numberOf(request.headers['content-length']),
      bytesOut: numberOf(reply.getHeader('content-length')),
      requestId: idOf(reply),
      ...traceIdOf(spanOf?.(request)),
    });
  });
}

/**
 * Makes a span for each request of the JSON APIs. Pages, probes and metrics get no spans, because their many spans
 * would hide the others. Returns the function that finds the span of a request.
 */
function traceWeb(app: FastifyInstance, traces: Traces): (request: FastifyRequest) => Span | undefined {
  const spans = new WeakMap<FastifyRequest, Span>();
  app.addHook('onRequest', (request, _reply, done) => {
    if (!isJsonApiPath(request.url)) return done();
    const { traceparent } = request.headers;
    const name = endpointOf(request, 0);
    spans.set(request, traces.begin(name, typeof traceparent === 'string' ? traceparent : undefined));
    done();
  });
  // Fastify reads the body between its first hook and this one, which would lose the span.
  app.addHook('preHandler', (request, _reply, done) => {
    const span = spans.get(request);
    if (span) traces.run([span], done);
    else done();
  });
  app.addHook('onResponse', async (request, reply) => {
    const { statusCode: status } = reply.raw;
    const route = routeOf(request);
    spans.get(request)?.end({
      attributes: {
        ...httpAttributes(request.method, status),
        ...(route !== undefined && { 'http.route': route }),
        ...(reply.hasHeader('x-request-id') && { 'sealpost.request.id': idOf(reply) }),
      },
      ...failureOf(status < LEAST_ERROR ? undefined : String(status), status),
    });
  });
  return (request) => spans.get(request);
}

const traceIdOf = (span: Span | undefined) => span && { traceId: span.traceId };

const routeOf = ({ is404, routeOptions }: FastifyRequest): string | undefined => (is404 ? undefined : routeOptions.url);

/** Returns the pattern of the path, in which names of accounts are `:account`. */
function endpointOf(request: FastifyRequest, status: number): string {
  const route = routeOf(request);
  if (route !== undefined) return `${request.method} ${route}`;
  // Files of the web client have no separate routes.
  return status < LEAST_ERROR ? 'page' : NO_ENDPOINT;
}

const numberOf = (header: unknown): number => Number.parseInt(String(header), 10) || 0;

const idOf = (reply: FastifyReply): string => String(reply.getHeader('x-request-id') ?? '');
