// A TCP proxy in front of a server. It can cut connections after a number of bytes, like a bad network.
import { createServer, connect as dial, type Socket } from 'node:net';

export interface CuttingProxy {
  readonly url: string;
  /** Cuts one connection after this many bytes in one direction. The bytes of all connections are counted together. */
  cutAfter(direction: 'requests' | 'answers', bytes: number): void;
  /**
   * Passes this many more bytes in one direction, then stops, and then resolves. Connections stay open until `flow` is
   * called.
   */
  stallAfter(direction: 'requests' | 'answers', bytes: number): Promise<void>;
  /** Closes stalled connections. New connections pass all bytes. */
  flow(): void;
  /** Number of connections that `cutAfter` has cut. */
  readonly cuts: number;
  /**
   * If `down` is true, cuts all connections and refuses new ones. If it is `bad-gateway`, answers new ones with status 502
   * instead. If it is false, accepts connections again.
   */
  down(down: boolean | 'bad-gateway'): void;
  close(): Promise<void>;
}

export async function cuttingProxy(target: string): Promise<CuttingProxy> {
  const { hostname, port } = new URL(target);
  const left = { requests: Number.POSITIVE_INFINITY, answers: Number.POSITIVE_INFINITY };
  const open = new Set<Socket>();
  let cuts = 0;
  let isDown: boolean | 'bad-gateway' = false;
  let stalled: (() => void) | undefined;

  function carry(from: Socket, to: Socket, direction: 'requests' | 'answers'): void {
    from.on('data', (chunk) => {
      const passed = chunk.subarray(0, left[direction]);
      left[direction] -= passed.length;
      if (!to.write(passed)) {
        from.pause();
        to.once('drain', () => from.resume());
      }
      if (left[direction] > 0) return;
      if (stalled) {
        from.pause();
        return stalled();
      }
      left[direction] = Number.POSITIVE_INFINITY;
      cuts += 1;
      // Bytes that were already passed still arrive. All later bytes are lost.
      to.end();
      from.destroy();
    });
    from.on('end', () => to.end());
    from.on('close', () => to.destroy());
    from.on('error', () => {});
  }

  const server = createServer((socket) => {
    if (isDown === 'bad-gateway') return answerBadGateway(socket);
    if (isDown) return void socket.destroy();
    const upstream = dial(Number(port), hostname);
    for (const end of [socket, upstream]) {
      open.add(end);
      end.once('close', () => open.delete(end));
    }
    carry(socket, upstream, 'requests');
    carry(upstream, socket, 'answers');
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  return {
    url: `http://127.0.0.1:${(server.address() as { port: number }).port}`,
    get cuts() {
      return cuts;
    },
    cutAfter(direction, bytes) {
      left[direction] = bytes;
    },
    stallAfter(direction, bytes) {
      left[direction] = bytes;
      return new Promise((resolve) => {
        stalled = resolve;
      });
    },
    flow() {
      stalled = undefined;
      Object.assign(left, { requests: Number.POSITIVE_INFINITY, answers: Number.POSITIVE_INFINITY });
      for (const socket of open) socket.destroy();
    },
    down(value) {
      isDown = value;
      if (value) for (const socket of open) socket.destroy();
    },
    async close() {
      for (const socket of open) socket.destroy();
      await new Promise((resolve) => server.close(resolve));
    },
  };
}

/** Answers one request like a proxy whose server is gone. */
function answerBadGateway(socket: Socket): void {
  socket.on('error', () => {});
  socket.once('data', () => {
    socket.end(
      'HTTP/1.1 502 Bad Gateway\r\nContent-Type: text/plain\r\nConnection: close\r\n\r\nno server behind this proxy',
    );
  });
}
