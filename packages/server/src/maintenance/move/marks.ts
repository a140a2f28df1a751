// The marks of a move, in both databases. A mark keeps servers from starting on a database that is not the current one.
import { type DatabaseMark, MARK_TABLE } from '../../platform/store/database-mark.ts';
import type { Database, WritableDatabase } from '../database/database.ts';
import * as q from '../queries.ts';

export async function markOf(database: Database): Promise<DatabaseMark | undefined> {
  if (!(await database.tableNames()).includes(MARK_TABLE)) return undefined;
  return database.reader.one(q.readMark);
}

/** Writes a mark into a database. An older mark is replaced. */
export async function putMark(database: WritableDatabase, { state, place, id, time }: DatabaseMark): Promise<void> {
  await database.transact(async () => {
    await database.run(q.createMarks);
    await database.run(q.clearMarks);
    await database.run(q.putMark, state, place, id, time);
  });
}
