// A PostgreSQL database for maintenance.
import pg from 'pg';
import { maxNodes } from '../../platform/kernel/ids.ts';
import { createPostgresTables } from '../../platform/store/migrate.ts';
import { valueTypes } from '../../platform/store/postgres-connections.ts';
import { readerOn } from '../../platform/store/postgres-tx.ts';
import * as q from '../queries.ts';
import type { Database, WritableDatabase } from './database.ts';
import { tableFrom } from './table-from.ts';

/** Settings that turn off the time limits of a connection. Maintenance may read one table for a long time. */
const PATIENT = '-c statement_timeout=0 -c lock_timeout=0 -c idle_in_transaction_session_timeout=0';

/** Opens a view of a database that does not change while it is open. The servers can continue to write. */
export async function viewPostgres(url: string): Promise<Database> {
  const client = await connected(url);
  await client.query('begin transaction isolation level repeatable read read only');
  return databaseOn(client, url);
}

/**
 * Opens a database for this process alone. Takes the node numbers of all servers, so no server can start until the
 * database is closed.
 * @throws Error if a server runs on the database
 */
export async function openPostgresForWriting(url: string): Promise<WritableDatabase> {
  const client = await connected(url);
  const database = databaseOn(client, url);
  await holdAlone(database).catch(async (error: unknown) => {
    await client.end();
    throw error;
  });
  return {
    ...database,
    async transact(work) {
      await client.query('begin');
      try {
        const result = await work();
        await client.query('commit');
        return result;
      } catch (error) {
        // If the connection is lost, PostgreSQL rolls back by itself.
        await client.query('rollback').catch(() => {});
        throw error;
      }
    },
    createTables: (version) => createPostgresTables(client, version),
    async run({ postgres }, ...params) {
      await client.query(postgres, params);
    },
    insert: async (table, rows) => void (await readerOn(client).each(q.insertInto(table), rows)),
  };
}

/**
 * Takes the node number of every server that could run on this database. No server can start until the numbers are free
 * again.
 */
async function holdAlone({ reader, location }: Database): Promise<void> {
  for (let number = 0; number < maxNodes; number++) {
    const answer = await reader.one(q.takeNode, number);
    if (answer?.taken !== 1)
      throw new Error(`a server or another command runs on ${location}. Stop it first: sealpost needs it alone.`);
  }
}

async function connected(url: string): Promise<pg.Client> {
  const client = new pg.Client({
    connectionString: url,
    application_name: 'sealpost maintenance',
    options: PATIENT,
    types: valueTypes,
  });
  // A lost connection also makes the running query fail, and the caller gets that error.
  client.on('error', () => {});
  await client.connect().catch((error: Error) => {
    throw new Error(
      `cannot connect to PostgreSQL at ${placeOf(url)}: ${error.message}. Check that it runs, and that the address names a database of it and a user that may connect.`,
      { cause: error },
    );
  });
  return client;
}

const placeOf = (url: string): string => {
  const { host, pathname } = new URL(url);
  return `${host}${pathname}`;
};

function databaseOn(client: pg.Client, url: string): Database {
  const reader = readerOn(client);
  return {
    kind: 'postgres',
    location: `postgres://${placeOf(url)}`,
    reader,
    tableNames: async () => (await reader.all(q.postgresTables)).map(({ name }) => name),
    tableOf: async (name) => tableFrom(name, await reader.all(q.postgresColumns, name)),
    // PostgreSQL checks its pages itself, if it was set up so.
    damage: async () => [],
    close: () => client.end(),
  };
}
