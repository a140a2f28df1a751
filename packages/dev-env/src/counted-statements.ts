// Records the statements that run on SQLite. Tests compare them to check that two outcomes of a call cost the same.
import { StatementSync } from 'node:sqlite';

export interface CountedStatements {
  /** Runs the work, and returns every statement that the work ran, in order. */
  of(work: () => Promise<unknown>): Promise<string[]>;
  /** Stops recording. */
  restore(): void;
}

export function countedStatements(): CountedStatements {
  const { all, get, run } = StatementSync.prototype;
  const usual = { all, get, run };
  let counted: string[] | undefined;
  for (const [name, original] of Object.entries(usual)) {
    Object.assign(StatementSync.prototype, {
      [name](this: StatementSync, ...values: unknown[]) {
        counted?.push(this.sourceSQL);
        return Reflect.apply(original, this, values);
      },
    });
  }
  return {
    async of(work) {
      const asked: string[] = [];
      counted = asked;
      try {
        await work();
      } finally {
        counted = undefined;
      }
      return asked;
    },
    restore: () => void Object.assign(StatementSync.prototype, usual),
  };
}
