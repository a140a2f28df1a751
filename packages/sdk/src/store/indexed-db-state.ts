// Local state in the browser: one IndexedDB database for each account. A Web Lock says which tab is the owner.
import { inUse, type Row, type Rows, type StateStore, StoreError, type Value } from './store.ts';

const ROWS = 'rows';

/**
 * Creates a store in a browser.
 * @param name the prefix of the databases' names
 */
export function indexedDbState(name: string): StateStore {
  const databaseOf = (account: string): string => `${name}-${account}`;
  return {
    lasting: true,
    async open(account) {
      const database = databaseOf(account);
      const release = await own(database);
      try {
        return rowsOf(database, await connect(database), release);
      } catch (error) {
        release();
        throw error;
      }
    },
    remove: (account) =>
      new Promise((resolve, reject) => {
        const request = indexedDB.deleteDatabase(databaseOf(account));
        request.onsuccess = () => resolve();
        request.onerror = () => reject(request.error);
      }),
  };
}

/**
 * Takes the lock of a database, and returns the function that releases it. The browser releases the lock when the tab
 * is closed.
 */
function own(database: string): Promise<() => void> {
  const { locks } = navigator;
  if (!locks)
    return Promise.reject(new StoreError('in-use', 'This browser has no Web Locks, so two tabs could write.'));
  return new Promise((resolve, reject) => {
    void locks
      .request(`sealpost-${database}`, { ifAvailable: true }, (lock) => {
        if (!lock) return reject(inUse(`the browser's database ${database}`));
        return new Promise<void>((release) => resolve(release));
      })
      .catch(reject);
  });
}

function connect(database: string): Promise<IDBDatabase> {
  return new Promise((resolve, reject) => {
    const request = indexedDB.open(database, 1);
    request.onupgradeneeded = () => request.result.createObjectStore(ROWS);
    request.onsuccess = () => resolve(request.result);
    request.onerror = () => reject(request.error);
  });
}

function rowsOf(name: string, opened: IDBDatabase, release: () => void): Rows {
  let database: IDBDatabase | undefined = opened;
  let closed = false;
  const watch = (connection: IDBDatabase): void => {
    // A browser may close the connection by itself, for example when it needs disk space. The next call opens the
    // connection again.
    connection.onclose = () => {
      database = undefined;
    };
    connection.onversionchange = () => connection.close();
  };
  watch(opened);

  async function connection(): Promise<IDBDatabase> {
    if (closed) throw new StoreError('taken', `The local state in ${name} was closed.`);
    if (!database) {
      database = await connect(name);
      watch(database);
    }
    return database;
  }

  async function within<T>(mode: IDBTransactionMode, work: (rows: IDBObjectStore) => () => T): Promise<T> {
    const transaction = (await connection()).transaction(ROWS, mode, { durability: 'strict' });
    const result = work(transaction.objectStore(ROWS));
    return new Promise((resolve, reject) => {
      transaction.oncomplete = () => resolve(result());
      transaction.onabort = () => reject(transaction.error);
    });
  }

  return {
    get: (key) =>
      within('readonly', (rows) => {
        const request: IDBRequest<Value | undefined> = rows.get(key);
        return () => request.result;
      }),
    range: (from, below, options = {}) => within('readonly', (rows) => read(rows, from, below, options)),
    commit: (writes) =>
      within('readwrite', (rows) => {
        for (const { key, value } of writes) {
          if (value === undefined) rows.delete(key);
          else rows.put(value, key);
        }
        return () => undefined;
      }),
    async close() {
      closed = true;
      database?.close();
      release();
    },
  };
}

function read(rows: IDBObjectStore, from: string, below: string, options: { limit?: number; reverse?: boolean }) {
  const { limit = Number.POSITIVE_INFINITY, reverse = false } = options;
  const range = IDBKeyRange.bound(from, below, false, true);
  if (limit === Number.POSITIVE_INFINITY) {
    const keys = rows.getAllKeys(range);
    const values: IDBRequest<Value[]> = rows.getAll(range);
    return (): Row[] => {
      const all = keys.result.map((key, index) => ({ key: String(key), value: values.result[index] ?? '' }));
      return reverse ? all.reverse() : all;
    };
  }
  const found: Row[] = [];
  const request = rows.openCursor(range, reverse ? 'prev' : 'next');
  request.onsuccess = () => {
    const cursor = request.result;
    if (!cursor || found.length >= limit) return;
    found.push({ key: String(cursor.key), value: cursor.value as Value });
    if (found.length < limit) cursor.continue();
  };
  return (): Row[] => found;
}
