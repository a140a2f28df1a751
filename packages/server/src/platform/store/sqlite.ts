// SQLite through node:sqlite: one writer connection, one connection for reads, group commit.
import type { DatabaseSync } from 'node:sqlite';
import type { Timers } from '@sealpost/contract/ports';
import type { CrashPoint } from '../kernel/ports.ts';
import { runHooks } from './commit-hooks.ts';
import { migrateSqlite } from './migrate.ts';
import { connect, type DatabaseCheck, requireWhole } from './sqlite-connection.ts';
import { isBusy, isFull, startProblem } from './sqlite-errors.ts';
import { statementsOn } from './sqlite-statements.ts';
import { type Reader, type Store, StoreFull, StoreUnavailable, type Tx } from './store.ts';
import { groupTurn, singleTurn, type Turn, type Waiting } from './turns.ts';

/** Rounds of the event loop that a group may grow before it is written. */
const GATHER_ROUNDS = 64;
/**
 * How long a transaction waits for another process that writes. The wait stops the event loop: nobody is answered
 * meanwhile, readers and streams neither. A checkpoint from outside is over sooner; whatever takes longer is refused.
 */
const WRITE_WAIT_MS = 200;
/** After this time without a write the WAL goes into the database and is empty again. */
const IDLE_MS = 10_000;
/** Tells other programs whose file it is. Writing it again changes nothing, but takes all that a commit takes. */
const APPLICATION_ID = 0x5ea1_9057;

export interface SqliteOptions {
  readonly path: string;
  readonly crashPoint: CrashPoint;
  readonly timers: Timers;
  /** Whether to look for damage at the start. */
  readonly check: DatabaseCheck;
  /** Something that an operator should know, and that stops nothing. */
  readonly onNotice: (notice: string) => void;
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

/** The writer and the connection for reads. @throws Error that names the file and says what to do */
function open({ path, check, onNotice }: SqliteOptions): [writer: DatabaseSync, reader: DatabaseSync] {
  const opened: DatabaseSync[] = [];
  try {
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
  const [writer, readConnection] = open(options);
  const writing = statementsOn(writer);
  const queue: Turn[] = [];
  let callers = 0;
  let scheduled = false;
  let broken: Error | undefined;
  let closed = false;
  /** Whether a caller wrote since the last look, and whether anything lies in the WAL. */
  let written = false;
  let inWal = true;
  /** Writes that only ask whether writing works. */
  const probes = new WeakSet<Turn>();

  const begin = writer.prepare('begin immediate');
  const commit = writer.prepare('commit');
  const rollback = writer.prepare('rollback');
  const savepoint = writer.prepare('savepoint turn');
  const release = writer.prepare('release turn');
  const undo = writer.prepare('rollback to turn');
  const mark = writer.prepare(`pragma application_id = ${APPLICATION_ID}`);

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
      const refusal = refusalFor(error);
      if (refusal === error || refusal instanceof StoreFull) standDown();
      else breakDown(error as Error);
      for (const turn of turns) refuse(turn, refusal);
      schedule();
      return;
    }
    scheduled = false;
    inWal = true;
    written ||= turns.some((turn) => !probes.has(turn));
    runHooks(taken.hooks, options.onError);
    options.crashPoint('operations.published');
    for (const settle of taken.settled) settle();
    schedule();
  }

  function refusalFor(error: unknown): StoreUnavailable {
    if (error instanceof StoreUnavailable) return error;
    if (isFull(error)) return new StoreFull(`the disk of ${options.path} is full`, { cause: error });
    return new StoreUnavailable('the commit failed', { cause: error });
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

  /**
   * Empties the WAL once nobody writes. SQLite itself only starts it anew, so that it would keep the size of the busiest
   * moment; and the next start would read all of it.
   */
  function emptyWal(): void {
    const busy = written || scheduled;
    written = false;
    if (busy || !inWal || broken) return;
    try {
      // Who reads from outside is not waited for: the next look tries again.
      writer.exec('pragma busy_timeout = 0');
      const { busy: kept } = writer.prepare('pragma wal_checkpoint(truncate)').get() as { busy: number };
      inWal = kept !== 0;
    } catch (error) {
      if (!isBusy(error)) options.onError(error as Error);
    } finally {
      writer.exec(`pragma busy_timeout = ${WRITE_WAIT_MS}`);
    }
  }
  const upkeep = options.timers.every(IDLE_MS, emptyWal);

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
    check: () =>
      new Promise((resolve, reject) => {
        const probe = singleTurn(async () => void mark.get(), resolve, reject);
        probes.add(probe);
        enqueue(probe);
      }),
    async close() {
      upkeep.cancel();
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
