// Makes sure that only one server uses a data folder and a SQLite database. Two servers on one database would create
// the same ids and not notice each other's writes. Each would remove media that messages of the other need.
import { readFileSync, rmSync } from 'node:fs';
import { dirname, join, resolve } from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import { makeFolder, writeFile } from '../platform/kernel/files.ts';
import { isBusy } from '../platform/store/sqlite-errors.ts';

/** Milliseconds to wait for the lock, because a server that was just killed may still hold it. */
const WAIT_MS = 1_000;

/**
 * Locks a data folder and the SQLite database, which may be in another place, for this server. Returns a function that
 * releases the locks. The kernel also releases them when the process ends, even by a crash.
 */
export function lockForOneServer(dataDir: string, database: string): () => void {
  const pidFile = join(dataDir, 'server.pid');
  const folder = lock(
    join(dataDir, 'server.lock'),
    () =>
      `the data folder ${resolve(dataDir)} is in use by another server${processIn(pidFile)}. Stop that one, or give this one a folder of its own with --data-dir. Several servers can share a PostgreSQL database.`,
  );
  const unlockFolder = () => {
    rmSync(pidFile, { force: true });
    folder.close();
  };
  try {
    // Only a server that finds the folder locked reads this file. So the file of a killed server misleads nobody.
    writeFile('the number of the process in', pidFile, `${process.pid}\n`);
    const file = lock(
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
 * Locks a file through SQLite, because Node has no file locks. The file is an empty database. Its transaction writes
 * nothing and stays open until the lock is released.
 */
function lock(path: string, inUse: () => string): DatabaseSync {
  makeFolder('the folder of a lock', dirname(path));
  let file: DatabaseSync | undefined;
  try {
    file = new DatabaseSync(path, { timeout: WAIT_MS });
    // The journal is in memory, so that SQLite creates no journal file beside the lock.
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
