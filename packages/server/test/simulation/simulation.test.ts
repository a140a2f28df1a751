// Simulations of several gateways on one store, with clients of the SDK, on virtual time. Each seed decides all orders,
// delays and faults. The rules hold with every seed, and a seed replays exactly.
import assert from 'node:assert/strict';
import { after, before, test } from 'node:test';
import { repeats } from '@sealpost/dev-env/repeats';
import { runSeeds } from '@sealpost/dev-env/simulator/run-seeds';
import { createSimulator, failureOf, type Simulator } from '@sealpost/dev-env/simulator/simulator';
import { Tally } from '@sealpost/dev-env/simulator/tally';
import { keptSeeds } from './kept-seeds.ts';

const SEEDS = repeats(40);
const REPLAYED = 2;

let simulator: Simulator;
before(async () => {
  simulator = await createSimulator();
});
after(() => simulator.close());

test(`${SEEDS} seeds keep the rules, and reach all faults and states`, async (t) => {
  const tally = new Tally();
  for (let seed = 1; seed <= SEEDS; seed++) {
    const report = await simulator.run(seed);
    assert.deepEqual(report.violations, [], failureOf(report));
    tally.add(report);
  }
  t.diagnostic([...tally.counts].map(([kind, count]) => `${kind} ${count}`).join(', '));
  assert.deepEqual(tally.missed, [], 'these never happened, so the seeds prove nothing about them');
});

test('a seed replays exactly, and another seed runs otherwise', async () => {
  const digests = new Set<string>();
  const elsewhere = new Map<number, string>();
  await runSeeds({ from: 1, to: REPLAYED, workers: 2, onReport: ({ seed, digest }) => elsewhere.set(seed, digest) });
  for (let seed = 1; seed <= REPLAYED; seed++) {
    const { digest } = await simulator.run(seed);
    assert.equal((await simulator.run(seed)).digest, digest, `seed ${seed} had two histories`);
    assert.equal(elsewhere.get(seed), digest, `seed ${seed} had another history in another process`);
    digests.add(digest);
  }
  assert.equal(digests.size, REPLAYED);
});

for (const { seed, found } of keptSeeds) {
  test(`seed ${seed} keeps the rules; it once found: ${found}`, async () => {
    const report = await simulator.run(seed);
    assert.deepEqual(report.violations, [], failureOf(report));
  });
}
