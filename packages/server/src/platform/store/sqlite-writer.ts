// The one writer of a SQLite database. Callers that wait at the same time share a commit.
import type { DatabaseSync } from 'node:sqlite';
import type { CrashPoint } from '../kernel/ports.ts';
import { runHooks } from './commit-hooks.ts';
import { createGather } from './gather.ts';
import { WRITE_WAIT_MS } from './sqlite-connection.ts';
import { isBusy, isFull } from './sqlite-errors.ts';
import { type Statements, statementsOn } from './sqlite-statements.ts';
import { openTx } from './sqlite-tx.ts';
import { SqliteWal } from './sqlite-wal.ts';
import { type CommitTimer, StoreFull, StoreUnavailable } from './store.ts';
import { refuse, singleTurn, type Turn } from './turns.ts';

/**
 * The id in the database file that tells other programs to which application the file belongs. Writing the same id
 * again changes nothing, but tests every step of a commit.
 */
const APPLICATION_ID = 0x5ea1_9057;

export interface WriterOptions {
  readonly path: string;
  readonly crashPoint: CrashPoint;
  readonly timeCommit: CommitTimer;
  /** Called when something fails outside the work of a caller. */
  readonly onError: (error: Error) => void;
  /** Called once when a commit failed. The process must stop then, because the state on the disk is unknown. */
  readonly onFatal: (error: Error) => void;
}

/** Functions to call as soon as the commit is durable. */
interface Taken {
  readonly settled: (() => void)[];
  readonly hooks: (() => void)[];
}

export class SqliteWriter {
  readonly #database: DatabaseSync;
  readonly #options: WriterOptions;
  readonly #statements: Statements;
  readonly #control: ReturnType<typeof controlOf>;
  readonly #wal: SqliteWal;
  /** One round without a caller is enough, because nothing arrives during a commit. */
  readonly #drainWhenQuiet = createGather(
    () => this.#callers,
    1,
    () => void this.#drain(),
  );
  readonly #queue: Turn[] = [];
  /** Turns that only test whether writing works. */
  readonly #probes = new WeakSet<Turn>();
  #callers = 0;
  #scheduled = false;
  #broken: Error | undefined;
  #closed = false;

  constructor(database: DatabaseSync, options: WriterOptions) {
    this.#database = database;
    this.#options = options;
    this.#statements = statementsOn(database);
    this.#control = controlOf(database);
    this.#wal = new SqliteWal(database, options.onError);
  }

  enqueue(turn: Turn): void {
    if (this.#broken || this.#closed) {
      refuse(turn, this.#unavailable());
      return;
    }
    this.#queue.push(turn);
    this.#callers += 1;
    this.#schedule();
  }

  /** Counts a caller that joined a waiting turn. */
  joined(): void {
    this.#callers += 1;
  }

  /**
   * Tests writing with a commit that changes nothing.
   * @throws StoreUnavailable when the commit fails
   */
  probe(): Promise<void> {
    return new Promise((resolve, reject) => {
      const turn = singleTurn(async () => void this.#control.mark.get(), resolve, reject);
      this.#probes.add(turn);
      this.enqueue(turn);
    });
  }

  /** Empties the WAL if nobody writes. Called at regular intervals. */
  lookAtWal(): void {
    if (!this.#broken) this.#wal.look(this.#scheduled);
  }

  /** Waits until all waiting turns are written, then accepts no new ones. */
  async close(): Promise<void> {
    while (this.#scheduled || this.#queue.length > 0) await new Promise(setImmediate);
    this.#closed = true;
  }

  #schedule(): void {
    if (this.#scheduled || this.#queue.length === 0) return;
    this.#scheduled = true;
    this.#drainWhenQuiet();
  }

  async #drain(): Promise<void> {
    const { crashPoint, onError, timeCommit } = this.#options;
    const turns = this.#queue.splice(0);
    const callers = this.#callers;
    this.#callers = 0;
    let taken: Taken;
    try {
      crashPoint('transaction.before-begin');
      this.#beginOrRefuse();
      taken = (await this.#takeTogether(turns)) ?? (await this.#takeApart(turns));
      crashPoint('transaction.written');
      const committed = timeCommit();
      this.#control.commit.run();
      committed(callers);
      crashPoint('transaction.committed');
    } catch (error) {
      this.#failed(turns, error);
      return;
    }
    this.#scheduled = false;
    this.#wal.committed(turns.some((turn) => !this.#probes.has(turn)));
    runHooks(taken.hooks, onError);
    crashPoint('operations.published');
    for (const settle of taken.settled) settle();
    this.#schedule();
  }

  #failed(turns: readonly Turn[], error: unknown): void {
    const refusal = this.#refusalFor(error);
    if (refusal === error || refusal instanceof StoreFull) this.#standDown();
    else this.#breakDown(error as Error);
    for (const turn of turns) refuse(turn, refusal);
    this.#schedule();
  }

  #refusalFor(error: unknown): StoreUnavailable {
    if (error instanceof StoreUnavailable) return error;
    if (isFull(error)) return new StoreFull(`the disk of ${this.#options.path} is full`, { cause: error });
    return new StoreUnavailable('the commit failed', { cause: error });
  }

  /** @throws StoreUnavailable when another process writes and does not end in time */
  #beginOrRefuse(): void {
    try {
      this.#control.begin.run();
    } catch (error) {
      if (!isBusy(error)) throw error;
      throw new StoreUnavailable(
        `another process writes to ${this.#options.path} and did not end within ${WRITE_WAIT_MS} ms. Commit or end it (a sqlite3 shell, a backup program); to copy the database beside a running server, use what only reads, like "vacuum into".`,
        { cause: error },
      );
    }
  }

  /**
   * Runs all turns without savepoints, because a savepoint makes SQLite copy every page that the turn changes. If a
   * turn fails, nothing is written and the result is undefined. The caller then repeats each turn on its own.
   */
  async #takeTogether(turns: readonly Turn[]): Promise<Taken | undefined> {
    const taken: Taken = { settled: [], hooks: [] };
    for (const turn of turns) {
      const tx = openTx(this.#statements, taken.hooks);
      try {
        taken.settled.push(await turn.run(tx));
      } catch (error) {
        if (isFull(error)) throw error;
        this.#control.rollback.run();
        this.#beginOrRefuse();
        return undefined;
      } finally {
        tx.end();
      }
    }
    return taken;
  }

  /** Runs each turn inside a savepoint, so that a turn that fails does not undo the others. */
  async #takeApart(turns: readonly Turn[]): Promise<Taken> {
    const taken: Taken = { settled: [], hooks: [] };
    for (const turn of turns) await this.#take(turn, taken);
    return taken;
  }

  async #take(turn: Turn, taken: Taken): Promise<void> {
    const own: (() => void)[] = [];
    const tx = openTx(this.#statements, own);
    this.#control.savepoint.run();
    try {
      const settle = await turn.run(tx);
      this.#control.release.run();
      taken.settled.push(settle);
      taken.hooks.push(...own);
    } catch (error) {
      if (isFull(error)) throw error;
      this.#control.undo.run();
      this.#control.release.run();
      for (const again of turn.fail(error)) await this.#take(again, taken);
    } finally {
      tx.end();
    }
  }

  /**
   * Ends a group of which nothing was written. The writer stays usable, because the content of the disk is known and
   * the next group may find free space.
   */
  #standDown(): void {
    this.#scheduled = false;
    if (this.#database.isTransaction) this.#control.rollback.run();
  }

  #breakDown(error: Error): void {
    this.#broken = error;
    this.#scheduled = false;
    try {
      this.#control.rollback.run();
    } catch {
      // The failed commit already ended the transaction.
    }
    for (const turn of this.#queue.splice(0)) refuse(turn, this.#unavailable());
    this.#options.onFatal(error);
  }

  #unavailable(): StoreUnavailable {
    return new StoreUnavailable(this.#closed ? 'the store is closed' : 'a commit failed; the server must restart', {
      cause: this.#broken,
    });
  }
}

const controlOf = (database: DatabaseSync) => ({
  begin: database.prepare('begin immediate'),
  commit: database.prepare('commit'),
  rollback: database.prepare('rollback'),
  savepoint: database.prepare('savepoint turn'),
  release: database.prepare('release turn'),
  undo: database.prepare('rollback to turn'),
  mark: database.prepare(`pragma application_id = ${APPLICATION_ID}`),
});
