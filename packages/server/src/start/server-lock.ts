// Makes sure that only one server uses a data folder and a SQLite database. Two servers on one database would create
// the same ids and miss each other's writes. Each would also remove media that only messages of the other server need.
import { readFileSync, rmSync } from 'node:fs';
import { dirname, join, resolve } from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import { makeFolder, writeFile } from '../platform/kernel/files.ts';
import { isBusy } from '../platform/store/sqlite-errors.ts';

/** Milliseconds to wait for the lock, because a server that was just killed may still hold it. */
const WAIT_MS = 1_000;

/**
 * Locks a data folder and the SQLite database for this server. The database may be in another folder. Returns a
 * function that releases the locks. If the process ends or crashes, the operating system releases them.
 */
export function lockForOneServer(dataDir: string, database: string): () => void {
  const pidFile = join(dataDir, 'server.pid');
  const folder = lockFile(
    join(dataDir, 'server.lock'),
    () =>
      `the data folder ${resolve(dataDir)} is in use by another server${processIn(pidFile)}. Stop that one, or give this one a folder of its own with --data-dir. Several servers can share a PostgreSQL database.`,
  );
  const unlockFolder = () => {
    rmSync(pidFile, { force: true });
    folder.close();
  };
  try {
    // A server reads this file only if it finds the folder locked. So it does no harm if a killed server leaves the
    // file behind.
    writeFile('the number of the process in', pidFile, `${process.pid}\n`);
    const file = lockFile(
      `${database}.lock`,
      () =>
        `the database ${resolve(database)} is in use by another server, which has another data folder. Stop that one, or give this one a database of its own with --database-url. Several servers can share a PostgreSQL database.`,
    );
    return () => {
      file.close();
      unlockFolder();
    };
  } catch (error) {
    unlockFolder();
    throw error;
  }
}

const processIn = (pidFile: string): string => {
  try {
    return ` (process ${readFileSync(pidFile, 'utf8').trim()})`;
  } catch {
    return '';
  }
};

/**
 * Locks a file with SQLite, because Node has no file locks. The file is an empty database. A transaction on it stays
 * open until the lock is released, but writes nothing.
 */
export function lockFile(path: string, inUse: () => string): DatabaseSync {
  makeFolder('the folder of a lock', dirname(path));
  let file: DatabaseSync | undefined;
  try {
    file = new DatabaseSync(path, { timeout: WAIT_MS });
    // The journal is in memory, so that SQLite creates no journal file next to the lock file.
    file.exec('pragma journal_mode = memory; begin exclusive');
    return file;
  } catch (error) {
    file?.close();
    if (isBusy(error)) throw new Error(inUse(), { cause: error });
    throw new Error(`${resolve(path)} cannot be locked: ${(error as Error).message}. Is its folder writable?`, {
      cause: error,
    });
  }
}
