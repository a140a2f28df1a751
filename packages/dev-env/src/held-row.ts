// Holds a row of PostgreSQL, so that several calls of a test are under way at the same moment.
import pg from 'pg';
import { until } from './until.ts';

/** The query for a row, without the lock. */
export type RowQuery = string;

export interface RowHolder {
  /** Runs a query in the transaction that holds the row, or outside of one. */
  rows<T extends pg.QueryResultRow>(query: string): Promise<readonly T[]>;
  /**
   * Holds a row while the calls begin, one after another, until each waits for a lock. Then runs `look` in the
   * transaction that holds the row, releases it, and returns the results.
   */
  holding<T>(row: RowQuery, calls: readonly (() => Promise<T>)[], look?: () => Promise<unknown>): Promise<T[]>;
  /** Throws if another transaction holds one of the rows. */
  areFree(...all: readonly RowQuery[]): Promise<void>;
  close(): Promise<void>;
}

/** Connects to the database. No other call may wait for a lock in it while `holding` runs. */
export async function openRowHolder(url: string): Promise<RowHolder> {
  const holder = new pg.Client({ connectionString: url });
  // In the transaction of the holder, PostgreSQL would not show connections that are opened meanwhile.
  const watcher = new pg.Client({ connectionString: url });
  await Promise.all([holder.connect(), watcher.connect()]);
  const waiting = async (): Promise<number> => {
    const { rows } = await watcher.query(
      `select 1 from pg_locks where not granted
       and pid in (select pid from pg_stat_activity where datname = current_database())`,
    );
    return rows.length;
  };
  return {
    rows: async <T extends pg.QueryResultRow>(query: string) => (await holder.query<T>(query)).rows,
    async holding<T>(row: RowQuery, calls: readonly (() => Promise<T>)[], look?: () => Promise<unknown>) {
      await holder.query('begin');
      await holder.query(`${row} for update`);
      const running: Promise<T>[] = [];
      try {
        for (const call of calls) {
          running.push(call());
          await until(async () => (await waiting()) === running.length, 'the call waits');
        }
        await look?.();
      } finally {
        await holder.query('commit');
        await Promise.allSettled(running);
      }
      return Promise.all(running);
    },
    async areFree(...all) {
      for (const row of all) await holder.query(`${row} for update nowait`);
    },
    async close() {
      await Promise.all([holder.end(), watcher.end()]);
    },
  };
}

/** Returns the query for the end of an account's log. */
export const logOf = ({ mid }: { readonly mid: string }): RowQuery =>
  `select 1 from operation_head where account_id = (select id from account where mid = '${mid}')`;
