// `npm run bench:curves`: sends with their deliveries, with more and more of them in flight, on each database. Writes a
// section of docs/performance.md with its plots.
//   --quick          short rounds; writes nothing
//   --rounds n       number of rounds
//   --plots folder   writes the plots into another folder, after any run

import { readFileSync, rmSync, writeFileSync } from 'node:fs';
import { cpus, loadavg } from 'node:os';
import path from 'node:path';
import { readOptions } from '@sealpost/dev-env/program-options';
import type { SendMeasure } from './closed-loop.ts';
import {
  type Curves,
  curvesSection,
  curvesTable,
  IN_FLIGHT,
  plotsOf,
  STORES,
  type StoreName,
} from './curves/report.ts';
import { startDatabase } from './database/server.ts';
import { dataFolder, type Gateway, makeUsers, startGateway } from './gateway.ts';
import { startLoad } from './load-process.ts';
import { CURVES_SECTION, withSection } from './page-section.ts';
import type { User } from './request.ts';
import { createUndo } from './undo.ts';
import { svgOf } from './web/plot.ts';

const DOCS = path.join(import.meta.dirname, '../docs');
const PAGE = path.join(DOCS, 'performance.md');
const PEOPLE = 100;

const { values: options } = readOptions(import.meta.filename, {
  options: { quick: { type: 'boolean', default: false }, rounds: { type: 'string' }, plots: { type: 'string' } },
});
const rounds = Number(options.rounds ?? (options.quick ? 1 : 5));
const times = options.quick ? { warmUpMs: 400, measureMs: 1000 } : { warmUpMs: 1500, measureMs: 5000 };
const say = (text: string): void => void process.stderr.write(`${text}\n`);
const undo = createUndo();
const { later } = undo;

interface Target {
  readonly gateway: Gateway;
  readonly users: readonly User[];
}

async function start(databaseUrl?: string): Promise<Target> {
  const folder = later(dataFolder(), (name) => rmSync(name, { recursive: true, force: true }));
  const gateway = later(await startGateway(folder, databaseUrl), (server) => server.stop());
  return { gateway, users: await makeUsers(gateway, PEOPLE) };
}

async function run(): Promise<void> {
  const busy = loadavg()[0] ?? 0;
  const load = later(await startLoad(), (process) => process.stop());
  const database = later(await startDatabase(), (server) => server.stop());
  say(`making ${2 * PEOPLE} users`);
  const targets: Record<StoreName, Target> = { sqlite: await start(), postgres: await start(database.url) };
  const empty = () => new Map(IN_FLIGHT.map((inFlight) => [inFlight, [] as SendMeasure[]] as const));
  const found: Curves = { sqlite: empty(), postgres: empty() };
  // The first round is not counted, because a new server is still compiling its code.
  for (let round = 0; round <= rounds; round += 1)
    for (const inFlight of IN_FLIGHT)
      for (const store of STORES) {
        const { gateway, users } = targets[store];
        const order = { port: gateway.port, pid: gateway.pid, users, inFlight, delivered: true, ...times };
        const measured = await load.send(order);
        if (round > 0) found[store].get(inFlight)?.push(measured);
        say(
          `round ${round}: ${store}, ${inFlight} in flight: ${measured.perSecond.toFixed(0)}/s, p50 ${measured.p50.toFixed(1)} ms, p99 ${measured.p99.toFixed(1)} ms`,
        );
      }
  process.stdout.write(`${curvesTable(found)}\n`);
  const plots = options.plots ?? (options.quick ? undefined : path.join(DOCS, 'plots'));
  if (plots) for (const plot of plotsOf(found)) writeFileSync(path.join(plots, `${plot.file}.svg`), svgOf(plot));
  if (options.quick) return;
  const about = {
    rounds,
    ms: times.measureMs,
    load: busy,
    machine: `${cpus().length} cores (${cpus()[0]?.model.trim()})`,
    date: new Date().toISOString().slice(0, 10),
    postgres: database.version,
  };
  writeFileSync(PAGE, withSection(readFileSync(PAGE, 'utf8'), CURVES_SECTION, curvesSection(found, about)));
}

try {
  await run();
} finally {
  await undo.all();
}
