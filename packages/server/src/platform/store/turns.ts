// Callers that wait for a writer. All callers that arrive while the writer is busy share the next commit, so no timer
// is needed.
import type { Tx } from './store.ts';

export interface Turn {
  /**
   * Runs inside a separate transaction, which on SQLite is a savepoint. Returns a function to call as soon as the
   * transaction is durable.
   */
  run(tx: Tx): Promise<() => void>;
  /**
   * Handles the failure of the transaction. Returns the turns that are to run instead. The list is empty if the callers
   * already got the error.
   */
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

/** Does the work of a group, and returns one outcome for each item. */
export type GroupWork<I, O> = (tx: Tx, items: readonly I[]) => Promise<readonly (O | Error)[]>;

export function groupTurn<I, O>(work: GroupWork<I, O>, waiting: readonly Waiting<I, O>[]): Turn {
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

/** Refuses the callers of a turn, and also the callers of the turns that replace it after its failure. */
export function refuse(turn: Turn, error: unknown): void {
  for (const rest of turn.fail(error)) refuse(rest, error);
}
