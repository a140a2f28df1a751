// The database that a move fills. Until the move is finished, it has a mark, and servers refuse it.
import { type DatabaseMark, MARK_TABLE, PROGRESS_TABLE } from '../../platform/store/database-mark.ts';
import type { Database, WritableDatabase } from '../database/database.ts';
import { dataTables } from '../database/rows.ts';
import { schemaVersionOf } from '../instance.ts';
import * as q from '../queries.ts';
import { putMark } from './marks.ts';

/** Makes the tables of the source, empty. Does nothing that an earlier attempt has done. */
export async function prepareTarget(source: Database, target: WritableDatabase, mark: DatabaseMark): Promise<void> {
  if ((await target.tableNames()).includes(PROGRESS_TABLE)) return;
  // The mark is written before the tables. Without it, a server could start on the empty tables as if they were those
  // of a new server.
  await putMark(target, mark);
  await target.createTables(await schemaVersionOf(source));
  await target.transact(async () => {
    // Some migrations insert rows. They are removed, because the same rows are copied from the source.
    for (const { name } of await dataTables(target)) await target.run(q.clear(name));
    await target.run(q.createProgress);
  });
}

/** Makes the database usable for servers. */
export async function finishTarget(target: WritableDatabase): Promise<void> {
  const names = await target.tableNames();
  await target.transact(async () => {
    if (names.includes(PROGRESS_TABLE)) await target.run(q.dropProgress);
    if (names.includes(MARK_TABLE)) await target.run(q.dropMarks);
  });
}
