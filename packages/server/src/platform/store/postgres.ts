// PostgreSQL through pg: named statements on pipelined connections. A group of waiting items shares one transaction and
// its set-based statements.
import { Socket } from 'node:net';
import type { Timers } from '@sealpost/contract/ports';
import type pg from 'pg';
import type { CrashPoint } from '../kernel/ports.ts';
import { runHooks } from './commit-hooks.ts';
import { createLanes } from './lanes.ts';
import { migratePostgres } from './migrate.ts';
import { leaseNode, type NodeLease } from './node-lease.ts';
import { createPatience } from './patience.ts';
import { PostgresConnection } from './postgres-connection.ts';
import type { Query, SetQuery, Value } from './sql.ts';
import { type Reader, type Store, StoreUnavailable, type Tx } from './store.ts';
import { groupTurn, singleTurn, type Turn } from './turns.ts';

const WRITERS = 6;
const READERS = 3;
/** Groups that all wait for something leave writers to everything else. */
const GROUPS = WRITERS - 2;
const ATTEMPTS = 8;
const STATEMENT_TIMEOUT_MS = 10_000;
const CONNECT_TIMEOUT_MS = 2_000;
const WATCH_MS = 500;
/** Longer than PostgreSQL lets a statement take: then it is the answer that is lost. */
const SILENT_ROUNDS = (STATEMENT_TIMEOUT_MS + 2_000) / WATCH_MS;
/** Callers that have waited so long for a connection that answers nothing are refused. */
const LATE_MS = 2_000;
const LATE_ROUNDS = LATE_MS / WATCH_MS;
/** Longer than most wait for locks: so many such connections are told by the check. */
const STUCK_MS = 5_000;

/**
 * Every query finds its rows by key. New tables have no statistics, and a planner that guesses would read them whole;
 * so it is told to use the keys, to plan once, and not to compile.
 */
const PLANNER = [
  'enable_seqscan=off',
  'enable_hashjoin=off',
  'enable_mergejoin=off',
  'plan_cache_mode=force_generic_plan',
  'jit=off',
]
  .map((setting) => `-c ${setting}`)
  .join(' ');

/** Serialization failure, deadlock, and a unique key that a neighbour wrote first: the same work succeeds when repeated. */
const REPEATABLE = new Set(['40001', '40P01', '23505', '55P03']);

/** Such as ECONNREFUSED and EAI_AGAIN. No code of PostgreSQL looks like this, nor one of the error table. */
const SYSTEM_ERROR = /^E(AI_)?[A-Z]+$/;

export interface PostgresOptions {
  readonly url: string;
  readonly crashPoint: CrashPoint;
  readonly timers: Timers;
  /** Accepts a server that may lose acknowledged commits. */
  readonly allowUnsafe: boolean;
  /** A connection was lost, or something failed beside the work of a caller. */
  readonly onError: (error: Error) => void;
}

export interface PostgresStore extends Store {
  /** Takes one of `max` numbers for this process, so that servers sharing the database differ. */
  leaseNode(max: number, newestId: () => Promise<number>): Promise<NodeLease>;
}

type GroupWork<I, O> = (tx: Tx, items: readonly I[]) => Promise<readonly (O | Error)[]>;

export async function openPostgres(options: PostgresOptions): Promise<PostgresStore> {
  const url = new URL(options.url);
  const connections = new Set<PostgresConnection>();
  let closed = false;
  let lease: NodeLease | undefined;
  /** The newest connection could not be made. */
  let unreachable = false;
  /**
   * Looks in a row through which answers were owed and none came, on any connection. Who waits for a lock is no sign of
   * silence: others are answered meanwhile, as the one is that keeps the node number every second.
   */
  let quietLooks = 0;
  // One look more, because the first may come at once.
  const patience = createPatience(
    LATE_ROUNDS + 1,
    `PostgreSQL at ${url.host} answers nothing: it may have done the work or not`,
  );

  async function connect(): Promise<PostgresConnection> {
    const client = new PostgresConnection(
      {
        connectionString: options.url,
        stream: () => new GatheringSocket(),
        pipeline: true,
        keepAlive: true,
        connectionTimeoutMillis: CONNECT_TIMEOUT_MS,
        statement_timeout: STATEMENT_TIMEOUT_MS,
        lock_timeout: STATEMENT_TIMEOUT_MS,
        idle_in_transaction_session_timeout: STATEMENT_TIMEOUT_MS,
        application_name: 'sealpost',
        options: PLANNER,
        types: { getTypeParser: parserOf },
      },
      () => {
        quietLooks = 0;
      },
    );
    client.on('error', (error) => {
      connections.delete(client);
      options.onError(error);
    });
    client.on('end', () => connections.delete(client));
    await client.connect().catch((error: unknown) => {
      unreachable = true;
      throw error;
    });
    unreachable = false;
    connections.add(client);
    return client;
  }

  const watch = options.timers.every(WATCH_MS, () => {
    for (const client of connections) {
      client.look();
      if (client.silentRounds < SILENT_ROUNDS) continue;
      const seconds = (client.silentRounds * WATCH_MS) / 1000;
      drop(client, `PostgreSQL at ${url.host} answered nothing for ${seconds} s: the connection is given up`);
      // They may have been lost in the same way, and those who take them would hear of it only as late.
      for (const other of idle) drop(other, 'closed unused, because another connection to PostgreSQL fell silent');
    }
    quietLooks = [...connections].some(({ silentRounds }) => silentRounds > 0) ? quietLooks + 1 : 0;
    patience.look(quietLooks >= LATE_ROUNDS || (unreachable && connections.size === 0));
  });

  function drop(client: PostgresConnection, reason: string): void {
    if (connections.delete(client)) client.giveUp(reason);
  }

  const idle: PostgresConnection[] = [];
  const wanting: { resolve: (client: PostgresConnection) => void; reject: (error: Error) => void }[] = [];
  let writers = 0;

  async function takeWriter(): Promise<PostgresConnection> {
    for (let client = idle.pop(); client; client = idle.pop()) {
      if (connections.has(client)) return client;
      writers -= 1;
    }
    if (writers < WRITERS) {
      writers += 1;
      try {
        return await connect();
      } catch (error) {
        writers -= 1;
        const unavailable = new StoreUnavailable(`PostgreSQL at ${url.host} does not answer`, { cause: error });
        // Nobody would hand them a connection.
        if (writers === 0) for (const { reject } of wanting.splice(0)) reject(unavailable);
        throw unavailable;
      }
    }
    return new Promise((resolve, reject) => wanting.push({ resolve, reject }));
  }

  function giveBack(client: PostgresConnection): void {
    if (!connections.has(client)) {
      writers -= 1;
      const next = wanting.shift();
      if (next) takeWriter().then(next.resolve, next.reject);
      return;
    }
    const next = wanting.shift();
    if (next) next.resolve(client);
    else idle.push(client);
  }

  async function transaction(turn: Turn): Promise<void> {
    for (let attempt = 1; ; attempt++) {
      const hooks: (() => void)[] = [];
      let client: PostgresConnection;
      try {
        client = await takeWriter();
      } catch (error) {
        return refuse(turn, error);
      }
      const tx = txOn(client, hooks);
      try {
        options.crashPoint('transaction.before-begin');
        tx.begin();
        const settle = await turn.run(tx);
        options.crashPoint('transaction.written');
        // Sent behind the last writes without waiting for them: after one that failed, PostgreSQL rolls back instead.
        const { command } = await client.query('commit');
        tx.requireWritten();
        if (command !== 'COMMIT') throw new Error(`PostgreSQL answered ${command} to a commit`);
        options.crashPoint('transaction.committed');
        runHooks(hooks, options.onError);
        options.crashPoint('operations.published');
        settle();
        return;
      } catch (error) {
        // Before the rollback: what a part of the work that still runs wrote after it would stay.
        tx.end();
        if (connections.has(client)) await client.query('rollback').catch(() => {});
        // After a failed write everything else fails, too, and says nothing of the cause.
        const cause = tx.failedWrite() ?? error;
        if (isRepeatable(cause) && attempt < ATTEMPTS) continue;
        const told = unavailableIfLost(cause);
        // The commit may have happened all the same: only the caller knows whether a repetition would double it.
        if (told instanceof StoreUnavailable) return refuse(turn, told);
        for (const again of turn.fail(told)) await transaction(again);
        return;
      } finally {
        tx.end();
        giveBack(client);
      }
    }
  }

  function refuse(turn: Turn, error: unknown): void {
    for (const rest of turn.fail(error)) refuse(rest, error);
  }

  const readers: (Promise<PostgresConnection> | undefined)[] = Array.from({ length: READERS });
  let nextReader = 0;

  function reader(): Promise<PostgresConnection> {
    const slot = nextReader++ % READERS;
    readers[slot] ??= openReader(() => {
      readers[slot] = undefined;
    });
    return readers[slot];
  }

  async function openReader(lost: () => void): Promise<PostgresConnection> {
    try {
      const client = await connect();
      client.once('error', lost).once('end', lost);
      return client;
    } catch (error) {
      lost();
      throw new StoreUnavailable(`PostgreSQL at ${url.host} does not answer`, { cause: error });
    }
  }

  async function readNow<T>(work: (reader: Reader) => Promise<T>): Promise<T> {
    const client = await reader();
    return work(readerOn(client)).catch((error: unknown) => {
      throw unavailableIfLost(error);
    });
  }

  const first = await connect().catch((error: unknown) => {
    throw new Error(
      `cannot connect to PostgreSQL at ${url.host}${url.pathname}: ${(error as Error).message}. Check that it runs, and that database-url names it, a database of it and a user that may connect.`,
      { cause: error },
    );
  });
  try {
    await requireDurable(first, options.allowUnsafe);
    await migratePostgres(first);
  } catch (error) {
    // An open connection would keep the process from ending.
    watch.cancel();
    await first.leave();
    throw error;
  }
  idle.push(first);
  writers += 1;

  return {
    kind: 'postgres',
    location: `postgres://${url.host}${url.pathname}`,
    read: (work) => patience.wait(readNow(work)),
    transact: (work) =>
      patience.wait(new Promise((resolve, reject) => void transaction(singleTurn(work, resolve, reject)))),
    grouped<I, O>(work: GroupWork<I, O>, keysOf: (item: I) => readonly string[]) {
      const lanes = createLanes<I, O>({
        write: (group) => transaction(groupTurn(work, group)),
        keysOf,
        most: GROUPS,
        timers: options.timers,
      });
      return (item: I) => patience.wait(lanes(item));
    },
    async check() {
      lease?.node();
      requireFewLate();
      await answerInTime(await reader());
    },
    async close() {
      closed = true;
      while (idle.length < writers && connections.size > 0) await new Promise(setImmediate);
      await Promise.all([...connections].map((client) => client.leave()));
      watch.cancel();
    },
    async leaseNode(max, newestId) {
      lease = await leaseNode({ connect, max, newestId, onError: options.onError });
      return lease;
    },
  };

  /** @throws StoreUnavailable when so many connections wait for answers that sends may find no way to the database */
  function requireFewLate(): void {
    const late = [...connections].filter(({ silentRounds }) => silentRounds * WATCH_MS >= STUCK_MS).length;
    if (late < GROUPS) return;
    throw new StoreUnavailable(
      `${late} of ${connections.size} connections to PostgreSQL at ${url.host} wait for an answer for ${STUCK_MS / 1000} s and more`,
    );
  }

  function answerInTime(client: PostgresConnection): Promise<unknown> {
    return new Promise((resolve, reject) => {
      const timer = options.timers.after(LATE_MS, () =>
        reject(new StoreUnavailable(`PostgreSQL at ${url.host} did not answer in ${LATE_MS / 1000} s`)),
      );
      client
        .query('select 1')
        .then(resolve, reject)
        .finally(() => timer.cancel());
    });
  }

  function unavailableIfLost(error: unknown): unknown {
    const code = (error as { code?: string }).code ?? '';
    const lost =
      closed ||
      code.startsWith('08') ||
      code.startsWith('57') ||
      code.startsWith('53') ||
      SYSTEM_ERROR.test(code) ||
      /Connection terminated|not queryable|Client was closed/.test(String(error));
    return lost ? new StoreUnavailable('PostgreSQL did not answer', { cause: error }) : error;
  }
}

type Written = (error?: Error | null) => void;

/** Sends what is written in one turn of the event loop as one packet: statements that follow each other share its cost. */
class GatheringSocket extends Socket {
  #gathering = false;

  override write(chunk: string | Uint8Array, encoding?: BufferEncoding | Written, done?: Written): boolean {
    if (!this.#gathering) {
      this.#gathering = true;
      this.cork();
      process.nextTick(() => {
        this.#gathering = false;
        this.uncork();
      });
    }
    return super.write(chunk, encoding as BufferEncoding, done);
  }
}

const isRepeatable = (error: unknown): boolean => REPEATABLE.has((error as { code?: string }).code ?? '');

const INT8 = 20;
const INT4 = 23;

/** bigint comes as a number: every one of ours is below 2^53. */
function parserOf(type: number): (text: string) => unknown {
  return type === INT8 || type === INT4 ? Number : String;
}

async function query<R>(client: pg.Client, { id, postgres }: Query<R>, values: unknown[]): Promise<R[]> {
  const { rows } = await client.query({ name: id, text: postgres, values });
  return rows as R[];
}

function readerOn(client: pg.Client): Reader {
  return {
    one: async (q, ...params) => (await query(client, q, params))[0],
    all: (q, ...params) => query(client, q, params),
    each: (q, rows) => (rows.length === 0 ? Promise.resolve([]) : query(client, q, columnsOf(q, rows))),
  };
}

/** One array for each column, as PostgreSQL writes arrays; the driver's own way is several times slower. */
function columnsOf(set: SetQuery<unknown>, rows: readonly (readonly Value[])[]): string[] {
  return set.columns.map((_, column) => {
    let text = '';
    for (const row of rows) text += `,${element(row[column] ?? null)}`;
    return `{${text.slice(1)}}`;
  });
}

const NEEDS_CARE = /[\0-\x1f\ud800-\udfff]/;

function element(value: Value): string {
  if (value === null) return 'NULL';
  if (typeof value === 'number') return String(value);
  // JSON quotes as PostgreSQL does, except for control characters and halves of surrogate pairs.
  return NEEDS_CARE.test(value) ? `"${value.replace(/["\\]/g, '\\$&')}"` : JSON.stringify(value);
}

interface PostgresTx extends Tx {
  begin(): void;
  /** Why the first write failed that did. */
  failedWrite(): unknown;
  /** @throws what made a write fail */
  requireWritten(): void;
  end(): void;
}

/** Writes go out without waiting for those before: what fails is known at the end, and nothing of it stays. */
function txOn(client: pg.Client, hooks: (() => void)[]): PostgresTx {
  let open = true;
  let failed: { readonly cause: unknown } | undefined;
  const reader = readerOn(client);
  const alive = (): void => {
    if (!open) throw new Error('this transaction is over');
  };
  const write = (sent: Promise<unknown>): void => {
    sent.catch((cause: unknown) => {
      failed ??= { cause };
    });
  };
  return {
    async one(q, ...params) {
      alive();
      return reader.one(q, ...params);
    },
    async all(q, ...params) {
      alive();
      return reader.all(q, ...params);
    },
    async each(q, rows) {
      alive();
      const answer = reader.each(q, rows);
      if (q.answersRows) return answer;
      write(answer);
      return [];
    },
    async run(q, ...params) {
      alive();
      write(query(client, q, params));
    },
    onCommit: (hook) => hooks.push(hook),
    begin: () => write(client.query('begin')),
    failedWrite: () => failed?.cause,
    requireWritten() {
      if (failed) throw failed.cause;
    },
    end: () => {
      open = false;
    },
  };
}

/** Acknowledged means durable: a server that may drop commits is refused. */
async function requireDurable(client: pg.Client, allowUnsafe: boolean): Promise<void> {
  const found = await client.query<{ name: string; setting: string }>(
    "select name, setting from pg_settings where name in ('fsync', 'synchronous_commit', 'full_page_writes', 'server_version_num')",
  );
  const settings = new Map(found.rows.map((row) => [row.name, row.setting]));
  if (Number(settings.get('server_version_num')) < 150000) throw new Error('PostgreSQL 15 or newer is needed.');
  const unsafe = ['fsync', 'synchronous_commit'].filter((name) => settings.get(name) === 'off');
  if (unsafe.length > 0 && !allowUnsafe) {
    throw new Error(
      `PostgreSQL runs with ${unsafe.map((name) => `${name}=off`).join(' and ')}: an acknowledged message could be lost. Turn it on, or start with --allow-unsafe-database.`,
    );
  }
}
