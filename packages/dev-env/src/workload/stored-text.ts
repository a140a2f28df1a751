// Returns the whole content of a database as text. It is read from the database directly, not through the server.
import { join } from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import pg from 'pg';

export async function storedText(dataDir: string, databaseUrl: string | undefined): Promise<string> {
  return databaseUrl === undefined ? sqliteText(dataDir) : postgresText(databaseUrl);
}

function sqliteText(dataDir: string): string {
  const database = new DatabaseSync(join(dataDir, 'sealpost.db'), { readOnly: true });
  try {
    const tables = database.prepare("select name from sqlite_master where type = 'table'").all() as { name: string }[];
    return tables.map(({ name }) => JSON.stringify(database.prepare(`select * from "${name}"`).all())).join('\n');
  } finally {
    database.close();
  }
}

async function postgresText(url: string): Promise<string> {
  const client = new pg.Client({ connectionString: url });
  await client.connect();
  try {
    const tables = await client.query<{ name: string }>(
      "select tablename as name from pg_tables where schemaname = 'public'",
    );
    const texts: string[] = [];
    for (const { name } of tables.rows)
      texts.push(JSON.stringify((await client.query(`select * from "${name}"`)).rows));
    return texts.join('\n');
  } finally {
    await client.end();
  }
}
