// A server of several processes: the work that its supervisor does once for all of them, and the start of each process.
import { createServer as createHttp } from '../../platform/http/node-http.ts';
import { ConfigError } from '../../platform/kernel/config-error.ts';
import { removeFile } from '../../platform/kernel/files.ts';
import { createIpcBus, openLogger, portsOf } from '../adapters.ts';
import { adminTokenOf } from '../admin-token.ts';
import { createAnnouncement, newSecret } from '../announcement.ts';
import { banner } from '../banner.ts';
import type { Config } from '../config/config.ts';
import { announce, listen, withdraw } from '../listening.ts';
import { createServer, makeDataFolder, type RunningServer } from '../server.ts';
import type { ServerOptions } from '../server-options.ts';
import { refuseUnfinishedRestore } from '../unfinished-restore.ts';
import { forkWorker } from './cluster.ts';
import type { Place } from './messages.ts';
import { Supervisor } from './supervisor.ts';
import { linkToSupervisor, type SupervisorChannel, type SupervisorLink } from './worker.ts';

/** Settings that a reload cannot change. Processes that serve together must have the same values. */
const KEPT = [
  ...['processes', 'host', 'port', 'public-url', 'ready-file', 'metrics-address'],
  ...['data-dir', 'database-url', 'objects-url', 'bus-url'],
];

export interface SupervisedServer {
  /** Starts all processes, and returns the text that the terminal shows. */
  start(): Promise<string>;
  /**
   * Reads the settings again and replaces the processes in turn. A failure is only logged, and the old processes
   * continue.
   */
  reload(): Promise<void>;
  stop(): Promise<void>;
}

/**
 * Prepares a server of several processes, without starting them.
 * @param load reads the settings again
 * @param onFailed called after all processes have ended because one could not be started again
 */
export async function superviseServer(
  config: Config,
  load: () => Config,
  onFailed: (error: Error) => void,
): Promise<SupervisedServer> {
  const { timers, clock, random } = portsOf();
  const logger = openLogger(config.logLevel);
  makeDataFolder(config.dataDir);
  refuseUnfinishedRestore(config.dataDir);
  // A killed server may have left the ready file behind.
  if (config.readyFile) removeFile('ready-file', config.readyFile);
  // The processes share the admin token, so the supervisor makes it before they start.
  adminTokenOf(config, random);
  const port = await freePort(config);
  const secret = newSecret(random);
  const announcement = createAnnouncement(config.dataDir, secret);
  let current: Config = { ...config, port };
  let started = false;
  let reloading = Promise.resolve();
  const supervisor = new Supervisor({
    ...{
      count: config.processes,
      fork: () => forkWorker(timers),
      drainMs: () => current.drainMs,
      timers,
      clock,
      logger,
    },
    placeOf: (number, isFirst): Place => ({ number, isFirst, secret, config: { ...current, readyFile: undefined } }),
    onFailed(error) {
      withdraw(config, announcement);
      onFailed(error);
    },
  });

  async function reloadNow(): Promise<void> {
    const before = current;
    try {
      current = { ...keptOf(load(), config), port };
      logger.info('reload: the processes of this server are replaced in turn');
      await supervisor.reload();
      logger.info('reload: all processes of this server are new');
    } catch (error) {
      // A process that has to be started again later must not get the settings with which no process could start.
      current = before;
      logger.error({ error }, 'the reload failed; the processes that are not replaced go on');
    }
  }

  return {
    async start() {
      const { shown, setup } = await supervisor.start();
      const { url, version } = shown;
      try {
        announce({ ...config, port }, announcement, { addresses: { url, obsUrl: url }, version });
      } catch (error) {
        announcement.withdraw();
        await supervisor.stop();
        throw error;
      }
      started = true;
      logger.info({ url, processes: config.processes, version }, 'all processes serve');
      return banner(shown, config, [], setup);
    },
    reload() {
      // Before the start is complete, a reload is not needed, because the settings have just been read.
      if (started) reloading = reloading.then(reloadNow);
      return reloading;
    },
    async stop() {
      withdraw(config, announcement);
      await supervisor.stop();
      logger.info('all processes have ended');
    },
  };
}

/**
 * Returns the new settings.
 * @throws Error if the new settings change a value that a reload cannot change
 */
function keptOf(loaded: Config, old: Config): Config {
  // The shown addresses are without user and password, so the whole ones are compared too.
  const addresses: Readonly<Record<string, (config: Config) => unknown>> = {
    'database-url': ({ database }) => 'url' in database && database.url,
    'bus-url': ({ busUrl }) => busUrl,
  };
  const valueIn = (config: Config, name: string) =>
    addresses[name]?.(config) ?? config.shown.find((setting) => setting.name === name)?.value;
  const changed = KEPT.filter((name) => valueIn(loaded, name) !== valueIn(old, name));
  if (changed.length === 0) return loaded;
  throw new ConfigError(`a reload cannot change ${changed.join(', ')}: stop the server and start it again`);
}

/**
 * Returns the port at which all processes will listen. The port is chosen once, so that it stays the same even if all
 * processes end.
 * @throws Error if nothing can listen there; the message says what to do
 */
async function freePort(config: Config): Promise<number> {
  const http = createHttp();
  await listen(http, config, { host: '--host', port: '--port' });
  const taken = http.address();
  await new Promise((resolve) => http.close(resolve));
  return typeof taken === 'object' && taken ? taken.port : config.port;
}

/** Returns the link of this process to its supervisor. */
export const linkOver = (channel: SupervisorChannel): SupervisorLink =>
  linkToSupervisor(channel, { timers: portsOf().timers, logger: openLogger('warn') });

/** Starts the server of one process, and reports to the supervisor when it serves calls. */
export async function startWorker(
  link: SupervisorLink,
  place: Place,
  options: Pick<ServerOptions, 'onListening' | 'onFatal' | 'prepare'>,
): Promise<RunningServer> {
  const { config, number, isFirst } = place;
  const server = await createServer(config, {
    ...options,
    logger: openLogger(config.logLevel).child({ process: number }),
    siblings: link.siblings(place, createIpcBus),
  });
  const { url, version, metricsUrl, webClient, store } = server;
  const setup = isFirst ? await server.slices.administrators.linkOfStart() : undefined;
  const shown = { url, version, metricsUrl, webClient, store: { location: store.location } };
  await link.tell({ kind: 'listening', facts: { shown, setup } });
  return server;
}
