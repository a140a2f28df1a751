// Serves the metrics: at the address of the server, or at a separate address.
import type { IncomingMessage, Server, ServerResponse } from 'node:http';
import { createServer } from '../platform/http/node-http.ts';
import { Problem, problemType } from '../platform/json-api/problem.ts';
import type { Metrics } from '../platform/observability/metrics.ts';
import { addressOf } from './announcement.ts';
import { listen } from './listening.ts';

export const METRICS_PATH = '/metrics';

/** An answer to a request for the metrics. */
export interface MetricsAnswer {
  readonly status: number;
  readonly headers: Readonly<Record<string, string>>;
  readonly body: string;
}

/** Answers a request for the metrics. */
export type MetricsPage = (request: IncomingMessage) => Promise<MetricsAnswer>;

/** @param gate throws a problem if the request must not be served; undefined if everybody may read the metrics */
export const createMetricsPage =
  (
    metrics: Pick<Metrics, 'contentType' | 'text'>,
    gate: ((request: IncomingMessage) => unknown) | undefined,
  ): MetricsPage =>
  async (request) => {
    try {
      await gate?.(request);
    } catch (error) {
      if (error instanceof Problem) return refusal(error);
      throw error;
    }
    return { status: 200, headers: { 'content-type': metrics.contentType }, body: await metrics.text() };
  };

function refusal({ body, retryAfter }: Problem): MetricsAnswer {
  const headers = {
    'content-type': problemType,
    ...(body.status === 401 && { 'www-authenticate': 'Bearer realm="metrics"' }),
    ...(retryAfter !== undefined && { 'retry-after': String(retryAfter) }),
  };
  return { status: body.status, headers, body: JSON.stringify(body) };
}

/** A server that serves the metrics and nothing else. */
export interface MetricsServer {
  readonly url: string;
  close(): Promise<void>;
}

/**
 * Starts a server for the metrics alone.
 * @param onFault called with an unexpected error; the client gets only status 500
 */
export async function startMetricsServer(
  page: MetricsPage,
  address: { readonly host: string; readonly port: number },
  onFault: (error: unknown) => void,
): Promise<MetricsServer> {
  const http: Server = createServer((request, response) => {
    answer(page, request, response).catch((error: unknown) => {
      onFault(error);
      response.writeHead(500).end();
    });
  });
  await listen(http, address, { host: 'metrics-address', port: 'metrics-address' });
  const taken = http.address();
  const port = typeof taken === 'object' && taken ? taken.port : address.port;
  return {
    url: addressOf(address.host, port),
    close: () =>
      new Promise((resolve) => {
        http.close(() => resolve());
        http.closeAllConnections();
      }),
  };
}

async function answer(page: MetricsPage, request: IncomingMessage, response: ServerResponse): Promise<void> {
  const [path] = (request.url ?? '').split('?');
  if (path !== METRICS_PATH) {
    response.writeHead(404, { 'content-type': 'text/plain' }).end(`only ${METRICS_PATH} is here\n`);
    return;
  }
  if (request.method !== 'GET' && request.method !== 'HEAD') {
    response.writeHead(405, { allow: 'GET, HEAD' }).end();
    return;
  }
  const { status, headers, body } = await page(request);
  response.writeHead(status, headers).end(body);
}
