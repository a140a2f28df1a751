// PostgreSQL through pg: named statements on pipelined connections. Waiting items form a group, which shares one
// transaction and its set-based statements.
import { createLanes } from './lanes.ts';
import { migratePostgres } from './migrate.ts';
import { leaseNode, type NodeLease } from './node-lease.ts';
import type { PostgresConnection } from './postgres-connection.ts';
import { type ConnectionsOptions, PostgresConnections } from './postgres-connections.ts';
import { requireDurable } from './postgres-durable.ts';
import { PostgresReaders } from './postgres-readers.ts';
import { GROUPS, PostgresWriters, type WritersOptions } from './postgres-writers.ts';
import type { Store } from './store.ts';
import { type GroupWork, groupTurn, singleTurn } from './turns.ts';

export interface PostgresOptions extends ConnectionsOptions, WritersOptions {
  /** True if a server is accepted that may lose acknowledged commits. */
  readonly allowUnsafe: boolean;
}

export interface PostgresStore extends Store {
  /** Takes a node number below `max` for this process. Servers that share the database get different numbers. */
  leaseNode(max: number, newestId: () => Promise<number>): Promise<NodeLease>;
}

export async function openPostgres(options: PostgresOptions): Promise<PostgresStore> {
  const { host, pathname } = new URL(options.url);
  const connections = new PostgresConnections(options);
  const { patience } = connections;
  const first = await openFirst(connections, options).catch(async (error: unknown) => {
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
      lease = await leaseNode({ connect: () => connections.connect(), max, newestId, onError: options.onError });
      return lease;
    },
  };
}

/** Makes the first connection and prepares the database. @throws Error that says what to do */
async function openFirst(connections: PostgresConnections, options: PostgresOptions): Promise<PostgresConnection> {
  const { host, pathname } = new URL(options.url);
  const first = await connections.connect().catch((error: unknown) => {
    throw new Error(
      `cannot connect to PostgreSQL at ${host}${pathname}: ${(error as Error).message}. Check that it runs, and that database-url names it, a database of it and a user that may connect.`,
      { cause: error },
    );
  });
  await requireDurable(first, options.allowUnsafe);
  await migratePostgres(first);
  return first;
}
