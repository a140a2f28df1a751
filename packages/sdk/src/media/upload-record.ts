// Remembers what must stay the same when an interrupted upload continues, such as the encryption key and the message.
import type { UploadState, UploadStore } from './upload-store.ts';

type Identity = Pick<UploadState, 'size' | 'to' | 'from'>;

export class UploadRecord {
  #state: UploadState;
  /** True if an earlier run began this upload. */
  readonly resumed: boolean;
  readonly #store: UploadStore;
  readonly #key: string | undefined;

  private constructor(store: UploadStore, key: string | undefined, state: UploadState, resumed: boolean) {
    this.#store = store;
    this.#key = key;
    this.#state = state;
    this.resumed = resumed;
  }

  /**
   * Loads the record under the key if it belongs to the same content, recipient and sender; otherwise creates a new
   * one.
   */
  static async open(store: UploadStore, key: string | undefined, identity: Identity): Promise<UploadRecord> {
    const known = key === undefined ? undefined : parse(await store.load(key));
    const same = known && (['size', 'to', 'from'] as const).every((field) => known[field] === identity[field]);
    return new UploadRecord(store, key, same ? known : identity, same ?? false);
  }

  /** Loads the record under a key; undefined if there is none. */
  static async find(store: UploadStore, key: string): Promise<UploadRecord | undefined> {
    const known = parse(await store.load(key));
    return known && new UploadRecord(store, key, known, true);
  }

  get state(): UploadState {
    return this.#state;
  }

  /** Saves a change of the state. Must be called before the step that the change describes. */
  async save(change: Partial<UploadState>): Promise<void> {
    this.#state = { ...this.#state, ...change };
    if (this.#key !== undefined) await this.#store.save(this.#key, JSON.stringify(this.#state));
  }

  async remove(): Promise<void> {
    if (this.#key !== undefined) await this.#store.remove(this.#key);
  }
}

function parse(text: string | undefined): UploadState | undefined {
  try {
    return text === undefined ? undefined : (JSON.parse(text) as UploadState);
  } catch {
    return undefined;
  }
}
