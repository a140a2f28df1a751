// `npm run bench:storms`: kills one of two servers while 10,000 operation streams are open at it. All of them are opened
// again at the other server at once, which has sends to carry out meanwhile.
//   --quick      fewer streams; writes nothing
//   --rounds n   number of kills

import { readFileSync, rmSync, writeFileSync } from 'node:fs';
import { cpus, loadavg } from 'node:os';
import path from 'node:path';
import { setTimeout as pause } from 'node:timers/promises';
import { readOptions } from '@sealpost/dev-env/program-options';
import { findNats } from '../scripts/test-nats.ts';
import type { SendMeasure } from './closed-loop.ts';
import { openConnection } from './connection.ts';
import { startDatabase } from './database/server.ts';
import { dataFolder, type Gateway, makeUsers, startGateway } from './gateway.ts';
import { inspectedHeap } from './heap.ts';
import { startLoad } from './load-process.ts';
import { markdown, verdict, whole } from './markdown.ts';
import { withSection } from './page-section.ts';
import { messageOf, spawnPinned, stop } from './pinned-process.ts';
import { residentKib } from './process-usage.ts';
import { keyOf, sendRequest, type User } from './request.ts';
import { median } from './statistics.ts';
import type { CrowdOrder, CrowdState } from './stream-crowd.ts';
import { createUndo } from './undo.ts';

const PAGE = path.join(import.meta.dirname, '../docs/scaling.md');
const SECTION = 'Storms, measured';
const CROWDS = 4;
const STREAMS_OF_EACH = 5;
const SENDERS = 100;
const IN_FLIGHT = 64;
/** Accounts that get a message while their streams are away. */
const NEWS = 200;
const CALM_MS = 5000;
const STORM_MS = 25_000;
/** Milliseconds of sends before the kill. */
const BEFORE_MS = 2000;
/** Milliseconds in which the server notices that the streams were closed. */
const CLOSED_MS = 3000;
const PROMISED = { seconds: 15, rate: 0.5, memory: 1.1 } as const;

const { values: options } = readOptions(import.meta.filename, {
  options: { quick: { type: 'boolean', default: false }, rounds: { type: 'string' } },
});
const rounds = Number(options.rounds ?? (options.quick ? 1 : 3));
const accounts = options.quick ? 200 : 2000;
const streams = accounts * STREAMS_OF_EACH;
const say = (text: string): void => void process.stderr.write(`${text}\n`);
const undo = createUndo();
const { later } = undo;

interface Crowd {
  carryOut(order: CrowdOrder): Promise<CrowdState>;
}

interface Storm {
  /** Seconds from the kill until every stream is accepted by the other server. */
  readonly seconds: number;
  readonly lost: number;
  readonly calm: number;
  readonly during: number;
  /** The heap of the other server in MiB: without streams, with all of them, and after they were closed. */
  readonly heap: { readonly before: number; readonly full: number; readonly after: number };
  /** The resident memory of the other server with all streams, in MiB. */
  readonly resident: number;
}

async function startCrowd(): Promise<Crowd> {
  const child = later(spawnPinned(path.join(import.meta.dirname, 'stream-crowd.ts'), [], { core: undefined }), (one) =>
    stop(one, 'SIGKILL'),
  );
  await messageOf(child);
  return {
    async carryOut(order) {
      const answer = messageOf(child);
      child.send(order);
      const { result, error } = (await answer) as { result?: CrowdState; error?: string };
      if (result === undefined) throw new Error(error);
      return result;
    },
  };
}

const statesOf = (crowds: readonly Crowd[], kind: 'state' | 'close'): Promise<CrowdState[]> =>
  Promise.all(crowds.map((crowd) => crowd.carryOut({ kind })));

const sum = (states: readonly CrowdState[], pick: (state: CrowdState) => number): number =>
  states.reduce((total, state) => total + pick(state), 0);

async function untilAll(crowds: readonly Crowd[]): Promise<CrowdState[]> {
  for (const deadline = Date.now() + 60_000; ; await pause(200)) {
    const states = await statesOf(crowds, 'state');
    const following = sum(states, (state) => state.following);
    if (following === streams) return states;
    if (Date.now() > deadline)
      throw new Error(
        `only ${following} of ${streams} streams follow again after a minute: ${JSON.stringify(states.map(({ refusals }) => refusals))}`,
      );
  }
}

/** Sends one message to each of the accounts, one after another. */
async function sendNews(port: number, sender: User, to: readonly User[], round: number): Promise<void> {
  const key = keyOf(sender);
  const connection = await openConnection(port, (error) => say(error.message));
  for (const [at, { mid }] of to.entries()) {
    const reqSeq = round * 100_000 + at + 1;
    await new Promise<void>((resolve, reject) =>
      connection.send(sendRequest(sender, key, reqSeq, mid, `news.${round}.${at}`), (status, body) =>
        status === 200 ? resolve() : reject(new Error(`the news was answered ${status}: ${body}`)),
      ),
    );
  }
  connection.close();
}

/** Every stream of an account must have the news of this account once. */
async function checkNews(crowds: readonly Crowd[], round: number): Promise<void> {
  let missing = '';
  for (const deadline = Date.now() + 15_000; Date.now() < deadline; await pause(250)) {
    const states = await statesOf(crowds, 'state');
    const news = states.flatMap(({ marks }) =>
      Object.entries(marks).filter(([mark]) => mark.startsWith(`news.${round}.`)),
    );
    const twice = news.filter(([, counts]) => counts.twice > 0);
    if (twice.length > 0) throw new Error(`streams got news twice: ${JSON.stringify(twice)}`);
    const received = news.reduce((total, [, counts]) => total + counts.streams, 0);
    if (received === NEWS * STREAMS_OF_EACH) return;
    missing = `${received} of ${NEWS * STREAMS_OF_EACH} streams got their news`;
  }
  throw new Error(missing);
}

/** Returns the sends a second between two times of day. */
function rateBetween({ begunAt, inTenths }: SendMeasure, from: number, to: number): number {
  const first = Math.floor((from - begunAt) / 100);
  const last = Math.max(first + 1, Math.ceil((to - begunAt) / 100));
  const sends = inTenths.slice(first, last).reduce((total, one) => total + one, 0);
  return (sends / (last - first)) * 10;
}

const tableOf = (storms: readonly Storm[]): string =>
  markdown(
    [
      'kill',
      'streams lost',
      'all follow again, s',
      'sends a second, calm',
      'during the storm',
      'heap MiB: before',
      'with all streams',
      'after',
      'resident MiB with all streams',
    ],
    storms.map(({ seconds, lost, calm, during, heap, resident }, at) => [
      String(at + 1),
      whole(lost),
      `${seconds.toFixed(1)}; ≤ ${PROMISED.seconds}: ${verdict(seconds <= PROMISED.seconds)}`,
      whole(calm),
      `${whole(during)}; ≥ ${PROMISED.rate}: ${(during / calm).toFixed(2)}, ${verdict(during / calm >= PROMISED.rate)}`,
      whole(heap.before),
      whole(heap.full),
      `${whole(heap.after)}; ≤ ${PROMISED.memory}: ${(heap.after / heap.before).toFixed(2)}, ${verdict(heap.after <= heap.before * PROMISED.memory)}`,
      whole(resident),
    ]),
  );

const sectionOf = (table: string, load: number): string => `## ${SECTION}

Written by \`npm run bench:storms\` on ${new Date().toISOString().slice(0, 10)}. Two servers share a PostgreSQL and NATS, on ${cpus().length} cores (${cpus()[0]?.model.trim()}), with
the clients; the load of the machine was ${load.toFixed(1)} before. One server has ${whole(streams)} streams of ${whole(accounts)} accounts, and is
killed. Every stream is opened at the other server at once, without the pause that the SDK makes. That server carries
out sends meanwhile, ${IN_FLIGHT} in flight. ${NEWS} of the accounts get a message while their streams are away. The bench fails unless
each of their streams has it once. The heap is measured after its garbage was collected. Node returns resident
memory late or never, and uses it for the next storm. After the first kill the server has the sessions of all these
accounts in its caches, which have limits.

${table}
`;

async function run(): Promise<void> {
  const busy = loadavg()[0] ?? 0;
  const database = later(await startDatabase(), (server) => server.stop());
  const nats = later(await findNats(), (server) => server.stop());
  const start = async (nodeFlags: readonly string[] = []): Promise<Gateway> =>
    startGateway(
      later(dataFolder(), (folder) => rmSync(folder, { recursive: true, force: true })),
      database.url,
      nodeFlags,
      {
        env: { SEALPOST_BUS_URL: nats.url, SEALPOST_CONNECTIONS_PER_ADDRESS: String(2 * streams) },
      },
    );
  const { flags, usedMib } = await inspectedHeap();
  const staying = later(await start(flags), (server) => server.stop());
  const users = await makeUsers(staying, SENDERS + accounts);
  say(`${users.length} accounts`);
  const [senders, crowd] = [users.slice(0, SENDERS), users.slice(SENDERS)];
  const load = later(await startLoad({ core: undefined }), (process) => process.stop());
  const crowds: Crowd[] = [];
  for (let n = 0; n < CROWDS; n += 1) crowds.push(await startCrowd());
  const order = { port: staying.port, pid: staying.pid, users: senders, inFlight: IN_FLIGHT, delivered: true } as const;
  // The first sends are not counted, because a new server is still compiling its code.
  await load.send({ ...order, warmUpMs: 300, measureMs: CALM_MS });
  const storms: Storm[] = [];
  for (let round = 1; round <= rounds; round += 1) {
    const dying = await start();
    await Promise.all(
      crowds.map((one, n) =>
        one.carryOut({
          kind: 'open',
          users: crowd.filter((_, at) => at % CROWDS === n),
          streamsOfEach: STREAMS_OF_EACH,
          ports: [dying.port, staying.port],
        }),
      ),
    );
    const lostBefore = sum(await untilAll(crowds), (state) => state.lost);
    const before = await usedMib();
    const calm = await load.send({ ...order, warmUpMs: 300, measureMs: CALM_MS });
    const stormy = load.send({ ...order, warmUpMs: 300, measureMs: STORM_MS });
    await pause(BEFORE_MS);
    const killedAt = Date.now();
    process.kill(dying.pid, 'SIGKILL');
    await Promise.all([sendNews(staying.port, senders[0] as User, crowd.slice(0, NEWS), round), pause(200)]);
    const states = await untilAll(crowds);
    const back = Math.max(...states.map(({ lastAcceptedAt }) => lastAcceptedAt));
    const measure = await stormy;
    await checkNews(crowds, round);
    const resident = residentKib(staying.pid) / 1024;
    const full = await usedMib();
    await statesOf(crowds, 'close');
    await pause(CLOSED_MS);
    const storm = {
      seconds: (back - killedAt) / 1000,
      lost: sum(states, (state) => state.lost) - lostBefore,
      calm: calm.perSecond,
      during: rateBetween(measure, killedAt, back),
      heap: { before, full, after: await usedMib() },
      resident,
    };
    if (storm.lost !== streams) throw new Error(`${storm.lost} of ${streams} streams were lost by the kill`);
    storms.push(storm);
    say(`kill ${round}: ${JSON.stringify(storm)}`);
  }
  const table = tableOf(storms);
  process.stdout.write(`${table}\n`);
  say(`median of the share of sends: ${median(storms.map(({ calm, during }) => during / calm)).toFixed(2)}`);
  if (!options.quick) writeFileSync(PAGE, withSection(readFileSync(PAGE, 'utf8'), SECTION, sectionOf(table, busy)));
}

try {
  await run();
} finally {
  await undo.all();
}
