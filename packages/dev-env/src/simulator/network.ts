// The network of a simulation. It carries the bytes of HTTP between clients and gateways without sockets, in the order
// of each connection, with delays, and with faults.
import { httpPaths } from '@sealpost/contract';
import { type Ear, type Heard, Link, MOST_DELAY_MS, type NetworkDeps, type RawRequest, type Target } from './link.ts';
import type { Process } from './schedule.ts';

const SLOW_MS = 6_000;

export class Network {
  readonly #deps: NetworkDeps;
  readonly #wires: Process = { name: 'network', alive: true };
  readonly #links = new Set<Link>();
  #calls = 0;

  constructor(deps: NetworkDeps) {
    this.#deps = deps;
  }

  /** Returns the `fetch` of a client. */
  fetchOf(client: Process, account: number): typeof fetch {
    return (input, init = {}) => {
      const url = new URL(String(input));
      const headers = [...new Headers(init.headers)];
      const body = typeof init.body === 'string' ? init.body : '';
      const bytes = init.body instanceof Uint8Array ? Buffer.from(init.body) : Buffer.from(body);
      const path = url.pathname + url.search;
      const call = { id: ++this.#calls, at: this.#deps.schedule.now, client, account, path, body };
      const signal = init.signal ?? undefined;
      return new Promise((resolve, reject) => {
        if (signal?.aborted) return reject(signal.reason);
        const ear = listen(client, resolve, reject);
        const lines = [
          ...headers,
          ['Host', url.host],
          ['Connection', 'close'],
          ['Content-Length', String(bytes.length)],
        ];
        const head = `${init.method ?? 'GET'} ${call.path} HTTP/1.1\r\n${lines.map(([name, value]) => `${name}: ${value}\r\n`).join('')}\r\n`;
        this.#send({ call, ear, signal }, { head, bytes });
      });
    };
  }

  /** Breaks all connections of a gateway that has crashed. */
  crashed(gateway: Target): void {
    for (const link of this.#links) if (link.gateway === gateway) link.lost();
  }

  /** Ends all connections, which would otherwise keep the whole simulation in memory. */
  close(): void {
    for (const link of this.#links) link.close();
  }

  #send({ call, ear, signal }: Heard, request: RawRequest): void {
    const { schedule, random, faults, history, onCall } = this.#deps;
    history.note(schedule.now, 'call', call.client.name, call.id, call.path.slice(0, 90), call.body.slice(0, 160));
    onCall(call);
    // A late second copy of a renewal looks like a stolen refresh token, which rightly ends the session.
    const mayRepeat = request.bytes.length > 0 && call.path !== httpPaths.tokenRefresh;
    const copies = faults.draw('request delivered twice') && mayRepeat ? 2 : 1;
    if (copies === 2) faults.happened('request delivered twice');
    const lost = faults.draw('request lost');
    for (let copy = 0; copy < copies; copy++) {
      const heard = copy === 0 ? { call, ear, signal } : { call, ear: deaf, signal: undefined };
      const link = new Link(this.#deps, this.#wires, this.#links, heard);
      schedule.after(this.#delay() + (copy > 0 ? random.below(300) : 0), this.#wires, () => {
        if (lost && copy === 0) {
          faults.happened('request lost');
          history.note(schedule.now, 'request lost', call.id);
          return link.break('the request was lost');
        }
        const gateways = this.#deps.gateways();
        const gateway = random.pick(gateways);
        if (!gateway?.alive) return link.break('connection refused');
        if (!call.client.alive && copy === 0) return;
        link.open(gateway, request);
      });
    }
  }

  #delay(): number {
    const { random, faults } = this.#deps;
    if (!faults.draw('slow network')) return random.below(MOST_DELAY_MS);
    faults.happened('slow network');
    return random.below(SLOW_MS);
  }
}

const deaf: Ear = { head: () => {}, data: () => {}, end: () => {}, broken: () => {} };

/** Returns the ear of a fetch: it resolves with the response, and feeds its body. */
function listen(client: Process, resolve: (response: Response) => void, reject: (error: Error) => void): Ear {
  let body: ReadableStreamDefaultController<Uint8Array> | undefined;
  let over = false;
  const unlessOver = (run: () => void): void => {
    if (!over && client.alive) run();
  };
  return {
    head: (status, headers) =>
      unlessOver(() => {
        const stream = new ReadableStream<Uint8Array>({
          start: (controller) => {
            body = controller;
          },
          cancel: () => {
            over = true;
          },
        });
        resolve(new Response(stream, { status, headers: Object.fromEntries(headers) }));
      }),
    data: (bytes) => unlessOver(() => body?.enqueue(bytes)),
    end: () =>
      unlessOver(() => {
        over = true;
        body?.close();
      }),
    broken: (error) =>
      unlessOver(() => {
        over = true;
        if (body) body.error(error);
        else reject(error);
      }),
  };
}
