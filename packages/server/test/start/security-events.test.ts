import assert from 'node:assert/strict';
import { once } from 'node:events';
import { connect } from 'node:net';
import { after, before, beforeEach, describe, test } from 'node:test';
import { createRawClient, outcomeOf } from '@sealpost/conformance/testing';
import { pathOf } from '@sealpost/contract';
import { httpEndpoints } from '@sealpost/contract/schemas';
import { adminBrowser } from '@sealpost/dev-env/administrators';
import { startServer, type TestServer } from '@sealpost/dev-env/harness';
import { watchedTimers } from '@sealpost/dev-env/watched-timers';
import { createRpcClient } from '@sealpost/sdk';
import { pino } from 'pino';
import { createSecurityEvents } from '../../src/platform/kernel/security-events.ts';

const INTERVAL_MS = 10_000;
/** The number of requests to the admin API that the rate limit allows at once. */
const ADMIN_BURST = 20;
const KEY_BURST = 5;

interface Line {
  readonly event?: string;
  readonly address?: string;
  readonly count?: number;
}

/** Returns a log that the test reads, and timers whose intervals the test ends. */
function observed() {
  const lines: Line[] = [];
  const text: string[] = [];
  const logger = pino({ level: 'debug', base: null }, { write: (line: string) => void text.push(line) });
  const { timers, hold, fire } = watchedTimers();
  hold(INTERVAL_MS);
  return {
    logger,
    timers,
    text,
    /** Ends the interval, and returns the lines that were logged then. */
    told(): Line[] {
      text.length = 0;
      fire(INTERVAL_MS);
      lines.length = 0;
      for (const line of text) lines.push(JSON.parse(line) as Line);
      return lines.filter(({ event }) => event).map(({ event, address, count }) => ({ event, address, count }) as Line);
    },
  };
}

describe('security events', () => {
  const log = observed();
  let server: TestServer;
  before(async () => {
    server = await startServer({
      logger: log.logger,
      ports: { timers: log.timers },
      flags: {
        'trusted-proxies': '127.0.0.1',
        'rate-key': `${KEY_BURST}+0.001`,
        'rate-admin': '20+0.0001',
        'connections-per-address': '40',
      },
    });
  });
  after(() => server.close());
  beforeEach(() => void log.told());

  const from = (address: string) => ({ 'x-forwarded-for': address });
  const asAdmin = (token: string, address: string) =>
    fetch(`${server.url}/api/admin/v1/accounts`, { headers: { authorization: `Bearer ${token}`, ...from(address) } });

  test('wrong signatures are counted by address, in one line', async () => {
    for (let i = 0; i < 30; i++) {
      await fetch(`${server.url}/api/talk/thrift/Talk/TalkService/getServerTime`, {
        method: 'POST',
        body: '[]',
        headers: from(`192.0.2.${1 + (i % 2)}`),
      });
    }
    assert.deepEqual(log.told(), [
      { event: 'wrong-signature', address: '192.0.2.1', count: 15 },
      { event: 'wrong-signature', address: '192.0.2.2', count: 15 },
    ]);
    assert.deepEqual(log.told(), [], 'told once');
  });

  test('a failed login is told, without what was typed', async () => {
    const { userid } = await server.user('victim');
    const client = createRpcClient({ url: server.url });
    await assert.rejects(client.login({ identifier: userid, password: 'a wrong guess' }));
    await assert.rejects(client.login({ identifier: 'nobody-at-all', password: 'a wrong guess' }));
    client.close();
    assert.deepEqual(log.told(), [{ event: 'failed-login', address: '127.0.0.1', count: 2 }]);
    assert.doesNotMatch(log.text.join(), /wrong guess|victim|nobody-at-all/);
  });

  test('a refresh token that is used again is told as a revoked family, an unknown one is not', async () => {
    const { id, mid } = await server.server.slices.accounts.create({
      userid: 'rotated',
      password: 'correct horse',
      displayName: 'R',
    });
    const { sessions } = server.server.slices;
    const { tokens } = await server.server.store.transact((tx) =>
      sessions.open(tx, {
        accountId: id,
        mid,
        systemName: 'test',
        modelName: '',
        clientType: 'test',
        remoteAddress: '127.0.0.1',
      }),
    );
    const second = await sessions.refresh(tokens.refreshToken);
    await sessions.refresh(second.refreshToken);
    const raw = createRawClient({ url: server.url });
    const refresh = (refreshToken: string) =>
      raw.send(httpEndpoints.tokenRefresh.path, { body: JSON.stringify({ refreshToken }) });
    assert.equal((await refresh('nonsense')).status, 400);
    assert.equal((await refresh(tokens.refreshToken)).status, 400);
    assert.equal((await refresh(tokens.refreshToken)).status, 400, 'the session is over now');
    raw.close();
    assert.deepEqual(log.told(), [{ event: 'revoked-family', address: '127.0.0.1', count: 1 }]);
  });

  test('a limit that is hit is told', async () => {
    const client = createRpcClient({ url: server.url });
    const attempts = Array.from({ length: 8 }, () =>
      client.login({ identifier: 'nobody-at-all', password: 'x' }).catch((error: { error?: string }) => error.error),
    );
    const limited = (await Promise.all(attempts)).filter((error) => error === 'EXCESSIVE_ACCESS').length;
    client.close();
    assert.ok(limited > 0);
    assert.deepEqual(
      log.told().filter(({ event }) => event === 'limit'),
      [{ event: 'limit', address: '127.0.0.1', count: limited }],
    );
  });

  test('a rate that is exceeded before the login is told, by address', async () => {
    const raw = createRawClient({ url: server.url });
    const ask = () =>
      raw.send(pathOf('SecondaryQrCodeLoginService.createSession'), { body: '[{}]', headers: from('198.51.100.5') });
    const outcomes: string[] = [];
    for (let n = 0; n < KEY_BURST + 2; n++) outcomes.push(outcomeOf(await ask()));
    raw.close();
    assert.deepEqual(outcomes, [...Array(KEY_BURST).fill('OK'), 'EXCESSIVE_ACCESS', 'EXCESSIVE_ACCESS']);
    assert.deepEqual(log.told(), [{ event: 'limit', address: '198.51.100.5', count: 2 }]);
  });

  test('connections over the limit of an address are told', async () => {
    const { hostname, port } = new URL(server.url);
    const sockets = Array.from({ length: 60 }, () => connect(Number(port), hostname).on('error', () => {}));
    await Promise.race(sockets.map((socket) => once(socket, 'close')));
    const [limit] = log.told().filter(({ event }) => event === 'limit');
    for (const socket of sockets) socket.destroy();
    assert.equal(limit?.address, '127.0.0.1');
  });

  test('wrong admin tokens are told, and limited by address: then even the right one waits', async () => {
    const statuses: number[] = [];
    for (let i = 0; i < ADMIN_BURST + 5; i++) statuses.push((await asAdmin(`guess ${i}`, '198.51.100.7')).status);
    assert.deepEqual(statuses.slice(0, ADMIN_BURST), Array(ADMIN_BURST).fill(401));
    assert.deepEqual(statuses.slice(-4), Array(4).fill(429));
    const refused = await asAdmin(server.adminToken, '198.51.100.7');
    assert.equal(refused.status, 429);
    assert.ok(Number(refused.headers.get('retry-after')) > 0);
    assert.match(String(refused.headers.get('content-type')), /^application\/problem\+json/);
    const elsewhere: number[] = [];
    for (let i = 0; i < 2 * ADMIN_BURST; i++) elsewhere.push((await asAdmin(server.adminToken, '198.51.100.8')).status);
    assert.deepEqual(new Set(elsewhere), new Set([200]), 'the right token costs nothing');
    const told = log.told();
    const wrong = told.find(({ event }) => event === 'wrong-admin-token');
    assert.deepEqual([wrong?.address, Number(wrong?.count) >= ADMIN_BURST], ['198.51.100.7', true]);
    assert.deepEqual(
      told.filter(({ address }) => address === '198.51.100.8'),
      [],
    );
    assert.doesNotMatch(log.text.join(), /guess/);
  });

  test('a token that is a part of the right one, or more than it, is wrong', async () => {
    const { adminToken } = server;
    for (const token of [adminToken.slice(0, -1), adminToken.slice(0, 16), adminToken.slice(1), `${adminToken}x`])
      assert.equal((await asAdmin(token, '198.51.100.9')).status, 401, token);
    assert.equal((await asAdmin(adminToken, '198.51.100.9')).status, 200);
  });

  test('a wrong password of an administrator is noted, too', async () => {
    const { client } = adminBrowser(server, { 'X-Forwarded-For': '198.51.100.9' });
    await assert.rejects(client.logIn({ name: 'nobody', password: 'wrong' }), { status: 401 });
  });

  test('a wrong code of an invite is noted', async () => {
    const answer = await fetch(`${server.url}/api/registration/v1/invite`, {
      method: 'POST',
      headers: { 'Content-Type': 'application/json', 'X-Forwarded-For': '198.51.100.10' },
      body: JSON.stringify({ code: 'AAAAA-AAAAA-AAAAA-AAAAA' }),
    });
    assert.equal(answer.status, 404);
  });

  test('metrics count every kind, and have no addresses', async () => {
    const metrics = await server.metrics();
    const found = [...metrics.matchAll(/^sealpost_security_events_total\{event="([\w-]+)"\} (\d+)$/gm)];
    assert.deepEqual(
      found.map(([, event]) => event),
      [
        ...['failed-login', 'failed-admin-login', 'revoked-family', 'limit', 'wrong-admin-token', 'wrong-invite'],
        'wrong-signature',
      ],
    );
    assert.ok(found.every(([, , count]) => Number(count) > 0));
    assert.doesNotMatch(metrics, /198\.51\.100/);
  });
});

test('a flood from many addresses takes bounded memory and a bounded log', () => {
  const { logger, timers, told } = observed();
  const events = createSecurityEvents(logger, timers);
  for (let i = 0; i < 50_000; i++) events.note('wrong-signature', `address ${i}`);
  const lines = told();
  assert.equal(lines.length, 1_001);
  assert.deepEqual(lines.at(-1), { event: 'wrong-signature', address: 'others', count: 49_000 });
  assert.equal(events.counts.get('wrong-signature'), 50_000);
  events.note('limit', 'late');
  events.close();
});
