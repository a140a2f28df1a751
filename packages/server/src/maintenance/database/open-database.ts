// Opens the database that the settings name, for maintenance. The adapter of PostgreSQL is loaded only when it is used.
import { resolve } from 'node:path';
import type { Config } from '../../start/config/config.ts';
import { lockFile } from '../../start/server-lock.ts';
import type { Database, WritableDatabase } from './database.ts';
import { openSqliteForWriting, viewSqlite } from './sqlite-database.ts';

type Place = Config['database'];

/** Returns the place of a database, in a form for messages. Contains no credentials. */
export function locationOf(place: Place): string {
  if (place.kind === 'sqlite') return `sqlite:${resolve(place.path)}`;
  const { host, pathname } = new URL(place.url);
  return `postgres://${host}${pathname}`;
}

/** Opens a view of the database that does not change while it is open. */
export async function viewDatabase(place: Place): Promise<Database> {
  if (place.kind === 'sqlite') return viewSqlite(place.path);
  const { viewPostgres } = await import('./postgres-database.ts');
  return viewPostgres(place.url);
}

/**
 * Opens a database that is there already, for this process alone.
 * @throws Error if there is no database, or if a server runs on it
 */
export async function openExisting(place: Place): Promise<WritableDatabase> {
  if (place.kind === 'sqlite') await viewSqlite(place.path).close();
  return openAlone(place);
}

/**
 * Opens the database for this process alone, and makes the file of SQLite if there is none.
 * @throws Error if a server runs on it
 */
export async function openAlone(place: Place): Promise<WritableDatabase> {
  if (place.kind === 'postgres') {
    const { openPostgresForWriting } = await import('./postgres-database.ts');
    return openPostgresForWriting(place.url);
  }
  const lock = lockFile(`${place.path}.lock`, () => `a server runs on the database ${place.path}. Stop it first.`);
  try {
    const database = openSqliteForWriting(place.path);
    return {
      ...database,
      async close() {
        await database.close();
        lock.close();
      },
    };
  } catch (error) {
    lock.close();
    throw error;
  }
}
