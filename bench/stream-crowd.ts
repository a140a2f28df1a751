// The program of a process with many operation streams. If a server drops a stream, it is opened again at the other
// server at once, as behind a balancer. It goes on after the last operation that it has.
import net from 'node:net';
import { keyOf, MARK, streamRequest, type User } from './request.ts';

const READ_BYTES = 4 * 1024;
/** The number of streams that are opened together at the beginning, which is not to be a storm. */
const OPENED_AT_ONCE = 50;
/** Milliseconds before the next try, after a server refused a stream. */
const RETRY_MS = 250;

export type CrowdOrder =
  | {
      readonly kind: 'open';
      readonly users: readonly User[];
      readonly streamsOfEach: number;
      /** The streams are opened at the first port, and opened again at the second. */
      readonly ports: readonly [number, number];
    }
  | { readonly kind: 'state' }
  | { readonly kind: 'close' };

export interface CrowdState {
  readonly following: number;
  /** Streams that were lost since the beginning. */
  readonly lost: number;
  /** How often a server refused a stream, or dropped it before it had accepted it, by the reason. */
  readonly refusals: Readonly<Record<string, number>>;
  /** The time of day at which the last stream was accepted, in milliseconds. */
  readonly lastAcceptedAt: number;
  /** For each mark, how many streams have received it, and how often they received it twice. */
  readonly marks: Readonly<Record<string, { readonly streams: number; readonly twice: number }>>;
}

const streams = new Set<CrowdStream>();
let lost = 0;
const refusals: Record<string, number> = {};
let lastAcceptedAt = 0;

class CrowdStream {
  readonly marks = new Map<string, number>();
  readonly #ports: readonly number[];
  readonly #request: (cursor: string) => string;
  #socket: net.Socket | undefined;
  #cursor = '0';
  #closing = false;
  following = false;

  constructor(user: User, key: ReturnType<typeof keyOf>, ports: readonly number[]) {
    this.#ports = ports;
    this.#request = (cursor) => streamRequest(user, key, cursor);
  }

  /** Resolves when the server has accepted the stream, or has refused it. */
  open(port: number): Promise<void> {
    return new Promise((resolve) => {
      let text = '';
      let begun = false;
      let reason = 'the connection was closed';
      const take = (count: number, buffer: Uint8Array): boolean => {
        text += (buffer as Buffer).toString('latin1', 0, count);
        if (!begun) {
          const headEnd = text.indexOf('\r\n\r\n');
          if (headEnd < 0) return true;
          if (!text.startsWith('HTTP/1.1 200')) {
            reason = text.slice(0, text.indexOf('\r\n'));
            socket.destroy();
            return true;
          }
          begun = true;
          this.following = true;
          lastAcceptedAt = Date.now();
          text = text.slice(headEnd + 4);
          resolve();
        }
        for (let end = text.indexOf('\n\n'); end >= 0; end = text.indexOf('\n\n')) {
          this.#read(text.slice(0, end));
          text = text.slice(end + 2);
        }
        return true;
      };
      const socket = net.connect({
        host: '127.0.0.1',
        port,
        noDelay: true,
        onread: { buffer: Buffer.allocUnsafe(READ_BYTES), callback: take },
      });
      this.#socket = socket;
      socket.once('connect', () => socket.write(this.#request(this.#cursor), 'latin1'));
      // The stream is opened again when its socket closes, and a socket closes after every error.
      socket.on('error', (error) => {
        reason = error.message;
      });
      socket.once('close', () => {
        this.following = false;
        resolve();
        if (this.#closing) return;
        if (begun) lost += 1;
        else refusals[reason] = (refusals[reason] ?? 0) + 1;
        const again = (): void => void this.open(this.#ports[1] as number);
        if (begun) again();
        else setTimeout(again, RETRY_MS);
      });
    });
  }

  #read(event: string): void {
    this.#cursor = /^id: ?(\d+)/m.exec(event)?.[1] ?? this.#cursor;
    const mark = MARK.exec(event)?.[1];
    if (mark !== undefined) this.marks.set(mark, (this.marks.get(mark) ?? 0) + 1);
  }

  close(): void {
    this.#closing = true;
    this.#socket?.destroy();
  }
}

async function open({ users, streamsOfEach, ports }: CrowdOrder & { kind: 'open' }): Promise<void> {
  const made = users.flatMap((user) => {
    const key = keyOf(user);
    return Array.from({ length: streamsOfEach }, () => new CrowdStream(user, key, ports));
  });
  for (let at = 0; at < made.length; at += OPENED_AT_ONCE)
    await Promise.all(made.slice(at, at + OPENED_AT_ONCE).map((stream) => stream.open(ports[0])));
  for (const stream of made) streams.add(stream);
}

function state(): CrowdState {
  const marks: Record<string, { streams: number; twice: number }> = {};
  for (const stream of streams)
    for (const [mark, times] of stream.marks) {
      marks[mark] ??= { streams: 0, twice: 0 };
      marks[mark].streams += 1;
      marks[mark].twice += times - 1;
    }
  const following = [...streams].filter((stream) => stream.following).length;
  return { following, lost, refusals, lastAcceptedAt, marks };
}

async function carryOut(order: CrowdOrder): Promise<CrowdState> {
  if (order.kind === 'open') await open(order);
  if (order.kind === 'close') {
    for (const stream of streams) stream.close();
    streams.clear();
  }
  return state();
}

process.on('message', (order: CrowdOrder) => {
  carryOut(order).then(
    (result) => process.send?.({ result }),
    (error: unknown) => process.send?.({ error: String(error) }),
  );
});
process.on('disconnect', () => process.exit(0));
process.send?.('ready');
