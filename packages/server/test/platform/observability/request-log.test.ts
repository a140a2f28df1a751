// The request log, and that nothing a client sends comes into it: each endpoint of the contract is called with marked
// texts in every argument, header, query and path.
import assert from 'node:assert/strict';
import { after, before, describe, test } from 'node:test';
import { pathOf } from '@sealpost/contract';
import { adminEndpoints, adminRoot } from '@sealpost/contract/admin';
import { httpEndpoints, methodNames } from '@sealpost/contract/schemas';
import { startServer, type TestServer, type TestUser } from '@sealpost/dev-env/harness';
import { until } from '@sealpost/dev-env/until';
import type { RpcClient } from '@sealpost/sdk';
import { pino } from 'pino';
import { ask, FOUND, MARK, markedHeaders, requests } from './marked-requests.ts';

interface Line {
  readonly level: number;
  readonly msg: string;
  readonly endpoint: string;
  readonly verb: string;
  readonly outcome: string;
  readonly status: number;
  readonly ms: number;
  readonly bytesIn: number;
  readonly bytesOut: number;
  readonly account?: string;
  readonly requestId: string;
}

const accessOf = ({ session }: RpcClient): string => session?.tokens.accessToken ?? '';

/** Returns a log in memory. */
function memoryLog(level = 'debug') {
  const text: string[] = [];
  const logger = pino({ level, base: null }, { write: (line: string) => void text.push(line) });
  const calls = (): Line[] => text.map((line): Line => JSON.parse(line)).filter(({ msg }) => msg === 'call');
  return { logger, text, calls };
}

describe('the request log', () => {
  const log = memoryLog();
  let server: TestServer;
  let alice: TestUser;
  before(async () => {
    server = await startServer({ logger: log.logger, flags: { signature: 'off', 'request-log': 'all' }, servers: 1 });
    alice = await server.user('alice');
  });
  after(() => server.close());

  test('a call has one line: endpoint, outcome, time, bytes, and ids', async () => {
    const bob = await server.user('bob');
    log.text.length = 0;
    await alice.client.sendText(bob.mid, 'a secret');
    await until(() => log.calls().length === 1, 'the call is logged');
    const [line] = log.calls();
    assert.ok(line);
    const { endpoint, verb, outcome, status } = line;
    assert.deepEqual(
      { endpoint, verb, outcome, status },
      { endpoint: 'TalkService.sendMessage', verb: 'POST', outcome: 'OK', status: 200 },
    );
    assert.ok(line.ms > 0 && line.bytesIn > 50 && line.bytesOut > 50, JSON.stringify(line));
    assert.match(line.requestId, /^[0-9a-f]{16}$/);
    assert.match(String(line.account), /^[0-9a-f]{16}$/);
    assert.doesNotMatch(log.text.join(), new RegExp(`a secret|${alice.mid}|${bob.mid}|${alice.userid}|alice`));
  });

  test('an account has one tag on all its calls, and others have others', async () => {
    log.text.length = 0;
    const bob = await server.user('bob');
    await alice.client.TalkService.getProfile();
    await (await alice.session()).TalkService.getProfile();
    await bob.client.TalkService.getProfile();
    await until(() => log.calls().length === 3, 'the calls are logged');
    const [first, second, third] = log.calls().map(({ account }) => account);
    assert.equal(first, second);
    assert.notEqual(first, third);
  });

  test('the id of a line is that of the answer, of a success and of a refusal', async () => {
    for (const token of [accessOf(alice.client), 'none']) {
      log.text.length = 0;
      const request = { path: pathOf('TalkService.getProfile'), verb: 'POST', body: '[]' };
      const answer = await ask(server.url, request, { 'X-Svc-Access': token });
      await until(() => log.calls().length === 1, 'the call is logged');
      assert.equal(log.calls()[0]?.requestId, answer.headers.get('x-request-id'));
    }
  });

  test('nothing that clients send is in any line, whatever they call', async () => {
    log.text.length = 0;
    const all = requests();
    for (const request of all) {
      await ask(server.url, request, { ...markedHeaders, authorization: `Bearer ${MARK}` });
      const token = { 'X-Svc-Access': accessOf(await alice.session()) };
      const { Cookie: _none, ...others } = markedHeaders;
      await ask(server.url, request, { ...others, ...token, authorization: `Bearer ${server.adminToken}` });
    }
    await until(() => log.calls().length === 2 * all.length, `${2 * all.length} calls are logged`);
    for (const line of log.text) assert.ok(!line.includes(FOUND), line);
    for (const secret of [accessOf(alice.client), server.adminToken, alice.mid, alice.userid])
      assert.ok(!log.text.some((line) => line.includes(secret)));
    const endpoints = new Set(log.calls().map(({ endpoint }) => endpoint));
    for (const name of [...methodNames, ...Object.keys(httpEndpoints)]) assert.ok(endpoints.has(name), name);
    for (const { verb, path } of Object.values(adminEndpoints))
      assert.ok(endpoints.has(`${verb} ${adminRoot}${path.replaceAll(/\{(\w+)\}/g, ':$1')}`), path);
  });
});

test('the log of errors has no success, and is written whatever the level of other lines', async () => {
  const log = memoryLog('silent');
  const server = await startServer({ logger: log.logger, flags: { 'request-log': 'errors' }, servers: 1 });
  try {
    const alice = await server.user('alice');
    await alice.client.TalkService.getProfile();
    await assert.rejects(alice.client.TalkService.getContact('nobody'));
    await fetch(`${server.url}/livez`);
    await fetch(`${server.url}/no-such-page`);
    await until(() => log.calls().length >= 2, 'both errors are logged');
    assert.deepEqual(
      log.calls().map(({ endpoint }) => endpoint),
      ['TalkService.getContact', 'none'],
    );
  } finally {
    await server.close();
  }
});

test('without the setting no call has a line', async () => {
  const log = memoryLog();
  const server = await startServer({ logger: log.logger, servers: 1 });
  try {
    const alice = await server.user('alice');
    await alice.client.TalkService.getProfile();
    await assert.rejects(alice.client.TalkService.getContact('nobody'));
    assert.deepEqual(log.calls(), []);
  } finally {
    await server.close();
  }
});
