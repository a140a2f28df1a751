// The event stream over HTTP (server-sent events).
import type { IncomingMessage, ServerResponse } from 'node:http';
import { ApiError, parseI64 } from '@sealpost/contract';
import type { Connection } from '../http/released.ts';
import type { Caller } from '../rpc/call.ts';
import type { HttpHandler } from '../rpc/http-requests.ts';
import type { OpenStreams } from './open-streams.ts';
import type { Sink, StreamInfo } from './stream.ts';

const HEADERS = [
  'Content-Type',
  'text/event-stream; charset=utf-8',
  'Cache-Control',
  'no-store, no-transform',
  'X-Accel-Buffering',
  'no',
  'Connection',
  'close',
];

/**
 * Returns the last revision that the client has; undefined for a stream that starts now. This revision is the larger of
 * `localRev` and `Last-Event-ID`, because a browser that reconnects sends the old `localRev` again.
 */
export function cursorOf(query: URLSearchParams, lastEventId: string | undefined): number | undefined {
  const named = Object.entries({ localRev: query.get('localRev'), 'Last-Event-ID': lastEventId });
  const revisions = named.flatMap(([field, text]) => (text ? [revisionOf(field, text)] : []));
  return revisions.length === 0 ? undefined : Math.max(...revisions);
}

function revisionOf(field: string, text: string): number {
  const revision = parseI64(text);
  if (revision === undefined) {
    throw new ApiError('REQUEST_SCHEMA', `${field} must be an integer, not ${JSON.stringify(text.slice(0, 40))}`);
  }
  return Math.max(0, revision);
}

/** Returns the handler of `GET /api/operation/receive`. */
export function receiveOperations(openStreams: OpenStreams): HttpHandler {
  return async ({ caller, query, request, response, header, extraHeaders, release }) => {
    const { accountId, sessionId } = caller as Caller;
    const cursor = cursorOf(query, header('last-event-id'));
    writeHead(response, extraHeaders);
    request.socket.setNoDelay(true);
    request.socket.setTimeout(0);
    forget(request);
    follow(openStreams, { accountId, sessionId, cursor }, release());
    return undefined;
  };
}

function writeHead(response: ServerResponse, headers: readonly string[]): void {
  // The end of the connection marks the end of the response. So no event needs the header of a chunk.
  response.useChunkedEncodingByDefault = false;
  response.writeHead(200, [...HEADERS, ...headers]);
  response.flushHeaders();
}

/**
 * Frees the parts of a request that are no longer needed. A stream lives for hours, and thousands of streams must not
 * keep their request headers in memory.
 */
function forget(request: IncomingMessage): void {
  request.removeAllListeners();
  request.headers = {};
  request.rawHeaders.length = 0;
}

/** Writes the operations of an account to a connection until one of both sides ends it. */
function follow(openStreams: OpenStreams, info: StreamInfo, connection: Connection): void {
  const stream = openStreams.open(info, sinkOf(connection));
  connection.on('close', () => stream.close());
  connection.on('error', () => stream.close());
}

function sinkOf(connection: Connection): Sink {
  return {
    write(events) {
      if (connection.writableEnded || connection.destroyed) return 0;
      connection.write(events);
      return connection.writableLength;
    },
    unread: () => (connection.destroyed ? 0 : connection.writableLength),
    drained: () =>
      new Promise((resolve) => {
        if (!connection.writableNeedDrain || connection.destroyed) return resolve();
        const done = (): void => {
          connection.off('drain', done);
          connection.off('close', done);
          resolve();
        };
        connection.on('drain', done);
        connection.on('close', done);
      }),
    end() {
      if (connection.writableLength > 0) linger(connection);
      connection.end();
    },
    cut() {
      connection.destroy();
    },
  };
}

/**
 * Closes the connection after a short time, even if the client does not read. The client gets unread events again when
 * it resumes.
 */
function linger(connection: Connection): void {
  connection.setTimeout(LINGER_MS, () => connection.destroy());
}
const LINGER_MS = 2_000;
