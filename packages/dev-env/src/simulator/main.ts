// `npm run sim` runs seeds of the simulator, and shows what they broke. `SEED=7 npm run sim` replays one seed with its
// whole history. `npm run sim -- --seeds 1..500` chooses the seeds.
import { parseArgs } from 'node:util';
import type { SeedReport } from './run-seed.ts';
import { createSimulator, failureOf, reached } from './simulator.ts';

const { values } = parseArgs({ options: { seeds: { type: 'string', default: '1..100' } } });
const one = process.env.SEED;
const [from = 1, to = from] = (one ?? values.seeds).split('..').map(Number);
if (!(from <= to)) throw new Error(`${one ?? values.seeds} are no seeds: name one like 7, or several like 1..500`);

const simulator = await createSimulator();
const reports: SeedReport[] = [];
const began = process.cpuUsage();
for (let seed = from; seed <= to; seed++) {
  const report = await simulator.run(seed, one !== undefined);
  if (report.violations.length > 0) console.log(`${failureOf(report)}\n`);
  // The histories of all seeds together would not fit into memory.
  reports.push({ ...report, last: '' });
}
simulator.close();
const { user, system } = process.cpuUsage(began);
const commands = reports.reduce((sum, report) => sum + report.commands, 0);
const failed = reports.filter(({ violations }) => violations.length > 0).map(({ seed }) => seed);
console.log(
  `${reports.length} seeds, ${commands} commands, ${Math.round((user + system) / 1000 / reports.length)} ms of CPU each`,
);
for (const [kind, count] of reached(reports)) console.log(`  ${count} ${kind}`);
if (one !== undefined) console.log(`The history has the hash ${reports[0]?.digest}.`);
console.log(failed.length === 0 ? 'No rule was broken.' : `Broken by: ${failed.join(' ')}`);
if (failed.length > 0) process.exitCode = 1;
