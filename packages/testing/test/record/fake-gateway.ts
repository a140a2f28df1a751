// A gateway that does whatever a test wants, for what a real server never does.
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';

export interface FakeGateway {
  readonly url: string;
  close(): Promise<void>;
}

export async function startFakeGateway(
  answer: (request: IncomingMessage, response: ServerResponse) => void,
): Promise<FakeGateway> {
  const server = createServer(answer);
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  return {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    close: () =>
      new Promise((resolve) => {
        server.close(() => resolve());
        server.closeAllConnections();
      }),
  };
}
