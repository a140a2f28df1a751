// `npm run abuse` sends mutated requests to a real server, and shows those that it did not take well.
// `SEED=7 npm run abuse -- --only 1234` replays the request with that number on a new server, and shows it.
//   --requests n     number of requests, 100000 without it
//   --only n         only the request with this number, or several like 1..500
//   --seed n         the seed of all chance; the variable SEED does the same
//   --database url   on this PostgreSQL instead of SQLite
import { readOptions } from '../program-options.ts';
import { abuse } from './abuse.ts';
import { shownFault, shownReport, shownRequest } from './shown-report.ts';

const { values } = readOptions(import.meta.filename, {
  options: {
    requests: { type: 'string', default: '100000' },
    seed: { type: 'string', default: process.env.SEED ?? '20261121' },
    only: { type: 'string' },
    database: { type: 'string' },
  },
});
const seed = Number(values.seed);
const [first = 0, last = first] = (values.only ?? `0..${Number(values.requests) - 1}`).split('..').map(Number);
if (!Number.isSafeInteger(seed) || !(first <= last))
  throw new Error('seed and requests are whole numbers; --only takes a number like 7, or several like 1..500');

/** A replay shows its requests, if they are few. */
const SHOWN = 20;
const PROGRESS_MS = 30_000;

const began = performance.now();
let [sent, told] = [0, began];
/** Tells now and then how far a long run is. */
function countOne(): void {
  sent += 1;
  if (performance.now() - told < PROGRESS_MS) return;
  told = performance.now();
  const seconds = (told - began) / 1000;
  const left = ((last - first + 1 - sent) * seconds) / sent;
  console.log(`${sent} requests in ${seconds.toFixed(0)} s; ${left.toFixed(0)} s to go`);
}

const report = await abuse({
  seed,
  from: first,
  to: last + 1,
  ...(values.database !== undefined && { databaseUrl: values.database }),
  onAnswer: (request, statuses) => {
    if (values.only !== undefined && last - first < SHOWN)
      console.log(`${shownRequest(request)}\n  answers: ${statuses}\n`);
    else countOne();
  },
});
for (const fault of report.faults) console.log(`${shownFault(seed, fault)}\n`);
console.log(`${report.requests} requests of seed ${seed}: ${shownReport(report)}`);
for (const [what, names] of [
  ['never succeeded', report.neverSucceeded],
  ['never sent', report.neverSent],
] as const)
  if (values.only === undefined && names.length > 0) console.log(`${what}: ${names.join(', ')}`);
if (report.faults.length > 0) process.exitCode = 1;
