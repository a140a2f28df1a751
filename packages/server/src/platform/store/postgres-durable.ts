// The conditions that a PostgreSQL server must meet before the store is used.
import type { Clock } from '@sealpost/contract/ports';
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

/** Largest difference in milliseconds between the clock of this machine and that of PostgreSQL. */
const CLOCK_MS = 60_000;

/**
 * Refuses to work on a machine whose clock is wrong. Message ids never go back. So those of one server that is ahead
 * would pass to the messages of all servers, until the time is reached.
 */
export async function requireSameTime(client: pg.Client, clock: Pick<Clock, 'now'>): Promise<void> {
  const before = clock.now();
  const { rows } = await client.query<{ time: number }>(
    'select (extract(epoch from clock_timestamp()) * 1000)::bigint as time',
  );
  const time = rows[0]?.time ?? before;
  const ahead = Math.max(before - time, 0) || Math.min(clock.now() - time, 0);
  if (Math.abs(ahead) <= CLOCK_MS) return;
  const difference = `${Math.round(Math.abs(ahead) / 1000)} s ${ahead > 0 ? 'ahead of' : 'behind'}`;
  throw new Error(
    `The clock of this machine is ${difference} that of PostgreSQL. Set the wrong one, because messages get their times from the clocks of the servers.`,
  );
}
