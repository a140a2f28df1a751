// The store: the functions of a database that slices may use.
import type { Query, SetQuery, Value } from './sql.ts';

/**
 * Measures commits. It is called when a commit begins. The returned function is called once the commit is durable, with
 * the number of callers that share it. It is not called if the commit fails.
 */
export type CommitTimer = () => (callers: number) => void;

export interface Reader {
  one<R>(query: Query<R>, ...params: Value[]): Promise<R | undefined>;
  all<R>(query: Query<R>, ...params: Value[]): Promise<R[]>;
  /** Runs a set query; returns the rows of the whole set, in no particular order. */
  each<R>(query: SetQuery<R>, rows: readonly (readonly Value[])[]): Promise<R[]>;
}

/**
 * A transaction. Work inside a transaction must await only store calls, because other transactions may wait for the end
 * of this one. A transaction that has ended refuses calls.
 */
export interface Tx extends Reader {
  /**
   * Runs a write. The promise may resolve while the write still runs. If the write fails later, the whole transaction
   * fails, at the latest when it ends.
   */
  run(query: Query<unknown>, ...params: Value[]): Promise<void>;
  /** Registers a function that runs once the commit is durable. It does not run if the transaction fails. */
  onCommit(hook: () => void): void;
}

export interface Store {
  readonly kind: 'sqlite' | 'postgres';
  /** The place of the data, in a form for logs and error messages. Contains no credentials. */
  readonly location: string;
  /** Runs reads that see only committed data. */
  read<T>(work: (reader: Reader) => Promise<T>): Promise<T>;
  /**
   * Runs the work as one transaction, which is durable when the promise resolves. After a conflict, `work` runs again,
   * so it must change nothing except through `tx`.
   */
  transact<T>(work: (tx: Tx) => Promise<T>): Promise<T>;
  /**
   * Returns a function that puts many callers into one transaction. Items that wait while the writer is busy go to
   * `work` together and share its statements. `work` returns one outcome per item, which is an `Error` for an item that
   * it refuses. If `work` itself fails, each item is tried alone, so that one bad item does not make the other items
   * fail. `keysOf` returns the keys that an item will lock. Items with a key in common never run at the same time in
   * two groups, and keep their order.
   */
  grouped<I, O>(
    work: (tx: Tx, items: readonly I[]) => Promise<readonly (O | Error)[]>,
    keysOf: (item: I) => readonly string[],
  ): (item: I) => Promise<O>;
  /** Throws if the database cannot be written. If a test write is cheap, as on SQLite, this function makes one. */
  check(): Promise<void>;
  close(): Promise<void>;
}

/**
 * Error for a transaction that read data which another transaction changed before this one locked them. The transaction
 * runs again. The error code is PostgreSQL's code for such a conflict.
 */
export class Outdated extends Error {
  override name = 'Outdated';
  readonly code = '40001';
}

/** Error for a database that is unreachable, full or too slow. The call may be repeated. */
export class StoreUnavailable extends Error {
  override name = 'StoreUnavailable';
}

/** Error for a full disk. Nothing was stored; reads still work. */
export class StoreFull extends StoreUnavailable {
  override name = 'StoreFull';
}

/**
 * Error for a database that does not answer. It is unknown whether the call took effect; the same call may be repeated.
 */
export class StoreSilent extends StoreUnavailable {
  override name = 'StoreSilent';
}
