// The order and time of a stream's events: operations after the commit, regular pings, and the last event at the end.
// The test controls the time.
import assert from 'node:assert/strict';
import { after, before, describe, test } from 'node:test';
import { brandHeader, httpPaths, limits } from '@sealpost/contract';
import { createDatabase, databases, startServer, type TestServer, type TestUser } from '@sealpost/dev-env/harness';
import { virtualTime } from '@sealpost/dev-env/virtual-time';
import { createRpcClient } from '@sealpost/sdk';
import type { CrashPointName } from '../../../src/platform/kernel/ports.ts';
import { systemPorts } from '../../../src/platform/kernel/system.ts';

/** Returns ports whose regular timers run in virtual time. Timers that fire once run in real time. */
function ownTime() {
  const { ports, timers, advance } = virtualTime();
  const { after } = systemPorts.timers;
  return { ports: { clock: ports.clock, timers: { ...timers, after } }, advance };
}

function openStream({ url }: { url: string }, user: TestUser, signal?: AbortSignal): Promise<Response> {
  const token = user.client.session?.tokens.accessToken as string;
  return fetch(url + httpPaths.operationReceive, {
    headers: { [brandHeader('Svc', 'access')]: token },
    ...(signal && { signal }),
  });
}

/** Yields the names of events as they arrive; `operation` for events without a name. */
async function* eventsOf(response: Response): AsyncGenerator<string> {
  let text = '';
  const decoder = new TextDecoder();
  for await (const chunk of response.body as AsyncIterable<Uint8Array>) {
    text += decoder.decode(chunk, { stream: true });
    for (let end = text.indexOf('\n\n'); end >= 0; end = text.indexOf('\n\n')) {
      yield /^event: (.*)$/m.exec(text.slice(0, end))?.[1] ?? 'operation';
      text = text.slice(end + 2);
    }
  }
}

const PINGS = 5;
const STEP_MS = 1_000;

for (const [what, isBusy] of [
  ['under traffic', true],
  ['in silence', false],
] as const) {
  test(`a ping comes every 20 seconds ${what}`, async () => {
    const { ports, advance } = ownTime();
    const server = await startServer({ ports });
    const stop = new AbortController();
    try {
      const [alice, bob] = [await server.user('alice'), await server.user('bob')];
      const events = eventsOf(await openStream(server, bob, stop.signal));
      assert.equal((await events.next()).value, 'connInfoRevision');
      // From here on, the stream takes new operations, so a message that is sent now arrives at once.
      const heard = async () => {
        await alice.client.sendText(bob.mid, 'hello');
        const found: string[] = [];
        for (;;) {
          const { value } = await events.next();
          if (value === 'operation') return found;
          found.push(value as string);
        }
      };
      await heard();
      const times: number[] = [];
      const end = PINGS * limits.streamPingMs.value;
      for (let at = STEP_MS; at <= end; at += STEP_MS) {
        await advance(STEP_MS);
        const isDue = at % limits.streamPingMs.value === 0;
        // In a quiet round, a message is sent only if a ping was due. The message marks the end of the events that came
        // before it.
        if (isBusy || isDue) times.push(...(await heard()).map(() => at));
      }
      assert.deepEqual(
        times,
        Array.from({ length: PINGS }, (_, i) => (i + 1) * limits.streamPingMs.value),
      );
    } finally {
      stop.abort();
      await server.close();
    }
  });
}

test('a server that stops sends reconnect as the last event of every stream', async () => {
  const server = await startServer();
  const users = [await server.user('alice'), await server.user('bob')];
  const streams = await Promise.all(users.map(async (user) => eventsOf(await openStream(server, user))));
  for (const events of streams) assert.equal((await events.next()).value, 'connInfoRevision');
  await server.close();
  for (const events of streams) {
    const last: string[] = [];
    for await (const event of events) last.push(event);
    assert.deepEqual(last, ['reconnect']);
  }
});

test('the reason for a full sync is text that changes nothing: what came after localRev is sent', async () => {
  const server = await startServer();
  try {
    const [alice, bob] = [await server.user('alice'), await server.user('bob')];
    for (const text of ['one', 'two']) await alice.client.sendText(bob.mid, text);
    for (const reason of ['0', '1', '4', 'MANUAL_SYNC', 'anything at all', '']) {
      const stop = new AbortController();
      const query = new URLSearchParams({ localRev: '1', fullSyncRequestReason: reason, lastPartialFullSyncs: '{}' });
      const response = await fetch(`${server.url}${httpPaths.operationReceive}?${query}`, {
        headers: { [brandHeader('Svc', 'access')]: bob.client.session?.tokens.accessToken as string },
        signal: stop.signal,
      });
      const events = eventsOf(response);
      assert.deepEqual(
        [(await events.next()).value, (await events.next()).value],
        ['connInfoRevision', 'operation'],
        reason,
      );
      stop.abort();
    }
  } finally {
    await server.close();
  }
});

for (const database of databases) {
  describe(`operations on ${database}`, () => {
    const seen: string[] = [];
    let isWatching = false;
    let delivered = 0;
    let server: TestServer;
    before(async () => {
      const crashPoint = (name: CrashPointName): void => {
        if (isWatching) seen.push(`${name}: ${delivered}`);
      };
      server = await startServer({ database, ports: { crashPoint } });
    });
    after(() => server.close());

    test('reach streams and hooks after the commit, never before, and not at all without one', async () => {
      const [alice, bob] = [await server.user('alice'), await server.user('bob')];
      const { openStreams, slices, store, log } = server.server;
      const { caller } = await slices.sessions.load(bob.client.session?.tokens.accessToken as string);
      openStreams.open(
        { ...caller, cursor: undefined },
        {
          write(bytes) {
            if (bytes.toString().startsWith('id: ')) delivered += 1;
            return 0;
          },
          unread: () => 0,
          drained: async () => {},
          end: () => {},
          cut: () => {},
        },
      );
      // The stream delivers only operations after its start. So the first delivered message shows that the start is
      // over.
      for (let tries = 0; delivered === 0; tries++) {
        assert.ok(tries < 100, 'the stream never became live');
        await alice.client.sendText(bob.mid, 'is it live?');
      }
      isWatching = true;
      delivered = 0;
      await alice.client.sendText(bob.mid, 'hello');
      isWatching = false;
      // Upkeep has transactions of its own, which may come in between.
      const published = seen.indexOf('operations.published: 1');
      const before = seen.slice(0, published).filter((line) => /^(transaction|operations)/.test(line));
      assert.ok(published >= 0, `it was never published: ${seen.join(', ')}`);
      assert.deepEqual(
        before.filter((line) => !line.endsWith(': 0')),
        [],
      );
      for (const step of ['before-begin', 'written', 'committed']) assert.ok(before.includes(`transaction.${step}: 0`));
      let hooks = 0;
      const failed = store.transact(async (tx) => {
        tx.onCommit(() => {
          hooks += 1;
        });
        const { accountId } = caller;
        await log.lockAndAppend(tx, [{ accountId, to: 'self', type: 'UPDATE_SETTINGS', params: { attribute: 1 } }]);
        throw new Error('this transaction fails');
      });
      await assert.rejects(failed, /this transaction fails/);
      await alice.client.sendText(bob.mid, 'what comes next');
      assert.deepEqual([hooks, delivered], [0, 2]);
    });
  });
}

const nats = process.env.SEALPOST_TEST_NATS_URL;
const postgres = process.env.SEALPOST_TEST_POSTGRES_URL;

test('a message reaches the stream of another server by its wake-up alone, without a poll of the log', {
  skip: !(nats && postgres) && 'needs PostgreSQL and NATS',
  timeout: 60_000,
}, async () => {
  const database = await createDatabase();
  const flags = { 'database-url': database.url, 'bus-url': nats as string };
  const here = await startServer({ flags });
  // The second server runs no regular work, such as polls of the log.
  const there = await startServer({ flags, ports: ownTime().ports });
  try {
    const [alice, bob] = [await here.user('alice'), await here.user('bob')];
    const client = createRpcClient({ url: there.url, ...(bob.client.session && { session: bob.client.session }) });
    const polled = client.TalkService.fetchOps('0');
    const events = eventsOf(await openStream(there, bob));
    assert.equal((await events.next()).value, 'connInfoRevision');
    for (let i = 0; i < 3; i++) {
      await alice.client.sendText(bob.mid, 'hello over there');
      assert.equal((await events.next()).value, 'operation');
    }
    assert.equal((await polled)[0]?.message?.text, 'hello over there');
    client.close();
  } finally {
    await here.close();
    await there.close();
    await database.drop();
  }
});
