// A PostgreSQL of its own for a bench, and what it spends. That is processor time of all its processes, bytes of the
// WAL, and images of whole pages in the WAL.
import pg from 'pg';
import { startPostgres } from '../../scripts/test-postgres.ts';
import { pin } from '../pinned-process.ts';
import { endedChildrenSeconds, familyCpuSeconds, familyOf, parentOf } from '../process-usage.ts';

/** What the server has spent since it started. */
export interface Spent {
  readonly cpuSeconds: number;
  readonly walBytes: number;
  readonly pageImages: number;
}

export interface DatabaseServer {
  readonly url: string;
  readonly version: string;
  /** The first process, which starts all others. */
  readonly pid: number;
  /** A connection for the questions of the bench. */
  readonly client: pg.Client;
  /** Returns what all work so far has cost. */
  spent(): Promise<Spent>;
  /** Returns how often the WAL was synchronized so far. */
  syncs(): Promise<number>;
  stop(): Promise<void>;
}

/** PostgreSQL reports the counters of a process to the others at most once a second. */
const REPORT_MS = 1100;

/**
 * Starts a server with full durability.
 * @param core the core of all its processes; without it, they may use all
 */
export async function startDatabase(flags: readonly string[] = [], core?: number): Promise<DatabaseServer> {
  const service = await startPostgres(flags);
  const client = new pg.Client({ connectionString: service.url });
  client.on('error', () => {});
  await client.connect();
  const one = async (text: string): Promise<string> => Object.values((await client.query(text)).rows[0] as object)[0];
  const master = parentOf(Number(await one('select pg_backend_pid()')));
  if (core !== undefined) for (const pid of familyOf(master)) pin(pid, core);
  const version = (await one('show server_version')) ?? '';
  return {
    url: service.url,
    version,
    pid: master,
    client,
    async spent() {
      const cpu = familyCpuSeconds(master) + endedChildrenSeconds(master);
      const walBytes = Number(await one("select pg_current_wal_insert_lsn() - '0/0'::pg_lsn"));
      await new Promise((resolve) => setTimeout(resolve, REPORT_MS));
      return { cpuSeconds: cpu, walBytes, pageImages: Number(await one('select wal_fpi from pg_stat_wal')) };
    },
    async syncs() {
      await new Promise((resolve) => setTimeout(resolve, REPORT_MS));
      return Number(await one("select sum(fsyncs) from pg_stat_io where object = 'wal'"));
    },
    async stop() {
      await client.end();
      await service.stop();
    },
  };
}

/** Returns the cost of each of `count` pieces of work that were done between two readings. */
export function costOfEach(before: Spent, after: Spent, count: number) {
  return {
    cpuMicros: ((after.cpuSeconds - before.cpuSeconds) / count) * 1e6,
    walBytes: (after.walBytes - before.walBytes) / count,
    pageImages: (after.pageImages - before.pageImages) / count,
  };
}
