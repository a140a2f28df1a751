// A client of the SDK that logs what it sends and gets, and can spoil its requests on the way.
import { createRpcClient, type RpcClient, type Session } from '@sealpost/sdk';
import type { LoggedCall } from '@sealpost/testing/explain';

export interface LoggingClient {
  readonly client: RpcClient;
  readonly calls: LoggedCall[];
}

/**
 * Makes a client.
 * @param spoil changes a request before it is sent
 */
export function loggingClient(
  url: string,
  session?: Session,
  spoil: (request: { path: string; headers: Headers; body: string }) => void = () => {},
): LoggingClient {
  const calls: LoggedCall[] = [];
  const client = createRpcClient({
    url,
    ...(session && { session }),
    async fetch(input, init = {}) {
      const request = {
        path: String(input).slice(url.length),
        headers: new Headers(init.headers),
        body: typeof init.body === 'string' ? init.body : '',
      };
      spoil(request);
      const verb = init.method ?? 'GET';
      const { headers, body } = request;
      const response = await fetch(url + request.path, { ...init, headers, ...(verb === 'POST' && { body }) });
      const answer = new Uint8Array(await response.clone().arrayBuffer());
      calls.push({
        verb,
        path: request.path,
        headers: [...headers],
        body: Buffer.from(body),
        answer: { status: response.status, headers: [...response.headers], body: answer },
      });
      return response;
    },
  });
  return { client, calls };
}
