// The connections to PostgreSQL that write, and the transactions on them.
import type { CrashPoint } from '../kernel/ports.ts';
import { runHooks } from './commit-hooks.ts';
import type { PostgresConnection } from './postgres-connection.ts';
import type { PostgresConnections } from './postgres-connections.ts';
import { isReadOnly, isRepeatable, unavailableIfLost } from './postgres-errors.ts';
import { txOn } from './postgres-tx.ts';
import { type CommitTimer, StoreUnavailable } from './store.ts';
import { refuse, type Turn } from './turns.ts';

const WRITERS = 6;
/**
 * Maximum number of groups at once. Even if all groups wait for locks, some writing connections stay free for other
 * work.
 */
export const GROUPS = WRITERS - 2;
const ATTEMPTS = 8;

export interface WritersOptions {
  readonly crashPoint: CrashPoint;
  readonly timeCommit: CommitTimer;
  /** Called when something fails outside the work of a caller. */
  readonly onError: (error: Error) => void;
}

export class PostgresWriters {
  readonly #connections: PostgresConnections;
  readonly #options: WritersOptions;
  readonly #wanting: { resolve: (client: PostgresConnection) => void; reject: (error: Error) => void }[] = [];
  #count = 1;

  /** @param first an open connection, which becomes the first writer */
  constructor(connections: PostgresConnections, first: PostgresConnection, options: WritersOptions) {
    this.#connections = connections;
    this.#options = options;
    connections.idle.push(first);
  }

  /**
   * Runs the transaction of a turn and tells its callers the result; never rejects.
   * @param callers number of callers that share the transaction
   */
  async transact(turn: Turn, callers: number): Promise<void> {
    const options = this.#options;
    for (let attempt = 1; ; attempt++) {
      const hooks: (() => void)[] = [];
      let client: PostgresConnection;
      try {
        client = await this.#take();
      } catch (error) {
        return refuse(turn, error);
      }
      const tx = txOn(client, hooks);
      try {
        options.crashPoint('transaction.before-begin');
        tx.begin();
        const settle = await turn.run(tx);
        options.crashPoint('transaction.written');
        // The commit is sent right after the last writes, without waiting for their answers. If one of the writes
        // failed, PostgreSQL rolls back instead.
        const committed = options.timeCommit();
        const { command } = await client.query('commit');
        await tx.requireWritten();
        if (command !== 'COMMIT') throw new Error(`PostgreSQL answered ${command} to a commit`);
        committed(callers);
        options.crashPoint('transaction.committed');
        runHooks(hooks, options.onError);
        options.crashPoint('operations.published');
        settle();
        return;
      } catch (error) {
        // The transaction object is ended before the rollback. Otherwise, work that is still running could write on
        // this connection after the rollback.
        tx.end();
        // The error of the first failed write is used, because later statements fail with an error that does not tell
        // the cause.
        const cause = tx.failedWrite() ?? error;
        if (isReadOnly(cause)) this.#connections.drop(client, `${this.#connections.place} accepts no writes any more`);
        else if (this.#connections.has(client)) await client.query('rollback').catch(() => {});
        if (isRepeatable(cause) && attempt < ATTEMPTS) continue;
        const told = unavailableIfLost(cause, this.#connections.closed);
        // The work is not repeated here, because the commit may have happened. Only the caller can tell whether a
        // repetition is safe.
        if (told instanceof StoreUnavailable) return refuse(turn, told);
        for (const again of turn.fail(told)) await this.transact(again, 1);
        return;
      } finally {
        tx.end();
        this.#giveBack(client);
      }
    }
  }

  /** Waits until no transaction runs, or no connection is left. */
  async finish(): Promise<void> {
    const { idle } = this.#connections;
    while (idle.length < this.#count && this.#connections.size > 0) await new Promise(setImmediate);
  }

  async #take(): Promise<PostgresConnection> {
    for (let client = this.#connections.idle.pop(); client; client = this.#connections.idle.pop()) {
      if (this.#connections.has(client)) return client;
      this.#count -= 1;
    }
    if (this.#count < WRITERS) {
      this.#count += 1;
      try {
        return await this.#connections.connect();
      } catch (error) {
        this.#count -= 1;
        const unavailable = new StoreUnavailable(`${this.#connections.place} does not answer`, { cause: error });
        // The waiting callers are refused too, because no connection is left that they could get.
        if (this.#count === 0) for (const { reject } of this.#wanting.splice(0)) reject(unavailable);
        throw unavailable;
      }
    }
    return new Promise((resolve, reject) => this.#wanting.push({ resolve, reject }));
  }

  #giveBack(client: PostgresConnection): void {
    if (!this.#connections.has(client)) {
      this.#count -= 1;
      const next = this.#wanting.shift();
      if (next) this.#take().then(next.resolve, next.reject);
      return;
    }
    const next = this.#wanting.shift();
    if (next) next.resolve(client);
    else this.#connections.idle.push(client);
  }
}
