// Copies all tables from one database to another, a few rows in each transaction, and compares them.
import type { Value } from '../../platform/store/sql.ts';
import type { Database, Table, WritableDatabase } from '../database/database.ts';
import { dataTables, digestOf, keyOf, rowsOf, sameDigest } from '../database/rows.ts';
import type { OnProgress } from '../progress.ts';
import * as q from '../queries.ts';

/** @throws Error if a table differs after it was copied */
export async function copyTables(
  source: Database,
  target: WritableDatabase,
  onProgress: OnProgress,
): Promise<{ tables: number; rows: number }> {
  const tables = await dataTables(source);
  for (const table of tables) await copyTable(source, target, table, onProgress);
  let rows = 0;
  for (const table of tables) {
    onProgress({ what: `comparing ${table.name}`, done: rows });
    const [old, copy] = [await digestOf(source, table), await digestOf(target, table)];
    if (!sameDigest(old, copy)) {
      throw new Error(
        `the table ${table.name} has ${old.rows} rows in ${source.location}, and ${copy.rows} rows in ${target.location}${old.rows === copy.rows ? ', with other content' : ''}. Nothing was switched over. Empty the new database, run \`sealpost move --cancel\`, and move again.`,
      );
    }
    rows += old.rows;
  }
  return { tables: tables.length, rows };
}

/** Copies the rows that are not copied yet. The key of the last copied row is stored in the same transaction. */
async function copyTable(
  source: Database,
  target: WritableDatabase,
  table: Table,
  onProgress: OnProgress,
): Promise<void> {
  const all = (await source.reader.one(q.countRows(table.name)))?.count ?? 0;
  const progress = await target.reader.one(q.progressOf, table.name);
  const after: Value[] | undefined = progress && JSON.parse(progress.after_key);
  let done = after ? ((await target.reader.one(q.countRows(table.name)))?.count ?? 0) : 0;
  for await (const rows of rowsOf(source, table, after)) {
    const last = rows.at(-1);
    if (!last) break;
    await target.transact(async () => {
      await target.insert(table, rows);
      await target.run(q.putProgress, table.name, JSON.stringify(keyOf(table, last)));
    });
    done += rows.length;
    onProgress({ what: `table ${table.name}`, done, all });
  }
}
