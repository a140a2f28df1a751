import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import type { Timers } from '@sealpost/contract/ports';
import { run } from '@sealpost/dev-env/command';
import { createDatabase, startServer } from '@sealpost/dev-env/harness';
import { startSilentProxy } from '@sealpost/dev-env/proxies/silent';
import { until } from '@sealpost/dev-env/until';
import { createRpcClient } from '@sealpost/sdk';
import { pino } from 'pino';
import { systemPorts } from '../../src/platform/kernel/system.ts';
import { StoreFull } from '../../src/platform/store/store.ts';
import { createReadiness, NotReady, type Parts } from '../../src/start/readiness.ts';

const LIMIT_MS = 2_000;
const FRESH_MS = 1_000;
const NATS_PORT = 4222;

/**
 * Returns the readiness check of some parts, and the lines that the check logs. The test controls the clock and the
 * timers.
 */
function readinessOf(parts: Parts, optional: readonly string[] = []) {
  let now = 0;
  const limits = new Set<() => void>();
  const lines: Record<string, unknown>[] = [];
  const timers: Timers = {
    after(ms, run) {
      assert.equal(ms, LIMIT_MS);
      limits.add(run);
      return { cancel: () => limits.delete(run) };
    },
    every: systemPorts.timers.every,
  };
  const log = pino(
    { base: null, serializers: { error: pino.stdSerializers.err } },
    { write: (line: string) => lines.push(JSON.parse(line)) },
  );
  const ask = createReadiness({ parts, optional, clock: { now: () => now, monotonic: () => now }, timers, log });
  return {
    ask,
    lines,
    pass: (ms: number) => {
      now += ms;
    },
    endLimits: () => {
      for (const run of [...limits]) run();
    },
    openLimits: () => limits.size,
  };
}

describe('readiness', () => {
  test('a part that hangs is given its time, holds up nobody else, and is not asked again meanwhile', async () => {
    const asked = { frozen: 0, good: 0 };
    let thaw = (): void => {};
    const { ask, lines, pass, endLimits, openLimits } = readinessOf({
      frozen: () => {
        asked.frozen += 1;
        return new Promise<void>((resolve) => {
          thaw = resolve;
        });
      },
      good: async () => {
        asked.good += 1;
      },
    });
    const first = ask();
    const second = ask();
    await new Promise(setImmediate);
    endLimits();
    const required = ['frozen', 'good'];
    const late = { state: 'unavailable', required, parts: { frozen: 'no answer within 2 s', good: 'ok' } };
    assert.deepEqual([await first, await second], [late, late]);
    pass(10 * FRESH_MS);
    assert.deepEqual(await ask(), late);
    assert.deepEqual(asked, { frozen: 1, good: 2 });
    thaw();
    await new Promise(setImmediate);
    assert.deepEqual(await ask(), { state: 'ok', required, parts: { frozen: 'ok', good: 'ok' } });
    assert.equal(openLimits(), 0);
    assert.deepEqual(
      lines.map(({ part, state, msg }) => [part, state, msg]),
      [
        ['frozen', 'no answer within 2 s', 'a part is not ready'],
        ['frozen', undefined, 'a part is ready again'],
      ],
    );
  });

  test('an answer is used again for a second, however many ask', async () => {
    let asked = 0;
    const { ask, pass } = readinessOf({
      part: async () => {
        asked += 1;
      },
    });
    for (let i = 0; i < 100; i++) await Promise.all([ask(), ask()]);
    assert.equal(asked, 1);
    pass(FRESH_MS - 1);
    await ask();
    assert.equal(asked, 1);
    pass(1);
    await ask();
    assert.equal(asked, 2);
  });

  test('a reason tells no addresses and no paths, and the log does', async () => {
    const fails = (error: Error) => () => Promise.reject(error);
    const { ask, lines } = readinessOf({
      database: fails(new Error('10.0.0.7:5432 does not answer')),
      objects: fails(new StoreFull('the disk of /var/lib/secret is full')),
      disk: fails(new NotReady('less disk is free than least-free-bytes', '/var/lib/secret has 5 bytes free')),
    });
    assert.deepEqual((await ask()).parts, {
      database: 'unavailable; the log says why',
      objects: 'the disk is full',
      disk: 'less disk is free than least-free-bytes',
    });
    assert.deepEqual(
      lines.map(({ part, error }) => [part, (error as { message?: string })?.message]),
      [
        ['database', '10.0.0.7:5432 does not answer'],
        ['objects', 'the disk of /var/lib/secret is full'],
        ['disk', '/var/lib/secret has 5 bytes free'],
      ],
    );
  });

  test('a missing part degrades a server, and one that is required makes it unavailable', async () => {
    const missing = new Set<string>();
    const check = (name: string) => async () => {
      if (missing.has(name)) throw new Error(`no ${name}`);
    };
    const { ask, pass } = readinessOf({ bus: check('bus'), database: check('database') }, ['bus']);
    const stateWithout = async (...names: string[]) => {
      missing.clear();
      for (const name of names) missing.add(name);
      pass(FRESH_MS);
      return (await ask()).state;
    };
    assert.equal(await stateWithout(), 'ok');
    assert.equal(await stateWithout('bus'), 'degraded');
    assert.equal(await stateWithout('database'), 'unavailable');
    assert.equal(await stateWithout('bus', 'database'), 'unavailable');
    assert.deepEqual((await ask()).required, ['database']);
  });

  test('too little free disk is 503, and says which setting', async () => {
    const server = await startServer({ flags: { 'least-free-bytes': String(2 ** 50) } });
    try {
      const answer = await fetch(`${server.url}/readyz`);
      assert.equal(answer.status, 503);
      assert.deepEqual(await answer.json(), {
        status: 'unavailable',
        database: 'ok',
        bus: 'ok',
        objects: 'ok',
        disk: 'less disk is free than least-free-bytes',
        required: ['database', 'objects', 'disk'],
        stopping: false,
      });
    } finally {
      await server.close();
    }
  });

  const skip = !(process.env.SEALPOST_TEST_NATS_URL && process.env.SEALPOST_TEST_POSTGRES_URL) && 'needs both';
  test('without NATS a server is degraded, tells it everywhere, and messages still arrive', { skip }, async () => {
    const proxy = await startSilentProxy(new URL(process.env.SEALPOST_TEST_NATS_URL as string), NATS_PORT);
    const database = await createDatabase();
    const flags = { 'database-url': database.url, 'bus-url': proxy.url };
    const [here, there] = [await startServer({ flags, servers: 1 }), await startServer({ flags, servers: 1 })];
    try {
      const ready = async () => {
        const answer = await fetch(`${here.url}/readyz`);
        const body: Readonly<Record<string, unknown>> = JSON.parse(await answer.text());
        return { code: answer.status, body };
      };
      assert.equal((await ready()).body.status, 'ok');
      proxy.loss = 'questions';
      await until(async () => (await ready()).body.bus !== 'ok', 'the bus is missing');
      const { code, body } = await ready();
      const { status, bus, database: store, required } = body;
      assert.deepEqual([code, status, bus, store], [200, 'degraded', 'no answer within 2 s', 'ok']);
      assert.deepEqual(required, ['database', 'objects', 'disk']);
      assert.match(await here.metrics(), /^sealpost_part_ready\{part="bus"\} 0$/m);
      const doctor = await run({}, ['doctor', '--url', here.url]);
      assert.match(doctor.out, /^ok {4}readiness: .*degraded.*bus: no answer within 2 s.*two seconds/m);

      const [alice, bob] = [await here.user('alice'), await here.user('bob')];
      const session = bob.client.session;
      assert.ok(session);
      const receiver = createRpcClient({ url: there.url, session });
      const stop = new AbortController();
      const first = receiver.operations({ from: '0', signal: stop.signal }).next();
      await until(() => there.server.openStreams.size === 1, 'the stream is open');
      await alice.client.sendText(bob.mid, 'without the bus');
      const { value: event } = await first;
      assert.equal(event?.kind === 'operation' && event.operation.message?.text, 'without the bus');
      stop.abort();
      receiver.close();
    } finally {
      await Promise.all([here.close(), there.close()]);
      proxy.close();
      await database.drop();
    }
  });
});
