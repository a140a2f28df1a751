// The interface to the storage of a client's local state: rows by key, in the order of their keys, changed in atomic
// commits. Memory, IndexedDB and SQLite implement it.

/** The value of a row: text, or bytes if the rows are sealed. */
export type Value = string | Uint8Array<ArrayBuffer>;

export interface Row {
  readonly key: string;
  readonly value: Value;
}

/** A change of one row. `value` undefined deletes the row. */
export interface Write {
  readonly key: string;
  readonly value: Value | undefined;
}

export interface RangeOptions {
  /** Maximum number of rows; all if not given. */
  readonly limit?: number;
  /** True to return the last rows first. */
  readonly reverse?: boolean;
}

/** The rows of one account, held by one owner at a time. */
export interface Rows {
  get(key: string): Promise<Value | undefined>;
  /** Returns the rows from key `from` on and before key `below`, in the order of their keys. */
  range(from: string, below: string, options?: RangeOptions): Promise<Row[]>;
  /**
   * Stores all changes or none. When `commit` resolves, the changes survive a crash of the process or the machine.
   * @throws StoreError `taken` if another owner has taken over the rows
   */
  commit(writes: readonly Write[]): Promise<void>;
  /** Lets another owner open the rows. */
  close(): Promise<void>;
}

/** A place for the local state of accounts. */
export interface StateStore {
  /** True if the rows outlive the process. Such rows are sealed with a key from the key store. */
  readonly lasting: boolean;
  /**
   * Opens the rows of an account.
   * @param account the mid of the account
   * @throws StoreError `in-use` if another client, process or tab has them open
   */
  open(account: string): Promise<Rows>;
  /** Deletes the rows of an account. Nobody may have them open. */
  remove(account: string): Promise<void>;
}

/** The error for local state that cannot be opened or stored. */
export class StoreError extends Error {
  override readonly name = 'StoreError';
  /**
   * `in-use`: another client has the state open.
   * `taken`: another client took over the state while this one had it open.
   * `locked`: the state was sealed with a key that the key store does not have.
   * `newer`: a newer version of the SDK wrote the state.
   */
  readonly kind: 'in-use' | 'taken' | 'locked' | 'newer';

  constructor(kind: StoreError['kind'], message: string, options?: ErrorOptions) {
    super(message, options);
    this.kind = kind;
  }
}

/** The error for rows that somebody else has open. */
export const inUse = (where: string): StoreError =>
  new StoreError(
    'in-use',
    `The local state in ${where} is open in another client. Close that client first, or give this one another place.`,
  );
