// The write-ahead log (WAL) of a SQLite database. The WAL holds commits until they are copied into the database file.
import type { DatabaseSync } from 'node:sqlite';
import { WRITE_WAIT_MS } from './sqlite-connection.ts';
import { isBusy } from './sqlite-errors.ts';

export class SqliteWal {
  readonly #database: DatabaseSync;
  readonly #onError: (error: Error) => void;
  /** True if a caller wrote since the last call of `look`. */
  #written = false;
  #empty = false;

  /** @param database the connection that writes */
  constructor(database: DatabaseSync, onError: (error: Error) => void) {
    this.#database = database;
    this.#onError = onError;
  }

  /** Records that a commit happened. @param byCaller false if the commit only tested whether writing works */
  committed(byCaller: boolean): void {
    this.#empty = false;
    this.#written ||= byCaller;
  }

  /**
   * Empties the WAL if nobody writes now or wrote since the last call. SQLite by itself overwrites the WAL from the
   * beginning, but never shrinks the file. The next start of the server would read the whole file.
   */
  look(writing: boolean): void {
    const busy = this.#written || writing;
    this.#written = false;
    if (busy || this.#empty) return;
    try {
      // If another process reads, this attempt fails at once, and the next call of `look` tries again.
      this.#database.exec('pragma busy_timeout = 0');
      const { busy: kept } = this.#database.prepare('pragma wal_checkpoint(truncate)').get() as { busy: number };
      this.#empty = kept === 0;
    } catch (error) {
      if (!isBusy(error)) this.#onError(error as Error);
    } finally {
      this.#database.exec(`pragma busy_timeout = ${WRITE_WAIT_MS}`);
    }
  }
}
