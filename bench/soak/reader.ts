// Follows the log of one account with streams that live some seconds each. The next stream goes on after the last
// operation that the one before has brought.
import net from 'node:net';
import { keyOf, MARK, streamRequest, type User } from '../request.ts';
import { Arrivals } from './arrivals.ts';

const READ_BYTES = 16 * 1024;
const RETRY_MS = 250;
/** The life of a stream in milliseconds: each has another one between these two. */
const LIFE_MS = { least: 2000, most: 8000 };

export interface ReaderOptions {
  readonly port: number;
  readonly user: User;
  /** The beginning of the marks of those messages that are checked. */
  readonly from: string;
  readonly opened: () => void;
  readonly failed: (what: string) => void;
}

export class Reader {
  readonly arrivals = new Arrivals();
  readonly #options: ReaderOptions;
  readonly #key: ReturnType<typeof keyOf>;
  #cursor = '0';
  #socket: net.Socket | undefined;
  #life: NodeJS.Timeout | undefined;
  /** True if streams are still closed at the end of their life. */
  #changing = true;

  constructor(options: ReaderOptions) {
    this.#options = options;
    this.#key = keyOf(options.user);
  }

  open(): void {
    const { port, user } = this.#options;
    let text = '';
    let begun = false;
    const take = (count: number, buffer: Uint8Array): boolean => {
      text += (buffer as Buffer).toString('latin1', 0, count);
      if (!begun) {
        const headEnd = text.indexOf('\r\n\r\n');
        if (headEnd < 0) return true;
        if (!text.startsWith('HTTP/1.1 200')) {
          socket.destroy(new Error(`a stream was refused: ${text.slice(0, text.indexOf('\r\n'))}`));
          return true;
        }
        begun = true;
        text = text.slice(headEnd + 4);
        this.#begun(socket);
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
    socket.once('connect', () => socket.write(streamRequest(user, this.#key, this.#cursor), 'latin1'));
    let reason = 'the server closed a stream';
    socket.on('error', (error) => {
      reason = error.message;
    });
    socket.once('close', () => {
      if (this.#socket !== socket) return;
      this.#options.failed(reason);
      setTimeout(() => this.open(), RETRY_MS);
    });
  }

  /** Keeps the stream that is open. */
  stay(): void {
    this.#changing = false;
    clearTimeout(this.#life);
  }

  #begun(socket: net.Socket): void {
    this.#options.opened();
    if (!this.#changing) return;
    clearTimeout(this.#life);
    const ms = LIFE_MS.least + Math.random() * (LIFE_MS.most - LIFE_MS.least);
    this.#life = setTimeout(() => {
      this.#socket = undefined;
      socket.destroy();
      this.open();
    }, ms);
  }

  #read(event: string): void {
    this.#cursor = /^id: ?(\d+)/m.exec(event)?.[1] ?? this.#cursor;
    const [from, count] = MARK.exec(event)?.[1]?.split('.') ?? [];
    if (from === this.#options.from && count !== undefined) this.arrivals.take(Number.parseInt(count, 36));
  }
}
