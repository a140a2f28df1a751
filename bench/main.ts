// `npm run bench`: runs all scenarios in turn, in several rounds. The load is one process on one core, and the servers
// are on another core.
//   --quick         short rounds, fewer stored messages; writes nothing
//   --only a,b,d,e,f,g,h,i,j,k  a: sends, b: sends with delivery, d: growing store, e: idle streams, f: a large group,
//                   g: start-up of an account with many chats, h: sends during a storm of logins,
//                   i: transfers of objects, j: Letter Sealing in the SDK, k: a client with many chats
//                   With a or b, the floor (floor.ts) runs too.
//   --messages n    another store of this size in part d, such as 10000000, which needs 12 GB of disk
//   --rounds n      number of rounds
//   --profile       writes a processor profile of each thread of each server into bench-profiles/
//   --plots folder  writes the plots of parts d and e into another folder, after any run

import { readFileSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { readOptions } from '@sealpost/dev-env/program-options';
import { createBench } from './parts/bench.ts';
import { measureClient, measureGroups, measureSync } from './parts/chats.ts';
import { measureGrowth } from './parts/growth.ts';
import { measureObjects } from './parts/objects.ts';
import { measureSealing } from './parts/sealing.ts';
import { measureSends } from './parts/sends.ts';
import { measureStorm } from './parts/storm.ts';
import { measureStreams } from './parts/streams.ts';
import { canPin } from './pinned-process.ts';
import { type Report, tableOf } from './report.ts';
import { pageWith } from './report-page.ts';
import { plotsOf } from './report-plots.ts';
import { createUndo, type Undo } from './undo.ts';
import { svgOf } from './web/plot.ts';

const ALL = 'a,b,d,e,f,g,h,i,j,k';
const DOCS = path.join(import.meta.dirname, '../docs');
const PAGE = path.join(DOCS, 'performance.md');

const { values: options } = readOptions(import.meta.filename, {
  options: {
    quick: { type: 'boolean', default: false },
    only: { type: 'string', default: ALL },
    messages: { type: 'string' },
    rounds: { type: 'string' },
    profile: { type: 'boolean', default: false },
    plots: { type: 'string' },
  },
});
const { quick, profile } = options;

async function run(undo: Undo): Promise<void> {
  const rounds = Number(options.rounds ?? (quick ? 2 : 5));
  const parts = new Set(options.only.split(','));
  const bench = await createBench({ quick, profile, rounds }, undo);
  const report: Report = {
    ...{ quick, rounds, measureMs: bench.times.measureMs, pinned: canPin },
    postgres: undefined,
    responseBytes: 0,
    sends: new Map(),
    growth: [],
    memory: undefined,
    groups: [],
    sync: undefined,
    storm: undefined,
    transfers: undefined,
    sealing: undefined,
    client: undefined,
  };
  if (parts.has('a') || parts.has('b') || parts.has('c')) await measureSends(bench, parts, report);
  const more = options.messages === undefined ? undefined : Number(options.messages);
  if (parts.has('d')) report.growth = await measureGrowth(bench, more);
  if (parts.has('e')) report.memory = await measureStreams(bench);
  if (parts.has('f')) report.groups = await measureGroups(bench);
  if (parts.has('g')) report.sync = await measureSync(bench);
  if (parts.has('h')) report.storm = await measureStorm(bench);
  if (parts.has('i')) report.transfers = await measureObjects(bench);
  if (parts.has('j')) report.sealing = await measureSealing(bench);
  if (parts.has('k')) report.client = await measureClient(bench);
  process.stdout.write(`${tableOf(report)}\n`);
  const complete = !quick && ALL.split(',').every((part) => parts.has(part));
  if (complete) writeFileSync(PAGE, pageWith(readFileSync(PAGE, 'utf8'), report));
  const plots = options.plots ?? (complete ? path.join(DOCS, 'plots') : undefined);
  if (plots) for (const plot of plotsOf(report)) writeFileSync(path.join(plots, `${plot.file}.svg`), svgOf(plot));
}

const undo = createUndo();
try {
  await run(undo);
} finally {
  await undo.all();
}
