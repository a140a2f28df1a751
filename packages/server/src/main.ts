// The server process: reads the settings, starts the server, and stops it on signals.
import { banner } from './start/banner.ts';
import { loadConfig } from './start/config/config.ts';
import type { ConfigSources } from './start/config/sources.ts';
import { refuseDevAccounts } from './start/dev-accounts.ts';
import { createServer } from './start/server.ts';

const MIN_NODE = 24;
const STAY_MS = 60_000;

/** What a process does with the server that it runs. */
export interface ProcessHooks {
  /** Makes signals stop the server. Called as soon as clients can reach the server. */
  readonly onListening: () => void;
  /** Ends the process, because a commit failed. */
  readonly onFatal: () => void;
}

/**
 * Starts the server, and resolves once the server listens. SIGTERM or SIGINT stops the server.
 * @param flags settings by name, without the dashes
 */
export async function runServer(flags: ConfigSources['flags'], file?: string): Promise<void> {
  requireNode();
  const config = loadConfig('serve', { flags, env: process.env, ...(file !== undefined && { file }) });
  const { database } = config;
  const server = await runUntilSignal((hooks) =>
    createServer(config, {
      ...hooks,
      prepare: (slices) =>
        refuseDevAccounts(slices, database.kind === 'sqlite' ? database.path : 'the database of database-url'),
    }),
  );
  const setup = await server.slices.administrators.linkOfStart();
  process.stdout.write(banner(server, config, [], setup));
}

/** Starts something that SIGTERM or SIGINT closes. The process ends once it is closed. */
export async function runUntilSignal<S extends { close(): Promise<void> }>(
  start: (hooks: ProcessHooks) => Promise<S>,
): Promise<S> {
  const starting = start({
    // Clients can reach the server from now on, so a signal closes the server before the process exits.
    onListening: () => {
      process.once('SIGTERM', stop);
      process.once('SIGINT', stop);
    },
    onFatal: () => {
      process.exitCode = 1;
      // The process exits in the next turn of the event loop, so that the cause is logged before. Waiting longer would
      // only answer more calls with 503.
      setImmediate(() => process.exit(1));
    },
  });
  const stop = (): void => {
    // This timer keeps the process alive during the shutdown, because the closed socket and the server's own timers do
    // not.
    setInterval(() => {}, STAY_MS);
    void starting.then((server) => server.close()).then(() => process.exit(0));
  };
  return starting;
}

/** Throws if this Node is too old for the server. */
export function requireNode(): void {
  const major = Number.parseInt(process.versions.node, 10);
  if (major >= MIN_NODE) return;
  throw new Error(
    `Sealpost needs Node ${MIN_NODE} or newer and this is ${process.versions.node}. In the project, \`npm start\` and \`npx sealpost\` bring the right one; elsewhere install Node ${MIN_NODE}.`,
  );
}
