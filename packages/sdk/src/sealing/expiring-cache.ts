// Answers of the server that hold for a while. Callers that ask at the same moment share one question.
import type { Clock } from '@sealpost/contract/ports';

export interface Kept<V> {
  readonly value: V;
  /** How long it may be used, milliseconds. */
  readonly forMs: number;
}

export interface ExpiringCache<V> {
  /** The value kept under the key, else what `load` answers, which is kept. A failure is not kept. */
  get(key: string, load: () => Promise<Kept<V>>): Promise<V>;
  forget(key: string): void;
  forgetAll(): void;
}

interface Entry<V> {
  readonly value: Promise<V>;
  until: number;
}

/** @param most number of values that are kept; the oldest go first */
export function expiringCache<V>(clock: Clock, most = 2_000): ExpiringCache<V> {
  const entries = new Map<string, Entry<V>>();

  function begin(key: string, load: () => Promise<Kept<V>>): Promise<V> {
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
