// `sealpost dev`: a server for trying things out, with sample accounts and the workbench API.
import { existsSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import type { DevAccount } from '@sealpost/contract/workbench';
import {
  banner,
  devLogins,
  loadConfig,
  placeOf,
  refuseRealAccounts,
  removeFile,
  removeReadyFile,
  requireNode,
  runUntilSignal,
  seedDevAccounts,
  writeDevAccounts,
  writeReadyFile,
} from '@sealpost/server/workbench';
import type { DevPopulation } from './population/in-dev.ts';
import { START, START_TIME } from './server/defaults.ts';
import { type Stand, startStand } from './server/stand.ts';

export interface DevOptions {
  /** Settings of the server by name, without the dashes. */
  readonly flags: Readonly<Record<string, string | true>>;
  /** The path of a settings file. */
  readonly file?: string;
  /** The seed for all random bytes of the server. If absent, they come from the machine's random source. */
  readonly seed?: number;
  /** `virtual`: time stands still until it is moved. Default: `real`. */
  readonly clock?: 'virtual' | 'real';
  /** Simulated people with a message history, who continue to send messages. If absent, there are none. */
  readonly population?: DevPopulation;
}

/** The data that the server stores in its data folder for the next start. */
interface Kept {
  /** Number of starts of a server on the folder. With a seed, each start gets different random bytes. */
  readonly starts: number;
  readonly clockMs?: number;
}

const KEPT = 'workbench.json';

/** Starts the server, and resolves once it listens. SIGTERM or SIGINT stops it. */
export async function runDev({ flags, file, seed, clock = 'real', population }: DevOptions): Promise<Stand> {
  requireNode();
  const sources = { flags, env: process.env, ...(file !== undefined && { file }) };
  const config = loadConfig('dev', sources);
  const { dataDir, readyFile } = config;
  // Clients may ask for the state after the first start as soon as there is a ready file. So it is written here, after
  // that state was saved, and the server has none.
  if (readyFile) removeFile('ready-file', readyFile);
  const configFor = (port: number | undefined, dataDir: string) => {
    const own = { ...flags, ...(port !== undefined && { port: String(port) }), 'data-dir': dataDir };
    return { ...loadConfig('dev', { ...sources, flags: own }), readyFile: undefined };
  };
  const isNew = !existsSync(join(dataDir, KEPT));
  const kept = keptIn(dataDir);
  const startTime = kept.clockMs ?? START_TIME;
  const endsAt = clock === 'virtual' ? startTime : undefined;
  // Imported only if there is a population, because the module loads the library that draws pictures.
  const settled =
    population && (await (await import('./population/in-dev.ts')).settleInDev(population, sources, endsAt));
  let seeded: Awaited<ReturnType<typeof seedDevAccounts>> = [];
  const stand = await runUntilSignal(async ({ onListening, onFatal }) => {
    const started = await startStand({
      ...{ clock, dataDir, configFor, onFatal },
      seed: seed === undefined ? undefined : seedOf(seed, kept.starts),
      startTime,
      port: undefined,
      universes: join(dataDir, 'universes'),
      prepare: async (slices) => {
        // A population lives there before the accounts of dev mode.
        if (!settled && seeded.length === 0) await refuseRealAccounts(slices, placeOf(config));
        seeded = await seedDevAccounts(slices);
        return seeded.map(shown);
      },
      onListening(port) {
        onListening();
        writeDevAccounts(dataDir, port, seeded);
      },
    });
    const keep = (): void => {
      const clockMs = clock === 'virtual' ? started.bench.clock().epochMs : kept.clockMs;
      const now: Kept = { starts: kept.starts + 1, ...(clockMs !== undefined && { clockMs }) };
      writeFileSync(join(dataDir, KEPT), JSON.stringify(now));
    };
    keep();
    const life = settled?.live(started.bench);
    return {
      ...started,
      async close() {
        if (readyFile) removeReadyFile(readyFile);
        await life?.close();
        keep();
        await started.close();
      },
    };
  });
  try {
    if (isNew && stand.bench.server.store.kind === 'sqlite') await stand.bench.save(START);
    if (readyFile) writeReadyFile(readyFile, stand.bench.server);
  } catch (error) {
    await stand.close();
    throw error;
  }
  process.stdout.write(banner(stand.bench.server, config, seeded));
  if (settled) process.stdout.write(`Logins of the population: ${settled.loginsIn}\n`);
  return stand;
}

function keptIn(dataDir: string): Kept {
  const path = join(dataDir, KEPT);
  return existsSync(path) ? (JSON.parse(readFileSync(path, 'utf8')) as Kept) : { starts: 0 };
}

/** Returns the seed of a start: the given one for the first, and another one for each later start. */
const seedOf = (seed: number, starts: number): number | string => (starts === 0 ? seed : `${seed} start ${starts}`);

const shown = ({ userid, password, mid }: { userid: string; password: string; mid: string }): DevAccount => ({
  ...{ userid, password, mid },
  displayName: devLogins.find((login) => login.userid === userid)?.name ?? userid,
});
