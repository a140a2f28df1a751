// The connections to PostgreSQL. A regular check finds connections that no longer get answers, and refuses their
// callers in time.
import type { Timer, Timers } from '@sealpost/contract/ports';
import { GatheringSocket } from './gathering-socket.ts';
import { createPatience, type Patience } from './patience.ts';
import { PostgresConnection } from './postgres-connection.ts';
import { StoreUnavailable } from './store.ts';

const STATEMENT_TIMEOUT_MS = 10_000;
const CONNECT_TIMEOUT_MS = 2_000;
const WATCH_MS = 500;
/**
 * Number of checks after which a connection without answers is given up. PostgreSQL would have ended any statement
 * before, so an answer that is still missing is lost.
 */
const SILENT_ROUNDS = (STATEMENT_TIMEOUT_MS + 2_000) / WATCH_MS;
/** Milliseconds without any answer from PostgreSQL after which a waiting caller is refused. */
const LATE_MS = 2_000;
const LATE_ROUNDS = LATE_MS / WATCH_MS;
/**
 * Milliseconds after which a connection counts as stuck. Most waits for a lock are shorter. The readiness check fails
 * when many connections are stuck.
 */
const STUCK_MS = 5_000;

/**
 * Settings of the query planner. Every query finds its rows by key. For new tables without statistics, the planner
 * might read whole tables instead. So these settings make the planner use the keys, plan each query once, and compile
 * nothing. The plan of a page is made for a tenth of a log, whatever its limit is. For long logs, PostgreSQL would start
 * more processes for it, and end them after each page.
 */
const PLANNER = [
  'enable_seqscan=off',
  'enable_hashjoin=off',
  'enable_mergejoin=off',
  'plan_cache_mode=force_generic_plan',
  'jit=off',
  'max_parallel_workers_per_gather=0',
]
  .map((setting) => `-c ${setting}`)
  .join(' ');

const INT8 = 20;
const INT4 = 23;

/** Reads values. A bigint becomes a number, because all values of this schema are below 2^53. */
export const valueTypes = {
  getTypeParser: (type: number): ((text: string) => unknown) => (type === INT8 || type === INT4 ? Number : String),
};

export interface ConnectionsOptions {
  readonly url: string;
  readonly timers: Timers;
  /** Called when a connection is lost, or when something fails outside the work of a caller. */
  readonly onError: (error: Error) => void;
}

export class PostgresConnections {
  /** The address of PostgreSQL, in a form for logs and error messages. */
  readonly place: string;
  /** The writing connections that wait for work. */
  readonly idle: PostgresConnection[] = [];
  readonly patience: Patience;
  closed = false;
  readonly #options: ConnectionsOptions;
  readonly #open = new Set<PostgresConnection>();
  readonly #watch: Timer;
  /** True if the newest attempt to connect failed. */
  #unreachable = false;
  /**
   * Number of consecutive checks at which some connection waited for an answer, but no connection got one. A connection
   * that waits for a lock does not raise the number while other connections get answers.
   */
  #quietLooks = 0;

  constructor(options: ConnectionsOptions) {
    this.#options = options;
    this.place = `PostgreSQL at ${new URL(options.url).host}`;
    // One check is added, because the first check may come right after a caller begins to wait.
    this.patience = createPatience(LATE_ROUNDS + 1, `${this.place} answers nothing: it may have done the work or not`);
    this.#watch = options.timers.every(WATCH_MS, () => this.#look());
  }

  get size(): number {
    return this.#open.size;
  }

  has(client: PostgresConnection): boolean {
    return this.#open.has(client);
  }

  /** @throws Error if PostgreSQL does not answer; StoreUnavailable if it accepts no writes */
  async connect(): Promise<PostgresConnection> {
    const client = new PostgresConnection(
      {
        connectionString: this.#options.url,
        stream: () => new GatheringSocket(),
        pipeline: true,
        keepAlive: true,
        connectionTimeoutMillis: CONNECT_TIMEOUT_MS,
        statement_timeout: STATEMENT_TIMEOUT_MS,
        lock_timeout: STATEMENT_TIMEOUT_MS,
        idle_in_transaction_session_timeout: STATEMENT_TIMEOUT_MS,
        application_name: 'sealpost',
        options: PLANNER,
        types: valueTypes,
      },
      () => {
        this.#quietLooks = 0;
      },
    );
    client.on('error', (error) => {
      this.#open.delete(client);
      this.#options.onError(error);
    });
    client.on('end', () => this.#open.delete(client));
    await this.#connectForWriting(client).catch((error: unknown) => {
      this.#unreachable = true;
      throw error;
    });
    this.#unreachable = false;
    this.#open.add(client);
    return client;
  }

  async #connectForWriting(client: PostgresConnection): Promise<void> {
    await client.connect();
    if (!client.readOnly) return;
    await client.end();
    throw new StoreUnavailable(`${this.place} accepts no writes: it is a standby, or set to be read-only`);
  }

  /**
   * @throws StoreUnavailable if at least `most` connections are stuck, because sends may then find no free connection
   */
  requireFewLate(most: number): void {
    const late = [...this.#open].filter(({ silentRounds }) => silentRounds * WATCH_MS >= STUCK_MS).length;
    if (late < most) return;
    throw new StoreUnavailable(
      `${late} of ${this.size} connections to ${this.place} wait for an answer for ${STUCK_MS / 1000} s and more`,
    );
  }

  /** Waits until a connection answers. @throws StoreUnavailable if the connection does not answer in time */
  answerInTime(client: PostgresConnection): Promise<unknown> {
    return new Promise((resolve, reject) => {
      const timer = this.#options.timers.after(LATE_MS, () =>
        reject(new StoreUnavailable(`${this.place} did not answer in ${LATE_MS / 1000} s`)),
      );
      client
        .query('select 1')
        .then(resolve, reject)
        .finally(() => timer.cancel());
    });
  }

  /** Drops a connection that cannot be used any more, and all that wait for work, because they may be no better. */
  drop(client: PostgresConnection, reason: string): void {
    this.#drop(client, reason);
    for (const other of this.idle)
      this.#drop(other, 'closed unused, because another connection to PostgreSQL had to be given up');
  }

  /** Ends all connections after their pending statements. */
  async leave(): Promise<void> {
    await Promise.all([...this.#open].map((client) => client.leave()));
    this.#watch.cancel();
  }

  #look(): void {
    for (const client of this.#open) {
      client.look();
      if (client.silentRounds < SILENT_ROUNDS) continue;
      const seconds = (client.silentRounds * WATCH_MS) / 1000;
      this.drop(client, `${this.place} answered nothing for ${seconds} s: the connection is given up`);
    }
    this.#quietLooks = [...this.#open].some(({ silentRounds }) => silentRounds > 0) ? this.#quietLooks + 1 : 0;
    this.patience.look(this.#quietLooks >= LATE_ROUNDS || (this.#unreachable && this.#open.size === 0));
  }

  #drop(client: PostgresConnection, reason: string): void {
    if (this.#open.delete(client)) client.giveUp(reason);
  }
}
