// Refuses callers that wait for a database that no longer answers. Their work continues and may still succeed.
import { StoreSilent } from './store.ts';

export interface Patience {
  /**
   * Returns the outcome of the work. If the database stops answering, rejects with StoreSilent, because the outcome is
   * unknown.
   */
  wait<T>(work: Promise<T>): Promise<T>;
  /**
   * Records whether the database is silent. Called at regular intervals. The wait of a caller is counted in calls
   * instead of time, because this process may have paused. After a pause, there may be answers that have arrived but
   * were not read yet.
   */
  look(silent: boolean): void;
}

/** @param looks the minimum number of calls of `look` before a waiting caller is refused */
export function createPatience(looks: number, reason: string): Patience {
  /** The waiting callers, in the order in which they came. */
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
