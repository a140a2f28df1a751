// The process: settings in, a running server, signals out.

import { banner } from './start/banner.ts';
import { loadConfig } from './start/config/config.ts';
import type { Mode } from './start/config/setting.ts';
import type { ConfigSources } from './start/config/sources.ts';
import { type DevAccount, refuseDevAccounts, seedDevAccounts, writeDevAccounts } from './start/dev-accounts.ts';
import { createServer } from './start/server.ts';

const MIN_NODE = 24;
const STAY_MS = 60_000;

/**
 * Runs until SIGTERM or SIGINT; answers once the server listens.
 * @param flags settings by name, without the dashes
 */
export async function runServer(mode: Mode, flags: ConfigSources['flags'], file?: string): Promise<void> {
  requireNode();
  const config = loadConfig(mode, { flags, env: process.env, ...(file !== undefined && { file }) });
  const { database } = config;
  let seeded: readonly DevAccount[] = [];
  const starting = createServer(config, {
    prepare: async (slices) => {
      if (mode === 'dev') seeded = await seedDevAccounts(slices);
      else await refuseDevAccounts(slices, database.kind === 'sqlite' ? database.path : 'the database of database-url');
    },
    // Whoever finds the server may end it: from here on it ends in order.
    onListening: (port) => {
      process.once('SIGTERM', stop);
      process.once('SIGINT', stop);
      if (mode === 'dev') writeDevAccounts(config.dataDir, port, seeded);
    },
    onFatal: () => {
      process.exitCode = 1;
      // The log line of the cause is on its way; waiting longer would only answer more calls with 503.
      setImmediate(() => process.exit(1));
    },
  });
  const stop = (): void => {
    // Timers do not keep the process alive, and once it takes no more connections its socket does not either.
    setInterval(() => {}, STAY_MS);
    void starting.then((server) => server.close()).then(() => process.exit(0));
  };
  process.stdout.write(banner(await starting, config, seeded));
}

function requireNode(): void {
  const major = Number.parseInt(process.versions.node, 10);
  if (major >= MIN_NODE) return;
  throw new Error(
    `Sealpost needs Node ${MIN_NODE} or newer and this is ${process.versions.node}. In the project, \`npm start\` and \`npx sealpost\` bring the right one; elsewhere install Node ${MIN_NODE}.`,
  );
}
