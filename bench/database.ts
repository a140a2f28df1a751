// `npm run bench:database`: measures what sends cost PostgreSQL: processor time, bytes of the WAL, and bytes that stay.
// Starts a PostgreSQL of its own, so that the work of others does not count.
//   --quick      short rounds, few accounts; writes nothing
//   --rounds n   number of rounds

import { readFileSync, rmSync, writeFileSync } from 'node:fs';
import { cpus, loadavg } from 'node:os';
import path from 'node:path';
import { readOptions } from '@sealpost/dev-env/program-options';
import { type Cost, measureGroup, measureScan, measureScattered, measureSends, sizeOf } from './database/measures.ts';
import { databaseSection, tablesOf } from './database/report.ts';
import { startDatabase } from './database/server.ts';
import { dataFolder, makeUsers, startGateway } from './gateway.ts';
import { makeGroup } from './group-chat.ts';
import { startLoad } from './load-process.ts';
import { DATABASE_SECTION, withSection } from './page-section.ts';
import { messageOf, SERVER_CORE, spawnPinned, stop } from './pinned-process.ts';
import { createUndo } from './undo.ts';

const PAGE = path.join(import.meta.dirname, '../docs/performance.md');
const PEOPLE = 100;
const GROUP_IN_FLIGHT = 8;
const { values: options } = readOptions(import.meta.filename, {
  options: { quick: { type: 'boolean', default: false }, rounds: { type: 'string' } },
});
const rounds = Number(options.rounds ?? (options.quick ? 1 : 5));
const ms = options.quick ? 700 : 4000;
const store = options.quick
  ? { accounts: 2_000, operations: 2, ms }
  : { accounts: 100_000, operations: 10, ms: 2 * ms };

const undo = createUndo();
const { later } = undo;
const say = (text: string): void => void process.stderr.write(`${text}\n`);

async function run(): Promise<void> {
  const load = later(await startLoad(), (process) => process.stop());
  const database = later(await startDatabase(), (server) => server.stop());
  const folder = later(dataFolder(), (name) => rmSync(name, { recursive: true, force: true }));
  const gateway = later(await startGateway(folder, database.url), (server) => server.stop());
  say(`making ${PEOPLE} users`);
  const users = await makeUsers(gateway, PEOPLE);
  const floor = later(spawnPinned(path.join(import.meta.dirname, 'floor.ts'), [], { core: SERVER_CORE }), (child) =>
    stop(child, 'SIGKILL'),
  );
  const bare = { port: (await messageOf(floor)) as number, pid: floor.pid as number, users };
  const target = { database, load, port: gateway.port, pid: gateway.pid, users, ms };
  const chatMid = await makeGroup(gateway.port, users);
  const costs: Record<'floor' | 'few' | 'many' | 'group', Cost[]> = { floor: [], few: [], many: [], group: [] };
  const before = [await sizeOf(database, ['message', 'message_location']), await sizeOf(database, ['operation'])];
  // The first round is not counted, because a new server is still compiling its code.
  for (let round = 0; round <= rounds; round++) {
    const order = { ...bare, inFlight: 64, delivered: false, warmUpMs: 300, measureMs: ms };
    const bareMicros = (await load.send(order)).cpuMicros;
    const of = {
      floor: { cpuMicros: 0, walBytes: 0, pageImages: 0, serverMicros: bareMicros },
      few: await measureSends(target, 64),
      many: await measureSends(target, 400),
      group: await measureGroup(target, chatMid, GROUP_IN_FLIGHT),
    };
    if (round === 0) continue;
    for (const name of ['floor', 'few', 'many', 'group'] as const) costs[name].push(of[name]);
    say(`round ${round}: a send ${of.many.cpuMicros.toFixed(0)} µs, ${of.many.walBytes.toFixed(0)} bytes of WAL`);
  }
  const after = [await sizeOf(database, ['message', 'message_location']), await sizeOf(database, ['operation'])];
  const stored = before.map((one, at) => {
    const { rows, bytes } = after[at] as typeof one;
    return { rows: rows - one.rows, each: (bytes - one.bytes) / (rows - one.rows) };
  });
  say(`making ${store.accounts} accounts`);
  const large = later(await startDatabase(), (server) => server.stop());
  const scattered = await measureScattered(large, store);
  const scan = await measureScan(large);
  const found = { costs, stored, scattered, scan, accounts: store.accounts, version: database.version };
  process.stdout.write(`${tablesOf(found).join('\n\n')}\n`);
  if (options.quick) return;
  const about = { rounds, ms, load: loadavg()[1] ?? 0, machine: `${cpus().length} cores (${cpus()[0]?.model.trim()})` };
  const section = databaseSection(found, about);
  writeFileSync(PAGE, withSection(readFileSync(PAGE, 'utf8'), DATABASE_SECTION, section));
}

try {
  await run();
} finally {
  await undo.all();
}
