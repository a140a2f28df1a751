// Holds the log of an account in PostgreSQL, so that several calls of a test are under way at the same moment.
import pg from 'pg';
import type { TestUser } from './harness.ts';
import { until } from './until.ts';

export interface LogHolder {
  rows(query: string): Promise<readonly unknown[]>;
  /**
   * Locks the log of an account and starts the calls, each once the call before waits for a lock. Then releases the log
   * and returns the results.
   */
  atOnce<T>(user: Pick<TestUser, 'mid'>, ...calls: readonly (() => Promise<T>)[]): Promise<T[]>;
  close(): Promise<void>;
}

/** Connects to the database. No other call may wait for a lock in it while `atOnce` runs. */
export async function openLogHolder(url: string): Promise<LogHolder> {
  const holder = new pg.Client({ connectionString: url });
  // In the transaction of the holder, PostgreSQL would not show connections that are opened meanwhile.
  const watcher = new pg.Client({ connectionString: url });
  await Promise.all([holder.connect(), watcher.connect()]);
  const rows = async (query: string): Promise<readonly unknown[]> => (await watcher.query(query)).rows;
  const waiting = `select 1 from pg_locks where not granted
    and pid in (select pid from pg_stat_activity where datname = current_database())`;
  return {
    rows,
    async atOnce<T>({ mid }: Pick<TestUser, 'mid'>, ...calls: readonly (() => Promise<T>)[]) {
      await holder.query('begin');
      await holder.query(
        'select 1 from operation_head where account_id = (select id from account where mid = $1) for update',
        [mid],
      );
      const running: Promise<T>[] = [];
      for (const call of calls) {
        running.push(call());
        await until(async () => (await rows(waiting)).length === running.length, 'the call waits');
      }
      await holder.query('commit');
      return Promise.all(running);
    },
    async close() {
      await Promise.all([holder.end(), watcher.end()]);
    },
  };
}
