// The error codes of SQLite, and advice about errors that stop a start.
import { resolve } from 'node:path';

const BUSY = 5;
const READONLY = 8;
const IOERR = 10;
const CORRUPT = 11;
const FULL = 13;
const CANTOPEN = 14;
const NOTADB = 26;

interface Coded {
  readonly errcode?: number;
  readonly cause?: Coded;
}

/** Returns the code of an error or of its cause, without the details that SQLite adds in the higher bits. */
function codeOf(error: unknown): number {
  const { errcode, cause } = error as Coded;
  return (errcode ?? cause?.errcode ?? 0) & 0xff;
}

/** Returns true if another process holds the lock that a statement needs. */
export const isBusy = (error: unknown): boolean => codeOf(error) === BUSY;

/**
 * Returns true if the disk is full. In this case, SQLite may have ended the transaction without a rollback statement.
 */
export const isFull = (error: unknown): boolean => codeOf(error) === FULL;

export const RESTORE =
  'Keep a copy of it with its -wal file, then restore a backup into an empty folder with sealpost restore (docs/backup.md)';

const advice: Readonly<Record<number, string>> = {
  [READONLY]:
    'this user may not write it. Give the file, its folder and its -wal and -shm files to the user of the server (chown)',
  [IOERR]: 'the disk failed or is full. Look at its room and at the log of the system, then start again',
  [CORRUPT]: `it is damaged. ${RESTORE}`,
  [FULL]: 'the disk is full. Make room on it, then start again',
  [CANTOPEN]:
    'this user may not open it, or it is not a file. Look at the owner and the mode of the file and its folder',
  [NOTADB]: `it is not a SQLite database, or its beginning is damaged. Name another file with --database-url, or: ${RESTORE}`,
};

/**
 * Returns an error that names the file and says what to do. If there is no advice for the cause, returns the cause
 * itself.
 */
export function startProblem(path: string, cause: unknown): unknown {
  const known = advice[codeOf(cause)];
  if (known === undefined) return cause;
  const { message } = cause as Error;
  return new Error(`the database ${resolve(path)} cannot be used: ${known} (${message}).`, { cause });
}
