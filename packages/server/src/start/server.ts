// The composition root: opens the adapters, connects the slices, listens, and shuts down in order.
import { limits } from '@sealpost/contract';
import packageJson from '../../package.json' with { type: 'json' };
import type { Bus } from '../platform/bus/bus.ts';
import { createFixedHeaders } from '../platform/http/fixed-headers.ts';
import { ConfigError } from '../platform/kernel/config-error.ts';
import { makeFolder, removeFile } from '../platform/kernel/files.ts';
import { createIds } from '../platform/kernel/ids.ts';
import { createLogger, type Logger } from '../platform/kernel/logger.ts';
import type { ServerPorts } from '../platform/kernel/ports.ts';
import { createSecurityEvents } from '../platform/kernel/security-events.ts';
import { createRateLimits } from '../platform/rpc/rate-limit.ts';
import { createStrictContract, type Emitted } from '../platform/rpc/strict-contract.ts';
import type { Store } from '../platform/store/store.ts';
import { OpenStreams } from '../platform/stream/open-streams.ts';
import { createOperationLog, type OperationLog } from '../platform/stream/operation-log.ts';
import { createSubscribers, type Subscribers } from '../platform/subscriber/subscribers.ts';
import { createOperationPolls } from '../slices/sync/index.ts';
import { type Adapters, createHttpServer, foldersOf, openAdapters, portsOf } from './adapters.ts';
import { adminTokenOf } from './admin-token.ts';
import { createAnnouncement } from './announcement.ts';
import type { Config } from './config/config.ts';
import { createCallGateway } from './gateway.ts';
import { type Addresses, listenAndAnnounce, withdraw } from './listening.ts';
import { createOpened, type Opened } from './opened.ts';
import { createReadiness, diskPart, type Readiness } from './readiness.ts';
import { lockForOneServer } from './server-lock.ts';
import { watchSessions } from './session-watch.ts';
import { shutDown } from './shutdown.ts';
import { createSlices, type Slices } from './slices.ts';
import { STREAM_TICK_MS, startUpkeep } from './upkeep.ts';
import { createWeb } from './web.ts';
import { createWebClient, stateOf, type WebClientState } from './web-client.ts';

const { version } = packageJson;

export interface ServerOptions {
  readonly ports?: Partial<ServerPorts>;
  readonly logger?: Logger;
  /**
   * Turns on strict mode, for tests: if the server breaks the contract in a call, the call fails. The function gets the
   * operations of each call that keeps the contract.
   */
  readonly strictContract?: (appended: Emitted) => void;
  readonly onFatal?: (error: Error) => void;
  /** Runs before the first request is accepted. */
  readonly prepare?: (slices: Slices) => Promise<void>;
  /** Runs once the port is known, before the server is announced as ready. */
  readonly onListening?: (port: number) => void;
}

export interface RunningServer {
  readonly url: string;
  readonly obsUrl: string;
  readonly version: string;
  readonly adminToken: string;
  readonly webClient: WebClientState;
  readonly store: Store;
  readonly bus: Bus;
  readonly slices: Slices;
  readonly log: OperationLog;
  readonly openStreams: OpenStreams;
  close(): Promise<void>;
}

export async function createServer(config: Config, options: ServerOptions = {}): Promise<RunningServer> {
  makeDataFolder(config.dataDir);
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
interface State {
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
  const ports = portsOf(options.ports);
  const logger = options.logger ?? createLogger(config.logLevel);
  // A killed server may have left the ready file behind.
  if (config.readyFile) removeFile('ready-file', config.readyFile);
  const state: State = { addresses: { url: '', obsUrl: '' }, stopping: false };
  const parts = await wire(config, options, { ports, logger, opened, state });
  const { adapters, subscribers, slices, log, openStreams, polls, events, watch, webClient } = parts;
  const { store, bus, objects } = adapters;
  const adminToken = adminTokenOf(config, ports.random);
  const announcement = createAnnouncement(config.dataDir, ports.random);
  const web = opened(
    await createWeb({
      ...parts.calls,
      store,
      openStreams,
      subscribers,
      slices,
      adminToken,
      rates: parts.rates,
      events,
      proofOf: announcement.proofOf,
      version,
      brand: config.headerBrand,
      buildToken: config.mode === 'dev' ? config.buildTokens[0] : undefined,
      webClient,
      readiness: readinessOf(config, adapters, ports, logger),
      addresses: () => state.addresses,
      stopping: () => state.stopping,
      log: logger,
      strict: parts.strict,
    }),
  );
  const http = createHttpServer(parts.calls.gateway, web, {
    connectionsPerAddress: config.connectionsPerAddress,
    onLimit: (address) => events.note('limit', address),
    fixedHeaders: createFixedHeaders(config),
  });
  await listenAndAnnounce(http, config, {
    announcement,
    version,
    prepare: () => options.prepare?.(slices),
    onListening(addresses, port) {
      state.addresses = addresses;
      options.onListening?.(port);
    },
  });
  const { keepNode } = adapters;
  const shared = { openStreams, subscribers, slices, ports, logger };
  const upkeep = startUpkeep({ ...shared, store, log, watch, keepNode, limits: config.limits });
  const { url } = state.addresses;
  logger.info({ url, database: store.location, bus: bus.location, objects: objects.location, version }, 'listening');

  async function close(): Promise<void> {
    state.stopping = true;
    withdraw(config, announcement);
    await shutDown({ ...shared, http, polls, upkeep, release });
  }
  let closing: Promise<void> | undefined;
  return {
    ...state.addresses,
    version,
    adminToken,
    webClient: stateOf(webClient),
    store,
    bus,
    slices,
    log,
    openStreams,
    close: () => {
      closing ??= close();
      return closing;
    },
  };
}

interface WireDeps {
  readonly ports: ServerPorts;
  readonly logger: Logger;
  readonly opened: Opened['add'];
  readonly state: State;
}

/** Opens the adapters and creates the parts of a server. The server does not listen yet. */
async function wire(config: Config, options: ServerOptions, { ports, logger, opened, state }: WireDeps) {
  const { clock, timers, random } = ports;
  const { onFatal = () => {} } = options;
  const adapters = await openAdapters(config, { ports, logger, onFatal }, opened);
  const { store, bus, outbound, objects, pictures } = adapters;
  const openAccounts = (accountId?: number) =>
    [...openStreams.openSessions(accountId), ...polls.openSessions(accountId)].map((session) => session.accountId);
  const subscribers = opened(createSubscribers({ store, ports, logger, openAccounts }));
  const { log, openStreams } = createStreams(config, adapters, ports, logger, subscribers);
  const rates = createRateLimits(clock, config.rates);
  const events = opened(createSecurityEvents(logger, timers));
  const strict = options.strictContract && createStrictContract(options.strictContract);
  const slices = await createSlices({
    store: strict ? strict.store(store) : store,
    pictures,
    log: strict ? strict.log(log) : log,
    ids: createIds(clock, random, adapters.node),
    ports,
    rates,
    logger,
    limits: config.limits,
    failureLimits: config.failureLimits,
    objects,
    subscribers,
    outbound,
    push: config.push,
    media: config.media,
    confirmation: config.loginConfirmation,
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
  const shared = { slices, polls, openStreams, rates, events, ports, logger, strict };
  const calls = createCallGateway(config, { ...shared, webBuildToken });
  return { adapters, subscribers, log, openStreams, rates, events, strict, slices, polls, watch, webClient, calls };
}

/**
 * Returns the operation logs and the streams. Streams of this server get new operations directly. The bus announces
 * them to the other servers.
 */
function createStreams(
  config: Config,
  { store, bus }: Adapters,
  { clock }: ServerPorts,
  logger: Logger,
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
    onError: (error) => logger.error({ error }, 'a stream failed'),
  });
  return { log, openStreams };
}

const readinessOf = (
  config: Config,
  { store, bus, objects }: Adapters,
  { clock, timers }: ServerPorts,
  log: Logger,
): Readiness =>
  createReadiness({
    parts: {
      database: () => store.check(),
      bus: () => bus.check(),
      objects: () => objects.check(),
      disk: diskPart(foldersOf(config), config.leastFreeBytes),
    },
    clock,
    timers,
    log,
  });

function makeDataFolder(path: string): void {
  try {
    makeFolder('data-dir', path);
  } catch (cause) {
    throw new ConfigError((cause as Error).message, { cause });
  }
}
