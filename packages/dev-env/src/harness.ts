// Starts a real server on a temporary database, and clients that call it through the SDK. SEALPOST_TEST_SERVERS=3
// starts three servers on one PostgreSQL database. A load balancer in front of them sends each request to the next
// server.
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { Operation } from '@sealpost/contract';
import { createRpcClient, type RpcClient } from '@sealpost/sdk';
import type { Logger, Objects, ServerPorts } from '@sealpost/server/internal';
import { createServer, loadConfig, openDisk, type RunningServer } from '@sealpost/server/internal';
import pg from 'pg';
import { noteEmission } from './emissions.ts';
import { quickCrypto } from './quick-crypto.ts';
import { type RoundRobin, startRoundRobin } from './round-robin.ts';
import type { TestBucket } from './s3-server.ts';

export type DatabaseKind = 'sqlite' | 'postgres';
export type ObjectsKind = 'disk' | 's3';

const usualServers = Number(process.env.SEALPOST_TEST_SERVERS ?? 1);

/**
 * The databases to test. PostgreSQL is included if the test command found or started a PostgreSQL server. If tests run
 * with several servers, only PostgreSQL is tested.
 */
export const databases: readonly DatabaseKind[] = process.env.SEALPOST_TEST_POSTGRES_URL
  ? usualServers > 1
    ? ['postgres']
    : ['sqlite', 'postgres']
  : ['sqlite'];

export interface TestServer {
  /** The server, or the first one if there are several. */
  readonly server: RunningServer;
  readonly url: string;
  readonly adminToken: string;
  readonly dataDir: string;
  /** Opens the object store of the server directly, without a request to the server. */
  openObjects(): Promise<Objects>;
  /** Creates an account with a session. Its display name is `name`. */
  user(name?: string, kind?: 'user' | 'official'): Promise<TestUser>;
  /** Stops the server, does some work without it, and starts it again on the same database. */
  restart(meanwhile?: () => unknown): Promise<void>;
  /** Returns the metrics of the server, or of the first one if there are several. */
  metrics(): Promise<string>;
  /** Adds a function that closes something. It is called before the server is closed. */
  atEnd(close: () => unknown): void;
  close(): Promise<void>;
}

export interface TestUser {
  readonly client: RpcClient;
  readonly mid: string;
  readonly userid: string;
  readonly password: string;
  /** Opens another session of the same account. */
  session(): Promise<RpcClient>;
  /**
   * Returns the operations after a revision, as the stream delivers them now. Without a revision, returns all
   * operations.
   */
  log(after?: number): Promise<Operation[]>;
}

export interface StartOptions {
  /** The data directory. A new temporary folder is used if it is absent. It is removed when the server is closed. */
  readonly dataDir?: string;
  readonly database?: DatabaseKind;
  /** The number of servers. Several servers share a PostgreSQL database and one address. */
  readonly servers?: number;
  readonly objects?: ObjectsKind;
  readonly flags?: Readonly<Record<string, string>>;
  readonly ports?: Partial<ServerPorts>;
  readonly logger?: Logger;
  /** False for tests that call handlers directly, because strict mode refuses operations that belong to no request. */
  readonly strict?: false;
}

const unlimited = Object.fromEntries(
  ['send', 'write', 'read', 'lookup', 'identifier', 'backup', 'log', 'key', 'login', 'registration'].map((name) => [
    `rate-${name}`,
    '1000000+100000',
  ]),
);

let users = 0;

export async function startServer(options: StartOptions = {}): Promise<TestServer> {
  const dataDir = options.dataDir ?? mkdtempSync(join(tmpdir(), 'sealpost-test-'));
  const count = options.servers ?? usualServers;
  const database = count > 1 || options.database === 'postgres' ? await createDatabase() : undefined;
  const bucket = options.objects === 's3' ? await newBucket() : undefined;
  const balancer = count > 1 ? await startRoundRobin() : undefined;
  const flags = {
    port: '0',
    'log-level': 'silent',
    'login-confirmation': 'never',
    ...unlimited,
    ...(database && { 'database-url': database.url }),
    ...(balancer && together(balancer, dataDir)),
    ...bucket?.flags,
    ...options.flags,
    'data-dir': dataDir,
  };
  const start = () => startAll(options, flags, count, balancer);
  let servers = await start();
  const stop = () => Promise.all(servers.map((server) => server.close()));
  const ends: (() => unknown)[] = [];

  async function session(accountId: number, mid: string): Promise<RpcClient> {
    const client = await openSession(servers[0], accountId, mid);
    ends.push(() => client.close());
    return client;
  }

  return {
    get server() {
      return servers[0];
    },
    get url() {
      return servers[0].url;
    },
    get adminToken() {
      return servers[0].adminToken;
    },
    dataDir,
    openObjects: async () => bucket?.open() ?? openDisk(join(dataDir, 'objects')),
    async user(name = 'user', kind = 'user') {
      users += 1;
      // Turns the display name into a valid user id, which may contain fewer characters.
      const userid = `${name.toLowerCase().replace(/[^a-z0-9._-]/g, '') || 'user'}-${users}`;
      const password = `password of ${userid}`;
      const { id, mid } = await servers[0].slices.accounts.create({ userid, password, displayName: name, kind });
      const client = await session(id, mid);
      return {
        client,
        mid,
        userid,
        password,
        session: () => session(id, mid),
        log: (after) => readLog(client, after),
      };
    },
    async restart(meanwhile) {
      await stop();
      await meanwhile?.();
      servers = await start();
    },
    metrics: () => metricsOf(servers[0]),
    atEnd(close) {
      ends.push(close);
    },
    async close() {
      for (const end of ends) await end();
      await stop();
      await balancer?.close();
      rmSync(dataDir, { recursive: true, force: true });
      bucket?.close();
      await database?.drop();
    },
  };
}

/** Starts the servers and lets the balancer send requests to them. Each server after the first gets its own folder. */
async function startAll(
  options: StartOptions,
  flags: Readonly<Record<string, string>> & { readonly 'data-dir': string },
  count: number,
  balancer: RoundRobin | undefined,
): Promise<[RunningServer, ...RunningServer[]]> {
  const first = await startOne(options, flags);
  const folders = Array.from({ length: count - 1 }, (_, n) => join(flags['data-dir'], `${n + 2}`));
  const others = await Promise.all(folders.map((folder) => startOne(options, { ...flags, 'data-dir': folder })));
  balancer?.toward([first, ...others].map(({ port }) => `http://127.0.0.1:${port}`));
  return [first.server, ...others.map(({ server }) => server)];
}

async function startOne(
  { strict, ports, logger }: StartOptions,
  flags: Readonly<Record<string, string>>,
): Promise<{ server: RunningServer; port: number }> {
  let port = 0;
  const server = await createServer(loadConfig('serve', { flags, env: {}, file: null }), {
    ...(strict !== false && { strictContract: noteEmission }),
    onListening: (taken) => {
      port = taken;
    },
    ports: { slowCrypto: quickCrypto, ...ports },
    ...(logger && { logger }),
  });
  return { server, port };
}

async function metricsOf({ metricsUrl, adminToken }: RunningServer): Promise<string> {
  const answer = await fetch(metricsUrl, { headers: { authorization: `Bearer ${adminToken}` } });
  if (!answer.ok) throw new Error(`${metricsUrl} answers ${answer.status}: ${await answer.text()}`);
  return answer.text();
}

/** Opens a session directly in the store, because a login is slow. Other tests cover the login. */
async function openSession(server: RunningServer, accountId: number, mid: string): Promise<RpcClient> {
  const { tokens } = await server.store.transact((tx) =>
    server.slices.sessions.open(tx, {
      accountId,
      mid,
      systemName: 'test',
      modelName: '',
      clientType: 'test',
      remoteAddress: '127.0.0.1',
    }),
  );
  return createRpcClient({ url: server.url, session: { mid, tokens } });
}

/** Returns the settings that must be the same for several servers. */
const together = (balancer: RoundRobin, dataDir: string): Readonly<Record<string, string>> => ({
  'public-url': balancer.url,
  'trusted-proxies': 'loopback',
  'admin-token': 'admin-token-of-several-servers',
  'objects-url': `file:${join(dataDir, 'objects')}`,
  ...(process.env.SEALPOST_TEST_NATS_URL && { 'bus-url': process.env.SEALPOST_TEST_NATS_URL }),
});

/** Creates a bucket. The module is imported here, because few tests need S3 and the S3 client takes long to load. */
async function newBucket(): Promise<TestBucket> {
  const { makeBucket } = await import('./s3-server.ts');
  return makeBucket();
}

/** Returns the operations after a revision up to the current end of the log, read from the stream. */
export async function readLog(client: RpcClient, after = 0): Promise<Operation[]> {
  const head = Number(await client.TalkService.getLastOpRevision());
  const found: Operation[] = [];
  if (head <= after) return found;
  const stop = new AbortController();
  for await (const event of client.operations({ from: String(after), signal: stop.signal })) {
    if (event.kind !== 'operation') {
      // The event is not an operation, because the log no longer has the next one. Without this error, the loop would
      // wait for it for ever.
      throw new Error(`the log has no operations between ${after} and ${event.nextRevision}: ${JSON.stringify(event)}`);
    }
    found.push(event.operation);
    if (Number(event.operation.revision) >= head) stop.abort();
  }
  return found;
}

export async function createDatabase(): Promise<{
  url: string;
  /** Changes a setting of PostgreSQL for the sessions that begin later. */
  set(name: string, value: string): Promise<void>;
  drop(): Promise<void>;
}> {
  const url = new URL(process.env.SEALPOST_TEST_POSTGRES_URL as string);
  const name = `sealpost_t_${process.pid}_${Date.now().toString(36)}_${Math.random().toString(36).slice(2, 8)}`;
  await onDatabase(url, `create database ${name}`);
  const own = new URL(url);
  own.pathname = `/${name}`;
  return {
    url: own.href,
    set: (setting, value) => onDatabase(url, `alter database ${name} set ${setting} = ${value}`),
    drop: () => onDatabase(url, `drop database if exists ${name} with (force)`),
  };
}

async function onDatabase(url: URL, text: string): Promise<void> {
  const client = new pg.Client({ connectionString: url.href });
  await client.connect();
  await client.query(text);
  await client.end();
}
