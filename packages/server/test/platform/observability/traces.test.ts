// Traces, as a collector gets them from a real server.
import assert from 'node:assert/strict';
import { after, before, describe, test } from 'node:test';
import { pathOf } from '@sealpost/contract';
import { databases, startServer, type TestServer, type TestUser } from '@sealpost/dev-env/harness';
import { objectClient } from '@sealpost/dev-env/object-client';
import { startPushService } from '@sealpost/dev-env/push-service';
import { until } from '@sealpost/dev-env/until';
import { pino } from 'pino';
import { type CollectedSpan, type Collector, FAILED, kinds, startCollector } from './collector.ts';
import { ask, FOUND, MARK, markedHeaders, requests } from './marked-requests.ts';

const TRACE = '0af7651916cd43dd8448eb211c80319c';
const PARENT = 'b7ad6b7169203331';
const sampled = `00-${TRACE}-${PARENT}-01`;
const unsampled = `00-${TRACE}-${PARENT}-00`;

const accessOf = ({ client }: TestUser): string => client.session?.tokens.accessToken ?? '';

/** Returns a log in memory. */
function memoryLog() {
  const text: string[] = [];
  const logger = pino({ level: 'debug', base: null }, { write: (line: string) => void text.push(line) });
  const lines = () => text.map((line): Readonly<Record<string, unknown>> => JSON.parse(line));
  return { logger, text, lines };
}

const metricOf = async (server: TestServer, outcome: string): Promise<number> =>
  Number(new RegExp(`^sealpost_spans_total\\{outcome="${outcome}"\\} (\\d+)$`, 'm').exec(await server.metrics())?.[1]);

for (const database of databases) {
  describe(`traces on ${database}`, { timeout: 120_000 }, () => {
    const log = memoryLog();
    let collector: Collector;
    let server: TestServer;
    let alice: TestUser;
    let bob: TestUser;
    before(async () => {
      collector = await startCollector();
      const flags = {
        ...{ 'traces-url': collector.url, signature: 'off', 'request-log': 'all' },
        'outbound-networks': '127.0.0.0/8',
      };
      server = await startServer({ database, flags, logger: log.logger, servers: 1 });
      [alice, bob] = [await server.user('alice'), await server.user('bob')];
      // The first call of a session also writes that the session was used.
      await alice.client.TalkService.getProfile();
    });
    after(async () => {
      await server.close();
      await collector.close();
    });

    const call = (user: TestUser, method: `TalkService.${string}`, args: unknown[], traceparent: string) =>
      fetch(server.url + pathOf(method), {
        method: 'POST',
        headers: { 'Content-Type': 'application/json', 'X-Svc-Access': accessOf(user), traceparent },
        body: JSON.stringify(args),
      });

    /** Waits for the span of a call, and returns it with those below it. */
    async function traceOf(name: string, children: number) {
      const root = () => collector.spans().findLast((span) => span.name === name);
      const below = () => collector.spans().filter(({ parentSpanId }) => parentSpanId === root()?.spanId);
      await until(() => root() !== undefined && below().length >= children, `the collector has ${name}`);
      return { root: root() as CollectedSpan, below: below() };
    }

    test('a send is a span with its commit below', async () => {
      await alice.client.sendText(bob.mid, 'a secret');
      const { root, below } = await traceOf('TalkService.sendMessage', 1);
      assert.equal(root.kind, kinds.server);
      assert.equal(root.parentSpanId, undefined);
      const { 'sealpost.request.id': requestId, ...attributes } = root.attributes;
      assert.deepEqual(attributes, {
        'http.request.method': 'POST',
        'http.response.status_code': 200,
        'http.route': pathOf('TalkService.sendMessage'),
        'rpc.system.name': 'sealpost',
        'rpc.method': 'TalkService.sendMessage',
        'rpc.response.status_code': 'OK',
      });
      const [commit] = below;
      assert.ok(commit && below.length === 1, JSON.stringify(below));
      const { name, kind, traceId } = commit;
      assert.deepEqual({ name, kind, traceId }, { name: 'COMMIT', kind: kinds.client, traceId: root.traceId });
      assert.deepEqual(commit.attributes, {
        'db.system.name': database === 'sqlite' ? 'sqlite' : 'postgresql',
        'db.operation.name': 'COMMIT',
        'sealpost.commit.calls': 1,
      });
      assert.ok(BigInt(commit.startTimeUnixNano) >= BigInt(root.startTimeUnixNano));
      assert.ok(BigInt(commit.endTimeUnixNano) <= BigInt(root.endTimeUnixNano));
      const line = log.lines().find(({ endpoint }) => endpoint === 'TalkService.sendMessage');
      assert.deepEqual([line?.traceId, line?.requestId], [root.traceId, requestId]);
      const { 'service.name': service, 'service.version': version } = collector.resource();
      assert.deepEqual([service, version], ['sealpost', server.server.version]);
    });

    test('calls that share a commit each have its span', async () => {
      const senders = await Promise.all(Array.from({ length: 10 }, (_, i) => server.user(`sender${i}`)));
      await Promise.all(senders.map(({ client }) => client.TalkService.getProfile()));
      const sends = () => collector.spans().filter(({ name }) => name === 'TalkService.sendMessage');
      const commitsOf = ({ spanId }: CollectedSpan) =>
        collector.spans().filter(({ name, parentSpanId }) => name === 'COMMIT' && parentSpanId === spanId);
      let isShared = false;
      for (let round = 0; round < 20 && !isShared; round++) {
        const before = sends().length;
        await Promise.all(senders.map(({ client }) => client.sendText(bob.mid, 'hello')));
        await until(() => sends().length === before + senders.length, 'all sends are told');
        await until(() => sends().every((send) => commitsOf(send).length === 1), 'each has one commit');
        const counts = sends()
          .flatMap(commitsOf)
          .map(({ attributes }) => Number(attributes['sealpost.commit.calls']));
        for (const count of counts) assert.ok(count >= 1 && count <= senders.length, String(count));
        isShared = counts.some((count) => count > 1);
      }
      assert.ok(isShared, 'some calls shared a commit');
    });

    test('a request with a traceparent continues that trace, or is left out with it', async () => {
      await call(alice, 'TalkService.getLastOpRevision', [], unsampled);
      await call(alice, 'TalkService.getSettings', [], sampled);
      const { root } = await traceOf('TalkService.getSettings', 0);
      assert.deepEqual([root.traceId, root.parentSpanId], [TRACE, PARENT]);
      assert.ok(!collector.spans().some(({ name }) => name === 'TalkService.getLastOpRevision'));
    });

    test('a refused call has the name of the error, and is no fault', async () => {
      await assert.rejects(alice.client.TalkService.getContact('nobody'));
      const { root } = await traceOf('TalkService.getContact', 0);
      assert.equal(root.attributes['error.type'], root.attributes['rpc.response.status_code']);
      assert.notEqual(root.attributes['error.type'], 'OK');
      assert.notEqual(root.status.code, FAILED);
      assert.match(String(root.attributes['sealpost.request.id']), /^[0-9a-f]{16}$/);
    });

    test('an upload has the work in the object store below', async () => {
      const path = '/r/talk/emf/reqid-00000000-0000-4000-8000-000000000001';
      await objectClient(server).post(alice, path, 'some bytes', { 'x-obs-params': '' });
      await until(() => collector.spans().some(({ name }) => name === 'objects publish'), 'the upload is told');
      const spans = collector.spans();
      for (const operation of ['append', 'publish']) {
        const span = spans.find(({ name }) => name === `objects ${operation}`);
        const parent = spans.find(({ spanId }) => spanId === span?.parentSpanId);
        assert.equal(parent?.attributes['http.route'], '/r/{service}/{sid}/{oid}');
        assert.deepEqual(span?.attributes, {
          'sealpost.objects.store': 'disk',
          'sealpost.objects.operation': operation,
        });
      }
    });

    test('a push is below the call that caused it', async () => {
      const service = await startPushService();
      server.atEnd(() => service.close());
      const carol = await server.user('carol');
      const { publicKey } = await carol.client.PushService.getPushKey();
      const browser = await service.browser(publicKey);
      await carol.client.PushService.subscribe(browser.subscription);
      const answer = await alice.client.sendText(carol.mid, 'a secret');
      assert.ok(answer.id);
      await until(() => browser.pushes.length > 0, 'the push comes');
      await until(() => collector.spans().some(({ name }) => name === 'POST'), 'the push is told');
      const push = collector.spans().find(({ name }) => name === 'POST');
      const parent = collector.spans().find(({ spanId }) => spanId === push?.parentSpanId);
      assert.equal(parent?.name, 'TalkService.sendMessage');
      assert.deepEqual(push?.attributes, { 'http.request.method': 'POST', 'http.response.status_code': 201 });
      const text = collector.bodies.join();
      for (const secret of [service.url, browser.subscription.endpoint, carol.mid]) assert.ok(!text.includes(secret));
    });

    test('a request of the admin API is a span; pages, probes and metrics are none', async () => {
      const authorization = `Bearer ${server.adminToken}`;
      await fetch(`${server.url}/livez`);
      await fetch(`${server.url}/metrics`, { headers: { authorization } });
      await fetch(`${server.url}/api/admin/v1/invites`, {
        method: 'POST',
        headers: { authorization, 'Content-Type': 'application/json' },
        body: '{}',
      });
      const { root, below } = await traceOf('POST /api/admin/v1/invites', 1);
      assert.equal(root.attributes['http.route'], '/api/admin/v1/invites');
      assert.ok(below.some(({ name }) => name === 'COMMIT'));
      assert.ok(!collector.spans().some(({ name }) => /livez|metrics|page/.test(name)));
      const line = log.lines().find(({ endpoint }) => endpoint === root.name);
      assert.equal(line?.traceId, root.traceId);
    });
  });
}

test('nothing that clients send is in any span, whatever they call', { timeout: 120_000 }, async () => {
  const collector = await startCollector();
  const log = memoryLog();
  const flags = { signature: 'off', 'request-log': 'all', 'traces-url': collector.url };
  const server = await startServer({ logger: log.logger, flags, servers: 1 });
  try {
    const alice = await server.user('alice');
    const all = requests();
    for (const request of all) {
      await ask(server.url, request, { ...markedHeaders, authorization: `Bearer ${MARK}` });
      const token = { 'X-Svc-Access': accessOf({ ...alice, client: await alice.session() }) };
      const { Cookie: _none, ...others } = markedHeaders;
      // The other fields of a trace are any text.
      const traced = { traceparent: sampled, authorization: `Bearer ${server.adminToken}` };
      await ask(server.url, request, { ...others, ...token, ...traced });
    }
    const { length } = log.lines().filter(({ msg, traceId }) => msg === 'call' && traceId !== undefined);
    const calls = () => collector.spans().filter(({ kind }) => kind === kinds.server);
    await until(() => calls().length === length, `${length} calls are told`);
    assert.ok(length > all.length);
    for (const body of collector.bodies) assert.ok(!body.includes(FOUND), body);
    for (const secret of [accessOf(alice), server.adminToken, alice.mid, alice.userid])
      assert.ok(!collector.bodies.some((body) => body.includes(secret)));
  } finally {
    await server.close();
    await collector.close();
  }
});

const bus = process.env.SEALPOST_TEST_NATS_URL;
const without = bus && databases.includes('postgres') ? false : 'needs PostgreSQL and NATS';
test('a wake-up of other servers is a span below the call', { skip: without, timeout: 120_000 }, async () => {
  const collector = await startCollector();
  const flags = { 'traces-url': collector.url, 'bus-url': String(bus) };
  const server = await startServer({ database: 'postgres', flags, servers: 1 });
  try {
    const [alice, bob] = [await server.user('alice'), await server.user('bob')];
    await alice.client.sendText(bob.mid, 'a secret');
    await until(() => collector.spans().some(({ name }) => name === 'publish'), 'the wake-up is told');
    const spans = collector.spans();
    const publish = spans.find(({ name }) => name === 'publish');
    assert.equal(spans.find(({ spanId }) => spanId === publish?.parentSpanId)?.name, 'TalkService.sendMessage');
    assert.equal(publish?.kind, kinds.producer);
    assert.deepEqual(publish?.attributes, {
      'messaging.system': 'nats',
      'messaging.operation.name': 'publish',
      'messaging.operation.type': 'send',
      'messaging.batch.message_count': 2,
      'sealpost.wake.kind': 'log',
    });
  } finally {
    await server.close();
    await collector.close();
  }
});

test('with a ratio of 0 only the traces of callers are sent', async () => {
  const collector = await startCollector();
  const flags = { signature: 'off', 'traces-url': `${collector.url}/v1/traces`, 'traces-ratio': '0' };
  const server = await startServer({ flags, servers: 1 });
  try {
    const path = pathOf('TalkService.getProfile');
    for (const headers of [{}, { traceparent: sampled }, {}])
      await ask(server.url, { path, verb: 'POST', body: '[]' }, headers);
    await until(() => collector.spans().length > 0, 'a span comes');
  } finally {
    await server.close();
    await collector.close();
  }
  assert.deepEqual(
    collector.spans().map(({ traceId }) => traceId),
    [TRACE],
  );
});

test('a collector that refuses costs no call, and one line', async () => {
  const collector = await startCollector();
  collector.answer(400);
  const log = memoryLog();
  const server = await startServer({ logger: log.logger, flags: { 'traces-url': collector.url }, servers: 1 });
  try {
    const alice = await server.user('alice');
    for (let round = 1; round <= 2; round++) {
      const before = await metricOf(server, 'failed');
      await alice.client.TalkService.getProfile();
      await until(async () => (await metricOf(server, 'failed')) > before, 'the spans are counted');
    }
    assert.ok(collector.requests >= 2);
    const told = log.lines().filter(({ msg }) => msg === 'the collector of traces did not take spans');
    assert.deepEqual(
      told.map(({ level }) => level),
      [40],
    );
    collector.answer(200);
    await alice.client.TalkService.getProfile();
    await until(async () => (await metricOf(server, 'exported')) > 0, 'the collector takes spans again');
  } finally {
    await server.close();
    await collector.close();
  }
});

test('the end of a server sends the spans that wait', async () => {
  const collector = await startCollector();
  const server = await startServer({ flags: { 'traces-url': collector.url }, servers: 1 });
  const alice = await server.user('alice');
  await alice.client.TalkService.getProfile();
  await server.close();
  assert.ok(collector.spans().some(({ name }) => name === 'TalkService.getProfile'));
  await collector.close();
});

test('a ratio is a number from 0 to 1, and the address one of http', async () => {
  for (const ratio of ['2', '-1', 'all', ''])
    await assert.rejects(startServer({ flags: { 'traces-ratio': ratio } }), /traces-ratio .* a number from 0 to 1/);
  await assert.rejects(startServer({ flags: { 'traces-url': 'collector:4318' } }), /traces-url .*4318/);
});
