// Migrations: numbered SQL files that both databases run. `{clustered}` makes SQLite keep a table in the order of its
// key; PostgreSQL has no such option. `{key}` is the type of a numeric primary key; on SQLite, this type makes the key
// the row number of the table. All other SQL is the same for both.
import { readdirSync, readFileSync } from 'node:fs';
import type { DatabaseSync } from 'node:sqlite';
import type { ClientBase } from 'pg';

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

const newest = migrations.at(-1)?.version ?? 0;

const CREATE_VERSIONS =
  'create table if not exists schema_version (version bigint primary key, applied_time bigint not null)';

function pending(applied: number, database: string): readonly Migration[] {
  if (applied > newest) {
    throw new Error(
      `${database} has schema version ${applied}, this server knows up to ${newest}. Start a newer server, or restore a backup of the older schema.`,
    );
  }
  return migrations.filter((m) => m.version > applied);
}

/** Runs each migration as one transaction. After a crash, each migration is either done or not begun. */
export function migrateSqlite(database: DatabaseSync): void {
  database.exec(CREATE_VERSIONS);
  const { version } = database.prepare('select coalesce(max(version), 0) as version from schema_version').get() as {
    version: number;
  };
  for (const migration of pending(version, 'The SQLite database')) {
    database.exec('begin immediate');
    try {
      database.exec(forDialect(migration.text, 'without rowid', 'integer'));
      database.exec(
        `insert into schema_version values (${migration.version}, cast(unixepoch('subsec') * 1000 as integer))`,
      );
      database.exec('commit');
    } catch (error) {
      database.exec('rollback');
      throw new Error(`migration ${migration.name} failed; nothing was changed`, { cause: error });
    }
  }
}

/** Lets one server migrate, while other servers that start at the same time wait until the migration is done. */
export async function migratePostgres(client: ClientBase): Promise<void> {
  await client.query('begin');
  try {
    await client.query("select pg_advisory_xact_lock(hashtext('sealpost.migrate'))");
    await client.query(CREATE_VERSIONS);
    const found = await client.query<{ version: number }>(
      'select coalesce(max(version), 0) as version from schema_version',
    );
    for (const migration of pending(Number(found.rows[0]?.version), 'The PostgreSQL database')) {
      await client.query(forDialect(migration.text, '', 'bigint'));
      await client.query('insert into schema_version values ($1, (extract(epoch from now()) * 1000)::bigint)', [
        migration.version,
      ]);
    }
    await client.query('commit');
  } catch (error) {
    await client.query('rollback');
    throw error;
  }
}
