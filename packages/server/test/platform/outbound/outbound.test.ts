import assert from 'node:assert/strict';
import { once } from 'node:events';
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { after, before, beforeEach, describe, test } from 'node:test';
import { systemPorts } from '../../../src/platform/kernel/system.ts';
import {
  createOutbound,
  type OutboundDeps,
  OutboundFailed,
  OutboundRefused,
} from '../../../src/platform/outbound/outbound.ts';

const LOOPBACK = ['127.0.0.0/8'];
const call = { headers: { ttl: '5' }, body: Buffer.from('hello') };

describe('calls to other servers', () => {
  let port = 0;
  let asked: string[] = [];
  let answer: (request: IncomingMessage, response: ServerResponse) => void;
  const server = createServer((request, response) => {
    asked.push(request.url ?? '');
    answer(request, response);
  });
  before(async () => {
    server.listen(0, '127.0.0.1');
    await once(server, 'listening');
    port = (server.address() as AddressInfo).port;
  });
  after(() => {
    server.closeAllConnections();
    server.close();
  });
  beforeEach(() => {
    asked = [];
    answer = (_request, response) => void response.writeHead(201).end();
  });

  let now = 0;
  const clock = { now: () => now, monotonic: () => now };
  const outboundWith = (rules: Partial<OutboundDeps> = {}) =>
    createOutbound({ ...systemPorts, clock, hosts: [], networks: LOOPBACK, ...rules });
  const here = (path = '/') => `http://127.0.0.1:${port}${path}`;

  test('a call arrives with its headers and its body', async () => {
    let got: unknown;
    answer = (request, response) => {
      void request.toArray().then((parts) => {
        got = { method: request.method, ttl: request.headers.ttl, body: Buffer.concat(parts).toString() };
        response.writeHead(201).end();
      });
    };
    const outbound = outboundWith();
    assert.deepEqual(await outbound.post(here(), call), { status: 201, retryAfterMs: 0 });
    assert.deepEqual(got, { method: 'POST', ttl: '5', body: 'hello' });
    outbound.close();
  });

  for (const [what, url] of Object.entries({
    loopback: 'https://127.0.0.1/',
    'loopback in another notation': 'https://0x7f.1/',
    'a private network': 'https://10.1.2.3/',
    'the link-local address of cloud machines': 'https://169.254.169.254/latest',
    'loopback of IPv6': 'https://[::1]/',
    'a private address inside an IPv6 address': 'https://[::ffff:10.0.0.1]/',
    'a unique local address': 'https://[fd00::1]/',
    'an unspecified address': 'https://0.0.0.0/',
    'no https': 'http://8.8.8.8/',
    'a password': 'https://user:secret@example.org/',
    'another scheme': 'file:///etc/passwd',
  })) {
    test(`${what} is refused`, async () => {
      const outbound = outboundWith({ networks: [] });
      assert.equal(typeof outbound.refusalOf(url), 'string');
      await assert.rejects(outbound.post(url, call), OutboundRefused);
    });
  }

  test('a name that leads to a private address is refused when the connection is made', async () => {
    const names: string[] = [];
    const resolve = async (host: string) => {
      names.push(host);
      return [{ address: '127.0.0.1', family: 4 }];
    };
    const outbound = outboundWith({ networks: [], resolve });
    const url = `https://public.example:${port}/`;
    assert.equal(outbound.refusalOf(url), undefined);
    await assert.rejects(outbound.post(url, call), OutboundRefused);
    assert.deepEqual([names, asked], [['public.example'], []]);
  });

  test('the connection goes to the address that was checked, whatever the resolver says afterwards', async () => {
    const answers = [{ address: '127.0.0.1', family: 4 }];
    const resolve = async () => answers.splice(0, 1);
    const outbound = outboundWith({ resolve });
    const url = `http://named.example:${port}/`;
    assert.equal((await outbound.post(url, call)).status, 201);
    assert.equal((await outbound.post(url, call)).status, 201, 'the open connection is used again');
    outbound.close();
    await assert.rejects(outbound.post(url, call), OutboundRefused);
    assert.equal(asked.length, 2);
  });

  test('with a list of hosts, only those are called', () => {
    const { refusalOf } = outboundWith({ hosts: ['push.example.org', '*.example.net'] });
    for (const url of ['https://push.example.org/a', 'https://a.b.example.net/'])
      assert.equal(refusalOf(url), undefined);
    for (const url of ['https://example.org/', 'https://example.net/', 'https://evilexample.net/'])
      assert.match(refusalOf(url) ?? '', /not an allowed host/);
  });

  test('a redirect is not followed', async () => {
    answer = (_request, response) => void response.writeHead(307, { location: here('/elsewhere') }).end();
    const outbound = outboundWith();
    assert.equal((await outbound.post(here('/first'), call)).status, 307);
    assert.deepEqual(asked, ['/first']);
    outbound.close();
  });

  test('a host in trouble is left alone for as long as it asks, then called again', async () => {
    const outbound = outboundWith();
    answer = (_request, response) => void response.writeHead(429, { 'retry-after': '90' }).end();
    assert.deepEqual(await outbound.post(here(), call), { status: 429, retryAfterMs: 90_000 });
    answer = (_request, response) => void response.writeHead(201).end();
    now += 89_000;
    await assert.rejects(outbound.post(here(), call), (error: unknown) => {
      assert.ok(error instanceof OutboundFailed);
      assert.equal(error.retryAfterMs, 1_000);
      return true;
    });
    assert.equal(asked.length, 1);
    now += 1_000;
    assert.equal((await outbound.post(here(), call)).status, 201);
    outbound.close();
  });

  test('each failure in a row doubles the time that a host is left alone', async () => {
    const outbound = outboundWith();
    answer = (_request, response) => void response.writeHead(503).end();
    const waits: number[] = [];
    for (let i = 0; i < 4; i++) {
      const { retryAfterMs } = await outbound.post(here(), call);
      waits.push(retryAfterMs);
      now += retryAfterMs;
    }
    assert.deepEqual(waits, [1_000, 2_000, 4_000, 8_000]);
    outbound.close();
  });

  test('a host that never answers fails the call', async () => {
    const { every } = systemPorts.timers;
    const outbound = outboundWith({ timers: { every, after: (_ms, run) => systemPorts.timers.after(20, run) } });
    answer = () => {};
    await assert.rejects(outbound.post(here(), call), /no answer within 10000 ms/);
    outbound.close();
  });

  test('an endless answer is cut', async () => {
    let isCut = false;
    answer = (_request, response) => {
      response.on('close', () => {
        isCut = true;
      });
      response.writeHead(200);
      const more = (): void => {
        if (!response.destroyed) response.write(Buffer.alloc(8192), () => setImmediate(more));
      };
      more();
    };
    const outbound = outboundWith();
    assert.equal((await outbound.post(here(), call)).status, 200);
    while (!isCut) await new Promise(setImmediate);
    outbound.close();
  });
});
