// What the metrics count and measure, seen through the metrics of a real server.
import assert from 'node:assert/strict';
import { after, before, describe, test } from 'node:test';
import { httpEndpoints, methodNames } from '@sealpost/contract/schemas';
import { databases, startServer, type TestServer, type TestUser } from '@sealpost/dev-env/harness';
import { objectClient } from '@sealpost/dev-env/object-client';
import { quickCrypto } from '@sealpost/dev-env/quick-crypto';
import { until } from '@sealpost/dev-env/until';
import { systemPorts } from '../../../src/platform/kernel/system.ts';
import { waitingEndpoints } from '../../../src/platform/observability/call-class.ts';
import { Metrics } from '../../../src/platform/observability/metrics.ts';

/** Returns the value of a series; undefined if the series is not there. */
async function seriesValue(server: TestServer, series: string): Promise<number | undefined> {
  const line = (await server.metrics()).split('\n').find((text) => text.startsWith(`${series} `));
  return line === undefined ? undefined : Number(line.slice(series.length + 1));
}

test('each endpoint that waits is in the contract', () => {
  for (const name of waitingEndpoints)
    assert.ok(methodNames.some((method) => method === name) || name in httpEndpoints, name);
});

test('servers of one process share its timer and observer, which never end', () => {
  const [one, other] = [new Metrics(systemPorts.clock, '1'), new Metrics(systemPorts.clock, '1')];
  for (const name of ['nodejs_eventloop_lag_seconds', 'nodejs_gc_duration_seconds']) {
    assert.ok(one.registry.getSingleMetric(name), name);
    assert.equal(one.registry.getSingleMetric(name), other.registry.getSingleMetric(name));
  }
  const own = 'sealpost_calls_total';
  assert.notEqual(one.registry.getSingleMetric(own), other.registry.getSingleMetric(own));
});

for (const database of databases) {
  describe(`metrics on ${database}`, () => {
    let server: TestServer;
    let alice: TestUser;
    let bob: TestUser;
    before(async () => {
      server = await startServer({ database, servers: 1 });
      [alice, bob] = [await server.user('alice'), await server.user('bob')];
    });
    after(() => server.close());

    test('calls are counted by endpoint and outcome, and timed by class', async () => {
      for (const text of ['one', 'two', 'three']) await alice.client.sendText(bob.mid, text);
      await assert.rejects(alice.client.TalkService.getContact('u'.padEnd(33, '0')));
      const calls = (endpoint: string, outcome: string) =>
        seriesValue(server, `sealpost_calls_total{endpoint="${endpoint}",outcome="${outcome}"}`);
      assert.equal(await calls('TalkService.sendMessage', 'OK'), 3);
      assert.equal(await calls('TalkService.getContact', 'OK'), undefined);
      const text = await server.metrics();
      assert.match(text, /^sealpost_calls_total\{endpoint="TalkService.getContact",outcome="[A-Z_]+"\} 1$/m);
      assert.equal(await seriesValue(server, 'sealpost_call_duration_seconds_count{class="send"}'), 3);
      assert.ok(Number(await seriesValue(server, 'sealpost_call_duration_seconds_sum{class="send"}')) > 0);
      for (const name of [alice.mid, alice.userid, '127.0.0.1']) assert.ok(!text.includes(name), name);
    });

    test('a path without an endpoint is one series, whatever the path', async () => {
      for (const path of ['/api/first', '/api/second']) await fetch(server.url + path);
      assert.equal(await seriesValue(server, 'sealpost_calls_total{endpoint="none",outcome="NOT_FOUND_PATH"}'), 2);
      assert.ok(!(await server.metrics()).includes('/api/'));
    });

    test('calls that share a commit are counted with it', async () => {
      const sum = () => seriesValue(server, 'sealpost_commit_calls_sum');
      const count = () => seriesValue(server, 'sealpost_commit_calls_count');
      const [sumBefore, countBefore] = [Number(await sum()), Number(await count())];
      const work = async (_tx: unknown, items: readonly number[]) => items;
      const together = server.server.store.grouped<number, number>(work, (item) => [String(item)]);
      await Promise.all(Array.from({ length: 40 }, (_, i) => together(i)));
      const [calls, commits] = [Number(await sum()) - sumBefore, Number(await count()) - countBefore];
      assert.ok(calls >= 40, `${calls} calls`);
      assert.ok(commits >= 1 && commits < calls, `${commits} commits for ${calls} calls`);
      const text = await server.metrics();
      const timed = /^sealpost_commit_duration_seconds_count (\d+)$/m.exec(text)?.[1];
      assert.equal(timed, /^sealpost_commit_calls_count (\d+)$/m.exec(text)?.[1]);
    });

    test('delivery is measured for a stream that has everything, not for old operations', async () => {
      const delivered = async () => Number(await seriesValue(server, 'sealpost_delivery_delay_seconds_count'));
      await alice.client.sendText(bob.mid, 'last of the old ones');
      const before = await delivered();
      const stop = new AbortController();
      const texts: string[] = [];
      const reading = (async () => {
        for await (const event of bob.client.operations({ from: '0', signal: stop.signal }))
          if (event.kind === 'operation') texts.push(event.operation.message?.text ?? '');
      })();
      await until(() => texts.includes('last of the old ones'), 'the stream has everything');
      assert.equal(await delivered(), before, 'old operations are not measured');
      await alice.client.sendText(bob.mid, 'new');
      await until(() => texts.includes('new'), 'the stream gets the new one');
      assert.equal(await delivered(), before + 1);
      stop.abort();
      await reading;
    });

    test('work in the object store is timed, and uploads are a class of calls', async () => {
      const path = '/r/talk/emf/reqid-00000000-0000-4000-8000-000000000001';
      const answer = await objectClient(server).post(alice, path, 'some bytes', { 'x-obs-params': '' });
      assert.equal(answer.status, 201);
      const seconds = (operation: string) =>
        seriesValue(server, `sealpost_object_duration_seconds_count{operation="${operation}",outcome="OK"}`);
      assert.equal(await seconds('append'), 1);
      assert.equal(await seconds('publish'), 1);
      assert.equal(await seriesValue(server, 'sealpost_call_duration_seconds_count{class="upload"}'), 1);
      assert.equal(await seriesValue(server, 'sealpost_calls_running{class="upload"}'), 0);
    });

    test('queues are empty when nothing waits, and every part is ready', async () => {
      for (const queue of ['sends', 'transactions', 'passwords', 'slow-crypto', 'outbound'])
        await until(
          async () => (await seriesValue(server, `sealpost_queue_length{queue="${queue}"}`)) === 0,
          `nothing of the upkeep waits in ${queue}`,
        );
      for (const part of ['database', 'bus', 'objects', 'disk'])
        assert.equal(await seriesValue(server, `sealpost_part_ready{part="${part}"}`), 1, part);
    });
  });
}

test('a queue has what waits', async () => {
  const { promise: hashed, resolve: release } = Promise.withResolvers<string>();
  const slowCrypto = { ...quickCrypto, hashPassword: () => hashed };
  const server = await startServer({ ports: { slowCrypto }, servers: 1 });
  const waiting = () => seriesValue(server, 'sealpost_queue_length{queue="slow-crypto"}');
  try {
    const alice = server.user('alice');
    await until(async () => (await waiting()) === 1, 'one password waits');
    release('hash');
    await alice;
    assert.equal(await waiting(), 0);
  } finally {
    release('hash');
    await server.close();
  }
});
