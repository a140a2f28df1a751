// NATS is cut off from two servers under load, and comes back. Streams miss nothing, double nothing, and keep the order.
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { createDatabase, startServer, type TestServer } from '@sealpost/dev-env/harness';
import { cuttingProxy } from '@sealpost/dev-env/proxies/cutting';
import { repeats, timeFor } from '@sealpost/dev-env/repeats';
import { until } from '@sealpost/dev-env/until';
import { createRpcClient } from '@sealpost/sdk';

const nats = process.env.SEALPOST_TEST_NATS_URL;
const skip = !(nats && process.env.SEALPOST_TEST_POSTGRES_URL) && 'needs PostgreSQL and NATS';
const CUTS = repeats(2);
/** Messages that each of two people sends in each phase. */
const SENDS = 20;

const busOf = async ({ url }: TestServer): Promise<string> =>
  ((await (await fetch(`${url}/readyz`)).json()) as { bus: string }).bus;

test(`NATS that is cut off ${CUTS} times under load costs no message`, {
  skip,
  timeout: timeFor(200_000),
}, async () => {
  const proxy = await cuttingProxy(nats as string);
  const database = await createDatabase();
  const flags = { 'database-url': database.url, 'bus-url': proxy.url.replace('http:', 'nats:') };
  const servers = [await startServer({ flags, servers: 1 }), await startServer({ flags, servers: 1 })] as const;
  try {
    const [here, there] = servers;
    const [alice, carol, bob] = [await here.user('alice'), await here.user('carol'), await here.user('bob')];
    const session = bob.client.session;
    assert.ok(session);
    const receiver = createRpcClient({ url: there.url, session });
    const total = 2 * SENDS * 2 * CUTS;
    const texts: string[] = [];
    const revisions: number[] = [];
    const stop = new AbortController();
    const reading = (async () => {
      for await (const event of receiver.operations({ from: '0', signal: stop.signal })) {
        if (event.kind !== 'operation') continue;
        revisions.push(Number(event.operation.revision));
        texts.push(event.operation.message?.text ?? '');
        if (texts.length === total) stop.abort();
      }
    })();
    const sent: Record<string, string[]> = { alice: [], carol: [] };
    const load = (phase: string) =>
      Promise.all(
        Object.entries({ alice, carol }).map(async ([name, { client }]) => {
          for (let n = 0; n < SENDS; n++) {
            const text = `${name} ${phase} ${n}`;
            await client.sendText(bob.mid, text);
            sent[name]?.push(text);
          }
        }),
      );
    for (let cut = 0; cut < CUTS; cut++) {
      const during = load(`${cut}, cut off`);
      proxy.down(true);
      await during;
      for (const server of servers) await until(async () => (await busOf(server)) !== 'ok', 'the bus is missing');
      const after = load(`${cut}, while it comes back`);
      proxy.down(false);
      await after;
      for (const server of servers) await until(async () => (await busOf(server)) === 'ok', 'the bus is back');
    }
    await reading;
    assert.deepEqual(
      revisions,
      Array.from({ length: total }, (_, n) => n + 1),
    );
    for (const [name, own] of Object.entries(sent))
      assert.deepEqual(
        texts.filter((text) => text.startsWith(name)),
        own,
      );
    receiver.close();
  } finally {
    await Promise.all(servers.map((server) => server.close()));
    await proxy.close();
    await database.drop();
  }
});
