// Callers waiting for a writer. Whatever queued while the writer was busy goes together: group commit without a timer.
import type { Tx } from './store.ts';

export interface Turn {
  /** Runs inside a transaction of its own (on SQLite a savepoint) and answers what to do once that is durable. */
  run(tx: Tx): Promise<() => void>;
  /** The transaction failed; answers turns to run in its place, none if its callers were told. */
  fail(error: unknown): Turn[];
}

export function singleTurn<T>(
  work: (tx: Tx) => Promise<T>,
  resolve: (value: T) => void,
  reject: (error: unknown) => void,
): Turn {
  return {
    async run(tx) {
      const value = await work(tx);
      return () => resolve(value);
    },
    fail(error) {
      reject(error);
      return [];
    },
  };
}

export interface Waiting<I, O> {
  readonly item: I;
  readonly resolve: (value: O) => void;
  readonly reject: (error: unknown) => void;
}

export function groupTurn<I, O>(
  work: (tx: Tx, items: readonly I[]) => Promise<readonly (O | Error)[]>,
  waiting: readonly Waiting<I, O>[],
): Turn {
  return {
    async run(tx) {
      const outcomes = await work(
        tx,
        waiting.map((w) => w.item),
      );
      return () => {
        for (let i = 0; i < waiting.length; i++) {
          const outcome = outcomes[i];
          if (outcome instanceof Error) waiting[i]!.reject(outcome);
          else waiting[i]!.resolve(outcome as O);
        }
      };
    },
    fail(error) {
      if (waiting.length > 1) return waiting.map((w) => groupTurn(work, [w]));
      for (const w of waiting) w.reject(error);
      return [];
    },
  };
}
