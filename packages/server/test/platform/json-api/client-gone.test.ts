// Clients that leave while a JSON API answers them.
import assert from 'node:assert/strict';
import { once } from 'node:events';
import { type AddressInfo, connect } from 'node:net';
import { test } from 'node:test';
import { adminEndpoints } from '@sealpost/contract/admin';
import { until } from '@sealpost/dev-env/until';
import fastify from 'fastify';
import { jsonRoutes } from '../../../src/platform/json-api/json-routes.ts';

const { exportAccount } = adminEndpoints;

for (const leaves of ['before the answer', 'before the first byte', 'after the first byte'] as const) {
  test(`a client that leaves ${leaves} with an archive is no fault of the server`, async (t) => {
    const faults: unknown[] = [];
    const { promise: gone, resolve: go } = Promise.withResolvers<void>();
    let isAsked = false;
    let over = false;
    async function* archive(): AsyncGenerator<Uint8Array> {
      try {
        if (leaves === 'after the first byte') yield Buffer.from('PK');
        await gone;
        yield Buffer.from('PK');
      } finally {
        over = true;
      }
    }
    const app = fastify();
    const exports = async (): Promise<AsyncGenerator<Uint8Array>> => {
      isAsked = true;
      if (leaves === 'before the answer') await gone;
      return archive();
    };
    const handlers = { exportAccount: exports };
    const onFault = (error: unknown): void => void faults.push(error);
    await app.register(jsonRoutes({ api: 'test', endpoints: { exportAccount }, handlers, gate: () => {}, onFault }));
    await app.listen({ port: 0, host: '127.0.0.1' });
    t.after(() => app.close());

    const accepted = once(app.server, 'connection');
    const { port } = app.server.address() as AddressInfo;
    const socket = connect(port, '127.0.0.1');
    const head = `${exportAccount.verb} ${exportAccount.path} HTTP/1.1\r\nHost: localhost\r\nContent-Type: application/json`;
    // After a body that was read, the request does not count as aborted.
    socket.write(`${head}\r\nContent-Length: 2\r\n\r\n{}`);
    const [connection] = await accepted;
    await until(() => isAsked, 'the handler was called');
    if (leaves === 'after the first byte') await once(socket, 'data');
    socket.destroy();
    await once(connection, 'close');
    go();
    // An archive that was never begun has no end.
    await until(() => over || leaves === 'before the answer', 'the archive has ended');
    for (let turn = 0; turn < 50; turn++) await new Promise(setImmediate);
    assert.deepEqual(faults, []);
  });
}
