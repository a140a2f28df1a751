// The libraries of traces are in a file of the built command that is loaded only with the setting. This test starts the
// command, so it notices if that file does not work.
import assert from 'node:assert/strict';
import { once } from 'node:events';
import { createServer, type IncomingMessage } from 'node:http';
import type { AddressInfo } from 'node:net';
import { test } from 'node:test';
import { start } from '@sealpost/dev-env/command';

test('a server sends its traces to a collector, with the headers that the environment names', async () => {
  const { promise, resolve } = Promise.withResolvers<IncomingMessage>();
  const collector = createServer((request, response) => {
    resolve(request);
    request.resume();
    response.end('{}');
  }).listen(0, '127.0.0.1');
  await once(collector, 'listening');
  const url = `http://127.0.0.1:${(collector.address() as AddressInfo).port}`;
  const env = { OTEL_EXPORTER_OTLP_HEADERS: 'authorization=Bearer%20of%20a%20test' };
  const server = start(env, ['dev', '--port', '0', '--traces-url', url]);
  try {
    const address = /http:\/\/127\.0\.0\.1:\d+/.exec(await server.until(/http:\/\/127\.0\.0\.1:\d+/))?.[0];
    await fetch(`${address}/api/talk/thrift/Talk/TalkService/getProfile`, { method: 'POST', body: '[]' });
    const { url: path, headers } = await promise;
    assert.equal(path, '/v1/traces');
    assert.equal(headers.authorization, 'Bearer of a test');
  } finally {
    server.child.kill('SIGTERM');
    await server.finished;
    collector.close();
    collector.closeAllConnections();
  }
});
