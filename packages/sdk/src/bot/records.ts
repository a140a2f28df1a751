// Records that a bot's author defines. They are sealed like all local state. A change is stored when its call resolves.
import { type LocalState, type Table, table } from '../store/local-state.ts';

/** Records of one kind, by id. Each record must be a JSON value. */
export class BotRecords<T> {
  readonly #state: () => LocalState;
  readonly #table: Table<T>;

  constructor(name: string, state: () => LocalState) {
    if (!/^[\w-]+$/.test(name)) throw new RangeError(`"${name}" cannot be the name of records`);
    this.#table = table<T>(`bot-own-${name}`);
    this.#state = state;
  }

  get(id: string): Promise<T | undefined> {
    return this.#state().change((tx) => tx.get(this.#table, id));
  }

  async put(id: string, record: T): Promise<void> {
    await this.#state().change(async (tx) => tx.put(this.#table, id, record));
  }

  async delete(id: string): Promise<void> {
    await this.#state().change(async (tx) => tx.delete(this.#table, id));
  }

  /** Returns all records with their ids, in the order of the ids. */
  all(): Promise<(readonly [id: string, record: T])[]> {
    return this.#state().list(this.#table);
  }
}
