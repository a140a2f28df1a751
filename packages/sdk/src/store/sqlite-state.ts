// Local state in SQLite files, one for each account. For Node.
import { mkdirSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import { inUse, type Row, type Rows, type StateStore, type Value } from './store.ts';

const OWNER_ONLY = 0o700;
/** The value of `limit` with which SQLite returns all rows. */
const ALL = -1;

/**
 * Creates a store in a folder that only its owner can read.
 * @param folder created if it does not exist; other clients may use the same folder for other accounts
 */
export function sqliteState(folder: string): StateStore {
  const pathOf = (account: string): string => {
    if (!/^\w+$/.test(account)) throw new RangeError(`"${account}" cannot be the name of a file`);
    return join(folder, `${account}.sqlite`);
  };
  return {
    lasting: true,
    async open(account) {
      mkdirSync(folder, { recursive: true, mode: OWNER_ONLY });
      return rowsOf(openFile(pathOf(account)));
    },
    async remove(account) {
      for (const ending of ['', '-wal', '-shm']) rmSync(pathOf(account) + ending, { force: true });
    },
  };
}

/**
 * Opens the file and locks it, so that no other process can read or write it. SQLite holds the lock, which ends with
 * the process at the latest.
 */
function openFile(path: string): DatabaseSync {
  const database = new DatabaseSync(path);
  try {
    database.exec('pragma locking_mode = exclusive; pragma journal_mode = wal; pragma synchronous = full');
    database.exec('create table if not exists state (key text primary key, value any) strict, without rowid');
    // The first write takes the lock, which then stays.
    database.exec('begin immediate; commit');
    return database;
  } catch (error) {
    database.close();
    if (error instanceof Error && /locked|busy/.test(error.message)) throw inUse(path);
    throw error;
  }
}

function rowsOf(database: DatabaseSync): Rows {
  const get = database.prepare('select value from state where key = ?');
  const put = database.prepare(
    'insert into state values (?, ?) on conflict (key) do update set value = excluded.value',
  );
  const remove = database.prepare('delete from state where key = ?');
  // SQLite compiles a query with a plain `limit ?` again at each run.
  const range = (order: string) =>
    database.prepare(`select key, value from state where key >= ? and key < ? order by key ${order} limit +?`);
  const forward = range('asc');
  const backward = range('desc');
  return {
    get: async (key) => storedValue(get.get(key)),
    async range(from, below, { limit = ALL, reverse = false } = {}) {
      const found = (reverse ? backward : forward).all(from, below, Number.isFinite(limit) ? limit : ALL);
      return found.map((row): Row => ({ key: String(row.key), value: storedValue(row) ?? '' }));
    },
    async commit(writes) {
      database.exec('begin immediate');
      try {
        for (const { key, value } of writes) {
          if (value === undefined) remove.run(key);
          else put.run(key, value);
        }
        database.exec('commit');
      } catch (error) {
        database.exec('rollback');
        throw error;
      }
    },
    close: async () => database.close(),
  };
}

function storedValue(row: Readonly<Record<string, unknown>> | undefined): Value | undefined {
  const value = row?.value;
  return value instanceof Uint8Array ? new Uint8Array(value) : typeof value === 'string' ? value : undefined;
}
