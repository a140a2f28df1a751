// What a server tells administrators of itself: its parts, its work of the last hour, and its settings.
import assert from 'node:assert/strict';
import { describe, type TestContext, test } from 'node:test';
import { setImmediate as turn } from 'node:timers/promises';
import { statusSampling } from '@sealpost/contract/admin';
import { startServer } from '@sealpost/dev-env/harness';
import { operator } from '@sealpost/dev-env/people';
import { until } from '@sealpost/dev-env/until';
import { systemPorts } from '../../src/platform/kernel/system.ts';
import { createStatusHistory } from '../../src/start/status-history.ts';

const GIB = 2 ** 30;

/** Starts a server that samples its work when the test says so. */
async function sampled(t: TestContext, flags: Readonly<Record<string, string>> = {}) {
  let sample = (): void => assert.fail('the server does not sample');
  const timers = {
    after: systemPorts.timers.after,
    every(ms: number, run: () => void) {
      if (ms !== statusSampling.everyMs) return systemPorts.timers.every(ms, run);
      sample = run;
      return { cancel: () => {} };
    },
  };
  const server = await startServer({ flags, ports: { timers } });
  t.after(() => server.close());
  const client = operator(server);
  const samples = async (count: number) => {
    sample();
    await until(async () => (await client.showStatus()).samples.length === count, 'a sample was taken');
    return (await client.showStatus()).samples;
  };
  return { server, client, samples };
}

describe('the status of a server', () => {
  test('has its parts, its disk, and the work since the sample before', async (t) => {
    const { server, client, samples } = await sampled(t);
    const status = await client.showStatus();
    assert.deepEqual(
      status.parts,
      ['database', 'bus', 'objects', 'disk'].map((name) => ({ name, state: 'ok' })),
    );
    assert.equal(status.url, server.url);
    assert.ok(status.disk.freeBytes > 0 && status.disk.freeBytes <= status.disk.totalBytes);
    assert.deepEqual([status.samples, status.openReports], [[], 0]);
    const [ann, ben] = [await server.user('ann'), await server.user('ben')];
    const message = { id: '', to: ben.mid, toType: 0, contentType: 0, text: 'Hello' } as const;
    await ann.client.TalkService.sendMessage(1, message);
    await ann.client.TalkService.sendMessage(2, message);
    await ann.client.TalkService.getProfile();
    const [first] = await samples(1);
    assert.deepEqual([first?.sends, first?.calls], [2, 3]);
    const [, second] = await samples(2);
    assert.deepEqual([second?.sends, second?.calls], [0, 0]);
  });

  test('names the part that does not work', async (t) => {
    const { client } = await sampled(t, { 'least-free-bytes': String(1_000_000 * GIB) });
    const { parts } = await client.showStatus();
    assert.deepEqual(
      parts.find(({ name }) => name === 'disk'),
      { name: 'disk', state: 'less disk is free than least-free-bytes' },
    );
  });

  test('keeps the samples of an hour, and no more', async () => {
    let sample = (): void => {};
    let sends = 0;
    const history = createStatusHistory({
      clock: systemPorts.clock,
      timers: {
        ...systemPorts.timers,
        every(_ms, run) {
          sample = run;
          return { cancel: () => {} };
        },
      },
      work: () => ({ streams: 1, sends, calls: sends }),
      disk: async () => ({ freeBytes: 5, totalBytes: 9 }),
      onError: (error) => assert.fail(String(error)),
    });
    for (let i = 0; i < statusSampling.kept + 10; i += 1) {
      sends += i;
      sample();
      await turn();
    }
    const kept = history.samples();
    assert.equal(kept.length, statusSampling.kept);
    assert.deepEqual([kept[0]?.sends, kept.at(-1)?.sends], [10, statusSampling.kept + 9]);
    assert.equal(statusSampling.kept * statusSampling.everyMs, 3_600_000);
  });

  test('lists settings with value, origin and meaning, and hides secrets', async (t) => {
    const secret = 'a-secret-that-nobody-may-see';
    const { client } = await sampled(t, { 'admin-token': secret, 'build-tokens': 'one-secret,two-secret' });
    const { settings } = await client.listSettings();
    const found = (name: string) => settings.find((one) => one.name === name);
    assert.deepEqual(found('port'), {
      ...{ name: 'port', value: '0', origin: 'flag --port', secret: false },
      meaning: 'port to listen on; 0 takes any free one',
    });
    assert.equal(found('host')?.origin, 'default');
    assert.deepEqual([found('admin-token')?.value, found('admin-token')?.secret], ['(hidden)', true]);
    const text = JSON.stringify(settings);
    for (const hidden of [secret, 'one-secret', 'two-secret']) assert.equal(text.includes(hidden), false);
  });
});
