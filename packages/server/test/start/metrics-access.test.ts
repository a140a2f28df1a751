// Who may read the metrics, and where.
import assert from 'node:assert/strict';
import { once } from 'node:events';
import { createServer } from 'node:net';
import { describe, test } from 'node:test';
import { startServer, type TestServer } from '@sealpost/dev-env/harness';
import { ConfigError } from '../../src/platform/kernel/config-error.ts';
import { loadConfig } from '../../src/start/config/config.ts';
import type { Mode } from '../../src/start/config/setting.ts';

const RIGHT = (server: TestServer) => ({ authorization: `Bearer ${server.adminToken}` });

async function using(flags: Readonly<Record<string, string>>, work: (server: TestServer) => Promise<void>) {
  const server = await startServer({ flags });
  try {
    await work(server);
  } finally {
    await server.close();
  }
}

const metricsOf = (flags: Readonly<Record<string, string>>, mode: Mode = 'serve') =>
  loadConfig(mode, { flags, env: {} }).metrics;

const refused = (flags: Readonly<Record<string, string>>, message: RegExp) =>
  assert.throws(
    () => metricsOf(flags),
    (error) => error instanceof ConfigError && message.test(error.message),
  );

describe('the metrics', () => {
  test('need the admin token, and a wrong one is refused, counted and limited', async () => {
    await using({ 'rate-admin': '3+0.001' }, async (server) => {
      const ask = (headers: Readonly<Record<string, string>> = {}) => fetch(`${server.url}/metrics`, { headers });
      const right = await ask(RIGHT(server));
      assert.equal(right.status, 200);
      assert.match(String(right.headers.get('content-type')), /^text\/plain; version=0\.0\.4/);
      assert.match(await right.text(), /^sealpost_build_info\{version="[\d.]+"\} 1$/m);
      for (const headers of [{}, { authorization: 'Bearer wrong' }, { authorization: `Basic ${server.adminToken}` }]) {
        const wrong = await ask(headers);
        assert.equal(wrong.status, 401);
        assert.equal(wrong.headers.get('www-authenticate'), 'Bearer realm="metrics"');
        assert.doesNotMatch(await wrong.text(), /sealpost_/);
      }
      assert.equal((await ask(RIGHT(server))).status, 429, 'guesses and the right token share the limit of guesses');
    });
  });

  test('at an address of their own they are open, and nothing else is there', async () => {
    await using({ 'metrics-address': '127.0.0.1:0' }, async (server) => {
      const { metricsUrl } = server.server;
      assert.notEqual(new URL(metricsUrl).port, new URL(server.url).port);
      assert.match(await (await fetch(metricsUrl)).text(), /^sealpost_streams 0$/m);
      assert.equal((await fetch(metricsUrl, { method: 'HEAD' })).status, 200);
      assert.equal((await fetch(metricsUrl, { method: 'POST' })).status, 405);
      for (const path of ['/', '/livez', '/api/admin/v1/accounts'])
        assert.equal((await fetch(new URL(path, metricsUrl), { headers: RIGHT(server) })).status, 404, path);
      const main = await fetch(`${server.url}/metrics`, { headers: RIGHT(server) });
      assert.equal(main.status, 404, 'the address of the server no longer shows them');
    });
  });

  test('at an address of their own they can need the token too', async () => {
    await using({ 'metrics-address': '127.0.0.1:0', 'metrics-access': 'token' }, async (server) => {
      const { metricsUrl } = server.server;
      assert.equal((await fetch(metricsUrl)).status, 401);
      assert.equal((await fetch(metricsUrl, { headers: RIGHT(server) })).status, 200);
    });
  });

  test('an address that is in use stops the start and names the setting', async () => {
    const taken = createServer().listen(0, '127.0.0.1');
    await once(taken, 'listening');
    const address = taken.address();
    assert.ok(address && typeof address === 'object');
    await assert.rejects(
      startServer({ flags: { 'metrics-address': `127.0.0.1:${address.port}` } }),
      /in use.*metrics-address/,
    );
    taken.close();
  });

  test('are open in dev, and where the operator opens them to this machine', () => {
    assert.deepEqual(metricsOf({}, 'dev'), { address: undefined, access: 'open' });
    assert.deepEqual(metricsOf({ 'metrics-access': 'token' }, 'dev').access, 'token');
    assert.deepEqual(metricsOf({ 'metrics-access': 'open' }).access, 'open');
    assert.deepEqual(metricsOf({}), { address: undefined, access: 'token' });
  });

  test('are never open to strangers', () => {
    const reachable = [
      { 'public-url': 'https://chat.example.org' },
      { 'trusted-proxies': '10.0.0.1' },
      { host: '0.0.0.0', 'allow-plain-http': 'true' },
    ];
    for (const flags of reachable) {
      refused({ ...flags, 'metrics-access': 'open' }, /strangers reach this server: .*metrics-address/);
      assert.equal(metricsOf(flags).access, 'token');
    }
    for (const host of ['0.0.0.0', '203.0.113.7', '[::]', '[2001:db8::1]', '[::ffff:203.0.113.7]']) {
      refused({ 'metrics-address': `${host}:9464` }, /metrics-address is .*strangers/);
      assert.equal(metricsOf({ 'metrics-address': `${host}:9464`, 'metrics-access': 'token' }).access, 'token');
    }
    for (const host of ['127.0.0.1', '10.1.2.3', '192.168.0.9', '[::1]', '[fd00::9]', 'localhost'])
      assert.equal(metricsOf({ 'metrics-address': `${host}:9464` }).access, 'open', host);
  });

  test('a value that is no address is refused', () => {
    for (const value of ['9464', '127.0.0.1', 'chat.example.org:9464', '127.0.0.1:70000', '::1:9464', 'http://[::1]:1'])
      refused({ 'metrics-address': value }, /metrics-address is .*127\.0\.0\.1:9464/);
  });
});
