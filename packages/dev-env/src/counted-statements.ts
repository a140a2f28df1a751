// Records the statements that run on SQLite. Tests compare them to check that two outcomes of a call cost the same.
import { StatementSync } from 'node:sqlite';

/** A statement that ran, and the number of rows that it returned. */
export interface CountedStatement {
  readonly sql: string;
  readonly rows: number;
}

/** Runs the work, and returns every statement that the work ran, in order. */
export async function countedStatements(work: () => Promise<unknown>): Promise<CountedStatement[]> {
  const counted: CountedStatement[] = [];
  const { all, get, run } = StatementSync.prototype;
  const usual = { all, get, run };
  for (const [name, original] of Object.entries(usual)) {
    Object.assign(StatementSync.prototype, {
      [name](this: StatementSync, ...values: unknown[]) {
        const answer: unknown = Reflect.apply(original, this, values);
        counted.push({ sql: this.sourceSQL, rows: rowsIn(name, answer) });
        return answer;
      },
    });
  }
  try {
    await work();
  } finally {
    Object.assign(StatementSync.prototype, usual);
  }
  return counted;
}

/** Does the same without the number of rows. */
export const statementsOf = async (work: () => Promise<unknown>): Promise<string[]> =>
  (await countedStatements(work)).map(({ sql }) => sql);

function rowsIn(method: string, answer: unknown): number {
  if (Array.isArray(answer) && method === 'all') return answer.length;
  return method === 'get' && answer !== undefined ? 1 : 0;
}
