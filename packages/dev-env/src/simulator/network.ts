// The network of a simulation. It carries the bytes of HTTP between clients and gateways without sockets, in the order
// of each connection, with delays, and with faults.
import { Duplex } from 'node:stream';
import type { Random } from '../workload/random.ts';
import type { Faults } from './faults.ts';
import type { History } from './history.ts';
import { present } from './present.ts';
import type { Process, Schedule } from './schedule.ts';

const MOST_DELAY_MS = 12;
const SLOW_MS = 6_000;
const HEAD_END = '\r\n\r\n';

/** The side of a gateway that the network needs. */
export interface Target extends Process {
  connect(socket: Duplex, call: Call): void;
}

/** One request of a client. */
export interface Call {
  readonly id: number;
  readonly client: Process;
  readonly account: number;
  readonly path: string;
  readonly body: string;
}

export interface Answer {
  readonly call: Call;
  readonly status: number;
  readonly body: string;
}

export interface NetworkDeps {
  readonly schedule: Schedule;
  readonly random: Random;
  readonly faults: Faults;
  readonly history: History;
  readonly gateways: () => readonly Target[];
  /** Called when a gateway begins to send a whole answer, even if the answer is lost on the way. */
  readonly onAnswer: (answer: Answer) => void;
  readonly onCall: (call: Call) => void;
  /** Called with the bytes of a stream that reach the client. */
  readonly onStream: (call: Call, bytes: Uint8Array, gateway: Target) => void;
}

/** What a client sees of its request. */
interface Ear {
  head(status: number, headers: readonly (readonly [string, string])[]): void;
  data(bytes: Uint8Array): void;
  end(): void;
  broken(error: Error): void;
}

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
      const call = { id: ++this.#calls, client, account, path: url.pathname + url.search, body };
      const signal = init.signal ?? undefined;
      return new Promise((resolve, reject) => {
        if (signal?.aborted) return reject(signal.reason);
        const ear = listen(client, resolve, reject);
        const lines = [
          ...headers,
          ['Host', url.host],
          ['Connection', 'close'],
          ['Content-Length', String(Buffer.byteLength(body))],
        ];
        const head = `${init.method ?? 'GET'} ${call.path} HTTP/1.1\r\n${lines.map(([name, value]) => `${name}: ${value}\r\n`).join('')}\r\n`;
        this.#send(call, head + body, ear, signal);
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

  #send(call: Call, request: string, ear: Ear, signal: AbortSignal | undefined): void {
    const { schedule, random, faults, history, onCall } = this.#deps;
    history.note(schedule.now, 'call', call.client.name, call.id, call.path.slice(0, 90), call.body.slice(0, 160));
    onCall(call);
    const copies = faults.draw('request delivered twice') && call.body !== '' ? 2 : 1;
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

type Piece = { readonly bytes: Uint8Array; readonly taken: () => void } | 'end' | 'broken';

interface Heard {
  readonly call: Call;
  readonly ear: Ear;
  readonly signal: AbortSignal | undefined;
}

/** One connection between a client and a gateway. */
class Link {
  readonly #deps: NetworkDeps;
  readonly #wires: Process;
  readonly #links: Set<Link>;
  readonly #call: Call;
  readonly #ear: Ear;
  readonly #signal: AbortSignal | undefined;
  readonly #abort = (): void => this.#aborted();
  readonly #pieces: Piece[] = [];
  #socket: Duplex | undefined;
  gateway: Target | undefined;
  #moving = false;
  #closed = false;
  #head = '';
  #hasHead = false;
  #left = Number.POSITIVE_INFINITY;
  #isStream = false;
  #answer = '';
  #status = 0;
  /** Number of pieces after which the connection is cut. */
  #cutAfter = Number.POSITIVE_INFINITY;
  #losesReply = false;

  constructor(deps: NetworkDeps, wires: Process, links: Set<Link>, { call, ear, signal }: Heard) {
    this.#deps = deps;
    this.#wires = wires;
    this.#links = links;
    this.#call = call;
    this.#ear = ear;
    this.#signal = signal;
    links.add(this);
    signal?.addEventListener('abort', this.#abort);
  }

  open(gateway: Target, request: string): void {
    if (this.#closed) return;
    const { faults, random } = this.#deps;
    this.gateway = gateway;
    this.#losesReply = faults.draw('reply lost');
    if (faults.draw('connection cut')) this.#cutAfter = 1 + random.below(6);
    const socket = new Duplex({
      read: () => {},
      write: (bytes: Uint8Array, _encoding, taken) => this.#put({ bytes, taken }),
      final: (done) => {
        this.#put('end');
        done();
      },
      destroy: (_error, done) => {
        this.#links.delete(this);
        this.#put('broken');
        done(null);
      },
    });
    this.#socket = Object.assign(socket, { remoteAddress: '127.0.0.1', setTimeout: () => {}, setNoDelay: () => {} });
    gateway.connect(socket, this.#call);
    socket.push(request);
  }

  break(reason: string): void {
    if (this.#closed) return;
    this.#ear.broken(new TypeError('fetch failed', { cause: new Error(reason) }));
    this.#drop();
  }

  /** Ends the connection from the side of the client. */
  #aborted(): void {
    if (this.#closed) return;
    this.#ear.broken(this.#signal?.reason);
    this.#drop();
  }

  close(): void {
    this.#close();
    this.#socket?.destroy();
  }

  /** Forgets the client. Its signal would keep the whole simulation in memory while it has a listener. */
  #close(): void {
    this.#closed = true;
    if (!this.#socket) this.#links.delete(this);
    this.#signal?.removeEventListener('abort', this.#abort);
  }

  /** Tells the gateway some time later that the connection is gone. */
  #drop(): void {
    this.#close();
    const { schedule, random } = this.#deps;
    schedule.after(random.below(MOST_DELAY_MS), this.#wires, () => {
      if (this.gateway?.alive) this.#socket?.destroy();
    });
  }

  #put(piece: Piece): void {
    this.#deps.schedule.activity += 1;
    if (this.#closed) {
      if (typeof piece === 'object') piece.taken();
      return;
    }
    if (typeof piece === 'object' && this.gateway?.alive) this.#overhear(piece.bytes);
    this.#pieces.push(piece);
    this.#move();
  }

  #move(): void {
    if (this.#moving || this.#pieces.length === 0) return;
    this.#moving = true;
    const { schedule, random } = this.#deps;
    schedule.after(random.below(MOST_DELAY_MS), this.#wires, () => {
      this.#moving = false;
      this.#deliver(present(this.#pieces.shift(), 'piece'));
      this.#move();
    });
  }

  #deliver(piece: Piece): void {
    if (typeof piece === 'object' && this.gateway?.alive) piece.taken();
    if (this.#closed) return;
    if (!this.#call.client.alive) this.#drop();
    else if (this.#losesReply) this.#cut('reply lost');
    else if (--this.#cutAfter === 0) this.#cut('connection cut');
    else if (piece === 'broken') this.break('connection reset');
    else if (piece === 'end') this.#end();
    else this.#take(piece.bytes);
  }

  #cut(fault: 'reply lost' | 'connection cut'): void {
    const { faults, schedule, history } = this.#deps;
    faults.happened(fault);
    history.note(schedule.now, fault, this.#call.id);
    this.break(fault);
  }

  /** Called when the gateway has crashed. Bytes that are under way may still arrive. */
  lost(): void {
    this.#put('broken');
  }

  #end(): void {
    if (this.#isStream) {
      this.#close();
      this.#ear.end();
    } else this.break('the connection ended early');
  }

  #take(bytes: Uint8Array): void {
    let rest = bytes;
    if (!this.#hasHead) {
      this.#head += Buffer.from(rest).toString('latin1');
      const end = this.#head.indexOf(HEAD_END);
      if (end < 0) return;
      rest = Buffer.from(this.#head.slice(end + HEAD_END.length), 'latin1');
      this.#readHead(this.#head.slice(0, end));
    }
    if (rest.length > 0) {
      this.#deps.history.add(rest);
      if (this.#isStream) this.#deps.onStream(this.#call, rest, present(this.gateway, 'gateway'));
      this.#ear.data(rest);
    }
    this.#left -= rest.length;
    if (this.#left > 0) return;
    this.#close();
    this.#ear.end();
  }

  #readHead(head: string): void {
    this.#hasHead = true;
    const { status, headers } = headOf(head);
    const length = headers.find(([name]) => name.toLowerCase() === 'content-length')?.[1];
    this.#isStream = length === undefined;
    if (length !== undefined) this.#left = Number(length);
    const { history, schedule } = this.#deps;
    history.note(schedule.now, 'answer', this.#call.client.name, this.#call.id, status);
    this.#ear.head(status, headers);
  }

  /** Reads the answer as the gateway sends it. */
  #overhear(bytes: Uint8Array): void {
    if (this.#status < 0) return;
    this.#answer += Buffer.from(bytes).toString('utf8');
    const end = this.#answer.indexOf(HEAD_END);
    if (end < 0) return;
    const { status, headers } = headOf(this.#answer.slice(0, end));
    const length = headers.find(([name]) => name.toLowerCase() === 'content-length')?.[1];
    const body = this.#answer.slice(end + HEAD_END.length);
    if (length !== undefined && Buffer.byteLength(body) < Number(length)) return;
    this.#status = -1;
    this.#answer = '';
    this.#deps.onAnswer({ call: this.#call, status, body });
  }
}

function headOf(head: string) {
  const [first = '', ...lines] = head.split('\r\n');
  const headers = lines.map((line) => {
    const at = line.indexOf(':');
    return [line.slice(0, at), line.slice(at + 1).trim()] as const;
  });
  return { status: Number(first.split(' ')[1]), headers };
}
