// The store: what slices may ask of a database.
import type { Query, SetQuery, Value } from './sql.ts';

export interface Reader {
  one<R>(query: Query<R>, ...params: Value[]): Promise<R | undefined>;
  all<R>(query: Query<R>, ...params: Value[]): Promise<R[]>;
  /** Runs a set query; returns the rows of the whole set, in no particular order. */
  each<R>(query: SetQuery<R>, rows: readonly (readonly Value[])[]): Promise<R[]>;
}

/** A transaction. Inside it, await only store calls, because everybody else waits. It refuses calls after its end. */
export interface Tx extends Reader {
  /**
   * Writes; the write may still be under way when this resolves. If it fails, the transaction fails, at its end at the
   * latest.
   */
  run(query: Query<unknown>, ...params: Value[]): Promise<void>;
  /** Runs the hook after the commit is durable, never when it fails. */
  onCommit(hook: () => void): void;
}

export interface Store {
  readonly kind: 'sqlite' | 'postgres';
  /** Where the data lies, for people; without credentials. */
  readonly location: string;
  /** Reads only what is committed. */
  read<T>(work: (reader: Reader) => Promise<T>): Promise<T>;
  /**
   * Runs the work all or nothing, durable when it resolves. `work` may run again after a conflict, so it changes only
   * `tx`.
   */
  transact<T>(work: (tx: Tx) => Promise<T>): Promise<T>;
  /**
   * Returns a function that puts many callers into one transaction. Items that wait while the writer is busy go to
   * `work` together and share its statements. `work` returns one outcome per item, an `Error` for an item that it
   * refuses. If `work` itself fails, each item is tried alone, so that one bad item cannot hurt its neighbours.
   * `keysOf` names what an item will lock. Items with a key in common never run at the same time in two groups, and
   * keep their order.
   */
  grouped<I, O>(
    work: (tx: Tx, items: readonly I[]) => Promise<readonly (O | Error)[]>,
    keysOf: (item: I) => readonly string[],
  ): (item: I) => Promise<O>;
  /** Writes, where that is cheap, and waits for the answer. Throws when the database cannot be written. */
  check(): Promise<void>;
  close(): Promise<void>;
}

/**
 * What a transaction read before it held its locks is outdated: it runs again. The code is the one that PostgreSQL has
 * for such a conflict.
 */
export class Outdated extends Error {
  override name = 'Outdated';
  readonly code = '40001';
}

/** The database is gone, full or too slow; the call may be repeated. */
export class StoreUnavailable extends Error {
  override name = 'StoreUnavailable';
}

/** The disk has no room: nothing was stored, and reads go on. */
export class StoreFull extends StoreUnavailable {
  override name = 'StoreFull';
}

/** The database does not answer. Whether the call took effect is unknown, and the same call may be repeated. */
export class StoreSilent extends StoreUnavailable {
  override name = 'StoreSilent';
}
