// Pushes of a server that is killed, and of servers that share a database.
import assert from 'node:assert/strict';
import { after, before, describe, test } from 'node:test';
import { databases, startServer, type TestServer } from '@sealpost/dev-env/harness';
import { startPushService, type TestBrowser, type TestPushService } from '@sealpost/dev-env/push-service';
import { until } from '@sealpost/dev-env/until';
import { createRpcClient, type RpcClient } from '@sealpost/sdk';
import { sql } from '../../../src/platform/store/sql.ts';
import { SHARES } from '../../../src/platform/subscriber/shares.ts';
import { type KillableServer, startKillableServer } from '../../crash/killable-server.ts';
import type { Person } from '../../crash/server-with-crash-points.ts';
import { call } from '../../crash/wire.ts';

const LOOPBACK = { 'metrics-access': 'open', 'outbound-networks': '127.0.0.0/8' };

for (const database of databases) {
  describe(`a server on ${database} that is killed`, { timeout: 240_000 }, () => {
    let service: TestPushService;
    let server: KillableServer;
    let alice: Person;
    let bob: Person;
    let browser: TestBrowser;
    let reqSeq = 1;
    before(async () => {
      service = await startPushService();
      server = await startKillableServer(database, LOOPBACK);
      [alice, bob] = (await server.people(2)) as [Person, Person];
      const url = await server.url();
      const { publicKey } = await call<{ publicKey: string }>(url, bob, 'getPushKey', [], 'PushService');
      browser = await service.browser(publicKey);
      await call(url, bob, 'subscribe', [browser.subscription], 'PushService');
    });
    after(async () => {
      await server.close();
      await service.close();
    });

    const headOf = async () => call<string>(await server.url(), bob, 'getLastOpRevision', []);

    for (const point of ['transaction.committed', 'operations.published'] as const) {
      test(`at ${point} still sends the push of what was stored`, async () => {
        const [head, pushes] = [await headOf(), browser.pushes.length];
        // Upkeep commits too. If it was upkeep that passed the crash point, the message is sent again.
        do {
          await server.arm(point, 1);
          reqSeq += 1;
          const message = { to: bob.mid, text: `before the crash ${reqSeq}` };
          await call(await server.url(), alice, 'sendMessage', [reqSeq, message]).catch(() => {});
          await server.gone();
          await server.startAgain();
        } while ((await headOf()) === head);
        await until(() => browser.pushes.length > pushes, 'the push comes after the restart');
        assert.deepEqual(browser.pushes.at(-1)?.message, { kind: 'new', chat: alice.mid });
      });
    }
  });
}

const skip = !process.env.SEALPOST_TEST_POSTGRES_URL && 'needs PostgreSQL';
const holders = sql<{ server: string; shares: number }>(
  'select server, count(*) as shares from log_share group by server',
);

describe('two servers on one database', { skip, timeout: 240_000 }, () => {
  let service: TestPushService;
  let other: KillableServer;
  let here: TestServer;
  const clients: RpcClient[] = [];
  before(async () => {
    service = await startPushService();
    other = await startKillableServer('postgres', LOOPBACK);
    here = await startServer({ servers: 1, flags: { ...LOOPBACK, 'database-url': other.databaseUrl as string } });
    await until(
      async () => (await holdersNow()).filter(({ shares }) => shares >= Math.floor(SHARES / 2)).length === 2,
      'each has half of the shares',
    );
  });
  after(async () => {
    for (const client of clients) client.close();
    await here.close();
    await other.close();
    await service.close();
  });

  const holdersNow = async () =>
    (await here.server.store.read((reader) => reader.all(holders))).filter(({ server }) => server !== '');
  const handledAt = async (url: string): Promise<number> => {
    const text = await (await fetch(`${url}/metrics`)).text();
    return Number(/sealpost_subscriber_operations_total\{subscriber="push",outcome="handled"\} (\d+)/.exec(text)?.[1]);
  };

  async function receivers(count: number) {
    const made = [];
    for (let i = 0; i < count; i++) {
      const user = await here.user('receiver');
      const browser = await service.browser((await user.client.PushService.getPushKey()).publicKey);
      await user.client.PushService.subscribe(browser.subscription);
      made.push({ user, browser });
    }
    return made;
  }

  test('they share the accounts, under one key', async () => {
    const alice = await here.user('alice');
    const all = await receivers(30);
    for (const { user } of all) await alice.client.sendText(user.mid, 'hello');
    await until(() => all.every(({ browser }) => browser.pushes.length > 0), 'everybody gets a push');
    const urls = [here.url, await other.url()];
    const handled = async () => Promise.all(urls.map(handledAt));
    await until(async () => (await handled()).reduce((sum, count) => sum + count, 0) >= 30, 'all are handled');
    for (const count of await handled()) assert.notEqual(count, 0, 'each server does its share');
  });

  test('a stream at one keeps pushes away from both, until that server is killed', async () => {
    const alice = await here.user('alice');
    const all = await receivers(12);
    const url = await other.url();
    const stop = new AbortController();
    const arrived = all.map(({ user }) => {
      const { session } = user.client;
      if (!session) throw new Error('not logged in');
      const client = createRpcClient({ url, session });
      clients.push(client);
      return client.operations({ signal: stop.signal }).next();
    });
    const streams = async () => /sealpost_streams (\d+)/.exec(await (await fetch(`${url}/metrics`)).text())?.[1];
    await until(async () => (await streams()) === '12', 'the streams are open');
    const open = sql<{ count: number }>('select count(*) as count from open_account');
    const openNow = async () => (await here.server.store.read((reader) => reader.one(open)))?.count;
    await until(async () => (await openNow()) === 12, 'the other server is told of the streams');

    const before = (await handledAt(url)) + (await handledAt(here.url));
    for (const { user } of all) await alice.client.sendText(user.mid, 'to the stream');
    await Promise.all(arrived);
    const after = async () => (await handledAt(url)) + (await handledAt(here.url)) - before;
    await until(async () => (await after()) === 12, 'all are handled');
    assert.deepEqual(
      all.map(({ browser }) => browser.requests),
      all.map(() => 0),
    );

    await other.kill();
    stop.abort();
    for (const { user } of all) await alice.client.sendText(user.mid, 'after the kill');
    await until(() => all.every(({ browser }) => browser.pushes.length > 0), 'everybody gets a push');
    await until(async () => (await holdersNow()).length === 1, 'all shares have one server');
  });
});
