// Callers of a database that has fallen silent: they are refused in time, while their work goes on and may yet succeed.
import { StoreSilent } from './store.ts';

export interface Patience {
  /** The outcome of the work; if the database falls silent, a refusal that says that it is unknown. */
  wait<T>(work: Promise<T>): Promise<T>;
  /**
   * To be called regularly. Counted are looks and not time, as for connections: after a pause of this process the answer
   * may be waiting here.
   */
  look(silent: boolean): void;
}

/** @param looks through which a caller waits at least */
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
