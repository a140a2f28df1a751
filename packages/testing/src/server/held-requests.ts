// Keeps the HTTP server open while a reset replaces the gateway behind it. Requests that arrive during the reset wait.
import type { IncomingMessage, RequestListener, Server, ServerResponse } from 'node:http';
import type { Socket } from 'node:net';

export interface HeldRequests {
  /**
   * Sets the function that serves requests after the next `release`. Returns the kept HTTP server; undefined at the
   * first start.
   */
  httpFor(listener: RequestListener): Server | undefined;
  /** Keeps the HTTP server of the first start. Later calls do nothing. */
  own(http: Server): void;
  /** Makes new requests wait, and closes all connections except one. */
  hold(except: Socket | undefined): void;
  /** Serves the waiting requests, and all new ones. */
  release(): void;
}

export function createHeldRequests(): HeldRequests {
  const sockets = new Set<Socket>();
  const waiting: [IncomingMessage, ServerResponse][] = [];
  let http: Server | undefined;
  let listener: RequestListener | undefined;
  return {
    httpFor(given) {
      listener = given;
      return http;
    },
    own(given) {
      if (http) return;
      http = given;
      http.on('connection', (socket) => {
        sockets.add(socket);
        socket.once('close', () => sockets.delete(socket));
      });
    },
    hold(except) {
      http?.removeAllListeners('request');
      http?.on('request', (request, response) => waiting.push([request, response]));
      for (const socket of sockets) if (socket !== except) socket.destroy();
    },
    release() {
      http?.removeAllListeners('request');
      if (listener) http?.on('request', listener);
      for (const [request, response] of waiting.splice(0)) listener?.(request, response as never);
    },
  };
}
