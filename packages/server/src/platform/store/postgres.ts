// PostgreSQL through pg: named statements on pipelined connections. Waiting items form a group, which shares one
// transaction and its set-based statements.
import type { Clock } from '@sealpost/contract/ports';
import pg from 'pg';
import { createLanes } from './lanes.ts';
import { MIGRATION_LOCK, migratePostgres, newestVersion, requireKnownContracts } from './migrate.ts';
import { type ServerFacts, tellServer } from './node-holders.ts';
import { leaseNode, type NodeLease } from './node-lease.ts';
import type { PostgresConnection } from './postgres-connection.ts';
import { type ConnectionsOptions, PostgresConnections } from './postgres-connections.ts';
import { requireDurable, requireSameTime } from './postgres-durable.ts';
import { PostgresReaders } from './postgres-readers.ts';
import { GROUPS, PostgresWriters, type WritersOptions } from './postgres-writers.ts';
import type { Store } from './store.ts';
import { type GroupWork, groupTurn, singleTurn } from './turns.ts';

export interface PostgresOptions extends ConnectionsOptions, WritersOptions {
  /** True if a server is accepted that may lose acknowledged commits. */
  readonly allowUnsafe: boolean;
  /** The clock of this machine. */
  readonly clock: Pick<Clock, 'now'>;
  /** What this server tells the other servers of itself. */
  readonly server: Omit<ServerFacts, 'schema'>;
}

export interface PostgresStore extends Store {
  /** Takes a node number below `max` for this process. Servers that share the database get different numbers. */
  leaseNode(max: number, newestId: () => Promise<number>): Promise<NodeLease>;
  /** The sentence that tells for which servers a migration waits; undefined if all migrations were done at the start. */
  readonly waits: string | undefined;
  /** Does the migrations that wait, once no server needs what they take away. Returns the sentence as in `waits`. */
  finishMigrations(): Promise<string | undefined>;
}

export async function openPostgres(options: PostgresOptions): Promise<PostgresStore> {
  const { host, pathname } = new URL(options.url);
  const connections = new PostgresConnections(options);
  const { patience } = connections;
  const { first, waits } = await openFirst(connections, options).catch(async (error: unknown) => {
    // The connections are ended, because an open connection would keep the process alive.
    await connections.leave();
    throw error;
  });
  const writers = new PostgresWriters(connections, first, options);
  const readers = new PostgresReaders(connections);
  let lease: NodeLease | undefined;
  return {
    kind: 'postgres',
    location: `postgres://${host}${pathname}`,
    read: (work) => patience.wait(readers.read(work)),
    transact: (work) =>
      patience.wait(new Promise((resolve, reject) => void writers.transact(singleTurn(work, resolve, reject), 1))),
    grouped<I, O>(work: GroupWork<I, O>, keysOf: (item: I) => readonly string[]) {
      const lanes = createLanes<I, O>({
        write: (group) => writers.transact(groupTurn(work, group), group.length),
        keysOf,
        most: GROUPS,
        timers: options.timers,
      });
      return (item: I) => patience.wait(lanes(item));
    },
    async check() {
      lease?.node();
      connections.requireFewLate(GROUPS);
      await connections.answerInTime(await readers.take());
    },
    async close() {
      connections.closed = true;
      await writers.finish();
      await connections.leave();
    },
    async leaseNode(max, newestId) {
      const register = (holder: PostgresConnection, number: number) => registerServer(holder, number, options.server);
      lease = await leaseNode({
        connect: () => connections.connect(),
        ...{ max, newestId, register, onError: options.onError },
      });
      return lease;
    },
    waits,
    finishMigrations: () => migrateAt(options.url),
  };
}

interface Opening {
  readonly first: PostgresConnection;
  readonly waits: string | undefined;
}

/** Makes the first connection and prepares the database. @throws Error that says what to do */
async function openFirst(connections: PostgresConnections, options: PostgresOptions): Promise<Opening> {
  const { host, pathname } = new URL(options.url);
  const first = await connections.connect().catch((error: unknown) => {
    throw new Error(
      `cannot connect to PostgreSQL at ${host}${pathname}: ${(error as Error).message}. Check that it runs, and that database-url names it, a database of it and a user that may connect.`,
      { cause: error },
    );
  });
  await requireDurable(first, options.allowUnsafe);
  await requireSameTime(first, options.clock);
  return { first, waits: await migrateAt(options.url) };
}

/** Migrates on a connection of its own, because a migration may take longer than the statements of the store. */
async function migrateAt(url: string): Promise<string | undefined> {
  const client = new pg.Client({ connectionString: url, application_name: 'sealpost migration' });
  // A lost connection also fails the query under way. Without a listener it would end the process too.
  client.on('error', () => {});
  await client.connect();
  try {
    return await migratePostgres(client);
  } finally {
    await client.end();
  }
}

/**
 * Tells the other servers what this one is. Waits for a migration that runs, so that it either counts this server or is
 * seen by it.
 * @throws Error if a newer server has taken away what this one needs
 */
async function registerServer(
  holder: PostgresConnection,
  number: number,
  server: PostgresOptions['server'],
): Promise<void> {
  await holder.query('begin');
  try {
    await holder.query(`select pg_advisory_xact_lock_shared(${MIGRATION_LOCK})`);
    await requireKnownContracts(holder, newestVersion);
    await tellServer(holder, number, { ...server, schema: newestVersion });
    await holder.query('commit');
  } catch (error) {
    // If the connection is lost, PostgreSQL rolls back by itself.
    await holder.query('rollback').catch(() => {});
    throw error;
  }
}
