// Caches answers of the server for a limited time. Callers that ask at the same moment share one call.
import type { Clock } from '@sealpost/contract/ports';

export interface Expiring<V> {
  readonly value: V;
  /** Milliseconds for which the value may be used. */
  readonly forMs: number;
}

export interface ExpiringCache<V> {
  /**
   * Returns the cached value. If there is none, returns the value from `load` and caches that value. Failures are not
   * cached.
   */
  get(key: string, load: () => Promise<Expiring<V>>): Promise<V>;
  forget(key: string): void;
  forgetAll(): void;
}

interface Entry<V> {
  readonly value: Promise<V>;
  until: number;
}

/**
 * Creates an empty cache.
 * @param most maximum number of values; if there are more, the oldest is dropped
 */
export function expiringCache<V>(clock: Clock, most = 2_000): ExpiringCache<V> {
  const entries = new Map<string, Entry<V>>();

  function begin(key: string, load: () => Promise<Expiring<V>>): Promise<V> {
    const loading = load();
    const entry: Entry<V> = { value: loading.then(({ value }) => value), until: Number.POSITIVE_INFINITY };
    entries.set(key, entry);
    loading.then(
      ({ forMs }) => {
        entry.until = clock.now() + forMs;
      },
      () => {
        if (entries.get(key) === entry) entries.delete(key);
      },
    );
    for (const oldest of entries.keys()) {
      if (entries.size <= most) break;
      entries.delete(oldest);
    }
    return entry.value;
  }

  return {
    get(key, load) {
      const entry = entries.get(key);
      return entry && clock.now() < entry.until ? entry.value : begin(key, load);
    },
    forget: (key) => void entries.delete(key),
    forgetAll: () => entries.clear(),
  };
}
