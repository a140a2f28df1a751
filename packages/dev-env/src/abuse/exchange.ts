// Sends mutated requests on raw sockets, several at once, and tells what came back.
import { connect, type Socket } from 'node:net';
import { setTimeout as pause } from 'node:timers/promises';
import { type Answer, firstAnswer } from './answers.ts';
import type { AbusiveRequest } from './requests.ts';

export interface Outcome {
  readonly answers: readonly Answer[];
  /**
   * How the exchange ended. `answered`: with all expected answers. `closed`: the server closed the connection.
   * `garbled`: with bytes that are not HTTP. `silent`: nothing came within the limit.
   */
  readonly end: 'answered' | 'closed' | 'garbled' | 'silent';
  /** The code of the error with which the connection ended; undefined if it ended without one. */
  readonly error: string | undefined;
  /** True if the client left before the server could answer. */
  readonly left: boolean;
}

/** Milliseconds after which a client ends a request of which it does not know whether it is whole. */
const UNSURE_MS = 150;
/** Milliseconds after which a client leaves a poll. */
const WAITING_MS = 50;
/** The error of a client whose machine has no port left for a connection. Ports become free by themselves. */
const NO_PORT = 'EADDRNOTAVAIL';
const NO_PORT_MS = 1000;

export interface Line {
  /** Sends a request, and resolves when its exchange has ended. */
  send(request: AbusiveRequest): Promise<Outcome>;
  close(): void;
}

/**
 * A client that sends one request after another. It keeps its connection as long as the server and the requests let
 * it.
 * @param silenceMs milliseconds after which a server that neither answers nor closes is silent
 */
export function openLine(url: string, silenceMs: number): Line {
  const { hostname, port } = new URL(url);
  let kept: Socket | undefined;

  // A kept connection may fail between two requests. The next exchange sees that it is closed.
  const dial = (): Socket => connect(Number(port), hostname).on('error', () => {});

  function drop(socket: Socket): void {
    socket.destroy();
    if (kept === socket) kept = undefined;
  }

  function exchange(socket: Socket, request: AbusiveRequest): Promise<Outcome> {
    return new Promise((resolve) => {
      let received: Buffer = Buffer.alloc(0);
      let left = false;
      let error: string | undefined;
      const answers: Answer[] = [];
      const timers = [setTimeout(() => finish('silent'), silenceMs)];
      function finish(end: Outcome['end']): void {
        for (const timer of timers) clearTimeout(timer);
        socket.off('data', take).off('close', closed).off('end', closed).off('error', failed);
        const goesOn = end === 'answered' && request.outcome === 'answers' && !left && answers.at(-1)?.isLast === false;
        if (goesOn) kept = socket;
        else drop(socket);
        resolve({ answers, end, left, error });
      }
      function end(): void {
        left = true;
        socket.end();
      }
      function take(bytes: Buffer): void {
        received = received.length === 0 ? bytes : Buffer.concat([received, bytes]);
        for (;;) {
          const answer = firstAnswer(received, request.isHead);
          if (answer === 'garbled') finish('garbled');
          if (typeof answer !== 'object') return;
          answers.push(answer);
          received = received.subarray(answer.length);
          if (answers.length < request.answers && !answer.isLast) continue;
          finish('answered');
          return;
        }
      }
      const closed = (): void => finish('closed');
      // A connection closes after its error.
      const failed = ({ code, message }: NodeJS.ErrnoException): void => {
        error = code ?? message;
      };
      socket.on('data', take).on('close', closed).on('end', closed).on('error', failed);
      socket.write(request.bytes);
      if (request.outcome === 'leaves') end();
      else if (request.outcome === 'unsure') timers.push(setTimeout(end, UNSURE_MS));
      else if (request.waits) timers.push(setTimeout(end, WAITING_MS));
    });
  }

  async function again(request: AbusiveRequest): Promise<Outcome> {
    const outcome = await exchange(dial(), request);
    if (outcome.error !== NO_PORT) return outcome;
    await pause(NO_PORT_MS);
    return again(request);
  }

  return {
    async send(request) {
      const reused = kept;
      const socket = reused ?? dial();
      const outcome = await exchange(socket, request);
      // The server may close a kept connection before the next request arrives.
      const wasGone = reused !== undefined && outcome.end === 'closed' && outcome.answers.length === 0;
      return wasGone || outcome.error === NO_PORT ? again(request) : outcome;
    },
    close: () => kept?.destroy(),
  };
}
