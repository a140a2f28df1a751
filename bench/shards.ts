// `npm run bench:shards`: runs a send's statements on one database, on two with two-phase commit, and on two with an
// outbox and a relay. Each round runs all of them, with equal durability. Starts two PostgreSQL servers.
//   --quick      short rounds; writes nothing
//   --rounds n   number of rounds
import { readFileSync, writeFileSync } from 'node:fs';
import { cpus, loadavg } from 'node:os';
import path from 'node:path';
import { readOptions } from '@sealpost/dev-env/program-options';
import { costOfEach, type DatabaseServer, startDatabase } from './database/server.ts';
import { markdown, whole } from './markdown.ts';
import { withSection } from './page-section.ts';
import { accountsFor, createTracker, type Drive, drive, type Plan, type Tracker } from './shards/drive.ts';
import { connect, fill, toReceiver } from './shards/sends.ts';
import { apply, oneDatabase, outbox, type Received, TABLES, twoPhase, type Way } from './shards/ways.ts';
import { median } from './statistics.ts';

const PAGE = path.join(import.meta.dirname, '../docs/scaling.md');
const SECTION = 'Shards, measured';
const IN_FLIGHT = 64;
/** Sends of one transaction: one, with more transactions at once, and what waits, as the server does it. */
const GROUPS = [
  { title: 'one send each', most: 1, lanes: 16 },
  { title: 'what waits', most: 256, lanes: 2 },
];
const WAYS = ['one database', 'two, two-phase commit', 'two, outbox and relay'] as const;
type WayName = (typeof WAYS)[number];

const { values: options } = readOptions(import.meta.filename, {
  options: { quick: { type: 'boolean', default: false }, rounds: { type: 'string' } },
});
const rounds = Number(options.rounds ?? (options.quick ? 1 : 5));
const ms = options.quick ? 700 : 4000;
const say = (text: string): void => void process.stderr.write(`${text}\n`);

interface Round extends Drive {
  readonly cpuMicros: number;
}

interface Contender {
  readonly title: string;
  readonly way: WayName;
  readonly plan: Plan;
  readonly running: Way;
  readonly tracker: Tracker;
}

/** Opens all ways with their connections. They stay open, so that a round measures no start of a connection. */
async function openAll(urls: readonly [string, string]): Promise<Contender[]> {
  const openers: Record<WayName, (lanes: number, received: Received) => Promise<Way>> = {
    'one database': (lanes, received) => oneDatabase(urls[0], lanes, received),
    'two, two-phase commit': (lanes, received) => twoPhase(urls, lanes, received),
    'two, outbox and relay': (lanes, received) => outbox(urls, lanes, received),
  };
  const opened: Contender[] = [];
  for (const { title, most, lanes } of GROUPS) {
    for (const way of WAYS) {
      const plan: Plan = { inFlight: IN_FLIGHT, most, lanes, homes: way === WAYS[0] ? 1 : 2, ms };
      const tracker = createTracker();
      opened.push({ title, way, plan, tracker, running: await openers[way](lanes * plan.homes, tracker.received) });
    }
  }
  return opened;
}

async function measure(servers: readonly DatabaseServer[], { plan, running, tracker }: Contender): Promise<Round> {
  const known = await Promise.all(servers.map(messagesReceived));
  const before = await Promise.all(servers.map((server) => server.spent()));
  const driven = await drive(plan, running, tracker);
  const after = await Promise.all(servers.map((server) => server.spent()));
  const counts = await Promise.all(servers.map(messagesReceived));
  const more = counts.reduce((sum, count, at) => sum + count - (known[at] as number), 0);
  if (more !== driven.sends) throw new Error(`${driven.sends} sends were answered, but logs of receivers got ${more}`);
  const costs = before.map((one, at) => costOfEach(one, after[at] as typeof one, driven.sends));
  return { ...driven, cpuMicros: costs.reduce((sum, { cpuMicros }) => sum + cpuMicros, 0) };
}

/** Returns how many entries receivers got. Throws if a log has a gap or a repeat. */
async function messagesReceived({ client }: DatabaseServer): Promise<number> {
  const { rows } = await client.query<{ received: string; gaps: string }>(`
    select coalesce(sum(o.received), 0) as received, count(*) filter (where o.entries <> h.revision) as gaps
    from operation_head h join (select account_id, count(*) as entries, count(*) filter (where type = 26) as received
      from operation group by account_id) o on o.account_id = h.account_id`);
  if (rows[0]?.gaps !== '0') throw new Error(`${rows[0]?.gaps} logs have gaps or repeats`);
  return Number(rows[0].received);
}

/** Brings the same rows of an outbox twice, as a relay does after a crash. Throws if they are applied twice. */
async function checkRepeats(server: DatabaseServer): Promise<void> {
  const client = await connect(server.url);
  const row = { sequence: '0', chat_id: '1', message_id: '999999', sender_id: '1', receiver_id: '2', body: '{}' };
  const first = await apply(client, 0, [row], []);
  const second = await apply(client, 0, [row], []);
  await client.end();
  if (first.map(toReceiver).length !== 1 || second.length !== 0)
    throw new Error(`a repeated row was applied ${first.length + second.length} times`);
}

function tableOf(results: ReadonlyMap<string, readonly Round[]>): string {
  const rows = GROUPS.flatMap(({ title }) =>
    WAYS.map((way) => {
      const of = results.get(`${title}/${way}`) ?? [];
      const one = results.get(`${title}/${WAYS[0]}`) ?? [];
      const middle = (figure: (round: Round) => number): number => median(of.map(figure));
      const rates = of.map(({ perSecond }) => perSecond);
      const ratio = median(of.map(({ perSecond }, round) => perSecond / (one[round]?.perSecond ?? Number.NaN)));
      return [
        title,
        way,
        middle(({ perTransaction }) => perTransaction).toFixed(1),
        `${whole(median(rates))} (${whole(Math.min(...rates))}–${whole(Math.max(...rates))})`,
        ratio.toFixed(2),
        middle(({ answered }) => answered).toFixed(1),
        `${middle(({ received }) => received).toFixed(1)} / ${middle(({ received99 }) => received99).toFixed(1)}`,
        middle(({ cpuMicros }) => cpuMicros).toFixed(0),
      ];
    }),
  );
  return markdown(
    [
      'a transaction takes',
      'databases',
      'sends in it',
      'sends per second (min–max)',
      'of one database',
      'answered after ms, p50',
      "in the receiver's log after ms, p50 / p99",
      'CPU µs of PostgreSQL each',
    ],
    rows,
  );
}

const sectionText = (table: string, version: string): string => `## ${SECTION}

Written by \`npm run bench:shards\` (about four minutes). Two PostgreSQL ${version} and the program that sends share ${cpus().length} cores (${cpus()[0]?.model.trim()}) and one disk. So the table compares costs. It does not show what two machines gain. The load average of the machine was ${(loadavg()[2] ?? 0).toFixed(1)}; the bench alone causes about 2. Other work on the same cores and disk makes all rates lower and all times longer. ${IN_FLIGHT} sends are in flight. Medians of ${rounds} rounds; the ratios are medians of the ratios in each round.

All ways run the server's own statements on its own tables, with \`fsync\` and \`synchronous_commit\` on. An answered send survives a crash of any process. Each run ends when all sends are in the logs of their receivers. It fails if a log has a gap or a repeat.

${table}

With two databases every send here goes from one to the other, which is the worst case.
`;

const servers: DatabaseServer[] = [];
const contenders: Contender[] = [];
try {
  for (let n = 0; n < 2; n++)
    servers.push(await startDatabase(['-c', 'max_prepared_transactions=64', '-c', 'max_connections=200']));
  for (const server of servers) {
    await fill(server.client, accountsFor({ inFlight: IN_FLIGHT }), 1);
    await server.client.query(TABLES);
  }
  await checkRepeats(servers[0] as DatabaseServer);
  contenders.push(...(await openAll([servers[0]?.url ?? '', servers[1]?.url ?? ''])));
  const results = new Map<string, Round[]>();
  // The first round is not counted: PostgreSQL plans the statements anew, and the code of the bench is compiled.
  for (let round = 0; round <= rounds; round++) {
    for (const contender of contenders) {
      const { title, way } = contender;
      const measured = await measure(servers, contender);
      if (round === 0) continue;
      results.set(`${title}/${way}`, [...(results.get(`${title}/${way}`) ?? []), measured]);
      say(`round ${round}: ${title}, ${way}: ${whole(measured.perSecond)}/s, ${measured.cpuMicros.toFixed(0)} µs`);
    }
  }
  const table = tableOf(results);
  process.stdout.write(`${table}\n`);
  if (!options.quick) {
    const section = sectionText(table, servers[0]?.version ?? '');
    writeFileSync(PAGE, withSection(readFileSync(PAGE, 'utf8'), SECTION, section));
  }
} finally {
  for (const { running } of contenders) await running.stop();
  for (const server of servers) await server.stop();
}
