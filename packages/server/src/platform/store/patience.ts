// Callers of a database that has fallen silent. They are refused in time, while their work goes on and may still
// succeed.
import { StoreSilent } from './store.ts';

export interface Patience {
  /**
   * Returns the outcome of the work. If the database falls silent, rejects with an error that says that the outcome is
   * unknown.
   */
  wait<T>(work: Promise<T>): Promise<T>;
  /**
   * To be called regularly. It counts looks and not time: after a pause of this process the answer may already be here.
   */
  look(silent: boolean): void;
}

/** @param looks the number of looks that a caller waits at least */
export function createPatience(looks: number, reason: string): Patience {
  /** In the order in which they came. */
  const waiting = new Set<{ readonly since: number; readonly refuse: (error: Error) => void }>();
  let look = 0;
  return {
    wait: (work) =>
      new Promise((resolve, reject) => {
        const entry = { since: look, refuse: reject };
        waiting.add(entry);
        work.then(
          (value) => {
            waiting.delete(entry);
            resolve(value);
          },
          (error: unknown) => {
            waiting.delete(entry);
            reject(error);
          },
        );
      }),
    look(silent) {
      look += 1;
      if (!silent) return;
      for (const entry of waiting) {
        if (look - entry.since < looks) return;
        waiting.delete(entry);
        entry.refuse(new StoreSilent(reason));
      }
    },
  };
}
