// Creates the adapters that connect the server to the outside world: clock and randomness, database, bus, objects,
// connections. The settings choose them.
import { hostname } from 'node:os';
import { dirname, join } from 'node:path';
import { type Bus, localBus } from '../platform/bus/bus.ts';
import { maxNodes, type Node } from '../platform/kernel/ids.ts';
import { createLogger, type Logger, type LogLevel } from '../platform/kernel/logger.ts';
import type { ServerPorts } from '../platform/kernel/ports.ts';
import { systemPorts } from '../platform/kernel/system.ts';
import { openDisk } from '../platform/objects/disk.ts';
import type { Objects } from '../platform/objects/objects.ts';
import { ownedObjects } from '../platform/objects/owned.ts';
import {
  measuredBus,
  measuredCrypto,
  measuredObjects,
  measuredOutbound,
  measuredStore,
} from '../platform/observability/measured.ts';
import type { Metrics } from '../platform/observability/metrics.ts';
import {
  tracedBus,
  tracedCommits,
  tracedObjects,
  tracedOutbound,
  tracedStore,
} from '../platform/observability/traced.ts';
import { Traces } from '../platform/observability/traces.ts';
import { createOutbound, type Outbound } from '../platform/outbound/outbound.ts';
import { newestIdIn } from '../platform/store/newest-id.ts';
import { openSqlite } from '../platform/store/sqlite.ts';
import type { CommitTimer, Store } from '../platform/store/store.ts';
import { requireOwnObjects } from '../slices/media/index.ts';
import { instanceId } from '../slices/sessions/index.ts';
import type { Config } from './config/config.ts';
import type { ObjectsConfig } from './config/objects.ts';
import type { Opened } from './opened.ts';

export { createIpcBus } from '../platform/bus/ipc.ts';
export { createGateway, createHttpServer, requestListener } from '../platform/http/connections.ts';

/** Returns the given ports. A port that is not given is that of this machine. */
export const portsOf = (given: Partial<ServerPorts> = {}): ServerPorts => ({ ...systemPorts, ...given });

/** Creates a logger that writes to standard output. Its pauses are real, also in a server whose time is virtual. */
export const openLogger = (level: LogLevel): Logger => createLogger(level, systemPorts.timers);

/** Returns ports whose slow cryptography is measured. */
export const measuredPorts = (ports: ServerPorts, metrics: Metrics): ServerPorts => ({
  ...ports,
  slowCrypto: measuredCrypto(ports.slowCrypto, metrics),
});

export interface Adapters {
  readonly store: Store;
  /** Returns the node number, which is part of the ids that this server creates. */
  readonly node: () => Node;
  /**
   * Checks that this server still holds the node number. Must be called regularly. Undefined if no other server can
   * take the number.
   */
  readonly keepNode: (() => Promise<void>) | undefined;
  /** Does what of the migrations waits for older servers. Must be called until it returns true. */
  readonly finishMigrations: (() => Promise<boolean>) | undefined;
  readonly bus: Bus;
  /** Makes calls to other servers. */
  readonly outbound: Outbound;
  /** The object store of media. It refuses to write to a place that belongs to another database. */
  readonly objects: Objects;
  /** The object store of sticker pictures. */
  readonly pictures: Objects;
}

interface AdapterDeps {
  /** The version of this program. */
  readonly version: string;
  readonly ports: ServerPorts;
  readonly metrics: Metrics;
  readonly logger: Logger;
  /** The traces; undefined if no traces are wanted. */
  readonly traces: Traces | undefined;
  readonly onFatal: (error: Error) => void;
  /** The bus between the processes of this server; undefined if there is only one process. */
  readonly ownBus: Bus | undefined;
}

/** Returns the traces of a server; undefined if the settings want none. */
export async function openTraces(
  { traces }: Config,
  { ports, metrics, logger }: Pick<AdapterDeps, 'ports' | 'metrics' | 'logger'>,
  version: string,
): Promise<Traces | undefined> {
  if (!traces) return undefined;
  // The libraries of OpenTelemetry are loaded only when they are used.
  const { openOtlp } = await import('../platform/observability/otlp.ts');
  return new Traces(openOtlp({ ...traces, ...ports, logger, version, count: metrics.spans }));
}

/** @param opened records each adapter as soon as it is open, so that it will be closed at the end */
export async function openAdapters(config: Config, deps: AdapterDeps, opened: Opened['add']): Promise<Adapters> {
  const { ports, metrics, logger, traces, ownBus } = deps;
  const observed = (objects: Objects): Objects => {
    const measured = measuredObjects(objects, metrics);
    return traces ? tracedObjects(measured, traces) : measured;
  };
  const places = {
    media: opened(observed(await openObjects(config, 'media'))),
    stickers: opened(observed(await openObjects(config, 'stickers'))),
  };
  const commits = traces && tracedCommits(metrics.timeCommit, ports.clock.monotonic);
  const {
    store: bare,
    node,
    keepNode,
    finishMigrations,
  } = await openStore(config, deps, commits?.timeCommit ?? metrics.timeCommit);
  const measured = measuredStore(bare, metrics);
  const store = opened(traces && commits ? tracedStore(measured, traces, commits.newest) : measured);
  const { objects, pictures } = await ownPlaces(places, { store, ports, logger });
  const bus = opened(measuredBus(await openBus(config, node, { ports, logger, ownBus }), metrics));
  const outbound = opened(measuredOutbound(createOutbound({ ...config.outbound, ...ports }), metrics));
  return {
    ...{ store, node, keepNode, finishMigrations, objects, pictures },
    bus: traces ? tracedBus(bus, traces) : bus,
    outbound: traces ? tracedOutbound(outbound, traces) : outbound,
  };
}

/** Returns the folders in which this server writes. */
export const foldersOf = ({ dataDir, database, objects }: Config): string[] => [
  dataDir,
  ...(database.kind === 'sqlite' ? [dirname(database.path)] : []),
  ...(objects.kind === 'disk' ? [objects.path] : []),
];

/**
 * Opens the object store for media or for stickers. Stickers have a separate place, because the upkeep of media removes
 * every object in the media store that no message needs.
 */
const openObjects = ({ objects, media }: Config, of: 'media' | 'stickers'): Promise<Objects> =>
  openPlace(objects, media.objectBytes, of === 'media' ? '' : `${of}/`);

/**
 * Opens a place of objects: the one that the settings name, or one below it.
 * @param folder the folder below, which ends in a slash; empty for the place itself
 * @param options `readOnly`: nothing will be written
 */
export async function openPlace(
  objects: ObjectsConfig,
  objectBytes: number,
  folder: string,
  { readOnly = false } = {},
): Promise<Objects> {
  if (objects.kind === 'disk') return openDisk(join(objects.path, folder), objects.path);
  // The module is loaded only when it is used, because loading it takes a large part of a second.
  const { openS3 } = await import('../platform/objects/s3.ts');
  return openS3({ ...objects, prefix: objects.prefix + folder, objectBytes, readOnly });
}

/**
 * Wraps both object stores so that they refuse to write if their place belongs to another database.
 * @throws Error if the place already belongs to another database
 */
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

interface OpenedStore {
  readonly store: Store;
  readonly node: () => Node;
  /**
   * Checks that this server still holds the node number. Must be called regularly. Absent if no other server can take
   * the number.
   */
  readonly keepNode?: () => Promise<void>;
  /** Does what of the migrations waits for older servers. Returns true if nothing waits any more. */
  readonly finishMigrations?: () => Promise<boolean>;
}

async function openStore(
  config: Config,
  { version, ports, logger, onFatal }: AdapterDeps,
  timeCommit: CommitTimer,
): Promise<OpenedStore> {
  const { database } = config;
  if (database.kind === 'sqlite') {
    const store = openSqlite({
      path: database.path,
      crashPoint: ports.crashPoint,
      timeCommit,
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
    timeCommit,
    timers: ports.timers,
    allowUnsafe: config.allowUnsafeDatabase,
    // Not the clock of the ports, which tests and developers move on purpose.
    clock: systemPorts.clock,
    server: { program: version, host: hostname(), startedTime: ports.clock.now() },
    onError: (error) => logger.error({ error }, 'something failed beside PostgreSQL, or on the way to it'),
  });
  const lease = await store
    .leaseNode(maxNodes, () => newestIdIn(store))
    .catch((error: unknown) => closeAndThrow(store, error));
  if (store.waits) logger.warn(store.waits);
  const finishMigrations = async (): Promise<boolean> => {
    const waits = await store.finishMigrations();
    if (waits === undefined) logger.info('all migrations are done');
    return waits === undefined;
  };
  return { store, node: lease.node, keepNode: lease.keep, ...(store.waits ? { finishMigrations } : {}) };
}

/** Closes the store and throws the error that made the start fail. An open store would keep the process alive. */
async function closeAndThrow(store: Store, error: unknown): Promise<never> {
  await store.close();
  throw error;
}

/** Opens the bus that the settings name. It reaches all servers, also the other processes of this one. */
async function openBus(
  { busUrl }: Config,
  node: () => Node,
  { ports: { timers }, logger, ownBus }: Pick<AdapterDeps, 'ports' | 'logger' | 'ownBus'>,
): Promise<Bus> {
  if (!busUrl) return ownBus ?? localBus;
  const { connectNats } = await import('../platform/bus/nats.ts');
  return connectNats(busUrl, `sealpost-${node().number}`, timers, (error) => logger.error({ error }, 'the bus failed'));
}
