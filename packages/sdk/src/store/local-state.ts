// The local state of an account: typed tables over rows. Small tables are also kept in memory, so that they can be read
// without waiting. All changes go through `change`, one after another, and each is one commit.
import { Listeners } from '../listeners.ts';
import { type Row, type Rows, StoreError, type Value, type Write } from './store.ts';

/** A table: records of one type by id, in the order of their ids. */
export interface Table<T> {
  readonly name: string;
  /** True if all records are also kept in memory. */
  readonly inMemory: boolean;
  /** Never set. This field only carries the type of the records. */
  readonly record?: T;
}

export const table = <T>(name: string, { inMemory = false } = {}): Table<T> => ({ name, inMemory });

export interface ListOptions {
  /** If given, only ids that begin with this text are listed. */
  readonly prefix?: string;
  /** If given, only ids before this one are listed. */
  readonly below?: string;
  readonly limit?: number;
  /** True to list the last ids first. */
  readonly reverse?: boolean;
}

/** A changed record, after the commit. `record` is undefined if the record was deleted. */
export interface Change {
  readonly table: string;
  readonly id: string;
  readonly record: unknown;
}

/** The reads and writes of one change. Reads see the writes before them. */
export interface Tx {
  get<T>(of: Table<T>, id: string): Promise<T | undefined>;
  list<T>(of: Table<T>, options?: ListOptions): Promise<(readonly [id: string, record: T])[]>;
  put<T>(of: Table<T>, id: string, record: T): void;
  delete(of: Table<unknown>, id: string): void;
}

const SCHEMA = 1;
const schema = table<number>('schema');

const keyOf = (of: Table<unknown>, id: string): string => `${of.name}/${id}`;

export class LocalState {
  readonly #rows: Rows;
  readonly #memory = new Map<string, Map<string, unknown>>();
  readonly #listeners: Listeners<readonly Change[]>;
  #last: Promise<unknown> = Promise.resolve();
  #closing: Promise<void> | undefined;

  private constructor(rows: Rows, onListenerError: (error: unknown) => void) {
    this.#rows = rows;
    this.#listeners = new Listeners(onListenerError);
  }

  /**
   * Opens the state, and loads the tables that are kept in memory.
   * @param onListenerError gets the errors of listeners
   * @throws StoreError `newer`, `locked`
   */
  static async open(
    rows: Rows,
    tables: readonly Table<unknown>[],
    onListenerError: (error: unknown) => void,
  ): Promise<LocalState> {
    const state = new LocalState(rows, onListenerError);
    const written = Number(parse(await rows.get(keyOf(schema, 'number'))) ?? 0);
    if (written > SCHEMA) {
      throw new StoreError('newer', `The local state has schema ${written}; this SDK knows ${SCHEMA}. Update the SDK.`);
    }
    if (written === 0) await state.change(async (tx) => tx.put(schema, 'number', SCHEMA));
    for (const of of tables.filter(({ inMemory }) => inMemory)) {
      const found = await rows.range(keyOf(of, ''), after(keyOf(of, '')));
      state.#memory.set(of.name, new Map(found.map((row) => [idOf(of, row), parse(row.value)])));
    }
    return state;
  }

  /** Returns a record of a table that is kept in memory. */
  get<T>(of: Table<T>, id: string): T | undefined {
    return this.#tableInMemory(of).get(id);
  }

  /** Returns all records of a table that is kept in memory, by id. */
  all<T>(of: Table<T>): ReadonlyMap<string, T> {
    return this.#tableInMemory(of);
  }

  /** Returns records of any table, as of the last commit. */
  async list<T>(of: Table<T>, options: ListOptions = {}): Promise<(readonly [id: string, record: T])[]> {
    if (this.#closing) throw wasClosed();
    const { from, below } = boundsOf(of, options);
    const found = await this.#rows.range(from, below, options);
    return found.map((row) => [idOf(of, row), typed(of, parse(row.value))] as const);
  }

  /**
   * Runs `work` after all earlier changes, and commits what `work` wrote. If `work` throws, nothing is stored. `work`
   * must not wait for the network, because all later changes wait for it.
   */
  async change<R>(work: (tx: Tx) => Promise<R>): Promise<R> {
    if (this.#closing) throw wasClosed();
    const result = this.#last.then(() => this.#run(work));
    this.#last = result.catch(() => undefined);
    return result;
  }

  /**
   * Calls the listener after each commit, and tells it what changed. Returns the function that removes the listener.
   */
  onCommit(listener: (changes: readonly Change[]) => void): () => void {
    return this.#listeners.add(listener);
  }

  /** Waits for the running changes, and closes the storage of the rows. Later reads and changes fail. */
  close(): Promise<void> {
    this.#closing ??= this.#last.then(() => this.#rows.close());
    return this.#closing;
  }

  #tableInMemory<T>(of: Table<T>): Map<string, T> {
    const records = this.#memory.get(of.name);
    if (!records) throw new Error(`the table ${of.name} is not kept in memory`);
    return records as Map<string, T>;
  }

  async #run<R>(work: (tx: Tx) => Promise<R>): Promise<R> {
    const written = new Map<string, Change>();
    const result = await work(this.#txOn(written));
    if (written.size === 0) return result;
    await this.#rows.commit(
      [...written].map(
        ([key, { record }]): Write => ({ key, value: record === undefined ? undefined : JSON.stringify(record) }),
      ),
    );
    const changes = [...written.values()];
    for (const { table: name, id, record } of changes) {
      const records = this.#memory.get(name);
      if (record === undefined) records?.delete(id);
      else records?.set(id, record);
    }
    this.#listeners.tell(changes);
    return result;
  }

  #txOn(written: Map<string, Change>): Tx {
    const rows = this.#rows;
    const memory = this.#memory;
    return {
      async get<T>(of: Table<T>, id: string) {
        const key = keyOf(of, id);
        const change = written.get(key);
        if (change) return typed<T | undefined>(of, change.record);
        const records = memory.get(of.name);
        return typed<T | undefined>(of, records ? records.get(id) : parse(await rows.get(key)));
      },
      async list<T>(of: Table<T>, options: ListOptions = {}) {
        const { from, below } = boundsOf(of, options);
        const own = [...written].filter(([key]) => key >= from && key < below);
        const { limit = Number.POSITIVE_INFINITY, reverse = false } = options;
        // Rows that this change deletes are dropped below, so more rows than the limit are read.
        const found = await rows.range(from, below, { limit: limit + own.length, reverse });
        const records = new Map(found.map((row) => [row.key, parse(row.value)]));
        for (const [key, change] of own) records.set(key, change.record);
        const listed = [...records].filter(([, record]) => record !== undefined).sort(([a], [b]) => (a < b ? -1 : 1));
        if (reverse) listed.reverse();
        return listed
          .slice(0, limit)
          .map(([key, record]) => [key.slice(of.name.length + 1), typed(of, record)] as const);
      },
      put(of, id, record) {
        written.set(keyOf(of, id), { table: of.name, id, record });
      },
      delete(of, id) {
        written.set(keyOf(of, id), { table: of.name, id, record: undefined });
      },
    };
  }
}

export const wasClosed = (): Error => new Error('the client was closed');

const idOf = (of: Table<unknown>, { key }: Row): string => key.slice(of.name.length + 1);

const boundsOf = (of: Table<unknown>, { prefix = '', below }: ListOptions) => ({
  from: keyOf(of, prefix),
  below: below === undefined ? after(keyOf(of, prefix)) : keyOf(of, below),
});

/**
 * Returns the smallest key that is larger than all keys with this prefix, by the order of bytes as well as by that of
 * UTF-16. The last character of the prefix must be ASCII.
 */
const after = (prefix: string): string =>
  prefix.slice(0, -1) + String.fromCharCode(prefix.charCodeAt(prefix.length - 1) + 1);

const parse = (value: Value | undefined): unknown => (value === undefined ? undefined : JSON.parse(String(value)));

/** Gives a stored record the type of its table. This is safe, because only the owner of a table writes into it. */
const typed = <T>(_of: Table<T>, record: unknown): T => record as T;
