// One server at a time. Two on one SQLite database would give out the same ids and not hear of each other's writes.
// Each would remove the media of the other's messages.
import { readFileSync, rmSync } from 'node:fs';
import { dirname, join, resolve } from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import { makeFolder, writeFile } from '../platform/kernel/files.ts';
import { isBusy } from '../platform/store/sqlite-errors.ts';

/** A server that was killed a moment ago may still be ending. */
const WAIT_MS = 1_000;

/**
 * Takes a data folder and the SQLite database, which may lie elsewhere, for this server alone. Returns a function that
 * gives them back. The kernel does that too, however the process ends.
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
    // Only a server that finds the folder locked reads this file, so one from a killed server misleads nobody.
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

/** Node has no file locks, but SQLite has: an empty database in a transaction that never writes and never ends. */
function lock(path: string, inUse: () => string): DatabaseSync {
  makeFolder('the folder of a lock', dirname(path));
  let file: DatabaseSync | undefined;
  try {
    file = new DatabaseSync(path, { timeout: WAIT_MS });
    // Keeps the journal in memory: not even an empty file lies beside it.
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
