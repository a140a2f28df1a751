// `npm run bench:processes`: sends to one server of one process, and to one of two, in turn. Everything may use all cores:
// the server, its PostgreSQL, and the load.
//   --quick      short rounds; writes nothing
//   --rounds n   number of rounds

import { readFileSync, rmSync, writeFileSync } from 'node:fs';
import { cpus, loadavg } from 'node:os';
import path from 'node:path';
import { readOptions } from '@sealpost/dev-env/program-options';
import { type DatabaseServer, startDatabase } from './database/server.ts';
import { dataFolder, makeUsers, startGateway } from './gateway.ts';
import { type LoadProcess, startLoad } from './load-process.ts';
import { markdown, whole } from './markdown.ts';
import { withSection } from './page-section.ts';
import { familyCpuSeconds } from './process-usage.ts';
import type { User } from './request.ts';
import { median } from './statistics.ts';
import { createUndo } from './undo.ts';

const PAGE = path.join(import.meta.dirname, '../docs/scaling.md');
const SECTION = 'Processes, measured';
/** Few people would make the servers wait for each other, because a send locks the logs of both its users. */
const PEOPLE = 600;
const IN_FLIGHT = [64, 400] as const;
const PROCESSES = [1, 2] as const;
const WARM_UP_MS = 300;

const { values: options } = readOptions(import.meta.filename, {
  options: { quick: { type: 'boolean', default: false }, rounds: { type: 'string' } },
});
const rounds = Number(options.rounds ?? (options.quick ? 1 : 5));
const ms = options.quick ? 700 : 4000;
const say = (text: string): void => void process.stderr.write(`${text}\n`);

const undo = createUndo();
const { later } = undo;

interface Contender {
  readonly processes: number;
  readonly inFlight: number;
  readonly port: number;
  readonly pid: number;
  readonly users: readonly User[];
  readonly found: Found[];
}

interface Found {
  readonly perSecond: number;
  readonly p50: number;
  readonly p99: number;
  /** Processor time of the server for a send, all its processes together. */
  readonly serverMicros: number;
  readonly databaseMicros: number;
}

/** Starts a server on a database of its own. */
async function open(database: DatabaseServer, processes: number): Promise<Contender[]> {
  const name = `processes_${processes}`;
  await database.client.query(`create database ${name}`);
  const url = new URL(database.url);
  url.pathname = `/${name}`;
  const folder = later(dataFolder(), (path) => rmSync(path, { recursive: true, force: true }));
  const env = { SEALPOST_PROCESSES: String(processes) };
  const gateway = later(await startGateway(folder, url.href, [], { env }), (server) => server.stop());
  const users = await makeUsers(gateway, PEOPLE);
  const { port, pid } = gateway;
  return IN_FLIGHT.map((inFlight) => ({ processes, inFlight, port, pid, users, found: [] }));
}

async function measure(load: LoadProcess, database: DatabaseServer, contender: Contender): Promise<Found> {
  const { port, pid, users, inFlight } = contender;
  const before = { server: familyCpuSeconds(pid), database: await database.spent() };
  const sent = await load.send({ port, pid, users, inFlight, delivered: true, warmUpMs: WARM_UP_MS, measureMs: ms });
  const spent = (await database.spent()).cpuSeconds - before.database.cpuSeconds;
  // The time of the warm-up counts too, with its sends, so that the readings need not hit a moment of the load.
  const sends = (sent.perSecond * (ms + WARM_UP_MS)) / 1000;
  const serverMicros = ((familyCpuSeconds(pid) - before.server) / sends) * 1e6;
  return { ...sent, serverMicros, databaseMicros: (spent / sends) * 1e6 };
}

function tableOf(contenders: readonly Contender[]): string {
  const figure = ({ found }: Contender, pick: (one: Found) => number): number => median(found.map(pick));
  return markdown(
    [
      'processes',
      'in flight',
      'sends a second',
      'of one process',
      'p50 ms',
      'p99 ms',
      'CPU µs of the server',
      'CPU µs of PostgreSQL',
    ],
    contenders.map((one) => {
      const alone = contenders.find((other) => other.processes === 1 && other.inFlight === one.inFlight) ?? one;
      const ratios = one.found.map(({ perSecond }, n) => perSecond / (alone.found[n]?.perSecond ?? Number.NaN));
      return [
        String(one.processes),
        String(one.inFlight),
        whole(figure(one, (f) => f.perSecond)),
        median(ratios).toFixed(2),
        figure(one, (f) => f.p50).toFixed(1),
        figure(one, (f) => f.p99).toFixed(1),
        figure(one, (f) => f.serverMicros).toFixed(0),
        figure(one, (f) => f.databaseMicros).toFixed(0),
      ];
    }),
  );
}

const sectionOf = (table: string, load: number): string => `## ${SECTION}

Written by \`npm run bench:processes\` on ${new Date().toISOString().slice(0, 10)}: ${rounds} rounds of ${ms / 1000} s, in turn, medians. The
machine has ${cpus().length} cores (${cpus()[0]?.model.trim()}), and its load was ${load.toFixed(1)} before. The server, PostgreSQL and the load share
them: with one process the server has one core, and the others have the rest. A send counts when its recipient's stream
has it.

${table}

With more cores than here, the load and PostgreSQL would not take from the processes. So the ratio is the least that a
second process brings.
`;

async function run(): Promise<void> {
  const busy = loadavg()[0] ?? 0;
  const load = later(await startLoad({ core: undefined }), (process) => process.stop());
  const database = later(await startDatabase(), (server) => server.stop());
  const contenders: Contender[] = [];
  for (const processes of PROCESSES) contenders.push(...(await open(database, processes)));
  // The first round is not counted, because a new server is still compiling its code.
  for (let round = 0; round <= rounds; round += 1) {
    for (const contender of contenders) {
      const found = await measure(load, database, contender);
      if (round === 0) continue;
      contender.found.push(found);
      say(
        `round ${round}: ${contender.processes} processes, ${contender.inFlight} in flight: ${whole(found.perSecond)} a second`,
      );
    }
  }
  const table = tableOf(contenders);
  process.stdout.write(`${table}\n`);
  if (!options.quick) writeFileSync(PAGE, withSection(readFileSync(PAGE, 'utf8'), SECTION, sectionOf(table, busy)));
}

try {
  await run();
} finally {
  await undo.all();
}
