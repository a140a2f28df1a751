// A SQLite database for maintenance, besides a running server or without one.
import { existsSync } from 'node:fs';
import { resolve } from 'node:path';
import type { DatabaseSync } from 'node:sqlite';
import { createPrivate } from '../../platform/kernel/files.ts';
import { createSqliteTables } from '../../platform/store/migrate.ts';
import { connect } from '../../platform/store/sqlite-connection.ts';
import { startProblem } from '../../platform/store/sqlite-errors.ts';
import { statementsOn } from '../../platform/store/sqlite-statements.ts';
import type { Reader } from '../../platform/store/store.ts';
import * as q from '../queries.ts';
import type { Database, WritableDatabase } from './database.ts';
import { tableFrom } from './table-from.ts';

/**
 * Opens a view of a database that does not change while it is open. The server can continue to write.
 * @throws Error if there is no database
 */
export function viewSqlite(path: string): Database {
  if (!existsSync(path)) {
    throw new Error(
      `there is no database ${resolve(path)}. Name the data folder of the server with --data-dir, or its database with --database-url.`,
    );
  }
  const connection = connected(path, true);
  // The view begins with the first read, not with `begin`.
  explained(path, () => connection.exec('begin; select count(*) from sqlite_master'));
  return databaseOn(connection, path);
}

/** Opens a database for this process alone. The caller holds the lock of the file. */
export function openSqliteForWriting(path: string): WritableDatabase {
  createPrivate(path);
  const connection = connected(path, false);
  const statements = statementsOn(connection);
  return {
    ...databaseOn(connection, path),
    async transact(work) {
      connection.exec('begin immediate');
      try {
        const result = await work();
        connection.exec('commit');
        return result;
      } catch (error) {
        // A failed commit may have ended the transaction already.
        if (connection.isTransaction) connection.exec('rollback');
        throw error;
      }
    },
    createTables: async (version) => createSqliteTables(connection, version),
    run: async (query, ...params) => statements.run(query, params),
    insert: async (table, rows) => void statements.each(q.insertInto(table), rows),
    async close() {
      connection.exec('pragma wal_checkpoint(truncate)');
      connection.close();
    },
  };
}

const connected = (path: string, readOnly: boolean): DatabaseSync => explained(path, () => connect(path, readOnly));

/** Runs work on a database. Damage may show only when a page is read. Then the error names the file and the advice. */
function explained<T>(path: string, work: () => T): T {
  try {
    return work();
  } catch (error) {
    throw startProblem(path, error);
  }
}

function databaseOn(connection: DatabaseSync, path: string): Database {
  const statements = statementsOn(connection);
  const all: typeof statements.all = (query, params) => explained(path, () => statements.all(query, params));
  const reader: Reader = {
    one: async (query, ...params) => explained(path, () => statements.one(query, params)),
    all: async (query, ...params) => all(query, params),
    each: async (query, rows) => explained(path, () => statements.each(query, rows)),
  };
  return {
    kind: 'sqlite',
    location: `sqlite:${resolve(path)}`,
    reader,
    tableNames: async () => all(q.sqliteTables, []).map(({ name }) => name),
    tableOf: async (name) => tableFrom(name, all(q.sqliteColumns, [name])),
    async damage() {
      const found = all(q.quickCheck, []).map((row) => row.quick_check);
      return found.filter((line) => line !== 'ok');
    },
    close: async () => connection.close(),
  };
}
