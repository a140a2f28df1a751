// Opens a SQLite database. Requires a safe version of SQLite, durable commits and undamaged pages.
import { statSync } from 'node:fs';
import { resolve } from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import { RESTORE } from './sqlite-errors.ts';

/**
 * Oldest version of SQLite that is accepted. Older versions can corrupt a WAL database that has more than one
 * connection.
 */
const MIN_VERSION = [3, 51, 3] as const;
const CHECKPOINT_PAGES = 8000;
const CACHE_KIB = 64 * 1024;
/** Milliseconds that a start waits for a lock. No client is served yet, so a long wait harms nobody. */
const START_WAIT_MS = 5_000;
/**
 * Milliseconds that a transaction waits for another process that writes. The wait stops the event loop, so even readers
 * and streams get no answer during this time. A checkpoint by another process takes less time. After this wait, the
 * transaction is refused.
 */
export const WRITE_WAIT_MS = 200;
/** Size in bytes of the largest database that `auto` checks. A check takes some seconds for each GiB. */
const AUTO_CHECK_BYTES = 2 * 2 ** 30;

/** Says when a start checks the whole database for damage. `auto` does not check a large database. */
export type DatabaseCheck = 'auto' | 'always' | 'never';

export function connect(path: string, readOnly = false): DatabaseSync {
  const database = new DatabaseSync(path, { readOnly, timeout: START_WAIT_MS });
  const { version } = database.prepare('select sqlite_version() as version').get() as { version: string };
  if (!isAtLeast(version, MIN_VERSION)) {
    throw new Error(
      `SQLite ${version} can corrupt a database with several connections; ${MIN_VERSION.join('.')} or newer is needed. Use Node 24.`,
    );
  }
  if (!readOnly) database.exec('pragma journal_mode = wal');
  // Overwrites what is deleted, so that the file has no trace of it.
  database.exec(
    `pragma secure_delete = on; pragma synchronous = full; pragma cache_size = -${CACHE_KIB}; pragma wal_autocheckpoint = ${CHECKPOINT_PAGES};`,
  );
  const { synchronous } = database.prepare('pragma synchronous').get() as { synchronous: number };
  if (synchronous !== 2)
    throw new Error(
      `SQLite would not sync its commits (synchronous=${synchronous}); acknowledged would not mean durable.`,
    );
  return database;
}

/**
 * Reads the whole database, and throws if the database is damaged.
 * @returns why the check was left out; undefined if the database was checked or no check is wanted
 */
export function requireWhole(database: DatabaseSync, path: string, when: DatabaseCheck): string | undefined {
  if (when === 'never') return undefined;
  const { size } = statSync(path);
  if (when === 'auto' && size > AUTO_CHECK_BYTES)
    return `the database has ${size} bytes and was not checked for damage, which takes some seconds per GiB: --database-check always does it at each start, and sqlite3 -readonly ${path} "pragma quick_check" beside the running server`;
  const rows = database.prepare('pragma quick_check(1)').all() as { quick_check: string }[];
  const found = rows.map((row) => row.quick_check).join('; ');
  if (found === 'ok') return undefined;
  throw new Error(
    `the database ${resolve(path)} is damaged: ${found}. ${RESTORE}. --database-check never starts with it all the same, to read what is left.`,
  );
}

function isAtLeast(version: string, minimum: readonly number[]): boolean {
  const parts = version.split('.').map(Number);
  for (const [i, least] of minimum.entries()) {
    if ((parts[i] ?? 0) !== least) return (parts[i] ?? 0) > least;
  }
  return true;
}
