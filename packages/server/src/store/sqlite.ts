// SQLite through node:sqlite: one writer connection, one connection for reads, group commit.
import { DatabaseSync, type StatementSync } from 'node:sqlite';
import type { CrashPoint } from '../kernel/ports.ts';
import { runHooks } from './commit-hooks.ts';
import { migrateSqlite } from './migrate.ts';
import type { Query, Row, SetQuery, Value } from './sql.ts';
import { isBusy, isFull } from './sqlite-errors.ts';
import { type Reader, type Store, StoreUnavailable, type Tx } from './store.ts';
import { groupTurn, singleTurn, type Turn, type Waiting } from './turns.ts';

/** Older versions can corrupt a WAL database that has more than one connection. */
const MIN_VERSION = [3, 51, 3] as const;
const CHECKPOINT_PAGES = 8000;
/** Rounds of the event loop that a group may grow before it is written. */
const GATHER_ROUNDS = 64;
const CACHE_KIB = 64 * 1024;
/** At the start, when nobody is kept waiting. */
const START_WAIT_MS = 5_000;
/**
 * How long a transaction waits for another process that writes. The wait stops the event loop: nobody is answered
 * meanwhile, readers and streams neither. A checkpoint from outside is over sooner; whatever takes longer is refused.
 */
const WRITE_WAIT_MS = 200;

export interface SqliteOptions {
  readonly path: string;
  readonly crashPoint: CrashPoint;
  /** Something failed beside the work of a caller. */
  readonly onError: (error: Error) => void;
  /** Called once when a commit failed: the process must stop, because what is on disk is unknown. */
  readonly onFatal: (error: Error) => void;
}

/** What to do once a commit is durable. */
interface Taken {
  readonly settled: (() => void)[];
  readonly hooks: (() => void)[];
}

export function openSqlite(options: SqliteOptions): Store {
  const writer = connect(options.path);
  migrateSqlite(writer);
  writer.exec(`pragma busy_timeout = ${WRITE_WAIT_MS}`);
  const readConnection = connect(options.path, true);
  const writing = statementsOn(writer);
  const queue: Turn[] = [];
  let callers = 0;
  let scheduled = false;
  let broken: Error | undefined;
  let closed = false;

  const begin = writer.prepare('begin immediate');
  const commit = writer.prepare('commit');
  const rollback = writer.prepare('rollback');
  const savepoint = writer.prepare('savepoint turn');
  const release = writer.prepare('release turn');
  const undo = writer.prepare('rollback to turn');

  function schedule(): void {
    if (scheduled || queue.length === 0) return;
    scheduled = true;
    gather(callers, 0);
  }

  /**
   * Waits while each round of the event loop brings more callers, so that they share the commit; a caller alone waits
   * for nothing.
   */
  function gather(seen: number, rounds: number): void {
    setImmediate(() => {
      if (callers > seen && rounds < GATHER_ROUNDS) gather(callers, rounds + 1);
      else void drain();
    });
  }

  async function drain(): Promise<void> {
    const turns = queue.splice(0);
    callers = 0;
    let taken: Taken;
    try {
      options.crashPoint('transaction.before-begin');
      beginOrRefuse();
      taken = (await takeTogether(turns)) ?? (await takeApart(turns));
      options.crashPoint('transaction.written');
      commit.run();
      options.crashPoint('transaction.committed');
    } catch (error) {
      const refusal =
        error instanceof StoreUnavailable ? error : new StoreUnavailable('the commit failed', { cause: error });
      if (refusal === error || isFull(error)) standDown();
      else breakDown(error as Error);
      for (const turn of turns) refuse(turn, refusal);
      schedule();
      return;
    }
    scheduled = false;
    runHooks(taken.hooks, options.onError);
    options.crashPoint('operations.published');
    for (const settle of taken.settled) settle();
    schedule();
  }

  /** @throws StoreUnavailable when another process writes and does not end in time */
  function beginOrRefuse(): void {
    try {
      begin.run();
    } catch (error) {
      if (!isBusy(error)) throw error;
      throw new StoreUnavailable(
        `another process writes to ${options.path} and did not end within ${WRITE_WAIT_MS} ms. Commit or end it (a sqlite3 shell, a backup program); to copy the database beside a running server, use what only reads, like "vacuum into".`,
        { cause: error },
      );
    }
  }

  /**
   * All turns without savepoints, which make SQLite copy every page before it changes it. Answers undefined, with
   * nothing written, when one of them fails: then they are repeated, each on its own.
   */
  async function takeTogether(turns: readonly Turn[]): Promise<Taken | undefined> {
    const taken: Taken = { settled: [], hooks: [] };
    for (const turn of turns) {
      const tx = openTx(taken.hooks);
      try {
        taken.settled.push(await turn.run(tx));
      } catch (error) {
        if (isFull(error)) throw error;
        rollback.run();
        beginOrRefuse();
        return undefined;
      } finally {
        tx.end();
      }
    }
    return taken;
  }

  /** Each turn inside a savepoint, so that those that fail do not undo the others. */
  async function takeApart(turns: readonly Turn[]): Promise<Taken> {
    const taken: Taken = { settled: [], hooks: [] };
    for (const turn of turns) await take(turn, taken);
    return taken;
  }

  async function take(turn: Turn, taken: Taken): Promise<void> {
    const own: (() => void)[] = [];
    const tx = openTx(own);
    savepoint.run();
    try {
      const settle = await turn.run(tx);
      release.run();
      taken.settled.push(settle);
      taken.hooks.push(...own);
    } catch (error) {
      if (isFull(error)) throw error;
      undo.run();
      release.run();
      for (const again of turn.fail(error)) await take(again, taken);
    } finally {
      tx.end();
    }
  }

  /** Nothing was written and nothing is unknown: the next group may find room again. */
  function standDown(): void {
    scheduled = false;
    if (writer.isTransaction) rollback.run();
  }

  function breakDown(error: Error): void {
    broken = error;
    scheduled = false;
    try {
      rollback.run();
    } catch {
      // The failed commit already ended the transaction.
    }
    for (const turn of queue.splice(0)) refuse(turn, unavailable());
    options.onFatal(error);
  }

  function refuse(turn: Turn, error: Error): void {
    for (const rest of turn.fail(error)) refuse(rest, error);
  }

  const unavailable = () =>
    new StoreUnavailable(closed ? 'the store is closed' : 'a commit failed; the server must restart', {
      cause: broken,
    });

  function enqueue(turn: Turn): void {
    if (broken || closed) {
      refuse(turn, unavailable());
      return;
    }
    queue.push(turn);
    callers += 1;
    schedule();
  }

  function openTx(hooks: (() => void)[]): Tx & { end(): void } {
    let open = true;
    /**
     * After a failed statement SQLite may have ended the transaction by itself; what the same work asks for next,
     * without having seen the failure yet, would then be written alone.
     */
    function guarded<T>(statement: () => T): T {
      if (!open) throw new Error('this transaction is over');
      try {
        return statement();
      } catch (error) {
        open = false;
        throw error;
      }
    }
    return {
      one: async (query, ...params) => guarded(() => writing.one(query, params)),
      all: async (query, ...params) => guarded(() => writing.all(query, params)),
      each: async (query, rows) => guarded(() => writing.each(query, rows)),
      run: async (query, ...params) => guarded(() => writing.run(query, params)),
      onCommit: (hook) => hooks.push(hook),
      end: () => {
        open = false;
      },
    };
  }

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
    transact: (work) => new Promise((resolve, reject) => enqueue(singleTurn(work, resolve, reject))),
    grouped<I, O>(work: (tx: Tx, items: readonly I[]) => Promise<readonly (O | Error)[]>) {
      let waiting: Waiting<I, O>[] = [];
      return (item: I) =>
        new Promise<O>((resolve, reject) => {
          waiting.push({ item, resolve, reject });
          if (waiting.length > 1) {
            callers += 1;
            return;
          }
          // The group fills until its turn comes.
          enqueue(
            lateTurn(
              () => groupTurn(work, waiting),
              () => (waiting = []),
            ),
          );
        });
    },
    async check() {
      if (broken || closed) throw unavailable();
      writer.prepare('select 1').get();
    },
    async close() {
      while (scheduled || queue.length > 0) await new Promise(setImmediate);
      closed = true;
      readConnection.close();
      writer.close();
    },
  };
}

/** A turn whose callers are fixed only when it runs. */
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

interface Prepared {
  readonly statement: StatementSync;
  readonly names: readonly string[];
}

/** The statements of one connection, prepared once each. They run when called, not a moment later. */
function statementsOn(database: DatabaseSync) {
  const prepared = new Map<Query<unknown>, Prepared>();
  function prepare(query: Query<unknown>): Prepared {
    let found = prepared.get(query);
    if (!found) {
      const statement = database.prepare(query.sqlite);
      // Rows come as arrays and become objects here: the driver makes the names of the columns anew for each call.
      statement.setReturnArrays(true);
      found = { statement, names: statement.columns().map(({ name }) => name) };
      prepared.set(query, found);
    }
    return found;
  }
  function all<R>(query: Query<R>, params: readonly Value[]): R[] {
    const { statement, names } = prepare(query);
    const rows = statement.all(...params) as unknown as Value[][];
    return rows.map((row) => objectOf(names, row) as R);
  }
  /** Asks for a row that is not there, because `run` makes an object to tell what it changed. */
  const run = (query: Query<unknown>, params: readonly Value[]): void => void prepare(query).statement.get(...params);
  return {
    one<R>(query: Query<R>, params: readonly Value[]): R | undefined {
      const { statement, names } = prepare(query);
      const row = statement.get(...params) as unknown as Value[] | undefined;
      return row && (objectOf(names, row) as R);
    },
    all,
    each<R>(query: SetQuery<R>, rows: readonly (readonly Value[])[]): R[] {
      if (query.answersRows) return rows.flatMap((row) => all(query, row));
      for (const row of rows) run(query, row);
      return [];
    },
    run,
  };
}

function objectOf(names: readonly string[], row: readonly Value[]): Row {
  const object: Row = {};
  for (let i = 0; i < names.length; i++) object[names[i] as string] = row[i] as Value;
  return object;
}

function connect(path: string, readOnly = false): DatabaseSync {
  const database = new DatabaseSync(path, { readOnly, timeout: START_WAIT_MS });
  const { version } = database.prepare('select sqlite_version() as version').get() as { version: string };
  if (!isAtLeast(version, MIN_VERSION)) {
    throw new Error(
      `SQLite ${version} can corrupt a database with several connections; ${MIN_VERSION.join('.')} or newer is needed. Use Node 24.`,
    );
  }
  if (!readOnly) database.exec('pragma journal_mode = wal');
  database.exec(
    `pragma synchronous = full; pragma cache_size = -${CACHE_KIB}; pragma wal_autocheckpoint = ${CHECKPOINT_PAGES};`,
  );
  const { synchronous } = database.prepare('pragma synchronous').get() as { synchronous: number };
  if (synchronous !== 2)
    throw new Error(
      `SQLite would not sync its commits (synchronous=${synchronous}); acknowledged would not mean durable.`,
    );
  return database;
}

function isAtLeast(version: string, minimum: readonly number[]): boolean {
  const parts = version.split('.').map(Number);
  for (const [i, least] of minimum.entries()) {
    if ((parts[i] ?? 0) !== least) return (parts[i] ?? 0) > least;
  }
  return true;
}
