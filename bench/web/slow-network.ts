// A proxy in front of a server that imitates the network of a phone. It slows down all connections of pages and
// workers.
import { createServer, connect as dial, type Socket } from 'node:net';
import { setTimeout as pause } from 'node:timers/promises';

export interface Network {
  readonly roundTripMs: number;
  readonly bitsPerSecond: number;
}

/** The network of a phone, as audits of web pages usually assume it. */
export const phoneNetwork: Network = { roundTripMs: 150, bitsPerSecond: 1.6e6 };

export interface SlowNetwork {
  readonly url: string;
  /** Makes the network slow. If `network` is undefined, it becomes fast again. */
  use(network: Network | undefined): void;
  close(): Promise<void>;
}

const PIECE = 4096;

export async function slowNetwork(target: string): Promise<SlowNetwork> {
  const { hostname, port } = new URL(target);
  const open = new Set<Socket>();
  let network: Network | undefined;
  /**
   * For each direction, the time at which everything received so far will have been passed on. All connections share
   * the line.
   */
  const freeAt = { up: 0, down: 0 };

  async function carry(from: Socket, to: Socket, direction: keyof typeof freeAt): Promise<void> {
    // A new connection first waits for one round trip.
    if (direction === 'up' && network) await pause(network.roundTripMs);
    let last = Promise.resolve();
    for await (const chunk of from as AsyncIterable<Buffer>) {
      for (let at = 0; at < chunk.length; at += PIECE) {
        const piece = chunk.subarray(at, at + PIECE);
        const now = performance.now();
        const { roundTripMs = 0, bitsPerSecond = Number.POSITIVE_INFINITY } = network ?? {};
        freeAt[direction] = Math.max(freeAt[direction], now) + (piece.length * 8000) / bitsPerSecond;
        const wait = freeAt[direction] + roundTripMs / 2 - now;
        const arrives = wait > 0 ? pause(wait) : Promise.resolve();
        last = Promise.all([last, arrives]).then(() => void to.write(piece));
      }
    }
    await last;
    to.end();
  }

  const server = createServer((socket) => {
    const upstream = dial(Number(port), hostname);
    for (const [from, to, direction] of [
      [socket, upstream, 'up'],
      [upstream, socket, 'down'],
    ] as const) {
      open.add(from);
      from.on('error', () => {});
      from.once('close', () => open.delete(from));
      carry(from, to, direction).catch(() => to.destroy());
    }
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  const address = server.address();
  return {
    url: `http://127.0.0.1:${typeof address === 'object' ? address?.port : ''}`,
    use(next) {
      network = next;
    },
    async close() {
      for (const socket of open) socket.destroy();
      await new Promise((resolve) => server.close(resolve));
    },
  };
}
