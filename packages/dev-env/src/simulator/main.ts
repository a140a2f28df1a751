// `npm run sim` runs seeds of the simulator, and shows what they broke. `SEED=7 npm run sim` replays one seed with its
// whole history. `npm run sim -- --seeds 1..500 --workers 2` chooses the seeds and the number of processes. The first
// seeds that fail are shrunk to the fewest commands and faults with which they fail. `--keep` with their names, as the
// output shows them, replays one seed with these alone.
import { readOptions } from '../program-options.ts';
import { runSeeds } from './run-seeds.ts';
import { shortestOf, shrink } from './shrink.ts';
import { createSimulator, failureOf } from './simulator.ts';
import { Tally } from './tally.ts';

/** Milliseconds between two lines about the progress. */
const PROGRESS_MS = 30_000;

const { values } = readOptions(import.meta.filename, {
  options: {
    seeds: { type: 'string', default: '1..100' },
    workers: { type: 'string', default: '1' },
    keep: { type: 'string' },
  },
});
const one = process.env.SEED;
const [from = 1, to = from] = (one ?? values.seeds).split('..').map(Number);
const workers = Number(values.workers);
if (!(from <= to)) throw new Error(`${one ?? values.seeds} are no seeds: name one like 7, or several like 1..500`);
if (!(workers >= 1)) throw new Error(`${values.workers} is no number of processes`);

/** Number of failing seeds to shrink, because others often have the same cause. */
const SHRUNK = 2;

const tally = new Tally();
if (one !== undefined) {
  const simulator = await createSimulator();
  const kept = values.keep?.split(',');
  const report = await simulator.run(from, { print: true, ...(kept && { kept: new Set(kept) }) });
  simulator.close();
  tally.add(report);
  if (report.violations.length > 0) console.log(`${failureOf(report)}\n`);
  console.log(`The history has the hash ${report.digest}.`);
} else await runMany();
for (const [kind, count] of tally.counts) console.log(`  ${count} ${kind}`);
console.log(tally.failed.length === 0 ? 'No rule was broken.' : `Broken by: ${tally.failed.join(' ')}`);
if (tally.failed.length > 0) process.exitCode = 1;

async function runMany(): Promise<void> {
  const began = performance.now();
  const seconds = (): number => (performance.now() - began) / 1000;
  let told = began;
  await runSeeds({
    ...{ from, to, workers },
    onReport: (report) => {
      tally.add(report);
      if (report.violations.length > 0) console.log(`${failureOf(report)}\n`);
      if (performance.now() - told < PROGRESS_MS) return;
      told = performance.now();
      const left = ((to - from + 1 - tally.seeds) * seconds()) / tally.seeds;
      console.log(
        `${tally.seeds} seeds in ${seconds().toFixed(0)} s, ${tally.failed.length} broke a rule; ${left.toFixed(0)} s to go`,
      );
    },
  });
  console.log(
    `Seeds ${from} to ${to}: ${tally.seeds} seeds, ${tally.commands} commands and ${tally.steps} steps, in ${seconds().toFixed(0)} s with ${workers} ${workers === 1 ? 'process' : 'processes'}`,
  );
  if (tally.failed.length === 0) return;
  const simulator = await createSimulator();
  for (const seed of tally.failed.slice(0, SHRUNK)) {
    const shortest = await shrink(simulator, seed);
    console.log(
      shortest ? `${shortestOf(shortest)}\n` : `Seed ${seed} fails no more, which is a fault of the simulator.`,
    );
  }
  simulator.close();
}
