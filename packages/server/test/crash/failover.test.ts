import assert from 'node:assert/strict';
import { test } from 'node:test';
import { repeats } from '@sealpost/dev-env/repeats';
import { runFailovers } from './failover-run.ts';

const KILLS = repeats(1);
const binDir = process.env.SEALPOST_TEST_PATRONI;
const skip = binDir === undefined && 'needs Patroni, etcd and HAProxy';

test(`a server outlives the loss of its primary database (${KILLS}), and nothing is lost or doubled`, {
  skip,
  timeout: 120_000 + KILLS * 120_000,
}, async (t) => {
  const report = await runFailovers(
    binDir as string,
    Array.from({ length: KILLS }, () => 'kill'),
  );
  const { failovers, acknowledged, unknown, repeated, lost, doubled } = report;
  const seconds = failovers.map(({ backMs }) => (backMs / 1000).toFixed(1)).join(', ');
  t.diagnostic(
    `back after ${seconds} s; ${acknowledged} sends acknowledged, ${repeated} of them by a repetition, ${unknown} unknown`,
  );
  assert.deepEqual(report.violations.slice(0, 10), []);
  assert.deepEqual({ lost, doubled }, { lost: 0, doubled: 0 });
  // The run proves nothing unless sends were interrupted and acknowledged later.
  assert.ok(repeated >= KILLS, `only ${repeated} sends were repeated`);
});
