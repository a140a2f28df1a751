// One connection of a simulated network: the bytes of one request and of its answer, in order, with delays and faults.
import { Duplex } from 'node:stream';
import type { Random } from '../workload/random.ts';
import type { Faults } from './faults.ts';
import type { History } from './history.ts';
import { present } from './present.ts';
import type { Process, Schedule } from './schedule.ts';

export const MOST_DELAY_MS = 12;
/** Most bytes of a request that arrive at once. */
const MOST_AT_ONCE = 16_384;
const HEAD_END = '\r\n\r\n';

/** The side of a gateway that the network needs. */
export interface Target extends Process {
  connect(socket: Duplex, call: Call): void;
}

/** One request of a client. */
export interface Call {
  readonly id: number;
  /** The time of the request in epoch milliseconds. */
  readonly at: number;
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
export interface Ear {
  head(status: number, headers: readonly (readonly [string, string])[]): void;
  data(bytes: Uint8Array): void;
  end(): void;
  broken(error: Error): void;
}

type Piece = { readonly bytes: Uint8Array; readonly taken: () => void } | 'end' | 'broken';

export interface RawRequest {
  readonly head: string;
  readonly bytes: Buffer;
}

export interface Heard {
  readonly call: Call;
  readonly ear: Ear;
  readonly signal: AbortSignal | undefined;
}

/** One connection between a client and a gateway. */
export class Link {
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

  open(gateway: Target, { head, bytes }: RawRequest): void {
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
    if (bytes.length <= MOST_AT_ONCE) {
      socket.push(Buffer.concat([Buffer.from(head), bytes]));
      return;
    }
    socket.push(head);
    this.#feed(bytes);
  }

  /** Sends a long body in pieces, between which the connection may break. */
  #feed(bytes: Buffer): void {
    const { schedule, random, faults } = this.#deps;
    schedule.after(random.below(MOST_DELAY_MS), this.#wires, () => {
      if (this.#closed || !this.gateway?.alive || this.#socket?.destroyed) return;
      if (!this.#call.client.alive) return this.#drop();
      if (faults.draw('upload cut')) return this.#cut('upload cut');
      this.#socket?.push(bytes.subarray(0, MOST_AT_ONCE));
      if (bytes.length > MOST_AT_ONCE) this.#feed(bytes.subarray(MOST_AT_ONCE));
    });
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

  #cut(fault: 'reply lost' | 'connection cut' | 'upload cut'): void {
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
