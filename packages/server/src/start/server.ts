// The composition root: opens the adapters, wires the slices, listens, and shuts down in order.
import { readFileSync, rmSync } from 'node:fs';
import type { Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { dirname, join } from 'node:path';
import { type BrandHeader, brandHeader, brandHeaders, limits, plainHeaders } from '@sealpost/contract';
import { drawFraction } from '@sealpost/contract/ports';
import { type Bus, localBus } from '../platform/bus/bus.ts';
import { createClientAddress } from '../platform/http/client-address.ts';
import { createGateway, createHttpServer } from '../platform/http/connections.ts';
import { corsFor } from '../platform/http/cors.ts';
import { createFixedHeaders } from '../platform/http/fixed-headers.ts';
import { ConfigError } from '../platform/kernel/config-error.ts';
import { makeFolder, removeFile, writeAtomically } from '../platform/kernel/files.ts';
import { createIds, maxNodes, type Node } from '../platform/kernel/ids.ts';
import { createLogger, type Logger } from '../platform/kernel/logger.ts';
import type { ServerPorts } from '../platform/kernel/ports.ts';
import { createSecurityEvents } from '../platform/kernel/security-events.ts';
import { systemPorts } from '../platform/kernel/system.ts';
import { openDisk } from '../platform/objects/disk.ts';
import type { Objects } from '../platform/objects/objects.ts';
import { ownedObjects } from '../platform/objects/owned.ts';
import { createAuthentication } from '../platform/rpc/authentication.ts';
import { createHttpEndpoints } from '../platform/rpc/http-requests.ts';
import { createObjectEndpoints } from '../platform/rpc/object-requests.ts';
import { createPipeline } from '../platform/rpc/pipeline.ts';
import { createRateLimits } from '../platform/rpc/rate-limit.ts';
import { createRefusals } from '../platform/rpc/refusals.ts';
import { rpcRoutes } from '../platform/rpc/routes.ts';
import { rpcEndpoints } from '../platform/rpc/rpc-requests.ts';
import { scheme1 } from '../platform/rpc/signature.ts';
import { createStrictContract, type Emitted } from '../platform/rpc/strict-contract.ts';
import { newestIdIn } from '../platform/store/newest-id.ts';
import { openSqlite } from '../platform/store/sqlite.ts';
import type { Store } from '../platform/store/store.ts';
import { event } from '../platform/stream/frames.ts';
import { createOperationLog, type OperationLog } from '../platform/stream/operation-log.ts';
import { Outbox } from '../platform/stream/outbox.ts';
import { receiveOperations } from '../platform/stream/sse.ts';
import { requireOwnObjects } from '../slices/media/index.ts';
import { instanceId } from '../slices/sessions/index.ts';
import { createOperationPolls } from '../slices/sync/index.ts';
import { adminTokenOf } from './admin-token.ts';
import { addressOf, createAnnouncement, hasField } from './announcement.ts';
import type { Config } from './config/config.ts';
import { createReadiness, diskPart } from './readiness.ts';
import { lockForOneServer } from './server-lock.ts';
import { createSessionWatch } from './session-watch.ts';
import { createSlices, type Slices } from './slices.ts';
import { createRetention } from './upkeep.ts';
import { createWeb } from './web.ts';

const { version } = JSON.parse(readFileSync(new URL('../../package.json', import.meta.url), 'utf8')) as {
  version: string;
};

const STREAM_TICK_MS = 2_000;
const POLL_MS = 2_000;
const POLL_JITTER_MS = 500;
const NODE_MS = 1_000;
const RETENTION_MS = 5_000;
const DRAIN_MS = 8_000;
const CLOSE_SPREAD_MS = 20;

export interface ServerOptions {
  readonly ports?: Partial<ServerPorts>;
  readonly logger?: Logger;
  /** Strict mode, for tests: calls that break the contract on the server's side fail. Told of what the others appended. */
  readonly strictContract?: (appended: Emitted) => void;
  readonly onFatal?: (error: Error) => void;
  /** Runs before the first request is accepted. */
  readonly prepare?: (slices: Slices) => Promise<void>;
  /** Runs once the port is known, before anybody is told that the server is ready. */
  readonly onListening?: (port: number) => void;
}

export interface RunningServer {
  readonly url: string;
  readonly obsUrl: string;
  readonly version: string;
  readonly adminToken: string;
  readonly store: Store;
  readonly bus: Bus;
  readonly slices: Slices;
  readonly log: OperationLog;
  readonly outbox: Outbox;
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
  // What stays open would keep the process from ending.
  return startServer(config, options, opened.add, release).catch(async (error: unknown) => {
    await release();
    throw error;
  });
}

/** What a start has opened, to be closed in the other order. */
function createOpened() {
  const parts: { close(): unknown }[] = [];
  return {
    add<P extends { close(): unknown }>(part: P): P {
      parts.push(part);
      return part;
    },
    async close(): Promise<void> {
      for (const part of parts.splice(0).reverse()) await part.close();
    },
  };
}

/**
 * @param opened notes a part that is to be closed
 * @param release closes all of them, and gives the data folder back
 */
async function startServer(
  config: Config,
  options: ServerOptions,
  opened: ReturnType<typeof createOpened>['add'],
  release: () => Promise<void>,
): Promise<RunningServer> {
  const ports: ServerPorts = { ...systemPorts, ...options.ports };
  const { clock, timers } = ports;
  const logger = options.logger ?? createLogger(config.logLevel);
  const onFatal = options.onFatal ?? (() => {});
  // A server that was killed left it.
  if (config.readyFile) removeFile('ready-file', config.readyFile);

  const places = {
    media: opened(await openObjects(config, 'media')),
    stickers: opened(await openObjects(config, 'stickers')),
  };
  const { store, node, keepNode } = await openStore(config, ports, logger, onFatal);
  opened(store);
  const { objects, pictures } = await ownPlaces(places, { store, ports, logger });
  const ids = createIds(clock, ports.random, node);
  const bus = opened(await openBus(config, node, ports, logger));

  const log = createOperationLog(clock, (operations) => {
    outbox.publish(operations);
    if (bus.kind !== 'local') bus.wake('log', [...new Set(operations.map((operation) => operation.accountId))]);
  });
  const outbox: Outbox = new Outbox({
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
  const rates = createRateLimits(clock, config.rates);
  const events = opened(createSecurityEvents(logger, timers));
  const strict = options.strictContract && createStrictContract(options.strictContract);
  const slices = await createSlices({
    store: strict ? strict.store(store) : store,
    pictures,
    log: strict ? strict.log(log) : log,
    ids,
    ports,
    rates,
    logger,
    limits: config.limits,
    failureLimits: config.failureLimits,
    objects,
    media: config.media,
    confirmation: config.loginConfirmation,
    forbiddenWords: config.forbiddenWords,
    secureCookies: config.publicUrl?.startsWith('https://') ?? false,
    brand: config.headerBrand,
    url: () => address.url,
  });
  opened(slices.media);
  const polls = createOperationPolls({ store, log, outbox, timers });
  const { sessions } = slices;
  const watch = createSessionWatch({ store, sessions, outbox, polls });
  bus.onWake((kind, accountId) => {
    if (kind === 'log') outbox.wake(accountId);
    else watch.changed(accountId).catch((error: unknown) => logger.error({ error }, 'a revocation was not applied'));
  });
  sessions.onRevoked((accountId, sessionId) => {
    watch.end(accountId, sessionId);
    bus.wake('sessions', [accountId]);
  });

  const corsHeaders = corsFor(config.allowedOrigins, [
    'Content-Type',
    'Range',
    'If-None-Match',
    'If-Range',
    ...Object.keys(brandHeaders).map((header) => brandHeader(config.headerBrand, header as BrandHeader)),
    ...Object.values(plainHeaders).map((header) => header.name),
  ]);
  const routes = rpcRoutes({ ...slices.handlers, ...polls.handlers });
  const clientAddress = createClientAddress(config.trustedProxies);
  const refuse = createRefusals({ clientAddress, events, random: ports.random, timers, log: logger });
  const authenticate = createAuthentication({
    ...{ sessions, events, log: logger },
    signature: config.signature,
    verifier: scheme1(config.buildTokens),
  });
  const gateway = createGateway({
    pipeline: createPipeline({ rates, refuse, clientAddress, corsHeaders, brand: config.headerBrand, strict }),
    methods: rpcEndpoints({
      ...{ routes, authenticate, log: logger },
      crashPoint: ports.crashPoint,
      strict: strict !== undefined,
    }),
    httpEndpointAt: createHttpEndpoints({
      authenticate,
      handlers: { ...slices.httpHandlers, operationReceive: receiveOperations(outbox) },
    }),
    objectEndpointAt: createObjectEndpoints({
      callers: sessions,
      channelCallerOf: slices.channelCallerOf,
      handlers: slices.objectHandlers,
      signatures: {
        mode: config.signature,
        buildTokens: config.buildTokens,
        onMismatch: (path) => logger.warn({ path }, 'an upload or download has a wrong X-Hmac'),
      },
    }),
  });

  let stopping = false;
  let address = { url: '', obsUrl: '' };
  const adminToken = adminTokenOf(config, ports.random);
  const announcement = createAnnouncement(config.dataDir, ports.random);
  const readiness = createReadiness({
    parts: {
      database: () => store.check(),
      bus: () => bus.check(),
      objects: () => objects.check(),
      disk: diskPart(foldersOf(config), config.leastFreeBytes),
    },
    clock,
    timers,
    log: logger,
  });
  const web = opened(
    await createWeb({
      store,
      outbox,
      slices,
      routes,
      refuse,
      clientAddress,
      adminToken,
      rates,
      events,
      proofOf: announcement.proofOf,
      version,
      brand: config.headerBrand,
      buildToken: config.mode === 'dev' ? config.buildTokens[0] : undefined,
      readiness,
      addresses: () => address,
      stopping: () => stopping,
      log: logger,
      strict,
    }),
  );

  const http = createHttpServer(gateway, web, {
    connectionsPerAddress: config.connectionsPerAddress,
    onLimit: (address) => events.note('limit', address),
    fixedHeaders: createFixedHeaders(config),
  });
  try {
    await options.prepare?.(slices);
    await listen(http, config);
    const { port } = http.address() as AddressInfo;
    const url = config.publicUrl ?? addressOf(config.host, port);
    address = { url, obsUrl: url };
    options.onListening?.(port);
    announcement.publish({ ...config, port });
    if (config.readyFile)
      writeAtomically('ready-file', config.readyFile, JSON.stringify({ ...address, pid: process.pid, version }));
  } catch (error) {
    http.close();
    announcement.withdraw();
    throw error;
  }

  const retention = createRetention({
    sessions,
    store,
    log,
    clock,
    limits: config.limits,
    sweepMedia: slices.media.sweep,
  });
  const quietly = (work: () => Promise<void>, what: string) => () => {
    work().catch((error: unknown) => logger.error({ error }, what));
  };
  const running = [
    timers.every(STREAM_TICK_MS, () => outbox.tick()),
    timers.every(RETENTION_MS, quietly(retention, 'forgetting old rows failed')),
    timers.every(
      RETENTION_MS,
      quietly(() => slices.login.sweep(), 'forgetting old logins failed'),
    ),
  ];
  if (keepNode) running.push(timers.every(NODE_MS, quietly(keepNode, 'there is no node number to be had')));
  // Other servers may use the same database, with a bus that loses messages or with none at all.
  if (store.kind === 'postgres') {
    const every = POLL_MS + drawFraction(ports.random) * POLL_JITTER_MS;
    running.push(
      timers.every(
        every,
        quietly(() => outbox.poll(), 'the poll of the log failed'),
      ),
      timers.every(every, quietly(watch.look, 'the look for ended sessions failed')),
    );
  }

  logger.info(
    { url: address.url, database: store.location, bus: bus.location, objects: objects.location, version },
    'listening',
  );

  let closing: Promise<void> | undefined;
  async function close(): Promise<void> {
    stopping = true;
    announcement.withdraw();
    if (config.readyFile && hasField(config.readyFile, 'pid', process.pid)) rmSync(config.readyFile, { force: true });
    polls.endAll();
    const closed = new Promise<void>((resolve) => http.close(() => resolve()));
    for (const timer of running) timer.cancel();
    slices.login.endPolls();
    const pause = () =>
      new Promise<void>((resolve) => timers.after(drawFraction(ports.random) * CLOSE_SPREAD_MS, resolve));
    await Promise.race([outbox.closeAll(event('reconnect', {}), pause), after(DRAIN_MS / 2)]);
    http.closeIdleConnections();
    const cut = timers.after(DRAIN_MS, () => http.closeAllConnections());
    // Keep-alive connections that were busy become idle one by one.
    const sweep = timers.every(50, () => http.closeIdleConnections());
    await Promise.race([closed, after(DRAIN_MS + 1000)]);
    cut.cancel();
    sweep.cancel();
    await release();
    logger.info('stopped');
  }
  const after = (ms: number) => new Promise<void>((resolve) => timers.after(ms, resolve));

  return {
    ...address,
    version,
    adminToken,
    store,
    bus,
    slices,
    log,
    outbox,
    close: () => {
      closing ??= close();
      return closing;
    },
  };
}

const NO_ADDRESS =
  'is no address of this machine. Name one of its own with --host, for example 127.0.0.1, or 0.0.0.0 for all of them.';

/** What to do about an address that cannot be listened on, by the code of the system. */
const listenAdvice: Readonly<Record<string, string>> = {
  EADDRINUSE: 'is in use. Stop what listens there, or take another port with --port.',
  EACCES: 'is not for this user. Take a port above 1023 with --port, or give the process the right to low ports.',
  EADDRNOTAVAIL: NO_ADDRESS,
  ENOTFOUND: NO_ADDRESS,
  EAI_AGAIN: NO_ADDRESS,
};

function listen(http: Server, { host, port }: Config): Promise<void> {
  return new Promise<void>((resolve, reject) => {
    http.once('error', (error: NodeJS.ErrnoException) => {
      const told = listenAdvice[error.code ?? ''];
      reject(told ? new Error(`${host}:${port} ${told}`, { cause: error }) : error);
    });
    http.listen(port, host, resolve);
  });
}

function makeDataFolder(path: string): void {
  try {
    makeFolder('data-dir', path);
  } catch (cause) {
    throw new ConfigError((cause as Error).message, { cause });
  }
}

/** Stickers lie apart from the media, whose upkeep removes what no message needs. */
async function openObjects({ objects, media }: Config, of: 'media' | 'stickers'): Promise<Objects> {
  const folder = of === 'media' ? '' : `${of}/`;
  if (objects.kind === 'disk') return openDisk(join(objects.path, folder), objects.path);
  // Loaded only by those who want it: it takes a good part of a second.
  const { openS3 } = await import('../platform/objects/s3.ts');
  return openS3({ ...objects, prefix: objects.prefix + folder, objectBytes: media.objectBytes });
}

/** The places as this database may use them. @throws Error when they belong to another one */
async function ownPlaces(
  { media, stickers }: Readonly<Record<'media' | 'stickers', Objects>>,
  { store, ports, logger }: { readonly store: Store; readonly ports: ServerPorts; readonly logger: Logger },
): Promise<{ readonly objects: Objects; readonly pictures: Objects }> {
  const id = await instanceId(store, ports.random, ports.clock);
  await requireOwnObjects(store, media, id);
  const onBroughtBack = (key: string) => logger.warn({ key }, 'an object that is wanted came back from quarantine');
  const ownership = { id, home: media, onBroughtBack };
  return { objects: ownedObjects(media, ownership), pictures: ownedObjects(stickers, ownership) };
}

/** Where this server writes. */
const foldersOf = ({ dataDir, database, objects }: Config): string[] => [
  dataDir,
  ...(database.kind === 'sqlite' ? [dirname(database.path)] : []),
  ...(objects.kind === 'disk' ? [objects.path] : []),
];

interface OpenedStore {
  readonly store: Store;
  readonly node: () => Node;
  /** To be called regularly, where the node number can be lost. */
  readonly keepNode?: () => Promise<void>;
}

async function openStore(
  config: Config,
  ports: ServerPorts,
  logger: Logger,
  onFatal: (error: Error) => void,
): Promise<OpenedStore> {
  const { database } = config;
  if (database.kind === 'sqlite') {
    const store = openSqlite({
      path: database.path,
      crashPoint: ports.crashPoint,
      timers: ports.timers,
      check: config.databaseCheck,
      onNotice: (notice) => logger.warn(notice),
      onError: (error) => logger.error({ error }, 'something failed beside the database'),
      onFatal: (error) => {
        logger.fatal({ error }, 'a commit failed: stopping, because what is on disk is unknown');
        onFatal(error);
      },
    });
    const node: Node = { number: 0, newest: await newestIdIn(store) };
    return { store, node: () => node };
  }
  const { openPostgres } = await import('../platform/store/postgres.ts');
  const store = await openPostgres({
    url: database.url,
    crashPoint: ports.crashPoint,
    timers: ports.timers,
    allowUnsafe: config.allowUnsafeDatabase,
    onError: (error) => logger.error({ error }, 'something failed beside PostgreSQL, or on the way to it'),
  });
  const lease = await store
    .leaseNode(maxNodes, () => newestIdIn(store))
    .catch((error: unknown) => closeAndThrow(store, error));
  return { store, node: lease.node, keepNode: lease.keep };
}

/** A start that fails leaves nothing open that would keep the process from ending. */
async function closeAndThrow(store: Store, error: unknown): Promise<never> {
  await store.close();
  throw error;
}

async function openBus({ busUrl }: Config, node: () => Node, { timers }: ServerPorts, logger: Logger): Promise<Bus> {
  if (!busUrl) return localBus;
  const { connectNats } = await import('../platform/bus/nats.ts');
  return connectNats(busUrl, `sealpost-${node().number}`, timers, (error) => logger.error({ error }, 'the bus failed'));
}
