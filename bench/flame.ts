// `npm run bench:flame`: shows as a flame graph what a send with its delivery costs the main thread of a server, on each
// database. The server runs the sources, so that each box can name its file. Writes docs/plots/flame-sqlite.svg and
// flame-postgres.svg.
//   --quick           a short profile; writes nothing
//   --seconds n       length of each profile, 8 without it
//   --plots folder    writes the graphs into another folder, after any run
//   file.cpuprofile   draws this profile instead, beside it; nothing is started

import { readFileSync, rmSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { inspected } from '@sealpost/dev-env/inspector';
import { readOptions } from '@sealpost/dev-env/program-options';
import { startDatabase } from './database/server.ts';
import { type CpuProfile, framesOf } from './flame/stacks.ts';
import { flameOf } from './flame/svg.ts';
import { dataFolder, makeUsers, startGateway } from './gateway.ts';
import { startLoad } from './load-process.ts';
import { SERVER_CORE } from './pinned-process.ts';
import { createUndo } from './undo.ts';

const PLOTS = path.join(import.meta.dirname, '../docs/plots');
const PEOPLE = 100;
const IN_FLIGHT = 64;
const WARM_UP_MS = 4000;
const STORES = { sqlite: 'SQLite', postgres: 'PostgreSQL' } as const;

const { values: options, positionals } = readOptions(import.meta.filename, {
  options: {
    quick: { type: 'boolean', default: false },
    seconds: { type: 'string' },
    plots: { type: 'string' },
  },
  allowPositionals: true,
});
const measureMs = 1000 * Number(options.seconds ?? (options.quick ? 2 : 8));
const folder = options.plots ?? (options.quick ? undefined : PLOTS);
const say = (text: string): void => void process.stderr.write(`${text}\n`);

async function graphOf(store: keyof typeof STORES): Promise<string> {
  const undo = createUndo();
  const { later } = undo;
  try {
    const database = store === 'postgres' ? later(await startDatabase(), (server) => server.stop()) : undefined;
    const data = later(dataFolder(), (name) => rmSync(name, { recursive: true, force: true }));
    const { flags, within } = await inspected();
    const settings = { core: SERVER_CORE, sources: true };
    const gateway = later(await startGateway(data, database?.url, flags, settings), (server) => server.stop());
    const users = await makeUsers(gateway, PEOPLE);
    const load = later(await startLoad(), (process) => process.stop());
    const order = { port: gateway.port, pid: gateway.pid, users, inFlight: IN_FLIGHT, delivered: true };
    await load.send({ ...order, warmUpMs: 0, measureMs: options.quick ? 500 : WARM_UP_MS });
    return await within(async (call) => {
      await call('Profiler.enable');
      await call('Profiler.start');
      const { total, perSecond } = await load.send({ ...order, warmUpMs: 0, measureMs });
      const { profile } = await call<{ profile: CpuProfile }>('Profiler.stop');
      const root = framesOf(profile);
      const each = (root.micros / total).toFixed(0);
      say(`${STORES[store]}: ${total} sends, ${perSecond.toFixed(0)} a second, ${each} µs of the main thread each`);
      const title = `A send with its delivery on ${STORES[store]}: ${each} µs of the main thread, ${IN_FLIGHT} in flight`;
      return flameOf(root, title, total);
    });
  } finally {
    await undo.all();
  }
}

for (const file of positionals) {
  const root = framesOf(JSON.parse(readFileSync(file, 'utf8')) as CpuProfile);
  writeFileSync(`${file}.svg`, flameOf(root, path.basename(file), 1));
}
if (positionals.length === 0)
  for (const store of ['sqlite', 'postgres'] as const) {
    const graph = await graphOf(store);
    if (folder) writeFileSync(path.join(folder, `flame-${store}.svg`), graph);
  }
