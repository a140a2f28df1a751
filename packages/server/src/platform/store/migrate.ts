// Migrations: numbered SQL files that both databases run. `{clustered}` makes SQLite keep a table in the order of its
// key; PostgreSQL has no such option. `{key}` is the type of a numeric primary key; on SQLite, this type makes the key
// the row number of the table. All other SQL is the same for both databases.
import { readdirSync, readFileSync } from 'node:fs';
import type { DatabaseSync } from 'node:sqlite';
import type { ClientBase } from 'pg';
import { MARK_TABLE, READ_MARK, refuseMarked } from './database-mark.ts';

interface Migration {
  readonly version: number;
  readonly name: string;
  readonly text: string;
}

const folder = new URL('./migrations/', import.meta.url);

const migrations: readonly Migration[] = readdirSync(folder)
  .filter((name) => name.endsWith('.sql'))
  .sort()
  .map((name) => ({
    version: Number.parseInt(name, 10),
    name,
    text: readFileSync(new URL(name, folder), 'utf8'),
  }));

const forDialect = (text: string, clustered: string, key: string): string =>
  text.replaceAll('{clustered}', clustered).replaceAll('{key}', key);

/** The newest version of the schema that this program knows. */
export const newestVersion = migrations.at(-1)?.version ?? 0;

const CREATE_VERSIONS =
  'create table if not exists schema_version (version bigint primary key, applied_time bigint not null)';

const READ_VERSION = 'select coalesce(max(version), 0) as version from schema_version';

function pending(applied: number, upTo: number, database: string): readonly Migration[] {
  if (applied > newestVersion) {
    throw new Error(
      `${database} has schema version ${applied}, this server knows up to ${newestVersion}. Start a newer server, or restore a backup of the older schema.`,
    );
  }
  return migrations.filter((m) => m.version > applied && m.version <= upTo);
}

const failure = ({ name }: Migration, applied: number, cause: unknown): Error =>
  new Error(
    `the migration ${name} failed: ${cause instanceof Error ? cause.message : cause}. Nothing was changed: the database has schema version ${applied} as before, and the server that used it can use it again. Run \`sealpost verify\` of that server, and repair what it names.`,
    { cause },
  );

/**
 * Brings the tables up to date for a server.
 * @throws Error if no server may use the database
 */
export function migrateSqlite(database: DatabaseSync): void {
  const marked = database.prepare('select name from sqlite_master where name = ?').get(MARK_TABLE);
  const mark = marked && database.prepare(READ_MARK).get();
  refuseMarked(mark, 'the SQLite database');
  createSqliteTables(database, newestVersion);
}

/** Brings the tables up to a version of the schema. Runs all migrations as one transaction, so a crash changes nothing. */
export function createSqliteTables(database: DatabaseSync, upTo: number): void {
  database.exec(CREATE_VERSIONS);
  const { version } = database.prepare(READ_VERSION).get() as { version: number };
  const newer = pending(version, upTo, 'The SQLite database');
  if (newer.length === 0) return;
  database.exec('begin immediate');
  try {
    for (const migration of newer) {
      try {
        database.exec(forDialect(migration.text, 'without rowid', 'integer'));
      } catch (error) {
        throw failure(migration, version, error);
      }
      database.exec(
        `insert into schema_version values (${migration.version}, cast(unixepoch('subsec') * 1000 as integer))`,
      );
    }
    database.exec('commit');
  } catch (error) {
    // An error such as a full disk may have ended the transaction already.
    if (database.isTransaction) database.exec('rollback');
    throw error;
  }
}

/**
 * Brings the tables up to date for a server. Lets one server migrate, while other servers that start at the same time
 * wait until the migration is done.
 * @throws Error if no server may use the database
 */
export async function migratePostgres(client: ClientBase): Promise<void> {
  await client.query('begin');
  try {
    await client.query("select pg_advisory_xact_lock(hashtext('sealpost.migrate'))");
    const marked = await client.query(
      `select tablename from pg_tables where schemaname = current_schema() and tablename = '${MARK_TABLE}'`,
    );
    const mark = marked.rows.length > 0 ? (await client.query(READ_MARK)).rows[0] : undefined;
    refuseMarked(mark, 'the PostgreSQL database');
    await createPostgresTables(client, newestVersion);
    await client.query('commit');
  } catch (error) {
    await client.query('rollback');
    throw error;
  }
}

/** Brings the tables up to a version of the schema, inside the transaction of the caller. */
export async function createPostgresTables(client: ClientBase, upTo: number): Promise<void> {
  await client.query(CREATE_VERSIONS);
  const found = await client.query<{ version: number }>(READ_VERSION);
  const version = Number(found.rows[0]?.version);
  for (const migration of pending(version, upTo, 'The PostgreSQL database')) {
    await client.query(forDialect(migration.text, '', 'bigint')).catch((error: unknown) => {
      throw failure(migration, version, error);
    });
    await client.query('insert into schema_version values ($1, (extract(epoch from now()) * 1000)::bigint)', [
      migration.version,
    ]);
  }
}
