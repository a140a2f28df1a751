// Starts a server: wire.ts and pages.ts create its parts. Then it listens, and in the end shuts down in order.
import type { Server } from 'node:http';
import type { Bus } from '../platform/bus/bus.ts';
import { createFixedHeaders } from '../platform/http/fixed-headers.ts';
import { ConfigError } from '../platform/kernel/config-error.ts';
import { makeFolder, removeFile } from '../platform/kernel/files.ts';
import type { Logger } from '../platform/kernel/logger.ts';
import { Metrics } from '../platform/observability/metrics.ts';
import type { Store } from '../platform/store/store.ts';
import type { OpenStreams } from '../platform/stream/open-streams.ts';
import type { OperationLog } from '../platform/stream/operation-log.ts';
import { createHttpServer, measuredPorts, openLogger, openTraces, portsOf, requestListener } from './adapters.ts';
import { adminTokenOf } from './admin-token.ts';
import { createAnnouncement, createProof, newSecret } from './announcement.ts';
import type { Config } from './config/config.ts';
import { listenAndAnnounce, withdraw } from './listening.ts';
import { METRICS_PATH, startMetricsServer } from './metrics-page.ts';
import { createOpened, type Opened } from './opened.ts';
import { createPages } from './pages.ts';
import { lockForOneServer } from './server-lock.ts';
import type { ServerOptions, Workbench } from './server-options.ts';
import { shutDown } from './shutdown.ts';
import type { Slices } from './slices.ts';
import { refuseUnfinishedRestore } from './unfinished-restore.ts';
import { startUpkeep } from './upkeep.ts';
import { version } from './version.ts';
import type { Web } from './web.ts';
import { stateOf, type WebClientState } from './web-client.ts';
import { type State, type Wired, wire } from './wire.ts';

export interface CloseOptions {
  /** True if the HTTP server continues to listen, for the next server of a workbench. */
  readonly keepsHttp?: boolean;
  /** False if the other processes of this server stop too. */
  readonly othersServe?: boolean;
}

export interface RunningServer {
  readonly url: string;
  readonly obsUrl: string;
  readonly version: string;
  readonly adminToken: string;
  /** The address of the metrics. */
  readonly metricsUrl: string;
  readonly webClient: WebClientState;
  readonly store: Store;
  readonly bus: Bus;
  readonly slices: Slices;
  readonly log: OperationLog;
  readonly openStreams: OpenStreams;
  readonly http: Server;
  close(options?: CloseOptions): Promise<void>;
}

export async function createServer(config: Config, options: ServerOptions = {}): Promise<RunningServer> {
  makeDataFolder(config.dataDir);
  refuseUnfinishedRestore(config.dataDir);
  const { database } = config;
  const unlock = database.kind === 'sqlite' ? lockForOneServer(config.dataDir, database.path) : () => {};
  const opened = createOpened();
  const release = async () => {
    await opened.close();
    unlock();
  };
  // A failed start closes everything that it opened. Otherwise the process would not end.
  return startServer(config, options, opened.add, release).catch(async (error: unknown) => {
    await release();
    throw error;
  });
}

/**
 * @param opened notes each part that must be closed at the end
 * @param release closes all noted parts, and releases the lock of the data folder
 */
async function startServer(
  config: Config,
  options: ServerOptions,
  opened: Opened['add'],
  release: () => Promise<void>,
): Promise<RunningServer> {
  const given = portsOf(options.ports);
  const metrics = new Metrics(given.clock, version);
  const ports = measuredPorts(given, metrics);
  const logger = options.logger ?? openLogger(config.logLevel);
  // A killed server may have left the ready file behind.
  if (config.readyFile) removeFile('ready-file', config.readyFile);
  const state: State = { addresses: { url: '', obsUrl: '' }, stopping: false };
  const traces = await openTraces(config, { ports, metrics, logger }, version);
  if (traces) opened(traces);
  const parts = await wire(config, options, { ports, metrics, logger, traces, opened, state });
  const { adapters, subscribers, slices, log, openStreams, polls, watch, webClient } = parts;
  const { store, bus, objects } = adapters;
  const adminToken = adminTokenOf(config, ports.random);
  const { siblings } = options;
  const announcement = siblings
    ? createProof(siblings.secret)
    : createAnnouncement(config.dataDir, newSecret(ports.random));
  const { web, metricsPage } = await createPages(config, parts, {
    ...{ ports, metrics, logger, traces, state, opened, adminToken, siblings },
    proofOf: announcement.proofOf,
    addresses: () => state.addresses,
    stopping: () => state.stopping,
  });
  opened(web);
  const { address } = config.metrics;
  const ownMetrics = address && opened(await startMetricsServer(metricsPage, address, parts.onFault));
  const http = httpFor(config, parts, web, { logger, workbench: options.workbench });
  await listenAndAnnounce(http, config, {
    announcement,
    version,
    prepare: () => options.prepare?.(slices),
    onListening(addresses, port) {
      state.addresses = addresses;
      options.onListening?.(port);
    },
  });
  const shared = { openStreams, subscribers, slices, ports, logger };
  const { keepNode, finishMigrations } = adapters;
  const upkeep = startUpkeep({ ...shared, store, log, watch, keepNode, finishMigrations, config });
  const { url } = state.addresses;
  logger.info({ url, database: store.location, bus: bus.location, objects: objects.location, version }, 'listening');

  async function close({ keepsHttp = false, othersServe = siblings !== undefined }: CloseOptions): Promise<void> {
    state.stopping = true;
    withdraw(config, announcement);
    const work = { polls, upkeep, release, drainMs: config.drainMs, othersServe };
    await shutDown({ ...shared, ...work, http: keepsHttp ? undefined : http });
  }
  let closing: Promise<void> | undefined;
  return {
    ...state.addresses,
    version,
    adminToken,
    metricsUrl: (ownMetrics?.url ?? url) + METRICS_PATH,
    webClient: stateOf(webClient),
    store,
    bus,
    slices,
    log,
    openStreams,
    http,
    close: (how = {}) => {
      closing ??= close(how);
      return closing;
    },
  };
}

/** Returns the HTTP server: a new one, or the one of the workbench. */
function httpFor(
  config: Config,
  { calls, events, onFault }: Pick<Wired, 'calls' | 'events' | 'onFault'>,
  web: Web,
  { logger, workbench }: { readonly logger: Logger; readonly workbench: Workbench | undefined },
): Server {
  const listener = requestListener(calls.gateway, web, workbench?.serve, (error) => {
    onFault(error);
    logger.error({ error }, 'a request failed before its endpoint could answer');
  });
  const options = {
    connectionsPerAddress: config.connectionsPerAddress,
    onLimit: (address: string) => events.note('limit', address),
    fixedHeaders: createFixedHeaders(config),
  };
  return workbench?.httpFor(listener) ?? createHttpServer(listener, web, options);
}

/** @throws ConfigError if the data folder cannot be made */
export function makeDataFolder(path: string): void {
  try {
    makeFolder('data-dir', path);
  } catch (cause) {
    throw new ConfigError((cause as Error).message, { cause });
  }
}
