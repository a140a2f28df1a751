// Fills an empty data folder with a population, before a server for developers uses the folder.
import {
  cpSync,
  existsSync,
  mkdirSync,
  mkdtempSync,
  readFileSync,
  renameSync,
  rmSync,
  statfsSync,
  writeFileSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import { basename, join } from 'node:path';
import type { Random } from '@sealpost/contract/ports';
import { systemPorts } from '@sealpost/sdk';
import { ConfigError, createServer, loadConfig } from '@sealpost/server';
import { populationFile } from '@sealpost/server/workbench';
import { seededCrypto } from '../seed/seeded-crypto.ts';
import { seededRandom } from '../seed/seeded-random.ts';
import { virtualTime } from '../time/virtual-time.ts';
import { itemAt } from './chance.ts';
import { createPopulation, historyOptions, type Population } from './create-population.ts';
import type { HistoryOptions } from './history.ts';
import { peopleOf } from './people.ts';
import type { SettledPerson } from './residents.ts';

export interface PopulateOptions extends Partial<HistoryOptions> {
  /** The sources of the server's settings. The data folder in these settings is filled. */
  readonly sources: Parameters<typeof loadConfig>[1];
  readonly onProgress?: (done: number, all: number) => void;
}

/** The people who live in a data folder. */
export interface Settlement {
  readonly seed: number;
  readonly people: readonly SettledPerson[];
  /** The file that lists user ids, passwords and recovery passphrases. */
  readonly loginsIn: string;
  /** True if this call created the population. */
  readonly isNew: boolean;
}

/** The content of the file about the population. Developers find logins there, and the next start reads it. */
interface PopulationRecord {
  readonly seed: number;
  readonly developers: readonly string[];
  readonly people: readonly {
    readonly userid: string;
    readonly name: string;
    readonly password: string;
    readonly mid: string;
    readonly recoveryPassphrase?: string;
  }[];
}

const DATABASE = 'sealpost.db';
/** Files of a running server, which belong to the process and not to the data. */
const OF_PROCESS = /^server\.(pid|json)$|\.lock$/;

/**
 * Fills a data folder with made-up people, chats and messages, and returns what it has. Does nothing if the folder has
 * them already.
 * @throws ConfigError if the folder has other data, or people that were made with another seed or other options
 */
export async function populate({ sources, onProgress, ...given }: PopulateOptions): Promise<Settlement> {
  const { dataDir, database, objects } = loadConfig('dev', sources);
  if (database.kind !== 'sqlite' || database.path !== join(dataDir, DATABASE) || objects.kind !== 'disk') {
    throw new ConfigError(
      'A population needs database and objects in the data folder: leave out database-url and objects-url.',
    );
  }
  const known = recordIn(dataDir);
  if (known) return settlementOf(known, dataDir, given);
  if (existsSync(database.path)) {
    throw new ConfigError(
      `${dataDir} has accounts already, and a population must be there first. Take another --data-dir, or delete this one.`,
    );
  }
  const folder = mkdtempSync(join(fastFolder(), 'sealpost-population-'));
  try {
    const population = await build(folder, given, onProgress);
    mkdirSync(dataDir, { recursive: true });
    cpSync(folder, dataDir, { recursive: true, filter: (path) => !OF_PROCESS.test(basename(path)) });
    writeRecord(dataDir, recordOf(population));
    return { seed: population.seed, people: population.people, loginsIn: join(dataDir, populationFile), isNew: true };
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
}

/** Settings of the temporary server that builds the population. */
const SETTINGS = {
  host: '127.0.0.1',
  port: '0',
  'web-pages': 'none',
  'header-brand': 'Svc',
  'build-tokens': 'sealpost-dev',
  'log-level': 'error',
};

const YEAR = 366 * 86_400_000;

async function build(
  folder: string,
  given: Partial<HistoryOptions>,
  onProgress: PopulateOptions['onProgress'],
): Promise<Population> {
  const options = historyOptions(given, systemPorts.clock.now());
  // The server draws its secrets while it starts. They must not come from the seed, because everybody may know the
  // seed.
  let source: Random = systemPorts.random;
  const random: Random = { bytes: (length) => source.bytes(length) };
  const time = virtualTime(options.endsAt - (options.years + 1) * YEAR);
  const server = await createServer(
    loadConfig('dev', { flags: { ...SETTINGS, 'data-dir': folder }, env: {}, file: null }),
    {
      // Everybody knows the passwords of a population, so their hashes need not be expensive.
      ports: { clock: time, random, slowCrypto: seededCrypto(random) },
    },
  );
  source = seededRandom(`population ${options.seed} server`);
  try {
    return await createPopulation({ server, time, ...options, ...(onProgress && { onProgress }) });
  } finally {
    await server.close();
  }
}

const MEMORY = '/dev/shm';
const TMPFS = 0x01021994;
const NEEDED_BYTES = 2 ** 30;

/** Returns a folder for temporary files, in memory if possible: there, database commits do not wait for a disk. */
function fastFolder(): string {
  if (process.platform !== 'linux' || !existsSync(MEMORY)) return tmpdir();
  const { type, bavail, bsize } = statfsSync(MEMORY);
  return type === TMPFS && bavail * bsize >= NEEDED_BYTES ? MEMORY : tmpdir();
}

function recordIn(dataDir: string): PopulationRecord | undefined {
  const path = join(dataDir, populationFile);
  return existsSync(path) ? (JSON.parse(readFileSync(path, 'utf8')) as PopulationRecord) : undefined;
}

/** Writes the record. This happens last and in one atomic step, so a folder with a record has the whole population. */
function writeRecord(dataDir: string, record: PopulationRecord): void {
  const path = join(dataDir, populationFile);
  writeFileSync(`${path}.new`, `${JSON.stringify(record, null, 2)}\n`, { mode: 0o600 });
  renameSync(`${path}.new`, path);
}

const recordOf = ({ seed, people }: Population): PopulationRecord => ({
  seed,
  developers: people.filter(({ developer }) => developer).map(({ userid }) => userid),
  people: people.map(({ userid, name, password, mid, recoveryPassphrase }) => ({
    userid,
    name,
    password,
    mid,
    ...(recoveryPassphrase !== undefined && { recoveryPassphrase }),
  })),
});

function settlementOf(
  { seed, developers, people }: PopulationRecord,
  dataDir: string,
  given: Partial<HistoryOptions>,
): Settlement {
  const count = people.length - developers.length;
  if ((given.seed ?? seed) !== seed || (given.people ?? count) !== count) {
    throw new ConfigError(
      `${dataDir} has a population of ${count} people with the seed ${seed}. Ask for the same one, or take another --data-dir.`,
    );
  }
  const settled = peopleOf(seed, count, developers).map((person, i) => ({ ...person, mid: itemAt(people, i).mid }));
  return { seed, people: settled, loginsIn: join(dataDir, populationFile), isNew: false };
}
