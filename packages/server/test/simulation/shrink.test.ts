// A failing seed is shrunk to the fewest commands and faults with which it still fails.
import assert from 'node:assert/strict';
import { after, before, test } from 'node:test';
import { minimize, shortestOf, shrink } from '@sealpost/dev-env/simulator/shrink';
import { createSimulator, type Simulator } from '@sealpost/dev-env/simulator/simulator';

/** Most runs, and most moves that they may leave of more than a hundred. */
const MOST_RUNS = 12;
const MOST_MOVES = 25;
/** A seed that loses replies. */
const SEED = 7;

let simulator: Simulator;
before(async () => {
  simulator = await createSimulator();
});
after(() => simulator.close());

test('a list is shrunk to the items without which it does not fail', async () => {
  const items = Array.from({ length: 100 }, (_, i) => i);
  const fails = async (rest: readonly number[]) => [7, 8, 70].every((needed) => rest.includes(needed));
  assert.deepEqual(await minimize(items, fails), [7, 8, 70]);
  assert.deepEqual(await minimize(items, async () => true), []);
});

test('a seed is shrunk to the faults and commands that a planted rule needs', async () => {
  const planted: Simulator = {
    ...simulator,
    run: (seed, options) =>
      simulator.run(seed, {
        ...options,
        alsoCheck: ({ judge, faults }) => {
          const sent = judge.model.commands.some((command) => command.do === 'send');
          if (sent && faults.fired.has('reply lost')) judge.violated('run', 'planted');
        },
      }),
  };
  const shortest = await shrink(planted, SEED, MOST_RUNS);
  assert.ok(shortest, `seed ${SEED} does not fail`);
  const moves = [...shortest.moves.keys()];
  const has = (kind: string): boolean => moves.some((move) => move.startsWith(kind));
  assert.ok(moves.length <= MOST_MOVES && has('command') && has('reply lost'), shortestOf(shortest));
  const again = await planted.run(SEED, { kept: new Set(moves) });
  assert.equal(again.digest, shortest.digest, 'the short run replays');
  assert.match(shortestOf(shortest), /SEED=7 npm run sim -- --keep '[a-z ]+ \d+,/);
});
