// The HTTP server: finds the route of a request, and leaves everything that is not the protocol to Fastify.
import {
  createServer,
  type IncomingMessage,
  type RequestListener,
  type Server,
  type ServerResponse,
  STATUS_CODES,
} from 'node:http';
import type { Socket } from 'node:net';
import type { Duplex } from 'node:stream';
import { ApiError } from '@sealpost/contract';
import { httpOperations } from '@sealpost/contract/schemas';
import { httpFailure } from './envelope.ts';
import type { ObjectGateway } from './object-requests.ts';
import { createOperationPaths } from './operation-paths.ts';
import { isAdminPath, type OtherPaths } from './other-paths.ts';
import type { createPipeline, HttpHandlers } from './pipeline.ts';
import type { Route } from './routes.ts';

const MAX_HEADER_BYTES = 16 * 1024;
const HEADERS_TIMEOUT_MS = 10_000;
const REQUEST_TIMEOUT_MS = 30_000;
const CHECK_INTERVAL_MS = 5_000;
const KEEP_ALIVE_MS = 65_000;
const MAX_CONNECTIONS = 20_000;
const MAX_HEADERS = 100;
/** How long a refused connection waits for its client to close it as well. */
const LINGER_MS = 5_000;

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
const isProtocolPath = (path: string): boolean => path.startsWith('/api/') && !isAdminPath(path);

/** Connections on which an object arrives: it may take its time, and has a least rate instead. */
const uploading = new WeakSet<object>();

function exemptFromTimeout(request: IncomingMessage): void {
  const { socket } = request;
  uploading.add(socket);
  request.once('close', () => uploading.delete(socket));
}

/**
 * @param others handles what the gateway does not
 * @param perAddress connections that one address may have open; further ones are closed at once
 */
export function createHttpServer(gateway: Gateway, others: OtherPaths, perAddress: number): Server {
  const refuse = (request: IncomingMessage, response: ServerResponse, status: number, reason: string): void => {
    const { type, body } = others.refusalAt(request.url as string, status, reason);
    response.writeHead(status, ['Content-Type', type, 'Content-Length', String(Buffer.byteLength(body))]);
    response.end(body);
  };
  const server = createServer(
    {
      // Asked below, for an answer with a body.
      requireHostHeader: false,
      maxHeaderSize: MAX_HEADER_BYTES,
      headersTimeout: HEADERS_TIMEOUT_MS,
      requestTimeout: REQUEST_TIMEOUT_MS,
      connectionsCheckingInterval: CHECK_INTERVAL_MS,
      keepAliveTimeout: KEEP_ALIVE_MS,
      noDelay: true,
    },
    (request, response) => {
      if (request.headers.host === undefined && request.httpVersion === '1.1') {
        refuse(request, response, 400, 'HTTP/1.1 needs the header Host, with the name of this server');
      } else if (!gateway(request, response)) others.listener(request, response);
    },
  );
  server.on('checkExpectation', (request, response) =>
    refuse(
      request,
      response,
      417,
      `the header Expect can be 100-continue, not ${request.headers.expect?.slice(0, 200)}`,
    ),
  );
  server.on('connect', ({ url }, socket) => {
    const reason = `no CONNECT to ${url?.slice(0, 200)}: this server is no proxy; send the request itself`;
    // There is no path, so there is no verb that would do.
    answerOn(socket, 405, reason, 'Allow:\r\n');
  });
  server.maxConnections = MAX_CONNECTIONS;
  server.maxHeadersCount = MAX_HEADERS;
  server.on('connection', capPerAddress(perAddress));
  server.on('clientError', (error: NodeJS.ErrnoException, socket) => {
    if (error.code === 'ECONNRESET' || !socket.writable) return;
    if (error.code === 'ERR_HTTP_REQUEST_TIMEOUT' && uploading.has(socket)) return;
    const { status, reason } = clientErrors[error.code ?? ''] ?? {
      status: 400,
      reason: `the request is not valid HTTP (${error.message})`,
    };
    answerOn(socket, status, reason);
  });
  return server;
}

/** Answers where there is no response to write to, because no request came or none that is served. */
function answerOn(socket: Duplex, status: number, reason: string, header = ''): void {
  const body = httpFailure(status, reason);
  // A client that leaves in the meantime is no fault.
  socket.on('error', () => {});
  (socket as Socket).setTimeout(LINGER_MS, () => socket.destroy());
  socket.end(
    `HTTP/1.1 ${status} ${STATUS_CODES[status]}\r\nContent-Type: application/json\r\n${header}Content-Length: ${Buffer.byteLength(body)}\r\nConnection: close\r\n\r\n${body}`,
  );
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

const clientErrors: Readonly<Record<string, { readonly status: number; readonly reason: string }>> = {
  HPE_HEADER_OVERFLOW: {
    status: 431,
    reason: `the path and the headers are longer than ${MAX_HEADER_BYTES} bytes together; send fewer or shorter ones`,
  },
  HPE_CHUNK_EXTENSIONS_OVERFLOW: { status: 413, reason: 'the chunks of the body have too long extensions; send none' },
  ERR_HTTP_REQUEST_TIMEOUT: {
    status: 408,
    reason: `the request took too long: its headers have ${HEADERS_TIMEOUT_MS / 1000} s to arrive, all of it has ${REQUEST_TIMEOUT_MS / 1000} s`,
  },
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
