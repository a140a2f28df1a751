// The HTTP server. It finds the endpoint of each request, and passes everything outside the protocol to Fastify.
import type { IncomingMessage, RequestListener, Server, ServerResponse } from 'node:http';
import type { Socket } from 'node:net';
import type { Duplex } from 'node:stream';
import { ApiError } from '@sealpost/contract';
import type { Endpoint } from '../rpc/endpoint.ts';
import { httpFailure } from '../rpc/envelope.ts';
import type { Exchange } from '../rpc/exchange.ts';
import { EXPOSED_OF_OBJECTS } from '../rpc/object-requests.ts';
import type { Pipeline } from '../rpc/pipeline.ts';
import { type FixedHeaders, responseWith } from './fixed-headers.ts';
import { createServer, STATUS_CODES } from './node-http.ts';
import { onConnectionEnd } from './released.ts';
import { isJsonApiPath, type WebPaths } from './web-paths.ts';

const MAX_HEADER_BYTES = 16 * 1024;
const HEADERS_TIMEOUT_MS = 10_000;
const REQUEST_TIMEOUT_MS = 30_000;
const CHECK_INTERVAL_MS = 5_000;
const KEEP_ALIVE_MS = 65_000;
const MAX_CONNECTIONS = 20_000;
const MAX_HEADERS = 100;
/** Milliseconds that the server waits after a refusal until the client closes the connection. */
const LINGER_MS = 5_000;

export interface GatewayDeps {
  readonly pipeline: Pipeline;
  readonly methods: ReadonlyMap<string, Endpoint>;
  readonly httpEndpointAt: (path: string) => Endpoint | undefined;
  readonly objectEndpointAt: (path: string) => Endpoint | undefined;
}

/** Handles a request of the protocol and returns true; returns false for any other request. */
export type Gateway = (request: IncomingMessage, response: Parameters<RequestListener>[1]) => boolean;

export function createGateway({ pipeline, methods, httpEndpointAt, objectEndpointAt }: GatewayDeps): Gateway {
  const refuse = (exchange: Exchange, code: 'NOT_FOUND_PATH' | 'ILLEGAL_ARGUMENT', reason: string): true => {
    pipeline.refuse(exchange, new ApiError(code, reason));
    return true;
  };
  const serve = (endpoint: Endpoint, exchange: Exchange): true => {
    void pipeline.serve(endpoint, exchange);
    return true;
  };
  return (request, response) => {
    const url = request.url as string;
    const mark = url.indexOf('?');
    const path = mark < 0 ? url : url.slice(0, mark);
    const method = methods.get(path);
    if (method && request.method === 'POST') return serve(method, pipeline.begin(request, response));
    if (path.startsWith('/r/')) {
      if (request.method === 'POST') exemptFromTimeout(request);
      const exchange = pipeline.begin(request, response, EXPOSED_OF_OBJECTS);
      const object = objectEndpointAt(path);
      return object
        ? serve(object, exchange)
        : refuse(exchange, 'NOT_FOUND_PATH', `no object at ${path.slice(0, 200)}`);
    }
    // NUL is refused here, because no stored text contains NUL and PostgreSQL rejects queries with NUL.
    if (mark >= 0 && url.includes('%00', mark)) {
      return refuse(pipeline.begin(request, response), 'ILLEGAL_ARGUMENT', 'the query holds NUL, as %00');
    }
    const endpoint = method ?? httpEndpointAt(path);
    if (endpoint) return serve(endpoint, pipeline.begin(request, response));
    if (!isProtocolPath(path)) return false;
    return refuse(
      pipeline.begin(request, response),
      'NOT_FOUND_PATH',
      `no endpoint at ${path.slice(0, 200)}; /docs lists what is here`,
    );
  };
}

/** Returns true if a path belongs to the protocol, which has everything under /api except JSON APIs. */
const isProtocolPath = (path: string): boolean => path.startsWith('/api/') && !isJsonApiPath(path);

/** Connections on which a client uploads an object. Uploads have no time limit, but a minimum rate. */
const uploading = new WeakSet<object>();

function exemptFromTimeout(request: IncomingMessage): void {
  const { socket } = request;
  uploading.add(socket);
  request.once('close', () => uploading.delete(socket));
}

export interface HttpServerOptions {
  /** Maximum number of connections that one address may have open. Further connections are closed at once. */
  readonly connectionsPerAddress: number;
  /** Called with the address of a connection that is closed because of `connectionsPerAddress`. */
  readonly onLimit: (address: string) => void;
  readonly fixedHeaders: FixedHeaders;
}

/** Refuses a request whose form is wrong, without passing it on. */
const refuserOf =
  (web: WebPaths) =>
  (request: IncomingMessage, response: ServerResponse, status: number, reason: string): void => {
    const { type, body } = web.refusalAt(request.url as string, status, reason);
    response.writeHead(status, ['Content-Type', type, 'Content-Length', String(Buffer.byteLength(body))]);
    response.end(body);
  };

/**
 * Returns the function that serves each request.
 * @param web serves the requests that the gateway does not handle
 * @param beside serves requests outside of the protocol and the web, and returns true if it did; undefined in
 * production
 * @param onFault called with an error that one of them threw instead of answering
 */
export function requestListener(
  gateway: Gateway,
  web: WebPaths,
  beside: Gateway | undefined,
  onFault: (error: unknown) => void,
): RequestListener {
  const refuse = refuserOf(web);
  // Closes the connection after a refused request. The bytes that follow must not be read as a new request.
  const refuseAndClose = (request: IncomingMessage, response: ServerResponse, { status, reason }: Fault): void => {
    response.shouldKeepAlive = false;
    refuse(request, response, status, reason);
  };
  return (request, response) => {
    const fault = versionFault(request) ?? hostFault(request);
    if (fault) return refuseAndClose(request, response, fault);
    try {
      if (!beside?.(request, response) && !gateway(request, response)) web.listener(request, response);
    } catch (error) {
      // An error that nobody catches here would end the server, for everybody.
      onFault(error);
      if (response.headersSent) response.destroy();
      else refuseAndClose(request, response, { status: 500, reason: 'the server failed; its log tells why' });
    }
  };
}

/** Creates the HTTP server, which passes each request to the listener. */
export function createHttpServer(
  listener: RequestListener,
  web: WebPaths,
  { connectionsPerAddress, onLimit, fixedHeaders }: HttpServerOptions,
): Server {
  const server = createServer(
    {
      ServerResponse: responseWith(fixedHeaders),
      // The header Host is checked below instead, so that the error for a wrong header has a body.
      requireHostHeader: false,
      maxHeaderSize: MAX_HEADER_BYTES,
      headersTimeout: HEADERS_TIMEOUT_MS,
      requestTimeout: REQUEST_TIMEOUT_MS,
      connectionsCheckingInterval: CHECK_INTERVAL_MS,
      keepAliveTimeout: KEEP_ALIVE_MS,
      noDelay: true,
    },
    listener,
  );
  const refuse = refuserOf(web);
  server.on('checkExpectation', (request, response) =>
    refuse(
      request,
      response,
      417,
      `the header Expect can be 100-continue, not ${request.headers.expect?.slice(0, 200)}`,
    ),
  );
  server.on('connect', (request, socket) => {
    const reason = `no CONNECT to ${request.url?.slice(0, 200)}: this server is not a proxy; send the request itself`;
    // The header Allow is empty, because CONNECT has no path for which it could name other methods.
    answerOn(socket, 405, reason, ['Allow', '', ...fixedHeaders(request)]);
  });
  server.maxConnections = MAX_CONNECTIONS;
  server.maxHeadersCount = MAX_HEADERS;
  server.on('connection', capPerAddress(connectionsPerAddress, onLimit));
  countUnusedAsIdle(server);
  server.on('clientError', (error: NodeJS.ErrnoException, socket) => {
    if (error.code === 'ECONNRESET' || !socket.writable) return;
    if (error.code === 'ERR_HTTP_REQUEST_TIMEOUT' && uploading.has(socket)) return;
    const { status, reason } = clientErrors[error.code ?? ''] ?? {
      status: 400,
      reason: `the request is not valid HTTP (${error.message})`,
    };
    answerOn(socket, status, reason, fixedHeaders(undefined));
  });
  return server;
}

/**
 * Makes `closeIdleConnections` close connections without a request too. Clients open such connections in advance, and
 * Node waits for their first request, which would hold up the end of the server.
 */
function countUnusedAsIdle(server: Server): void {
  const unused = new Set<Socket>();
  server.on('connection', (socket: Socket) => {
    unused.add(socket);
    socket.once('close', () => unused.delete(socket));
  });
  server.on('request', ({ socket }) => unused.delete(socket));
  const closeIdle = server.closeIdleConnections.bind(server);
  server.closeIdleConnections = () => {
    closeIdle();
    for (const socket of unused) if (socket.bytesRead === 0) socket.destroy();
  };
}

interface Fault {
  readonly status: number;
  readonly reason: string;
}

/**
 * Returns a fault if the HTTP version of the request is not supported. HTTP/0.9 has no headers, and this server does
 * not support versions after 1.1.
 */
function versionFault({ httpVersion }: IncomingMessage): Fault | undefined {
  if (httpVersion === '1.1' || httpVersion === '1.0') return undefined;
  return { status: 505, reason: `HTTP/${httpVersion} is not supported: send the request as HTTP/1.1` };
}

/**
 * Returns a fault if the header Host is missing or repeated. If there are two hosts, a proxy and this server might use
 * different ones.
 */
function hostFault({ rawHeaders, httpVersion }: IncomingMessage): Fault | undefined {
  let hosts = 0;
  for (let i = 0; i < rawHeaders.length; i += 2) {
    const name = rawHeaders[i] as string;
    if (name.length === 4 && name.toLowerCase() === 'host') hosts += 1;
  }
  if (hosts === 1 || (hosts === 0 && httpVersion === '1.0')) return undefined;
  const reason =
    hosts === 0
      ? 'HTTP/1.1 needs the header Host, with the name of this server'
      : `the header Host occurs ${hosts} times: send it once`;
  return { status: 400, reason };
}

/**
 * Writes a response to the socket when there is no response object, because the request is malformed or is not served.
 */
function answerOn(socket: Duplex, status: number, reason: string, more: readonly string[]): void {
  const body = httpFailure(status, reason);
  // Ignores the error that occurs if the client disconnects during the response.
  socket.on('error', () => {});
  (socket as Socket).setTimeout(LINGER_MS, () => socket.destroy());
  const headers = ['Content-Type', 'application/json', ...more, 'Content-Length', String(Buffer.byteLength(body))];
  const lines = headers.flatMap((name, i) => (i % 2 === 0 ? [`${name}: ${headers[i + 1]}\r\n`] : []));
  socket.end(`HTTP/1.1 ${status} ${STATUS_CODES[status]}\r\n${lines.join('')}Connection: close\r\n\r\n${body}`);
}

/** Limits the connections of each address, so that one address cannot use up all connections. */
function capPerAddress(most: number, onLimit: (address: string) => void): (socket: Socket) => void {
  const open = new Map<string, number>();
  return (socket) => {
    const address = socket.remoteAddress ?? '';
    const count = (open.get(address) ?? 0) + 1;
    if (count > most) {
      onLimit(address);
      socket.destroy();
      return;
    }
    open.set(address, count);
    onConnectionEnd(socket, () => {
      const left = (open.get(address) ?? 1) - 1;
      if (left === 0) open.delete(address);
      else open.set(address, left);
    });
  };
}

const clientErrors: Readonly<Record<string, Fault>> = {
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
