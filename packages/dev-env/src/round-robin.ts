// A simple load balancer that sends each request to the next server, regardless of the client.
import { Agent, createServer, type IncomingMessage, request, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';

export interface RoundRobin {
  readonly url: string;
  /** Sets the servers that get all further requests. */
  toward(urls: readonly string[]): void;
  close(): Promise<void>;
}

export async function startRoundRobin(): Promise<RoundRobin> {
  const agent = new Agent({ keepAlive: true });
  let targets: readonly URL[] = [];
  let turn = 0;

  function carry(incoming: IncomingMessage, answer: ServerResponse): void {
    const target = targets[turn++ % targets.length];
    if (!target) return void answer.destroy();
    const { hostname, port } = target;
    const headers = [...incoming.rawHeaders, 'X-Forwarded-For', incoming.socket.remoteAddress ?? ''];
    const outgoing = request({ hostname, port, path: incoming.url, method: incoming.method, headers, agent });
    outgoing.on('response', (response) => {
      answer.writeHead(response.statusCode ?? 502, response.rawHeaders);
      // The headers are sent before the body, because the first event of a stream may come late.
      answer.flushHeaders();
      response.on('error', () => answer.destroy());
      response.pipe(answer);
    });
    outgoing.on('error', () => answer.destroy());
    answer.on('close', () => outgoing.destroy());
    incoming.pipe(outgoing);
  }

  const server = createServer({ requestTimeout: 0 }, carry);
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  return {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    toward(urls) {
      targets = urls.map((url) => new URL(url));
    },
    async close() {
      server.closeAllConnections();
      agent.destroy();
      await new Promise((resolve) => server.close(resolve));
    },
  };
}
