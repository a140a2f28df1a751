// `npm run bench:peers`: sends with their deliveries on this server and on two XMPP servers of Debian, in turn. Each server
// and its database have one core, and the load has another. It installs nothing, and says what is missing.
//   --quick      short rounds; writes nothing
//   --rounds n   number of rounds

import { readFileSync, writeFileSync } from 'node:fs';
import { cpus, loadavg } from 'node:os';
import path from 'node:path';
import { readOptions } from '@sealpost/dev-env/program-options';
import { type LoadProcess, startLoad } from './load-process.ts';
import { PEERS_SECTION, withSection } from './page-section.ts';
import { CONTENDERS, type Contender, type ContenderName, startContender } from './peers/contenders.ts';
import { installedVersions } from './peers/installed.ts';
import { barsOf } from './peers/plot.ts';
import { type Findings, IN_FLIGHT, medianRate, peersSection, TITLES, tablesOf } from './peers/report.ts';
import { createUndo, type Undo } from './undo.ts';

const DOCS = path.join(import.meta.dirname, '../docs');
const PAGE = path.join(DOCS, 'performance.md');
const SYNC_MS = 2000;
/** PostgreSQL counts its syncs itself. */
const WITH_DATABASE = ['postgres', 'ejabberd'] as const;
const WITH_FILES = ['sqlite', 'prosody'] as const;

const { values: options } = readOptions(import.meta.filename, {
  options: { quick: { type: 'boolean', default: false }, rounds: { type: 'string' } },
});
const rounds = Number(options.rounds ?? (options.quick ? 1 : 5));
const times = options.quick ? { warmUpMs: 500, measureMs: 1500 } : { warmUpMs: 1500, measureMs: 5000 };
const say = (text: string): void => void process.stderr.write(`${text}\n`);

/** Calls the function, and ends what it has started. */
async function within<T>(work: (later: Undo['later']) => Promise<T>): Promise<T> {
  const undo = createUndo();
  try {
    return await work(undo.later);
  } finally {
    await undo.all();
  }
}

/** Measures all servers in turn. Returns the version of PostgreSQL. */
const measureRounds = (load: LoadProcess, found: Findings): Promise<string> =>
  within(async (later) => {
    const contenders = new Map<ContenderName, Contender>();
    for (const name of CONTENDERS) {
      say(`starting ${TITLES[name]}`);
      contenders.set(name, await startContender(name, load, later));
    }
    // The first round is not counted, because new servers are still compiling their code.
    for (let round = 0; round <= rounds; round += 1) {
      for (const [name, contender] of contenders) {
        for (const inFlight of IN_FLIGHT) {
          const measure = await contender.run({ inFlight, ...times });
          say(
            `round ${round}: ${TITLES[name]}, ${inFlight} in flight: ${measure.perSecond.toFixed(0)}/s, p99 ${measure.p99.toFixed(1)} ms, ${measure.cpuMicros.toFixed(0)} and ${measure.databaseCpuMicros.toFixed(0)} µs`,
          );
          if (round > 0) found[name][inFlight].measures.push(measure);
        }
      }
    }
    for (const name of WITH_DATABASE) await measureSyncs(name, contenders.get(name) as Contender, found);
    return contenders.get('postgres')?.databaseVersion ?? '';
  });

/** Counts in sends of their own, because strace slows down the server that it watches. */
async function measureSyncs(name: ContenderName, contender: Contender, found: Findings): Promise<void> {
  for (const inFlight of IN_FLIGHT) {
    const before = await contender.syncs();
    if (before === undefined)
      return say(`the syncs of ${TITLES[name]} are not counted, because strace is not installed`);
    const { total } = await contender.run({ inFlight, warmUpMs: times.warmUpMs, measureMs: SYNC_MS });
    found[name][inFlight].syncs = (((await contender.syncs()) as number) - before) / total;
  }
}

async function run(): Promise<void> {
  const versions = installedVersions();
  const busy = loadavg()[0] ?? 0;
  const empty = () => ({ 50: { measures: [], syncs: undefined }, 400: { measures: [], syncs: undefined } });
  const found: Findings = { sqlite: empty(), postgres: empty(), ejabberd: empty(), prosody: empty() };
  const load = await startLoad();
  let postgres = '';
  try {
    postgres = await measureRounds(load, found);
    for (const name of WITH_FILES) {
      say(`starting ${TITLES[name]} again, to count syncs`);
      await within(async (later) => measureSyncs(name, await startContender(name, load, later, true), found));
    }
  } finally {
    await load.stop();
  }
  process.stdout.write(`${tablesOf(found).join('\n\n')}\n`);
  if (options.quick) return;
  const about = {
    rounds,
    ms: times.measureMs,
    load: busy,
    machine: `${cpus().length} cores (${cpus()[0]?.model.trim()})`,
    date: new Date().toISOString().slice(0, 10),
    postgres,
    versions,
  };
  writeFileSync(PAGE, withSection(readFileSync(PAGE, 'utf8'), PEERS_SECTION, peersSection(found, about)));
  const rates = CONTENDERS.map((name) => ({
    name: TITLES[name],
    values: IN_FLIGHT.map((inFlight) => medianRate(found[name][inFlight].measures)),
  }));
  writeFileSync(path.join(DOCS, 'plots/peers.svg'), barsOf(rates, IN_FLIGHT));
}

await run();
