import assert from 'node:assert/strict';
import { once } from 'node:events';
import { connect } from 'node:net';
import { PassThrough } from 'node:stream';
import { test } from 'node:test';
import { httpPaths, pathOf } from '@sealpost/contract';
import { startServer } from '@sealpost/dev-env/harness';
import { pino } from 'pino';

const WARNING = 40;

test('a client that leaves in the middle of its upload is no fault of the server', async () => {
  const lines = new PassThrough();
  const server = await startServer({ logger: pino({ level: 'debug' }, lines) });
  const { hostname, port } = new URL(server.url);
  for (const path of [pathOf('TalkService.getProfile'), httpPaths.tokenRefresh]) {
    const socket = connect(Number(port), hostname);
    socket.write(`POST ${path} HTTP/1.1\r\nHost: ${hostname}\r\nContent-Length: 100\r\n\r\n[`);
    const seen: { level: number; msg: string; path?: string }[] = [];
    lines.on('data', (text: Buffer) =>
      seen.push(
        ...text
          .toString()
          .trim()
          .split('\n')
          .map((line) => JSON.parse(line)),
      ),
    );
    await once(socket, 'connect');
    // The server receives this call after the upload's header. So once the call has been answered, the header has
    // arrived.
    await fetch(`${server.url}/livez`);
    socket.destroy();
    while (!seen.some((line) => line.path === path)) await once(lines, 'data');
    assert.deepEqual(
      seen.filter((line) => line.level >= WARNING),
      [],
    );
    lines.removeAllListeners('data');
  }
  assert.doesNotMatch(await server.metrics(), /UNKNOWN_ERROR/);
  await server.close();
});
