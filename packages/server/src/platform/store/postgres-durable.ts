// The conditions that a PostgreSQL server must meet before the store is used.
import type pg from 'pg';

/** Refuses a PostgreSQL server that may lose commits, because acknowledged commits must be durable. */
export async function requireDurable(client: pg.Client, allowUnsafe: boolean): Promise<void> {
  const found = await client.query<{ name: string; setting: string }>(
    "select name, setting from pg_settings where name in ('fsync', 'synchronous_commit', 'full_page_writes', 'server_version_num')",
  );
  const settings = new Map(found.rows.map((row) => [row.name, row.setting]));
  if (Number(settings.get('server_version_num')) < 150000) throw new Error('PostgreSQL 15 or newer is needed.');
  const unsafe = ['fsync', 'synchronous_commit'].filter((name) => settings.get(name) === 'off');
  if (unsafe.length > 0 && !allowUnsafe) {
    throw new Error(
      `PostgreSQL runs with ${unsafe.map((name) => `${name}=off`).join(' and ')}: an acknowledged message could be lost. Turn it on, or start with --allow-unsafe-database.`,
    );
  }
}
