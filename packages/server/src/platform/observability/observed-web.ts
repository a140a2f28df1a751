// Follows every request beside the protocol: pages and the admin API.
import type { Random } from '@sealpost/contract/ports';
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify';
import { randomHex } from '../kernel/random-text.ts';
import type { Metrics } from './metrics.ts';
import { NO_ENDPOINT } from './observed-calls.ts';
import type { RequestLog } from './request-log.ts';

const ID_BYTES = 8;
const LEAST_ERROR = 400;

export interface WebObserverDeps {
  readonly metrics: Pick<Metrics, 'callBegan' | 'callEnded'>;
  readonly random: Random;
  readonly requestLog: RequestLog | undefined;
}

/** Adds the observer to an application. Must be called before its routes are added. */
export function observeWeb(app: FastifyInstance, { metrics, random, requestLog }: WebObserverDeps): void {
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
    });
  });
}

/** Returns the pattern of the path, in which names of accounts are `:account`. */
function endpointOf({ method, is404, routeOptions }: FastifyRequest, status: number): string {
  if (!is404 && routeOptions.url !== undefined) return `${method} ${routeOptions.url}`;
  // Files of the web client have no routes of their own.
  return status < LEAST_ERROR ? 'page' : NO_ENDPOINT;
}

const numberOf = (header: unknown): number => Number.parseInt(String(header), 10) || 0;

const idOf = (reply: FastifyReply): string => String(reply.getHeader('x-request-id') ?? '');
