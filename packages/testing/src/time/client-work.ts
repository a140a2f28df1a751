// Tracks what clients in this process do. Virtual time must not move while a request or an answer is on its way.
// Otherwise the request would reach its time limit first, although nothing was slow.
import type { ServerResponse } from 'node:http';
import type { Clock, Timers } from '@sealpost/contract/ports';

/** The answer to a request, as its server sees it. */
export interface SeenAnswer {
  readonly response: ServerResponse;
  /** Returns the number of bytes of the body that were sent; undefined if the test holds bytes back. */
  sentBytes(): number | undefined;
}

/** The ports for clients of the SDK. */
export interface ClientSidePorts {
  readonly clock: Clock;
  readonly timers: Timers;
  /** A `fetch` whose requests to the server are tracked. Requests to other servers are not. */
  readonly fetch: typeof fetch;
}

export interface ClientWork {
  /** Returns the ports for clients that have this clock and these timers. */
  ports(clock: Clock, timers: Timers): ClientSidePorts;
  /** Notes that a request has reached the server. */
  arrived(number: string, answer: SeenAnswer): void;
  /** Returns true while a request or an answer is on its way, or a client has just been given work. */
  busy(): boolean;
}

/** The header with the number of a tracked request. Its server removes it from the record of the call. */
export const REQUEST_NUMBER = 'x-dev-request';

interface Tracked {
  seen?: SeenAnswer;
  isStream: boolean;
  hasHead: boolean;
  bytes: number;
}

/**
 * The number of small tasks for the threads of the process that a client gets as a lead. A client signs a request on
 * these threads before it calls `fetch`, and nothing tells when it has.
 */
const LEAD_TASKS = 10;
const NOTHING = new Uint8Array();

/** @param url returns the address of the server */
export function createClientWork(url: () => string): ClientWork {
  const tracked = new Map<string, Tracked>();
  let last = 0;
  let leads = 0;

  /** Gives the clients time, in real time, to begin what they do next. */
  async function lead(): Promise<void> {
    leads += 1;
    for (let n = 0; n < LEAD_TASKS; n++) await crypto.subtle.digest('SHA-256', NOTHING);
    leads -= 1;
  }

  function over(number: string): void {
    if (tracked.delete(number)) void lead();
  }

  async function trackedFetch(...[input, init]: Parameters<typeof fetch>): Promise<Response> {
    const { url: address, headers: own } = input instanceof Request ? input : { url: String(input) };
    if (!address.startsWith(`${url()}/`)) return fetch(input, init);
    const number = String(++last);
    const headers = new Headers(init?.headers ?? own);
    headers.set(REQUEST_NUMBER, number);
    const request: Tracked = { isStream: false, hasHead: false, bytes: 0 };
    tracked.set(number, request);
    try {
      const response = await fetch(input, { ...init, headers });
      request.hasHead = true;
      request.isStream = response.headers.get('Content-Type')?.startsWith('text/event-stream') ?? false;
      if (request.isStream) void lead();
      const came = (bytes: number) => (request.bytes += bytes);
      const body = response.body && passed(response.body, came, () => over(number));
      if (!body) over(number);
      return new Response(body, response);
    } catch (error) {
      over(number);
      throw error;
    }
  }

  const leading = (run: () => void) => (): void => {
    void lead();
    run();
  };

  return {
    ports: (clock, { after, every }) => ({
      clock,
      timers: {
        after: (ms, run, options) => after(ms, leading(run), options),
        every: (ms, run, options) => every(ms, leading(run), options),
      },
      fetch: trackedFetch,
    }),
    arrived(number, answer) {
      const request = tracked.get(number);
      if (request) request.seen = answer;
    },
    busy: () => leads > 0 || [...tracked.values()].some(isOnItsWay),
  };
}

/** Returns whether something of a request or its answer is between client and server. */
function isOnItsWay({ seen, isStream, hasHead, bytes }: Tracked): boolean {
  if (!seen) return true;
  const { response } = seen;
  if (response.writableEnded || response.destroyed) return true;
  const sent = seen.sentBytes();
  if (sent === undefined) return false;
  return hasHead ? isStream && sent > bytes : response.headersSent;
}

/**
 * Passes a body on, and reads it at once, even if the client does not. So what a slow client has not read yet does not
 * count as on its way.
 */
function passed(
  body: ReadableStream<Uint8Array>,
  came: (bytes: number) => void,
  ended: () => void,
): ReadableStream<Uint8Array> {
  const reader = body.getReader();
  return new ReadableStream({
    async start(controller) {
      try {
        for (;;) {
          const { value, done } = await reader.read();
          if (done) break;
          came(value.length);
          controller.enqueue(value);
        }
        controller.close();
      } catch (error) {
        controller.error(error);
      } finally {
        ended();
      }
    },
    cancel: (reason) => reader.cancel(reason),
  });
}
