import { instanceIdFrom } from '../slices/sessions/index.ts';
import type { Database } from './database/database.ts';
import * as q from './queries.ts';

/**
 * Returns the id of the installation that a database belongs to.
 * @throws Error if no server has used the database yet
 */
export async function instanceOf({ reader, location }: Database): Promise<string> {
  const secret = await reader.one(q.findSecret);
  if (!secret) throw new Error(`the database ${location} belongs to no server yet: start a server on it first.`);
  return instanceIdFrom(secret.value);
}

/** Returns the version of a database's schema. @throws Error if the database has no tables of a server */
export async function schemaVersionOf(database: Database): Promise<number> {
  const names = await database.tableNames();
  const version = names.includes('schema_version') ? (await database.reader.one(q.schemaVersion))?.version : undefined;
  if (!version) throw new Error(`the database ${database.location} has no tables of a server. Is it the right one?`);
  return version;
}
