// The event stream over HTTP (server-sent events).
import type { IncomingMessage, ServerResponse } from 'node:http';
import { ApiError, parseI64 } from '@sealpost/contract';
import type { Caller } from '../rpc/call.ts';
import type { HttpHandler } from '../rpc/http-requests.ts';
import type { OpenStreams } from './open-streams.ts';
import type { Sink } from './stream.ts';

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
  return async ({ caller, query, request, response, header, extraHeaders }) => {
    const cursor = cursorOf(query, header('last-event-id'));
    openEventStream(openStreams, caller as Caller, cursor, request, response, extraHeaders);
    return undefined;
  };
}

function openEventStream(
  openStreams: OpenStreams,
  caller: Caller,
  cursor: number | undefined,
  request: IncomingMessage,
  response: ServerResponse,
  headers: readonly string[],
): void {
  // The end of the connection marks the end of the response. So no event needs the header of a chunk.
  response.useChunkedEncodingByDefault = false;
  response.writeHead(200, [...HEADERS, ...headers]);
  response.flushHeaders();
  request.socket.setNoDelay(true);
  request.socket.setTimeout(0);
  const stream = openStreams.open(
    { accountId: caller.accountId, sessionId: caller.sessionId, cursor },
    sinkOf(response),
  );
  response.on('close', () => stream.close());
  response.on('error', () => stream.close());
  forget(request);
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

function sinkOf(response: ServerResponse): Sink {
  return {
    write(events) {
      if (response.writableEnded || response.destroyed) return 0;
      response.write(events);
      return response.writableLength;
    },
    unread: () => (response.destroyed ? 0 : response.writableLength),
    drained: () =>
      new Promise((resolve) => {
        if (!response.writableNeedDrain || response.destroyed) return resolve();
        const done = (): void => {
          response.off('drain', done);
          response.off('close', done);
          resolve();
        };
        response.on('drain', done);
        response.on('close', done);
      }),
    end() {
      if (response.writableLength > 0) setLinger(response);
      response.end();
    },
    cut() {
      response.destroy();
    },
  };
}

/**
 * Closes the connection after a short time, even if the client does not read. The client gets unread events again when
 * it resumes.
 */
function setLinger(response: ServerResponse): void {
  response.socket?.setTimeout(LINGER_MS, () => response.socket?.destroy());
}
const LINGER_MS = 2_000;
