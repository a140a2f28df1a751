// A transaction on the writer connection of SQLite.
import type { Statements } from './sqlite-statements.ts';
import type { Tx } from './store.ts';

export interface SqliteTx extends Tx {
  end(): void;
}

/** @param hooks the list of functions that run after the commit; the transaction adds to it */
export function openTx(writing: Statements, hooks: (() => void)[]): SqliteTx {
  let open = true;
  /**
   * Runs a statement, unless an earlier one failed. After a failure, SQLite may have ended the transaction by itself,
   * so a later statement would be written outside of the transaction.
   */
  function guarded<T>(statement: () => T): T {
    if (!open) throw new Error('this transaction is over');
    try {
      return statement();
    } catch (error) {
      open = false;
      throw error;
    }
  }
  return {
    one: async (query, ...params) => guarded(() => writing.one(query, params)),
    all: async (query, ...params) => guarded(() => writing.all(query, params)),
    each: async (query, rows) => guarded(() => writing.each(query, rows)),
    run: async (query, ...params) => guarded(() => writing.run(query, params)),
    onCommit: (hook) => hooks.push(hook),
    end: () => {
      open = false;
    },
  };
}
