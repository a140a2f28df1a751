// SQLite through node:sqlite: one connection that writes, one that reads, and one commit for all callers that wait at
// the same time.
import type { DatabaseSync } from 'node:sqlite';
import type { Timers } from '@sealpost/contract/ports';
import { createPrivate } from '../kernel/files.ts';
import { migrateSqlite } from './migrate.ts';
import { connect, type DatabaseCheck, requireWhole, WRITE_WAIT_MS } from './sqlite-connection.ts';
import { startProblem } from './sqlite-errors.ts';
import { statementsOn } from './sqlite-statements.ts';
import { SqliteWriter, type WriterOptions } from './sqlite-writer.ts';
import type { Reader, Store } from './store.ts';
import { type GroupWork, groupTurn, singleTurn, type Turn, type Waiting } from './turns.ts';

/** Milliseconds without a write after which the write-ahead log (WAL) is copied into the database file and emptied. */
const IDLE_MS = 10_000;

export interface SqliteOptions extends WriterOptions {
  readonly timers: Timers;
  /** When to check the database for damage at the start. */
  readonly check: DatabaseCheck;
  /** Called with a notice for the operator that does not stop the server. */
  readonly onNotice: (notice: string) => void;
}

/** Opens the writer and the connection for reads. @throws Error that names the file and says what to do */
function open({ path, check, onNotice }: SqliteOptions): [writer: DatabaseSync, reader: DatabaseSync] {
  const opened: DatabaseSync[] = [];
  try {
    createPrivate(path);
    const writer = connect(path);
    opened.push(writer);
    const notice = requireWhole(writer, path, check);
    if (notice !== undefined) onNotice(notice);
    migrateSqlite(writer);
    writer.exec(`pragma busy_timeout = ${WRITE_WAIT_MS}`);
    return [writer, connect(path, true)];
  } catch (error) {
    for (const database of opened) database.close();
    throw startProblem(path, error);
  }
}

export function openSqlite(options: SqliteOptions): Store {
  const [connection, readConnection] = open(options);
  const writer = new SqliteWriter(connection, options);
  const upkeep = options.timers.every(IDLE_MS, () => writer.lookAtWal(), { coarse: () => true });
  const reading = statementsOn(readConnection);
  const committed: Reader = {
    one: async (query, ...params) => reading.one(query, params),
    all: async (query, ...params) => reading.all(query, params),
    each: async (query, rows) => reading.each(query, rows),
  };
  return {
    kind: 'sqlite',
    location: options.path,
    read: async (work) => work(committed),
    transact: (work) => new Promise((resolve, reject) => writer.enqueue(singleTurn(work, resolve, reject))),
    grouped: (work) => groupedOn(writer, work),
    check: () => writer.probe(),
    async close() {
      upkeep.cancel();
      await writer.close();
      readConnection.close();
      connection.close();
    },
  };
}

/** Returns a function that adds an item to a waiting group. The group waits until the writer takes it. */
function groupedOn<I, O>(writer: SqliteWriter, work: GroupWork<I, O>): (item: I) => Promise<O> {
  let waiting: Waiting<I, O>[] = [];
  return (item) =>
    new Promise<O>((resolve, reject) => {
      waiting.push({ item, resolve, reject });
      if (waiting.length > 1) {
        writer.joined();
        return;
      }
      // More items join this group until its turn runs.
      writer.enqueue(
        lateTurn(
          () => groupTurn(work, waiting),
          () => (waiting = []),
        ),
      );
    });
}

/** Returns a turn that more callers can join until it runs. */
function lateTurn(make: () => Turn, taken: () => void): Turn {
  let turn: Turn | undefined;
  const fixed = (): Turn => {
    if (!turn) {
      turn = make();
      taken();
    }
    return turn;
  };
  return { run: (tx) => fixed().run(tx), fail: (error) => fixed().fail(error) };
}
