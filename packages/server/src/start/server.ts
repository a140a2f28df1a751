// The composition root: opens the adapters, connects the slices, listens, and shuts down in order.
import type { IncomingMessage, RequestListener, Server, ServerResponse } from 'node:http';
import { limits } from '@sealpost/contract';
import type { AdminEndpoint, StatusEndpoint } from '@sealpost/contract/admin';
import packageJson from '../../package.json' with { type: 'json' };
import type { Bus } from '../platform/bus/bus.ts';
import { createFixedHeaders } from '../platform/http/fixed-headers.ts';
import { ConfigError } from '../platform/kernel/config-error.ts';
import { makeFolder, removeFile } from '../platform/kernel/files.ts';
import { createIds } from '../platform/kernel/ids.ts';
import { createLogger, type Logger } from '../platform/kernel/logger.ts';
import type { ServerPorts } from '../platform/kernel/ports.ts';
import { createSecurityEvents } from '../platform/kernel/security-events.ts';
import { Metrics } from '../platform/observability/metrics.ts';
import { createCallObserver } from '../platform/observability/observed-calls.ts';
import { createRequestLog } from '../platform/observability/request-log.ts';
import type { Traces } from '../platform/observability/traces.ts';
import type { CallWatch } from '../platform/rpc/call-watch.ts';
import { createRateLimits } from '../platform/rpc/rate-limit.ts';
import { createStrictContract, type Emitted, type StrictContract } from '../platform/rpc/strict-contract.ts';
import type { Store } from '../platform/store/store.ts';
import { OpenStreams } from '../platform/stream/open-streams.ts';
import { createOperationLog, type OperationLog } from '../platform/stream/operation-log.ts';
import { createSubscribers, type Subscribers } from '../platform/subscriber/subscribers.ts';
import { type AdminGateDeps, type AdminHandlers, createAdminGate } from '../slices/admin/index.ts';
import { createOperationPolls } from '../slices/sync/index.ts';
import {
  type Adapters,
  createHttpServer,
  foldersOf,
  measuredPorts,
  openAdapters,
  openTraces,
  portsOf,
  requestListener,
} from './adapters.ts';
import { createAdminPages } from './admin-pages.ts';
import { adminTokenOf } from './admin-token.ts';
import { createAnnouncement, createProof, newSecret } from './announcement.ts';
import type { Config } from './config/config.ts';
import { fullestDisk } from './disk-space.ts';
import { createCallGateway } from './gateway.ts';
import { type Addresses, listenAndAnnounce, withdraw } from './listening.ts';
import { createMetricsPage, METRICS_PATH, type MetricsPage, startMetricsServer } from './metrics-page.ts';
import { showState } from './metrics-state.ts';
import { createOpened, type Opened } from './opened.ts';
import type { Siblings } from './processes/siblings.ts';
import { createReadiness, diskPart, type Readiness } from './readiness.ts';
import { lockForOneServer } from './server-lock.ts';
import { watchSessions } from './session-watch.ts';
import { shutDown } from './shutdown.ts';
import { createSlices, type Slices } from './slices.ts';
import { statusAdminHandlers } from './status-handlers.ts';
import { createStatusHistory } from './status-history.ts';
import { refuseUnfinishedRestore } from './unfinished-restore.ts';
import { STREAM_TICK_MS, startUpkeep } from './upkeep.ts';
import { createWeb, originOf, type Web, type WebDeps } from './web.ts';
import { createWebClient, stateOf, type WebClientState } from './web-client.ts';

export const { version } = packageJson;

export interface ServerOptions {
  readonly ports?: Partial<ServerPorts>;
  readonly logger?: Logger;
  /**
   * Turns on strict mode, for tests: if the server breaks the contract in a call, the call fails. The function gets the
   * operations of each call that keeps the contract.
   */
  readonly strictContract?: (appended: Emitted) => void;
  /** The parts that only servers for tests and development have. They see calls and serve further paths. */
  readonly workbench?: Workbench;
  /** The other processes of this server. They share its address and its data folder, which a supervisor announces. */
  readonly siblings?: Siblings;
  readonly onFatal?: (error: Error) => void;
  /** Runs before the first request is accepted. */
  readonly prepare?: (slices: Slices) => Promise<void>;
  /** Runs once the port is known, before the server is announced as ready. */
  readonly onListening?: (port: number) => void;
  /** The adapters to use. If absent, the settings choose them. */
  readonly adapters?: Adapters;
}

/** The additional parts of a server for tests and development. */
export interface Workbench {
  /** Sees every call of the protocol. */
  readonly watch: CallWatch;
  /** Serves a request for a path of the workbench and returns true; returns false for any other request. */
  readonly serve: (request: IncomingMessage, response: ServerResponse) => boolean;
  /**
   * Takes the function that serves each request. Returns an HTTP server that is already listening; undefined if there
   * is none yet.
   */
  readonly httpFor: (listener: RequestListener) => Server | undefined;
}

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

/** State that is known only while the server runs. */
export interface State {
  addresses: Addresses;
  stopping: boolean;
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
  const logger = options.logger ?? createLogger(config.logLevel);
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

interface PageDeps extends WireDeps, Pick<WebDeps, PageFacts> {
  readonly siblings: Siblings | undefined;
}
type PageFacts = 'adminToken' | 'proofOf' | 'addresses' | 'stopping';

/** Creates the pages and APIs that are served outside the protocol. */
async function createPages(config: Config, parts: Awaited<ReturnType<typeof wire>>, deps: PageDeps) {
  const { adapters, subscribers, slices, openStreams, rates, events, onFault, requestLog, strict, webClient } = parts;
  const { ports, metrics, logger, traces, siblings, state: _state, opened: _opened, ...facts } = deps;
  const readiness = readinessOf(config, adapters, { ports, logger, siblings });
  showState(metrics, { openStreams, subscribers, events, readiness });
  const metricsPage = metricsPageOf(config, siblings?.metrics(metrics) ?? metrics, {
    ...{ ...parts.calls, ...facts, rates, events },
    credentials: slices.administrators.credentials,
    origin: () => originOf(facts.addresses().url),
  });
  const web = await createWeb({
    ...parts.calls,
    ...facts,
    ...{ slices, rates, events, readiness, metrics, requestLog, traces, onFault, strict, version, webClient },
    store: adapters.store,
    random: ports.random,
    log: logger,
    brand: config.headerBrand,
    allowedOrigins: config.allowedOrigins,
    buildToken: config.mode === 'dev' ? config.buildTokens[0] : undefined,
    adminPages: config.adminPages ? createAdminPages() : undefined,
    statusHandlers: statusHandlersOf(config, deps, { ...parts, readiness }),
    metricsPage: config.metrics.address ? undefined : metricsPage,
  });
  return { web, metricsPage };
}

/** Returns the page of the metrics, which needs the admin token unless the settings open it. */
const metricsPageOf = (
  { metrics: { access } }: Config,
  metrics: Pick<Metrics, 'contentType' | 'text'>,
  gateDeps: AdminGateDeps,
): MetricsPage => createMetricsPage(metrics, access === 'token' ? metricsGate(gateDeps) : undefined);

/**
 * The metrics page in the form of an admin endpoint that only reads. The gate of the admin API can then check access to
 * it.
 */
const metricsEndpoint: AdminEndpoint = {
  summary: 'Returns the metrics.',
  verb: 'GET',
  path: METRICS_PATH,
  scope: 'read',
  problems: {},
};

function metricsGate(deps: AdminGateDeps): (request: IncomingMessage) => unknown {
  const gate = createAdminGate(deps);
  return (request) => gate(request, { endpoint: metricsEndpoint, addHeader: () => {} });
}

/** Returns the HTTP server: a new one, or the one of the workbench. */
function httpFor(
  config: Config,
  { calls, events, onFault }: Pick<Awaited<ReturnType<typeof wire>>, 'calls' | 'events' | 'onFault'>,
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

interface StatusParts extends Pick<Awaited<ReturnType<typeof wire>>, 'openStreams' | 'slices'> {
  readonly readiness: Readiness;
}

export interface WireDeps {
  readonly ports: ServerPorts;
  readonly metrics: Metrics;
  readonly logger: Logger;
  readonly traces: Traces | undefined;
  readonly opened: Opened['add'];
  readonly state: State;
}

/** Opens the adapters and creates the parts of a server. The server does not listen yet. */
export async function wire(config: Config, options: ServerOptions, deps: WireDeps) {
  const { ports, metrics, logger, traces, opened, state } = deps;
  const { clock, timers, random } = ports;
  const { onFatal = () => {} } = options;
  const ownBus = options.siblings?.bus;
  const adapters =
    options.adapters ??
    (await openAdapters(config, { version, ports, metrics, logger, traces, onFatal, ownBus }, opened));
  const { store, bus, outbound, objects, pictures } = adapters;
  const openAccounts = (accountId?: number) =>
    [...openStreams.openSessions(accountId), ...polls.openSessions(accountId)].map((session) => session.accountId);
  const subscribers = opened(createSubscribers({ store, ports, logger, traces, openAccounts }));
  const { log, openStreams } = createStreams(config, adapters, deps, subscribers);
  const rates = createRateLimits(clock, config.rates);
  const events = opened(createSecurityEvents(logger, timers));
  const strict: StrictContract | undefined =
    options.strictContract && createStrictContract(options.strictContract, options.workbench !== undefined);
  const slices = await createSlices({
    store: strict ? strict.store(store) : store,
    pictures,
    log: strict ? strict.log(log) : log,
    ids: createIds(clock, random, adapters.node),
    ports,
    metrics,
    rates,
    events,
    logger,
    limits: config.limits,
    failureLimits: config.failureLimits,
    objects,
    subscribers,
    outbound,
    push: config.push,
    media: config.media,
    messageDays: config.messageDays,
    confirmation: config.loginConfirmation,
    registration: config.registration,
    needsSecondFactor: config.mode !== 'dev',
    forbiddenWords: config.forbiddenWords,
    secureCookies: config.publicUrl?.startsWith('https://') ?? false,
    brand: config.headerBrand,
    url: () => state.addresses.url,
  });
  opened(slices.media);
  opened(slices.push);
  const polls = createOperationPolls({ store, log, openStreams, timers });
  const woken = (accountId: number) => {
    openStreams.wake(accountId);
    subscribers.note(accountId);
  };
  const watch = watchSessions({ store, sessions: slices.sessions, openStreams, polls, bus, logger, woken });
  const webClient = await createWebClient(config, { store, random, clock, version });
  const webBuildToken = webClient?.facts.buildToken;
  const onFault = (error: unknown) => metrics.fault(error);
  const requestLog = createRequestLog(config.requestLog, logger);
  const observer = createCallObserver({ metrics, clock, random, requestLog, traces, tagOf: slices.tagOf });
  const shared = { slices, polls, openStreams, rates, events, ports, logger, strict, observer, onFault };
  const calls = createCallGateway(config, { ...shared, watch: options.workbench?.watch, webBuildToken });
  const own = { rates, events, strict, watch, webClient, calls, onFault, requestLog };
  return { adapters, subscribers, log, openStreams, slices, polls, ...own };
}

/**
 * Returns the operation logs and the streams. Streams of this server get new operations directly. The bus announces
 * them to the other servers.
 */
function createStreams(
  config: Config,
  { store, bus }: Adapters,
  { ports: { clock }, metrics, logger }: Pick<WireDeps, 'ports' | 'metrics' | 'logger'>,
  subscribers: Pick<Subscribers, 'publish'>,
) {
  const log = createOperationLog(clock, (operations) => {
    openStreams.publish(operations);
    subscribers.publish(operations);
    if (bus.kind !== 'local') bus.wake('log', [...new Set(operations.map((operation) => operation.accountId))]);
  });
  const openStreams: OpenStreams = new OpenStreams({
    store,
    log,
    clock,
    pingMs: limits.streamPingMs.value,
    tickMs: STREAM_TICK_MS,
    bufferBytes: limits.streamBufferBytes.value,
    totalBytes: config.limits.streamBytes.value,
    streamsPerAccount: limits.streamsPerAccount.value,
    onDelivered: metrics.delivered,
    onError: (error) => logger.error({ error }, 'a stream failed'),
  });
  return { log, openStreams };
}

/** Starts to record the server's work, and returns the admin handlers that report it. */
function statusHandlersOf(
  config: Config,
  { ports, metrics, logger, state, opened }: WireDeps,
  { openStreams, slices, readiness }: StatusParts,
): AdminHandlers<StatusEndpoint> {
  const { clock, timers } = ports;
  const disk = () => fullestDisk(foldersOf(config));
  const streams = () => openStreams.size;
  const onError = (error: unknown) => logger.error({ error }, 'the work of the server was not sampled');
  const work = () => ({ streams: streams(), ...metrics.work });
  return statusAdminHandlers({
    ...{ clock, version, readiness, streams, disk, startedTime: clock.now(), settings: config.shown },
    url: () => state.addresses.url,
    openReports: slices.openReports,
    history: opened(createStatusHistory({ clock, timers, work, disk, onError })),
  });
}

const readinessOf = (
  config: Config,
  { store, bus, objects }: Adapters,
  { ports, logger, siblings }: Pick<PageDeps, 'ports' | 'logger' | 'siblings'>,
): Readiness =>
  createReadiness({
    parts: {
      database: () => store.check(),
      bus: () => bus.check(),
      objects: () => objects.check(),
      disk: diskPart(foldersOf(config), config.leastFreeBytes),
      ...siblings?.parts,
    },
    // The server works without these parts. Without the bus, each server checks for changes by the others every two
    // seconds. Without one of its processes, the other processes serve.
    optional: ['bus', ...Object.keys(siblings?.parts ?? {})],
    ...ports,
    log: logger,
  });

/** @throws ConfigError if the data folder cannot be made */
export function makeDataFolder(path: string): void {
  try {
    makeFolder('data-dir', path);
  } catch (cause) {
    throw new ConfigError((cause as Error).message, { cause });
  }
}
