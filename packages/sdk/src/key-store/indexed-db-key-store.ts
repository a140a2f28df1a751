// Records in the browser, which exist until the site's data is deleted. One IndexedDB object store holds all texts by
// name.
import type { KeyRecords } from './key-records.ts';
import { createKeyStore, type KeyStore, type KeyStoreOptions } from './key-store.ts';

const STORE = 'records';

interface Row {
  readonly name: string;
  readonly text: string;
}

/**
 * Creates a key store in a browser.
 * @param database name of the IndexedDB database, one for each key store
 */
export const indexedDbKeyStore = (database: string, options: KeyStoreOptions = {}): KeyStore =>
  createKeyStore(indexedDbRecords(database), options);

/** Creates records in the browser's database of that name. */
export function indexedDbRecords(database: string): KeyRecords {
  let opened: Promise<IDBDatabase> | undefined;

  /** Returns the one connection that all calls share. After a failure, the next call tries to open it again. */
  function connection(): Promise<IDBDatabase> {
    const closed = (): void => {
      opened = undefined;
    };
    opened ??= open(database, closed).catch((error) => {
      closed();
      throw error;
    });
    return opened;
  }

  async function inStore<T>(mode: IDBTransactionMode, run: (store: IDBObjectStore) => IDBRequest<T>): Promise<T> {
    const transaction = (await connection()).transaction(STORE, mode, { durability: 'strict' });
    const request = run(transaction.objectStore(STORE));
    return new Promise((resolve, reject) => {
      // The result waits for the whole transaction, which can fail after its request succeeded.
      transaction.oncomplete = () => resolve(request.result);
      transaction.onabort = () => reject(request.error ?? transaction.error);
    });
  }

  return {
    async get(name) {
      const row: Row | undefined = await inStore('readonly', (store) => store.get(name));
      return row?.text;
    },
    async list(prefix) {
      const range = IDBKeyRange.bound(prefix, `${prefix}\uffff`);
      const rows: Row[] = await inStore('readonly', (store) => store.getAll(range));
      return new Map(rows.map(({ name, text }) => [name, text]));
    },
    async add(name, text) {
      try {
        await inStore('readwrite', (store) => store.add({ name, text }));
        return true;
      } catch (error) {
        if ((error as DOMException | null)?.name === 'ConstraintError') return false;
        throw error;
      }
    },
    async put(name, text) {
      await inStore('readwrite', (store) => store.put({ name, text }));
    },
    async remove(name) {
      await inStore('readwrite', (store) => store.delete(name));
    },
  };
}

/** @param closed called when the connection was closed: by the browser, or because the database is to be deleted */
function open(database: string, closed: () => void): Promise<IDBDatabase> {
  return new Promise((resolve, reject) => {
    const request = indexedDB.open(database, 1);
    request.onupgradeneeded = () => request.result.createObjectStore(STORE, { keyPath: 'name' });
    request.onsuccess = () => {
      const connection = request.result;
      connection.onclose = closed;
      // Without this handler, the deletion of the database would wait until the page is closed.
      connection.onversionchange = () => {
        connection.close();
        closed();
      };
      resolve(connection);
    };
    request.onerror = () => reject(request.error);
  });
}
