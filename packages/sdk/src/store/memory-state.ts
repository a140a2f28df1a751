// Local state in memory. It lasts as long as the store object, so a new client with the same store object finds the
// state of an earlier one.
import { inUse, type Row, type Rows, type StateStore, type Value } from './store.ts';

/** Creates a store in memory. */
export function memoryState(): StateStore {
  const accounts = new Map<string, Map<string, Value>>();
  const open = new Set<string>();
  return {
    lasting: false,
    async open(account) {
      if (open.has(account)) throw inUse('memory');
      open.add(account);
      const rows = accounts.get(account) ?? new Map<string, Value>();
      accounts.set(account, rows);
      return rowsOf(rows, () => open.delete(account));
    },
    remove: async (account) => void accounts.delete(account),
  };
}

function rowsOf(values: Map<string, Value>, onClose: () => void): Rows {
  const keys = [...values.keys()].sort();

  /** Returns the index of the first key that is not less than `key`. */
  function indexOf(key: string): number {
    let low = 0;
    let high = keys.length;
    while (low < high) {
      const middle = (low + high) >>> 1;
      if ((keys[middle] as string) < key) low = middle + 1;
      else high = middle;
    }
    return low;
  }

  function write(key: string, value: Value | undefined): void {
    const index = indexOf(key);
    const known = keys[index] === key;
    if (value === undefined) {
      if (known) keys.splice(index, 1);
      values.delete(key);
    } else {
      if (!known) keys.splice(index, 0, key);
      values.set(key, value);
    }
  }

  return {
    get: async (key) => values.get(key),
    async range(from, below, { limit = Number.POSITIVE_INFINITY, reverse = false } = {}) {
      const first = indexOf(from);
      const end = indexOf(below);
      const found = reverse
        ? keys.slice(Math.max(first, end - limit), end).reverse()
        : keys.slice(first, Math.min(end, first + limit));
      return found.map((key): Row => ({ key, value: values.get(key) ?? '' }));
    },
    async commit(writes) {
      for (const { key, value } of writes) write(key, value);
    },
    close: async () => onClose(),
  };
}
