// Refuses callers of a database that no longer answers. Their work continues and may still succeed.
import { StoreSilent } from './store.ts';

export interface Patience {
  /**
   * Returns the outcome of the work. If the database stops answering, rejects with an error that says that the outcome
   * is unknown.
   */
  wait<T>(work: Promise<T>): Promise<T>;
  /**
   * Notes whether the database is silent; the caller repeats it at regular intervals. It counts calls instead of time,
   * because answers may already wait here after a pause of this process.
   */
  look(silent: boolean): void;
}

/** @param looks the number of calls of `look` that a caller waits at least */
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
