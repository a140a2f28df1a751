// Two servers on one database without a bus. A change that one server makes must still reach the other.
import assert from 'node:assert/strict';
import { after, before, describe, test } from 'node:test';
import { createDatabase, startServer, type TestServer } from '@sealpost/dev-env/harness';
import { createRpcClient, type RpcClient } from '@sealpost/sdk';
import { systemPorts } from '../../src/platform/kernel/system.ts';

/** Milliseconds that a poll waits if its client names no time. */
const POLL_MS = 60_000;
const skip = !process.env.SEALPOST_TEST_POSTGRES_URL && 'needs PostgreSQL';

describe('two servers without a bus', { skip, timeout: 30_000 }, () => {
  let database: Awaited<ReturnType<typeof createDatabase>>;
  let here: TestServer;
  let there: TestServer;
  const clients: RpcClient[] = [];
  let polls = 0;
  const poll = () => {
    polls += 1;
    return {
      cancel() {
        polls -= 1;
      },
    };
  };
  const { after: real, every } = systemPorts.timers;
  /** On the second server, the timer of a poll never ends by itself. */
  const timers = { every, after: (ms: number, run: () => void) => (ms === POLL_MS ? poll() : real(ms, run)) };
  before(async () => {
    database = await createDatabase();
    const flags = { 'database-url': database.url };
    here = await startServer({ flags });
    there = await startServer({ flags, ports: { timers } });
  });
  after(async () => {
    for (const client of clients) client.close();
    await here.close();
    await there.close();
    await database.drop();
  });

  /** Returns a client of the other server with the same session. */
  function elsewhere({ session }: RpcClient): RpcClient {
    if (!session) throw new Error('not logged in');
    const client = createRpcClient({ url: there.url, session });
    clients.push(client);
    return client;
  }

  test('a message reaches a stream of the other server', async () => {
    const [alice, bob] = [await here.user('alice'), await here.user('bob')];
    const stop = new AbortController();
    const events = elsewhere(bob.client).operations({ from: '0', signal: stop.signal });
    const first = events.next();
    await alice.client.sendText(bob.mid, 'hello over there');
    const { value: event } = await first;
    assert.equal(event?.kind === 'operation' && event.operation.message?.text, 'hello over there');
    stop.abort();
  });

  test('a session that one server ends loses its stream, its poll and its calls on the other', async () => {
    const user = await here.user('carol');
    const client = elsewhere(user.client);
    await client.TalkService.getProfile();
    const stream = await fetch(`${there.url}/api/operation/receive?localRev=0`, {
      headers: { 'X-Svc-Access': client.session?.tokens.accessToken as string },
    });
    const polled = client.TalkService.fetchOps();
    while (there.server.openStreams.size === 0) await new Promise(setImmediate);
    await user.client.logout();
    assert.match(await stream.text(), /V3_TOKEN_CLIENT_LOGGED_OUT/);
    assert.deepEqual(await polled, []);
    await assert.rejects(client.TalkService.getProfile(), /logged out|LOGGED_OUT/i);
  });

  test('a session that does nothing but poll on the other loses its poll', async () => {
    const user = await here.user('dave');
    const polled = elsewhere(user.client).TalkService.fetchOps();
    while (polls === 0) await new Promise(setImmediate);
    await user.client.logout();
    assert.deepEqual(await polled, []);
  });
});
