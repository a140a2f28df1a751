// `npm run bench:soak`: a server under half load for an hour, while streams are opened and closed all the time. Samples
// what should not grow, and checks that every acknowledged message comes once and in order at each cursor.
//   --minutes n          length of the run, 60 without it; a shorter run writes nothing
//   --quick              one minute, short windows; writes nothing
//   --write              writes the section of docs/performance.md and its plots after any run
//   --plots folder       writes the plots into another folder, after any run
//   --database postgres  on a PostgreSQL of its own, instead of SQLite
//   --cores n,m          the cores of the server and of the load, 0,1 without it; PostgreSQL has that of the server

import { readdirSync, readFileSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { cpus, loadavg } from 'node:os';
import path from 'node:path';
import { setTimeout as pause } from 'node:timers/promises';
import { readOptions } from '@sealpost/dev-env/program-options';
import { startDatabase } from './database/server.ts';
import { dataFolder, makeUsers, startGateway } from './gateway.ts';
import { type Heap, inspectedHeap } from './heap.ts';
import { SOAK_SECTIONS, withSection } from './page-section.ts';
import { canPin, LOAD_CORE, messageOf, SERVER_CORE, spawnPinned, stop } from './pinned-process.ts';
import { residentKib } from './process-usage.ts';
import type { Sample, Soak } from './soak/judge.ts';
import type { SoakOrder, SoakTotals, SoakWindow } from './soak/load.ts';
import { type AboutSoak, judgementTable, plotsOf, soakSection, workTable } from './soak/report.ts';
import { median } from './statistics.ts';
import { createUndo } from './undo.ts';
import { svgOf } from './web/plot.ts';

const DOCS = path.join(import.meta.dirname, '../docs');
const PAGE = path.join(DOCS, 'performance.md');
const PEOPLE = 100;
const STREAMS_OF_EACH = 2;
const FULL_MINUTES = 60;
const MIB = 2 ** 20;
const TIMER_COUNTS = 5;
const TIMER_PAUSE_MS = 1000;

const { values: options } = readOptions(import.meta.filename, {
  options: {
    quick: { type: 'boolean', default: false },
    minutes: { type: 'string' },
    write: { type: 'boolean', default: false },
    plots: { type: 'string' },
    database: { type: 'string', default: 'sqlite' },
    cores: { type: 'string', default: `${SERVER_CORE},${LOAD_CORE}` },
  },
});
const minutes = Number(options.minutes ?? (options.quick ? 1 : FULL_MINUTES));
const windowMs = options.quick ? 2000 : 10_000;
const calibrationMs = options.quick ? { warmUp: 2000, measure: 3000 } : { warmUp: 10_000, measure: 15_000 };
const [serverCore = SERVER_CORE, loadCore = LOAD_CORE] = options.cores.split(',').map(Number);
const database: AboutSoak['database'] = options.database === 'postgres' ? 'postgres' : 'sqlite';
const say = (text: string): void => void process.stderr.write(`${text}\n`);
const undo = createUndo();
const { later } = undo;

async function startLoad(): Promise<(order: SoakOrder) => Promise<unknown>> {
  const program = path.join(import.meta.dirname, 'soak/load.ts');
  const child = later(spawnPinned(program, [], { core: loadCore }), (one) => stop(one, 'SIGKILL'));
  await messageOf(child);
  return async (order) => {
    const answer = messageOf(child);
    child.send(order);
    const { result, error } = (await answer) as { result?: unknown; error?: string };
    if (error !== undefined) throw new Error(error);
    return result;
  };
}

/** Returns the value of a metric without labels. */
const metric = (page: string, name: string): number =>
  Number(new RegExp(`^${name} (.+)$`, 'm').exec(page)?.[1] ?? Number.NaN);

interface Watched {
  readonly url: string;
  readonly pid: number;
  readonly wal: string | undefined;
}

/** Reads what the kernel and the metrics of the server say now. */
async function look({ url, pid, wal }: Watched): Promise<Omit<Sample, keyof SoakWindow | 'minute'>> {
  const page = await (await fetch(new URL('/metrics', url))).text();
  return {
    residentMib: residentKib(pid) / 1024,
    heapMib: metric(page, 'nodejs_heap_size_used_bytes') / MIB,
    descriptors: readdirSync(`/proc/${pid}/fd`).length,
    resources: metric(page, 'nodejs_active_resources_total'),
    walMib: wal === undefined ? undefined : statSync(wal).size / MIB,
  };
}

async function start() {
  const postgres =
    database === 'postgres' ? later(await startDatabase([], serverCore), (server) => server.stop()) : undefined;
  const folder = later(dataFolder(), (name) => rmSync(name, { recursive: true, force: true }));
  const heap = await inspectedHeap();
  const settings = { core: serverCore, env: { SEALPOST_METRICS_ACCESS: 'open' } };
  const gateway = later(await startGateway(folder, postgres?.url, heap.flags, settings), (server) => server.stop());
  const wal = postgres ? undefined : path.join(folder, 'data/sealpost.db-wal');
  const store = postgres ? `PostgreSQL ${postgres.version}` : 'SQLite';
  return { gateway, heap, store, watched: { url: gateway.url, pid: gateway.pid, wal } };
}

/** Returns the median of several counts of the timers. One count depends on the requests of its moment. */
async function usualTimers(heap: Heap): Promise<number> {
  const counts: number[] = [];
  for (let n = 0; n < TIMER_COUNTS; n += 1) {
    counts.push(await heap.timers());
    await pause(TIMER_PAUSE_MS);
  }
  return median(counts);
}

async function run(): Promise<{ soak: Soak; about: AboutSoak }> {
  const loadBefore = loadavg()[0] ?? 0;
  const { gateway, heap, store, watched } = await start();
  say(`making ${PEOPLE + 1} accounts`);
  const users = (await makeUsers(gateway, PEOPLE + 1)).slice(0, PEOPLE);
  const load = await startLoad();
  const order = { kind: 'begin', port: gateway.port, users, streamsOfEach: STREAMS_OF_EACH, visitor: PEOPLE } as const;
  await load(order);
  await load({ kind: 'pace', perSecond: 'most' });
  await pause(calibrationMs.warmUp);
  await load({ kind: 'window' });
  await pause(calibrationMs.measure);
  const calibration = (await load({ kind: 'window' })) as SoakWindow;
  const most = calibration.sends / calibration.seconds;
  const perSecond = most / 2;
  say(`${most.toFixed(0)} sends a second at most; ${perSecond.toFixed(0)} from now on`);
  await load({ kind: 'pace', perSecond });
  const samples: Sample[] = [];
  const begun = performance.now();
  const count = Math.round((minutes * 60_000) / windowMs);
  const inside = async () => [await heap.usedMib(), await usualTimers(heap)] as const;
  let warm = [Number.NaN, Number.NaN] as readonly [number, number];
  for (let n = 1; n <= count; n += 1) {
    await pause(Math.max(0, begun + n * windowMs - performance.now()));
    const window = (await load({ kind: 'window' })) as SoakWindow;
    const sample = { minute: (n * windowMs) / 60_000, ...window, ...(await look(watched)) };
    samples.push(sample);
    say(JSON.stringify(sample));
    // The garbage is collected early in the warm-up, so that the heap has its usual size again when samples count.
    if (n === Math.ceil(count / 12)) warm = await inside();
  }
  const last = await inside();
  const totals = (await load({ kind: 'end' })) as SoakTotals;
  const about = {
    date: new Date().toISOString().slice(0, 10),
    machine: `${cpus().length} cores (${cpus()[0]?.model.trim()})`,
    ...{ minutes, database, store },
    cores: [serverCore, loadCore],
    pinned: canPin,
    people: PEOPLE,
    most,
    perSecond,
    loads: [loadBefore, loadavg()[0] ?? 0],
    heap: [warm[0], last[0]],
  } as const;
  return { soak: { samples, timers: [warm[1], last[1]], totals }, about };
}

try {
  const { soak, about } = await run();
  process.stdout.write(`${judgementTable(soak)}\n\n${workTable(soak, about)}\n`);
  const write = options.write || (!options.quick && minutes >= FULL_MINUTES);
  if (write)
    writeFileSync(PAGE, withSection(readFileSync(PAGE, 'utf8'), SOAK_SECTIONS[database], soakSection(soak, about)));
  const folder = options.plots ?? (write ? path.join(DOCS, 'plots') : undefined);
  if (folder)
    for (const plot of plotsOf(soak, database)) writeFileSync(path.join(folder, `${plot.file}.svg`), svgOf(plot));
} finally {
  await undo.all();
}
