// `npm run bench:observability`: processor time of a send on a server with metrics, on one without, and on servers that
// send traces, in turn.
//   --quick      short rounds; writes nothing
//   --rounds n   number of rounds

import { readFileSync, rmSync, writeFileSync } from 'node:fs';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { cpus, loadavg } from 'node:os';
import path from 'node:path';
import { readOptions } from '@sealpost/dev-env/program-options';
import type { SendMeasure } from './closed-loop.ts';
import { dataFolder, makeUsers, startGateway } from './gateway.ts';
import { startLoad } from './load-process.ts';
import { markdown, whole } from './markdown.ts';
import { OBSERVABILITY_SECTION, withSection } from './page-section.ts';
import { SERVER_CORE } from './pinned-process.ts';
import type { User } from './request.ts';
import { median } from './statistics.ts';
import { createUndo } from './undo.ts';

const PAGE = path.join(import.meta.dirname, '../docs/performance.md');
const PEOPLE = 100;
const IN_FLIGHT = 64;
const WITHOUT = ['--import', path.join(import.meta.dirname, 'observability/no-metrics.ts')];

const { values: options } = readOptions(import.meta.filename, {
  options: { quick: { type: 'boolean', default: false }, rounds: { type: 'string' } },
});
const rounds = Number(options.rounds ?? (options.quick ? 1 : 10));
const ms = options.quick ? 700 : 3000;
const say = (text: string): void => void process.stderr.write(`${text}\n`);

const undo = createUndo();
const { later } = undo;

interface Contender {
  readonly title: string;
  readonly port: number;
  readonly pid: number;
  readonly users: readonly User[];
  readonly found: SendMeasure[];
}

/** Starts a collector that takes all traces, and returns its address. */
async function startCollector(): Promise<string> {
  const server = createServer((request, response) => {
    request.resume().on('end', () => response.setHeader('content-type', 'application/json').end('{}'));
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  later(server, (one) => one.close());
  return `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
}

async function open(
  title: string,
  nodeFlags: readonly string[] = [],
  env: Readonly<Record<string, string>> = {},
): Promise<Contender> {
  const folder = later(dataFolder(), (name) => rmSync(name, { recursive: true, force: true }));
  const gateway = later(await startGateway(folder, '', nodeFlags, { core: SERVER_CORE, env }), (server) =>
    server.stop(),
  );
  const { port, pid } = gateway;
  return { title, port, pid, users: await makeUsers(gateway, PEOPLE), found: [] };
}

function tableOf(contenders: readonly Contender[]): string {
  const [first] = contenders;
  return markdown(
    ['server', 'sends a second', 'CPU µs of a send', 'of the server without metrics'],
    contenders.map(({ title, found }) => [
      title,
      whole(median(found.map((one) => one.perSecond))),
      median(found.map((one) => one.cpuMicros)).toFixed(1),
      median(found.map((one, n) => one.cpuMicros / (first?.found[n]?.cpuMicros ?? Number.NaN))).toFixed(3),
    ]),
  );
}

const sectionOf = (table: string, load: number): string => `## ${OBSERVABILITY_SECTION}

Written by \`npm run bench:observability\` on ${new Date().toISOString().slice(0, 10)}: SQLite, ${IN_FLIGHT} sends in flight, each counted when its
recipient's stream has it; ${rounds} rounds of ${ms / 1000} s, in turn, medians of the rounds. The machine has ${cpus().length} cores
(${cpus()[0]?.model.trim()}), and its load was ${load.toFixed(1)} before. The server without metrics is one whose counters and histograms
do nothing; no setting turns them off.

${table}
`;

async function run(): Promise<void> {
  const busy = loadavg()[0] ?? 0;
  const load = later(await startLoad(), (process) => process.stop());
  const collector = await startCollector();
  const traced = (ratio: string) => ({ SEALPOST_TRACES_URL: collector, SEALPOST_TRACES_RATIO: ratio });
  const contenders = [
    await open('without metrics', WITHOUT),
    await open('with metrics, as always'),
    await open('and 1 of 100 traces', [], traced('0.01')),
    await open('and all traces', [], traced('1')),
  ];
  // The first round is not counted, because a new server is still compiling its code.
  for (let round = 0; round <= rounds; round += 1) {
    for (const { port, pid, users, found, title } of contenders) {
      const order = { port, pid, users, inFlight: IN_FLIGHT, delivered: true, warmUpMs: 300, measureMs: ms };
      const measure = await load.send(order);
      if (round === 0) continue;
      found.push(measure);
      say(`round ${round}: ${title}: ${measure.cpuMicros.toFixed(1)} µs`);
    }
  }
  const table = tableOf(contenders);
  process.stdout.write(`${table}\n`);
  if (!options.quick)
    writeFileSync(PAGE, withSection(readFileSync(PAGE, 'utf8'), OBSERVABILITY_SECTION, sectionOf(table, busy)));
}

try {
  await run();
} finally {
  await undo.all();
}
