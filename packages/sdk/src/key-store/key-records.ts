// The port under the key store: texts by name. Whoever keeps keys elsewhere (a keychain of the system, an own database)
// implements these functions and hands them to `createKeyStore`.

export interface KeyRecords {
  /** The text under a name; undefined if the name is free. Names are path-like: letters, digits, - and _ with / between. */
  get(name: string): Promise<string | undefined>;
  /** The texts whose names begin with `prefix`, by name. `prefix` is empty or ends with a slash. */
  list(prefix: string): Promise<ReadonlyMap<string, string>>;
  /**
   * Keeps a text under a name that is free, durably, and answers true; answers false and changes nothing if the name is
   * taken, also by another process at the same moment. Keys are only ever added, so none can be overwritten.
   */
  add(name: string, text: string): Promise<boolean>;
  /** Keeps a text in place of the one that is there. */
  put(name: string, text: string): Promise<void>;
  remove(name: string): Promise<void>;
}

/** The keys can not be read: what the store is missing. */
export class KeyStoreError extends Error {
  override readonly name = 'KeyStoreError';
  /**
   * `passphrase-needed`: they were sealed under a passphrase, and none was given; `passphrase-wrong`: it is another one,
   * or the records were changed; `not-sealed`: a passphrase was given, and the store was made without one; `damaged`: a
   * record is none of a key store.
   */
  readonly kind: 'passphrase-needed' | 'passphrase-wrong' | 'not-sealed' | 'damaged';

  constructor(kind: KeyStoreError['kind'], message: string, options?: ErrorOptions) {
    super(message, options);
    this.kind = kind;
  }
}

/** Keeps records as long as the process lives. */
export function memoryRecords(): KeyRecords {
  const records = new Map<string, string>();
  return {
    get: async (name) => records.get(name),
    list: async (prefix) => new Map([...records].filter(([name]) => name.startsWith(prefix))),
    async add(name, text) {
      if (records.has(name)) return false;
      records.set(name, text);
      return true;
    },
    put: async (name, text) => void records.set(name, text),
    remove: async (name) => void records.delete(name),
  };
}
