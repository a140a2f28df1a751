// A proxy in front of a TCP server that can drop or hold back bytes. It never closes a connection by itself.
import { connect, createServer, type Socket } from 'node:net';
import { until } from '../until.ts';

export type Loss = 'none' | 'questions' | 'answers' | 'answers come late';

export interface SilentProxy {
  /** The address of the server through the proxy. */
  readonly url: string;
  loss: Loss;
  /** Waits until the proxy has dropped or held back bytes on this many connections. */
  silent(connections: number): Promise<void>;
  /** Waits until every connection with dropped bytes is closed. */
  gone(): Promise<void>;
  /** Passes on the answers that the proxy held back because of `answers come late`. */
  deliverLate(): void;
  close(): void;
}

export async function startSilentProxy(target: URL, defaultPort: number): Promise<SilentProxy> {
  const late: (() => void)[] = [];
  const sockets = new Set<Socket>();
  const silent = new Set<Socket>();
  let loss: Loss = 'none';
  const server = createServer((near) => {
    const far = connect(Number(target.port || defaultPort), target.hostname);
    for (const socket of [near, far]) {
      sockets.add(socket);
      socket.on('error', () => {});
    }
    near.on('close', () => far.destroy());
    near.on('data', (bytes) => {
      if (loss === 'questions') silent.add(near);
      else far.write(bytes);
    });
    far.on('data', (bytes) => {
      if (loss !== 'none') silent.add(near);
      if (loss === 'answers') return;
      if (loss === 'answers come late') late.push(() => near.write(bytes));
      else near.write(bytes);
    });
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  const url = new URL(target);
  url.host = `127.0.0.1:${(server.address() as { port: number }).port}`;
  return {
    url: url.href,
    get loss() {
      return loss;
    },
    set loss(next: Loss) {
      loss = next;
      if (next !== 'none') silent.clear();
    },
    silent: (connections) => until(() => silent.size >= connections, `${connections} connections are silent`),
    gone: () => until(() => [...silent].every((socket) => socket.closed), 'the silent connections are closed'),
    deliverLate() {
      for (const deliver of late.splice(0)) deliver();
    },
    close() {
      server.close();
      for (const socket of sockets) socket.destroy();
    },
  };
}
