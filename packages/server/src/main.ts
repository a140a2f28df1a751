// The server process: reads the settings, starts the server, and stops it on signals. With several processes, it is their
// supervisor, or one of them.

import { ConfigError } from './platform/kernel/config-error.ts';
import { banner } from './start/banner.ts';
import { type Config, loadConfig } from './start/config/config.ts';
import type { ConfigSources } from './start/config/sources.ts';
import { placeOf, refuseDevAccounts, refusePopulation } from './start/dev-accounts.ts';
import type { SupervisorChannel } from './start/processes/worker.ts';
import { type CloseOptions, createServer } from './start/server.ts';
import type { Slices } from './start/slices.ts';

const MIN_NODE = 24;
const STAY_MS = 60_000;
/**
 * Milliseconds that a process of several waits after a signal for the word of its supervisor. A terminal or systemd may
 * signal all of them at once. Only the supervisor knows whether other processes go on serving.
 */
const WORD_MS = 500;

/** The functions that a process calls while it runs a server. */
export interface ProcessHooks {
  /** Makes signals stop the server. Called as soon as clients can reach the server. */
  readonly onListening: () => void;
  /** Ends the process, because a commit failed. */
  readonly onFatal: () => void;
}

/**
 * Starts the server, and resolves once the server listens. SIGTERM or SIGINT stops the server. With several processes,
 * it does not resolve, and rejects with the error of a process that cannot be started.
 * @param flags settings by name, without the dashes
 */
export async function runServer(flags: ConfigSources['flags'], file?: string): Promise<void> {
  requireNode();
  // The modules of several processes are loaded only for them.
  if (process.send) {
    const { channelToSupervisor } = await import('./start/processes/cluster.ts');
    const channel = channelToSupervisor();
    if (channel) return runWorker(channel);
  }
  const load = () => loadConfig('serve', { flags, env: process.env, ...(file !== undefined && { file }) });
  const config = load();
  refusePopulation(config);
  if (config.processes > 1) return runSupervisor(config, load);
  const server = await runUntilSignal((hooks) => createServer(config, { ...hooks, prepare: refuseDev(config) }));
  const setup = await server.slices.administrators.linkOfStart();
  process.stdout.write(banner(server, config, [], setup));
}

const refuseDev = (config: Config) => (slices: Slices) => refuseDevAccounts(slices, placeOf(config));

/** Runs several processes until a signal ends them. SIGHUP replaces them in turn. */
async function runSupervisor(config: Config, load: () => Config): Promise<void> {
  const { superviseServer } = await import('./start/processes/supervised-server.ts');
  const failed = Promise.withResolvers<void>();
  const server = await superviseServer(config, load, failed.reject);
  let stopping = false;
  const stop = (): void => {
    stopping = true;
    void server.stop().then(() => process.exit(0));
  };
  process.once('SIGTERM', stop);
  process.once('SIGINT', stop);
  process.on('SIGHUP', () => void server.reload());
  // This timer keeps the supervisor alive while it waits to start a process again.
  const stay = setInterval(() => {}, STAY_MS);
  try {
    process.stdout.write(await server.start());
    await failed.promise;
  } catch (error) {
    // If a signal arrived during the start, the signal is the reason why the start failed. The process is about to exit
    // with code 0.
    if (stopping) await new Promise(() => {});
    throw error;
  } finally {
    clearInterval(stay);
  }
}

/** Runs one of several processes. */
async function runWorker(channel: SupervisorChannel): Promise<void> {
  const { linkOver, startWorker } = await import('./start/processes/supervised-server.ts');
  // A terminal sends SIGHUP to all processes. Only the supervisor heeds it.
  process.on('SIGHUP', () => {});
  const link = linkOver(channel);
  const place = await link.place;
  try {
    const prepare = refuseDev(place.config);
    await runUntilSignal((hooks) => startWorker(link, place, { ...hooks, prepare }), link.stopped);
  } catch (error) {
    const message = error instanceof Error ? error.message : String(error);
    await link.tell({ kind: 'failed', message, isConfig: error instanceof ConfigError }).catch(() => {});
    process.exit(1);
  }
}

/**
 * Starts something that SIGTERM or SIGINT closes. The process ends once it is closed.
 * @param stopped resolves when the started thing shall be closed without a signal
 */
export async function runUntilSignal<S extends { close(how?: CloseOptions): Promise<void> }>(
  start: (hooks: ProcessHooks) => Promise<S>,
  stopped?: Promise<CloseOptions>,
): Promise<S> {
  const starting = start({
    // Clients can reach the server from now on, so a signal closes the server before the process exits.
    onListening: () => {
      const signalled = (): void => (stopped ? void setTimeout(stop, WORD_MS) : stop());
      process.once('SIGTERM', signalled);
      process.once('SIGINT', signalled);
      void stopped?.then(stop);
    },
    onFatal: () => {
      process.exitCode = 1;
      // The process exits in the next turn of the event loop, so that the log gets the cause first. Waiting longer
      // would only answer more calls with 503.
      setImmediate(() => process.exit(1));
    },
  });
  const stop = (how?: CloseOptions): void => {
    // This timer keeps the process alive during the shutdown, because the closed socket and the server's own timers do
    // not.
    setInterval(() => {}, STAY_MS);
    void starting.then((server) => server.close(how)).then(() => process.exit(0));
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
