// The prepared statements of one SQLite connection.
import type { DatabaseSync, StatementSync } from 'node:sqlite';
import type { Query, Row, SetQuery, Value } from './sql.ts';

interface Prepared {
  readonly statement: StatementSync;
  readonly names: readonly string[];
}

export type Statements = ReturnType<typeof statementsOn>;

/** Returns the statements of one connection, each prepared once. They run synchronously when called. */
export function statementsOn(database: DatabaseSync) {
  const prepared = new Map<Query<unknown>, Prepared>();
  function prepare(query: Query<unknown>): Prepared {
    let found = prepared.get(query);
    if (!found) {
      const statement = database.prepare(query.sqlite);
      // The driver returns arrays, which this module turns into objects. If the driver made the objects, it would read
      // the column names again for each call.
      statement.setReturnArrays(true);
      found = { statement, names: statement.columns().map(({ name }) => name) };
      prepared.set(query, found);
    }
    return found;
  }
  function all<R>(query: Query<R>, params: readonly Value[]): R[] {
    const { statement, names } = prepare(query);
    const rows = statement.all(...params) as unknown as Value[][];
    return rows.map((row) => objectOf(names, row) as R);
  }
  /**
   * Runs a statement that returns no rows. Uses `get`, because the driver's `run` would also make an object with the
   * number of changes.
   */
  const run = (query: Query<unknown>, params: readonly Value[]): void => void prepare(query).statement.get(...params);
  return {
    one<R>(query: Query<R>, params: readonly Value[]): R | undefined {
      const { statement, names } = prepare(query);
      const row = statement.get(...params) as unknown as Value[] | undefined;
      return row && (objectOf(names, row) as R);
    },
    all,
    each<R>(query: SetQuery<R>, rows: readonly (readonly Value[])[]): R[] {
      if (query.answersRows) return rows.flatMap((row) => all(query, row));
      for (const row of rows) run(query, row);
      return [];
    },
    run,
  };
}

function objectOf(names: readonly string[], row: readonly Value[]): Row {
  const object: Row = {};
  for (let i = 0; i < names.length; i++) object[names[i] as string] = row[i] as Value;
  return object;
}
