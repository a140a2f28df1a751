// A database for the bench on an existing PostgreSQL server. The bench drops the database at its end.
import pg from 'pg';

const DEFAULT_URL = 'postgres://postgres@127.0.0.1:5432/postgres';

export interface BenchDatabase {
  readonly url: string;
  readonly version: string;
  drop(): Promise<void>;
}

/** Creates the database. Returns undefined if no server answers. */
export async function createDatabase(): Promise<BenchDatabase | undefined> {
  const url = new URL(process.env.SEALPOST_BENCH_POSTGRES_URL ?? DEFAULT_URL);
  const name = `sealpost_bench_${process.pid}`;
  const version = await onServer(url, async (client) => {
    await client.query(`create database ${name}`);
    const shown = await client.query<{ server_version: string }>('show server_version');
    return shown.rows[0]?.server_version ?? '';
  }).catch(() => undefined);
  if (version === undefined) return undefined;
  const own = new URL(url);
  own.pathname = `/${name}`;
  return {
    url: own.href,
    version,
    drop: () => onServer(url, async (client) => void (await client.query(`drop database ${name} with (force)`))),
  };
}

async function onServer<T>(url: URL, work: (client: pg.Client) => Promise<T>): Promise<T> {
  const client = new pg.Client({ connectionString: url.href, connectionTimeoutMillis: 2000 });
  try {
    await client.connect();
    return await work(client);
  } finally {
    await client.end();
  }
}
