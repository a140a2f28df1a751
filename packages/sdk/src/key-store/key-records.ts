// The interface to the storage of a key store, which keeps texts by name. Programs can keep keys in another place, such
// as the system's keychain. Such a program implements this interface and calls `createKeyStore`.

export interface KeyRecords {
  /**
   * Returns the text under a name; undefined if there is none. A name is a path: letters, digits, - and _, with /
   * between its parts.
   */
  get(name: string): Promise<string | undefined>;
  /**
   * Returns the texts whose names begin with `prefix`, as a map from name to text. `prefix` is empty or ends with a
   * slash.
   */
  list(prefix: string): Promise<ReadonlyMap<string, string>>;
  /**
   * Stores a text durably under a new name, and returns true. If the name is taken, even by another process at the same
   * moment, changes nothing and returns false. Only this function stores keys, so no key can be overwritten.
   */
  add(name: string, text: string): Promise<boolean>;
  /** Stores a text, in place of an earlier one under the same name. */
  put(name: string, text: string): Promise<void>;
  remove(name: string): Promise<void>;
}

/** The error for a key store that cannot be read. */
export class KeyStoreError extends Error {
  override readonly name = 'KeyStoreError';
  /**
   * `passphrase-needed`: the keys were sealed under a passphrase, and none was given.
   * `passphrase-wrong`: the keys were sealed under another passphrase, or the records were changed.
   * `not-sealed`: a passphrase was given, but the store was made without one.
   * `damaged`: a record does not belong to a key store.
   */
  readonly kind: 'passphrase-needed' | 'passphrase-wrong' | 'not-sealed' | 'damaged';

  constructor(kind: KeyStoreError['kind'], message: string, options?: ErrorOptions) {
    super(message, options);
    this.kind = kind;
  }
}

/** The beginning of each text that is sealed under a passphrase. */
export const SEALED_MARK = 'sealed:';
export const isSealedRecord = (text: string): boolean => text.startsWith(SEALED_MARK);

/** Creates records in memory, which last as long as the process. */
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
