// A proxy between clients and a real server. It passes all calls on, but rewrites the answers of methods that a test
// names.
import { createServer, type IncomingMessage } from 'node:http';
import type { AddressInfo } from 'node:net';
import { Readable } from 'node:stream';
import type { ReadableStream } from 'node:stream/web';
import { ApiError, errors, type MethodArgs, type MethodName, type MethodResult, pathOf } from '@sealpost/contract';
import { failure } from '@sealpost/server/internal';

/**
 * Returns a false answer in place of the honest one. `honest` is undefined if the server refused the call. If the
 * function throws an ApiError, the client gets this error.
 */
export type Lie<N extends MethodName> = (
  honest: MethodResult<N>,
  ...args: MethodArgs<N>
) => MethodResult<N> | Promise<MethodResult<N>>;

export interface LyingProxy {
  readonly url: string;
  /** Rewrites all further answers of a method. */
  lie<N extends MethodName>(method: N, lie: Lie<N>): void;
  /** Stops rewriting answers. */
  beHonest(): void;
  /** Returns the paths of all calls since the last call of `calls`. */
  calls(): string[];
  close(): Promise<void>;
}

export async function startLyingProxy(target: string): Promise<LyingProxy> {
  const lies = new Map<string, (honest: unknown, args: unknown[]) => unknown>();
  const calls: string[] = [];

  async function answer(request: IncomingMessage): Promise<Response> {
    const path = request.url ?? '/';
    calls.push(path);
    const body = Buffer.concat(await request.toArray());
    const { host: _, connection: __, ...headers } = request.headers as Record<string, string>;
    const response = await fetch(target + path, {
      method: request.method ?? 'GET',
      headers,
      ...(request.method === 'POST' ? { body } : {}),
    });
    const lie = lies.get(path);
    if (!lie) return response;
    const honest = (await response.json()) as { data: unknown };
    try {
      const data = await lie(response.ok ? honest.data : undefined, JSON.parse(String(body)) as unknown[]);
      return new Response(JSON.stringify({ code: 0, message: 'OK', data }));
    } catch (error) {
      if (!(error instanceof ApiError)) throw error;
      return new Response(failure(error), { status: errors[error.code].http });
    }
  }

  const server = createServer((request, reply) => {
    answer(request)
      .then(({ status, headers, body }) => {
        reply.writeHead(status, { 'content-type': headers.get('content-type') ?? 'application/json' });
        if (body)
          Readable.fromWeb(body as ReadableStream)
            .on('error', () => reply.destroy())
            .pipe(reply);
        else reply.end();
      })
      .catch(() => reply.destroy());
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  const { port } = server.address() as AddressInfo;

  return {
    url: `http://127.0.0.1:${port}`,
    lie: (method, lie) =>
      void lies.set(pathOf(method), (honest, args) => (lie as (...all: unknown[]) => unknown)(honest, ...args)),
    beHonest: () => lies.clear(),
    calls: () => calls.splice(0),
    async close() {
      const closed = new Promise((resolve) => server.close(resolve));
      server.closeAllConnections();
      await closed;
    },
  };
}
