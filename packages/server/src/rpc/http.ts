// The HTTP server: finds the route of a request, and leaves everything that is not the protocol to Fastify.
import { createServer, type IncomingMessage, type RequestListener, type Server } from 'node:http';
import type { Socket } from 'node:net';
import { ApiError } from '@sealpost/contract';
import { httpOperations } from '@sealpost/contract/schemas';
import type { ObjectGateway } from './object-requests.ts';
import { createOperationPaths } from './operation-paths.ts';
import type { createPipeline, HttpHandlers } from './pipeline.ts';
import type { Route } from './routes.ts';

const MAX_HEADER_BYTES = 16 * 1024;
const HEADERS_TIMEOUT_MS = 10_000;
const REQUEST_TIMEOUT_MS = 30_000;
const CHECK_INTERVAL_MS = 5_000;
const KEEP_ALIVE_MS = 65_000;
const MAX_CONNECTIONS = 20_000;
const MAX_HEADERS = 100;

export interface GatewayDeps {
  readonly pipeline: ReturnType<typeof createPipeline>;
  readonly routes: ReadonlyMap<string, Route>;
  readonly httpHandlers: HttpHandlers;
  readonly objects: ObjectGateway;
  readonly corsHeaders: (origin: string | undefined) => readonly string[];
}

/** Answers true for requests of the protocol. */
export type Gateway = (request: IncomingMessage, response: Parameters<RequestListener>[1]) => boolean;

export function createGateway({ pipeline, routes, httpHandlers, objects, corsHeaders }: GatewayDeps): Gateway {
  const operationOf = createOperationPaths();
  return (request, response) => {
    const url = request.url as string;
    const mark = url.indexOf('?');
    const path = mark < 0 ? url : url.slice(0, mark);
    const route = routes.get(path);
    if (route && request.method === 'POST') {
      void pipeline.serveRpc(route, request, response);
      return true;
    }
    if (path.startsWith('/r/')) {
      if (request.method === 'POST') exemptFromTimeout(request);
      objects(path, request, response);
      return true;
    }
    // No text that is stored holds NUL, and not every database lets itself be asked for one.
    if (mark >= 0 && url.includes('%00', mark)) {
      const error = new ApiError('ILLEGAL_ARGUMENT', 'the query holds NUL, as %00');
      pipeline.refuse(response, error, corsHeaders(request.headers.origin), request);
      return true;
    }
    const found = route ? undefined : operationOf(path);
    if (request.method === 'OPTIONS' && (route ?? found)) {
      response.writeHead(204, [...corsHeaders(request.headers.origin), 'Content-Length', '0']);
      response.end();
    } else if (route) {
      void pipeline.serveRpc(route, request, response);
    } else if (found) {
      void pipeline.serveHttp(found, httpOperations[found.name], httpHandlers[found.name], request, response);
    } else if (isProtocolPath(path)) {
      pipeline.refuse(
        response,
        new ApiError('NOT_FOUND_PATH', `no operation at ${path.slice(0, 200)}`),
        corsHeaders(request.headers.origin),
        request,
      );
    } else {
      return false;
    }
    return true;
  };
}

/** Everything under /api but the admin API. */
const isProtocolPath = (path: string): boolean => path.startsWith('/api/') && !path.startsWith('/api/admin/');

/** Connections on which an object arrives: it may take its time, and has a least rate instead. */
const uploading = new WeakSet<object>();

function exemptFromTimeout(request: IncomingMessage): void {
  const { socket } = request;
  uploading.add(socket);
  request.once('close', () => uploading.delete(socket));
}

/**
 * @param fallback handles what the gateway does not
 * @param perAddress connections that one address may have open; further ones are closed at once
 */
export function createHttpServer(gateway: Gateway, fallback: RequestListener, perAddress: number): Server {
  const server = createServer(
    {
      maxHeaderSize: MAX_HEADER_BYTES,
      headersTimeout: HEADERS_TIMEOUT_MS,
      requestTimeout: REQUEST_TIMEOUT_MS,
      connectionsCheckingInterval: CHECK_INTERVAL_MS,
      keepAliveTimeout: KEEP_ALIVE_MS,
      noDelay: true,
    },
    (request, response) => {
      if (!gateway(request, response)) fallback(request, response);
    },
  );
  server.maxConnections = MAX_CONNECTIONS;
  server.maxHeadersCount = MAX_HEADERS;
  server.on('connection', capPerAddress(perAddress));
  server.on('clientError', (error: NodeJS.ErrnoException, socket) => {
    if (error.code === 'ECONNRESET' || !socket.writable) return;
    if (error.code === 'ERR_HTTP_REQUEST_TIMEOUT' && uploading.has(socket)) return;
    const status = clientErrors[error.code ?? ''] ?? '400 Bad Request';
    const body = JSON.stringify({
      code: 10052,
      message: 'RESPONSE_HTTP_ERROR',
      data: { statusCode: Number.parseInt(status, 10), reason: 'the request is not valid HTTP' },
    });
    socket.end(
      `HTTP/1.1 ${status}\r\nContent-Type: application/json\r\nContent-Length: ${body.length}\r\nConnection: close\r\n\r\n${body}`,
    );
  });
  return server;
}

/** One address cannot take all the connections there are. */
function capPerAddress(most: number): (socket: Socket) => void {
  const open = new Map<string, number>();
  return (socket) => {
    const address = socket.remoteAddress ?? '';
    const count = (open.get(address) ?? 0) + 1;
    if (count > most) {
      socket.destroy();
      return;
    }
    open.set(address, count);
    socket.once('close', () => {
      const left = (open.get(address) ?? 1) - 1;
      if (left === 0) open.delete(address);
      else open.set(address, left);
    });
  };
}

const clientErrors: Record<string, string> = {
  HPE_HEADER_OVERFLOW: '431 Request Header Fields Too Large',
  ERR_HTTP_REQUEST_TIMEOUT: '408 Request Timeout',
};

/** Headers for pages of allowed origins: an exact list; a trailing `*` matches any end. */
export function corsFor(
  allowed: readonly string[],
  requestHeaders: readonly string[],
): (origin: string | undefined) => readonly string[] {
  const matches = (origin: string) =>
    allowed.some((entry) => (entry.endsWith('*') ? origin.startsWith(entry.slice(0, -1)) : origin === entry));
  return (origin) =>
    origin === undefined || !matches(origin)
      ? []
      : [
          'Access-Control-Allow-Origin',
          origin,
          'Access-Control-Allow-Credentials',
          'true',
          'Access-Control-Allow-Headers',
          requestHeaders.join(', '),
          'Access-Control-Allow-Methods',
          'GET, POST',
          'Access-Control-Max-Age',
          '600',
          'Vary',
          'Origin',
        ];
}
