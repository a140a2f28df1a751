// `npm run bench`: runs all scenarios in turn, in several rounds. The load is one process on one core, and the servers
// are on another core.
//   --quick         short rounds, fewer stored messages; writes nothing
//   --only a,b,d,e,f,g,h,i,j,k  a: sends, b: sends with delivery, d: growing store, e: idle streams, f: a large group,
//                   g: start-up of an account with many chats, h: sends during a storm of logins,
//                   i: transfers of objects, j: Letter Sealing in the SDK, k: a client with many chats
//                   With a or b, the floor (floor.ts) runs too.
//   --messages n    another store of this size in part d, such as 10000000, which needs 12 GB of disk
//   --rounds n      number of rounds
//   --profile       writes a processor profile of each server into bench-profiles/
//   --plots folder  writes the plots of parts d and e into another folder, after any run

import { cpSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { parseArgs } from 'node:util';
import type { ClientMeasure } from './client-load.ts';
import { dataFolder, type Gateway, logIn, makeUsers, startGateway } from './gateway.ts';
import { makeGroup } from './group-chat.ts';
import type { GroupMeasure } from './group-load.ts';
import { measureStreams } from './idle-streams.ts';
import { fillAccount } from './large-account.ts';
import type { GatewayMeasure } from './load.ts';
import { type LoadProcess, startLoad } from './load-process.ts';
import { measureTransfers, type TransferPlan } from './media-transfers.ts';
import { canPin, messageOf, SERVER_CORE, spawnPinned, stop } from './pinned-process.ts';
import { createDatabase } from './postgres.ts';
import { preload } from './preload.ts';
import { residentKib, settled } from './process-usage.ts';
import { type Growth, type Report, tableOf } from './report.ts';
import { type GroupResult, mediansOf, type SyncResult } from './report-chats.ts';
import type { ClientResult } from './report-client.ts';
import type { TransferResult } from './report-media.ts';
import { pageWith } from './report-page.ts';
import { plotsOf } from './report-plots.ts';
import type { SealingResult } from './report-sealing.ts';
import type { StormResult, StormRound } from './report-storm.ts';
import type { User } from './request.ts';
import { resultOf, type Scenario, type ScenarioName, scenarios } from './scenarios.ts';
import type { SealingMeasure } from './sealing-load.ts';
import { median } from './statistics.ts';
import type { SyncMeasure } from './sync-load.ts';
import { createUndo } from './undo.ts';
import { svgOf } from './web/plot.ts';

const PAIRS = 50;
const GROUP_IN_FLIGHT = [1, 8, 32];
const LARGE_ACCOUNT_CHATS = 1000;
const SYNC_RUNS = 20;
const SYNC_MESSAGES = 5000;
const CLIENT_MESSAGES = 500;
const CLIENT_PER_SECOND = 100;
const STORM_LOGINS = 32;
const STORM_SENDS = 64;
const SEALING_IN_FLIGHT = 16;
const SEALED_MEDIA_BYTES = { quick: 16e6, full: 128e6 };
const TRANSFERS: Readonly<Record<'quick' | 'full', Omit<TransferPlan, 'rounds'>>> = {
  quick: { inFlight: 4, megabytes: 25, crowd: { inFlight: 50, megabytes: 5 } },
  full: { inFlight: 4, megabytes: 250, crowd: { inFlight: 50, megabytes: 100 } },
};
const SIZES = { quick: [1_000, 100_000], full: [1_000, 10_000, 100_000, 1_000_000] };
const DOCS = path.join(import.meta.dirname, '../docs');
const PAGE = path.join(DOCS, 'performance.md');

const { values: options } = parseArgs({
  options: {
    quick: { type: 'boolean', default: false },
    only: { type: 'string', default: 'a,b,c,d,e,f,g,h,i,j,k' },
    messages: { type: 'string' },
    rounds: { type: 'string' },
    profile: { type: 'boolean', default: false },
    plots: { type: 'string' },
  },
});
const parts = new Set(options.only.split(','));
const rounds = Number(options.rounds ?? (options.quick ? 2 : 5));
const times = options.quick ? { warmUpMs: 700, measureMs: 1500 } : { warmUpMs: 1500, measureMs: 5000 };

/** The server that a scenario runs against. */
interface Target {
  readonly port: number;
  readonly pid: number;
  readonly users: readonly User[];
}

const undo = createUndo();
const { later } = undo;
const newFolder = (): string => later(dataFolder(), (folder) => rmSync(folder, { recursive: true, force: true }));
const say = (text: string): void => void process.stderr.write(`${text}\n`);

async function start(
  folder: string,
  databaseUrl?: string,
  env: Readonly<Record<string, string>> = {},
): Promise<Gateway> {
  const profiling = options.profile
    ? [
        '--cpu-prof',
        `--cpu-prof-dir=${path.resolve('bench-profiles')}`,
        `--cpu-prof-name=${databaseUrl ? 'postgres' : 'sqlite'}.cpuprofile`,
      ]
    : [];
  return later(await startGateway(folder, databaseUrl, profiling, { core: SERVER_CORE, env }), (gateway) =>
    gateway.stop(),
  );
}

async function startFloor(users: readonly User[]): Promise<Target> {
  const child = later(spawnPinned(path.join(import.meta.dirname, 'floor.ts'), [], { core: SERVER_CORE }), (c) =>
    stop(c, 'SIGKILL'),
  );
  return { port: (await messageOf(child)) as number, pid: child.pid as number, users };
}

const measure = (
  load: LoadProcess,
  target: Target,
  scenario: Pick<Scenario, 'inFlight' | 'delivered'>,
): Promise<GatewayMeasure> =>
  load.send({ ...target, inFlight: scenario.inFlight, delivered: scenario.delivered, ...times });

/** Makes a data folder with users who already have chats. Each server that needs such a folder gets a copy of it. */
async function preparedFolder(load: LoadProcess): Promise<{ folder: string; users: readonly User[] }> {
  say(`making ${PAIRS * 2} users`);
  const folder = newFolder();
  const gateway = await startGateway(folder);
  const users = await makeUsers(gateway, PAIRS * 2);
  await load.send({
    port: gateway.port,
    pid: gateway.pid,
    users,
    inFlight: PAIRS,
    delivered: false,
    warmUpMs: 100,
    measureMs: 100,
  });
  await gateway.stop();
  return { folder, users };
}

function copyOf(folder: string): string {
  const copy = newFolder();
  cpSync(path.join(folder, 'data'), path.join(copy, 'data'), { recursive: true });
  return copy;
}

async function measureSends(
  load: LoadProcess,
  prepared: { folder: string; users: readonly User[] },
  report: Report,
): Promise<void> {
  const wanted = scenarios.filter(({ part }) => part === 'c' || parts.has(part));
  const targets = new Map<Scenario['store'], Target>();
  targets.set('none', await startFloor(prepared.users));
  const gateway = await start(copyOf(prepared.folder));
  targets.set('sqlite', { port: gateway.port, pid: gateway.pid, users: prepared.users });
  if (parts.has('b')) {
    const database = await createDatabase();
    if (database) {
      later(database, (it) => it.drop());
      report.postgres = database.version;
      say('making users on PostgreSQL');
      const onPostgres = await start(newFolder(), database.url);
      targets.set('postgres', {
        port: onPostgres.port,
        pid: onPostgres.pid,
        users: await makeUsers(onPostgres, PAIRS * 2),
      });
    } else say('no PostgreSQL: set SEALPOST_BENCH_POSTGRES_URL');
  }
  const measures = new Map<ScenarioName, GatewayMeasure[]>();
  // The results of the first round do not count, because a new server is still compiling its code. The floor has far
  // less code, so counting them would be unfair.
  for (let round = 0; round <= rounds; round++) {
    for (const scenario of wanted) {
      const target = targets.get(scenario.store);
      if (!target) continue;
      const measured = await measure(load, target, scenario);
      if (round === 0) continue;
      measures.set(scenario.name, [...(measures.get(scenario.name) ?? []), measured]);
      report.responseBytes = Math.max(report.responseBytes, measured.responseBytes);
      say(
        `round ${round}: ${scenario.title}, ${scenario.inFlight} in flight: ${measured.perSecond.toFixed(0)}/s, p99 ${measured.p99.toFixed(1)} ms, ${measured.cpuMicros.toFixed(0)} µs`,
      );
    }
  }
  for (const [name, of] of measures) report.sends.set(name, resultOf(of));
}

async function measureGrowth(
  load: LoadProcess,
  prepared: { folder: string; users: readonly User[] },
): Promise<Growth[]> {
  const targets: { stored: number; target: Target; measures: GatewayMeasure[] }[] = [];
  const more = options.messages === undefined ? [] : [Number(options.messages)];
  for (const stored of [...(options.quick ? SIZES.quick : SIZES.full), ...more]) {
    say(`storing ${stored} messages`);
    const folder = copyOf(prepared.folder);
    preload(path.join(folder, 'data/sealpost.db'), stored);
    const gateway = await start(folder);
    targets.push({ stored, target: { port: gateway.port, pid: gateway.pid, users: prepared.users }, measures: [] });
  }
  for (let round = 0; round <= rounds; round++) {
    for (const { stored, target, measures } of targets) {
      const measured = await measure(load, target, { inFlight: 64, delivered: false });
      if (round === 0) continue;
      measures.push(measured);
      say(`round ${round}: ${stored} stored: ${measured.perSecond.toFixed(0)}/s, ${measured.cpuMicros.toFixed(0)} µs`);
    }
  }
  return targets.map(({ stored, measures }) => {
    const result = resultOf(measures);
    const smallest = targets[0]?.measures ?? [];
    const ofSmallest = (costOf: (measured: GatewayMeasure) => number): number =>
      median(measures.map((measured, i) => costOf(measured) / costOf(smallest[i] as GatewayMeasure)));
    return {
      ...{ stored, micros: 1e6 / result.perSecond, cpuMicros: result.cpuMicros },
      timeOfSmallest: ofSmallest(({ perSecond }) => 1 / perSecond),
      cpuOfSmallest: ofSmallest(({ cpuMicros }) => cpuMicros),
    };
  });
}

async function measureGroups(
  load: LoadProcess,
  prepared: { folder: string; users: readonly User[] },
): Promise<GroupResult[]> {
  const gateway = await start(copyOf(prepared.folder));
  const chatMid = await makeGroup(gateway.port, prepared.users);
  const results: GroupResult[] = [];
  for (const inFlight of GROUP_IN_FLIGHT) {
    const measures: GroupMeasure[] = [];
    for (let round = 1; round <= rounds; round++) {
      const { port, pid } = gateway;
      const measured = await load.sendToGroup({ port, pid, chatMid, members: prepared.users, inFlight, ...times });
      measures.push(measured);
      say(
        `round ${round}: group, ${inFlight} in flight: ${measured.deliveriesPerSecond.toFixed(0)} deliveries/s, p99 ${measured.p99.toFixed(1)} ms, ${measured.cpuMicrosPerDelivery.toFixed(1)} µs`,
      );
    }
    results.push({ store: 'SQLite', members: prepared.users.length, inFlight, ...mediansOf(measures) });
  }
  return results;
}

/**
 * Measures each round on a server that has just started. The first sync of a client may also come directly after the
 * start of a server.
 */
async function measureSync(
  load: LoadProcess,
  prepared: { folder: string; users: readonly User[] },
): Promise<SyncResult> {
  const folder = copyOf(prepared.folder);
  const [user, peer] = prepared.users as [User, User];
  const floor = await startFloor(prepared.users);
  // A page of the history of the one chat that the user already has is full.
  preload(path.join(folder, 'data/sealpost.db'), SYNC_MESSAGES);
  // One chat less is added.
  fillAccount(path.join(folder, 'data/sealpost.db'), user.mid, LARGE_ACCOUNT_CHATS - 1);
  const measures: SyncMeasure[][] = [];
  for (let round = 1; round <= rounds; round++) {
    const gateway = await start(folder);
    const { port, pid } = gateway;
    const order = { port, pid, floor, user, peer: peer.mid, chats: LARGE_ACCOUNT_CHATS, runs: SYNC_RUNS };
    const measured = await load.synchronize(order);
    await gateway.stop();
    measures.push(measured);
    say(`round ${round}: ${measured.map(({ step, cpuMs }) => `${step} ${cpuMs.toFixed(0)} ms CPU`).join(', ')}`);
  }
  const steps = (measures[0] ?? []).map((_, i) => mediansOf(measures.map((round) => round[i] as SyncMeasure)));
  return { chats: LARGE_ACCOUNT_CHATS, steps };
}

/** Measures a client with local state whose user has many chats. */
async function measureClient(
  load: LoadProcess,
  prepared: { folder: string; users: readonly User[] },
): Promise<ClientResult> {
  const folder = copyOf(prepared.folder);
  fillAccount(path.join(folder, 'data/sealpost.db'), (prepared.users[0] as User).mid, LARGE_ACCOUNT_CHATS - 1);
  const { port } = await start(folder);
  const order = { port, chats: LARGE_ACCOUNT_CHATS, messages: CLIENT_MESSAGES, perSecond: CLIENT_PER_SECOND };
  const results: ClientMeasure[][] = [];
  for (let round = 1; round <= rounds; round++) {
    const measured = await load.follow(order);
    results.push(measured);
    say(`round ${round}: ${measured.map(({ store, cpuMicros }) => `${store} ${cpuMicros.toFixed(0)} µs`).join(', ')}`);
  }
  return { chats: LARGE_ACCOUNT_CHATS, perSecond: CLIENT_PER_SECOND, rounds: results };
}

/** Measures sends without other load, and directly afterwards sends during many logins at once. */
async function measureStorm(
  load: LoadProcess,
  prepared: { folder: string; users: readonly User[] },
): Promise<StormResult> {
  const { port, pid } = await start(copyOf(prepared.folder));
  const target = { port, pid, users: prepared.users };
  const sends = { inFlight: STORM_SENDS, delivered: false };
  const storming = later(await startLoad(), (process) => process.stop());
  const order = { port, users: prepared.users.length, inFlight: STORM_LOGINS, ms: times.warmUpMs + times.measureMs };
  const results: StormRound[] = [];
  for (let round = 1; round <= rounds; round++) {
    const calm = await measure(load, target, sends);
    const [storm, stormy] = await Promise.all([storming.logIn(order), measure(load, target, sends)]);
    results.push({ calm, stormy, storm });
    say(
      `round ${round}: ${calm.perSecond.toFixed(0)}/s, p99 ${calm.p99.toFixed(1)} ms; in the storm ${stormy.perSecond.toFixed(0)}/s, p99 ${stormy.p99.toFixed(1)} ms, ${storm.loginsPerSecond.toFixed(0)} logins/s`,
    );
  }
  return { inFlight: STORM_SENDS, logins: STORM_LOGINS, rounds: results };
}

async function measureObjects(
  load: LoadProcess,
  prepared: { folder: string; users: readonly User[] },
): Promise<TransferResult> {
  const gateway = await start(copyOf(prepared.folder));
  const user = prepared.users[0] as User;
  await settled(gateway.pid);
  const plan = { rounds, ...TRANSFERS[options.quick ? 'quick' : 'full'] };
  const result = await measureTransfers(load, { gateway, user, folder: newFolder() }, plan, say);
  await settled(gateway.pid);
  const before = residentKib(gateway.pid);
  await logIn(gateway, 0);
  await settled(gateway.pid);
  return { ...result, loginMib: (residentKib(gateway.pid) - before) / 1024 };
}

async function measureSealing(
  load: LoadProcess,
  prepared: { folder: string; users: readonly User[] },
): Promise<SealingResult> {
  const { port } = await start(copyOf(prepared.folder));
  const mediaBytes = SEALED_MEDIA_BYTES[options.quick ? 'quick' : 'full'];
  const results: SealingMeasure[] = [];
  for (let round = 1; round <= rounds; round++) {
    const measured = await load.seal({ port, inFlight: SEALING_IN_FLIGHT, ms: times.measureMs, mediaBytes });
    results.push(measured);
    const { plain, sealed, seal } = measured;
    say(
      `round ${round}: ${plain.perSecond.toFixed(0)}/s plain, ${sealed.perSecond.toFixed(0)}/s sealed, ${seal.cpuMicros.toFixed(0)} µs CPU to seal a text`,
    );
  }
  return { inFlight: SEALING_IN_FLIGHT, rounds: results };
}

async function run(): Promise<void> {
  const report: Report = {
    quick: options.quick,
    rounds,
    measureMs: times.measureMs,
    pinned: canPin,
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
  const load = later(await startLoad(), (process) => process.stop());
  const prepared = await preparedFolder(load);
  if (parts.has('a') || parts.has('b') || parts.has('c')) await measureSends(load, prepared, report);
  if (parts.has('d')) report.growth = await measureGrowth(load, prepared);
  if (parts.has('e')) report.memory = await measureStreams(load, newFolder(), start);
  if (parts.has('f')) report.groups = await measureGroups(load, prepared);
  if (parts.has('g')) report.sync = await measureSync(load, prepared);
  if (parts.has('h')) report.storm = await measureStorm(load, prepared);
  if (parts.has('i')) report.transfers = await measureObjects(load, prepared);
  if (parts.has('j')) report.sealing = await measureSealing(load, prepared);
  if (parts.has('k')) report.client = await measureClient(load, prepared);
  process.stdout.write(`${tableOf(report)}\n`);
  const complete =
    !options.quick && ['a', 'b', 'd', 'e', 'f', 'g', 'h', 'i', 'j', 'k'].every((part) => parts.has(part));
  if (complete) writeFileSync(PAGE, pageWith(readFileSync(PAGE, 'utf8'), report));
  const plots = options.plots ?? (complete ? path.join(DOCS, 'plots') : undefined);
  if (plots) for (const plot of plotsOf(report)) writeFileSync(path.join(plots, `${plot.file}.svg`), svgOf(plot));
}

try {
  await run();
} finally {
  await undo.all();
}
