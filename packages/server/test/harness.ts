// A real server on a temporary database, and clients that talk to it through the SDK.
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { Operation } from '@sealpost/contract';
import { type Client, createClient } from '@sealpost/sdk';
import pg from 'pg';
import { loadConfig } from '../src/config.ts';
import type { Logger } from '../src/kernel/logger.ts';
import type { Ports } from '../src/kernel/ports.ts';
import { openDisk } from '../src/objects/disk.ts';
import type { Objects } from '../src/objects/objects.ts';
import { createServer, type RunningServer } from '../src/server.ts';
import type { TestBucket } from './s3-server.ts';

export type DatabaseKind = 'sqlite' | 'postgres';

/** PostgreSQL is tested wherever the test command found or started one. */
export const databases: readonly DatabaseKind[] = process.env.SEALPOST_TEST_POSTGRES_URL
  ? ['sqlite', 'postgres']
  : ['sqlite'];

/** Where the bytes of media lie. */
export interface Place {
  readonly database: DatabaseKind;
  readonly objects: 'disk' | 's3';
}

/** Each database with objects on disk, and one with objects on S3 wherever the test command found or started one. */
export const places: readonly Place[] = [
  ...databases.map((database): Place => ({ database, objects: 'disk' })),
  ...(process.env.SEALPOST_TEST_S3_URL ? [{ database: 'sqlite', objects: 's3' } as const] : []),
];

export interface TestServer {
  readonly server: RunningServer;
  readonly url: string;
  readonly adminToken: string;
  readonly dataDir: string;
  /** The same media objects, past the server. */
  openObjects(): Promise<Objects>;
  /** A new account with a session, named after `name`. */
  user(name?: string, kind?: 'user' | 'official'): Promise<TestUser>;
  /** The same database, started again. */
  restart(): Promise<void>;
  close(): Promise<void>;
}

export interface TestUser {
  readonly client: Client;
  readonly mid: string;
  readonly userid: string;
  readonly password: string;
  /** Another session of the same account. */
  session(): Promise<Client>;
  /** Operations after a revision (the start of the log if not given), as the stream delivers them now. */
  log(after?: number): Promise<Operation[]>;
}

export interface StartOptions {
  readonly database?: DatabaseKind;
  readonly objects?: Place['objects'];
  readonly flags?: Readonly<Record<string, string>>;
  readonly ports?: Partial<Ports>;
  readonly logger?: Logger;
}

const unlimited = Object.fromEntries(
  ['send', 'write', 'read', 'lookup', 'backup', 'log', 'key', 'login'].map((name) => [
    `rate-${name}`,
    '1000000+100000',
  ]),
);

let users = 0;

export async function startServer(options: StartOptions = {}): Promise<TestServer> {
  const dataDir = mkdtempSync(join(tmpdir(), 'sealpost-test-'));
  const database = options.database === 'postgres' ? await createDatabase() : undefined;
  const bucket = options.objects === 's3' ? await newBucket() : undefined;
  const flags = {
    port: '0',
    'data-dir': dataDir,
    'log-level': 'silent',
    'login-confirmation': 'never',
    ...unlimited,
    ...(database && { 'database-url': database.url }),
    ...bucket?.flags,
    ...options.flags,
  };
  const start = () =>
    createServer(loadConfig('serve', { flags, env: {} }), {
      strictContract: true,
      ...(options.ports && { ports: options.ports }),
      ...(options.logger && { logger: options.logger }),
    });
  let server = await start();
  const clients: Client[] = [];

  /** A session without the cost of a login, whose own tests are elsewhere. */
  async function openSession(accountId: number, mid: string): Promise<Client> {
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
    const client = createClient({ url: server.url, session: { mid, tokens } });
    clients.push(client);
    return client;
  }

  return {
    get server() {
      return server;
    },
    get url() {
      return server.url;
    },
    get adminToken() {
      return server.adminToken;
    },
    dataDir,
    openObjects: async () => bucket?.open() ?? openDisk(join(dataDir, 'objects')),
    async user(name = 'user', kind = 'user') {
      users += 1;
      const userid = `${name}-${users}`;
      const password = `password of ${userid}`;
      const { id, mid } = await server.slices.accounts.create({ userid, password, displayName: name, kind });
      const client = await openSession(id, mid);
      return {
        client,
        mid,
        userid,
        password,
        session: () => openSession(id, mid),
        log: (after) => readLog(client, after),
      };
    },
    async restart() {
      await server.close();
      server = await start();
    },
    async close() {
      for (const client of clients) client.close();
      await server.close();
      rmSync(dataDir, { recursive: true, force: true });
      bucket?.close();
      await database?.drop();
    },
  };
}

/** Few tests want S3, and its client takes long to load. */
async function newBucket(): Promise<TestBucket> {
  const { makeBucket } = await import('./s3-server.ts');
  return makeBucket();
}

/** What the stream replays after a revision, up to the head of the log. */
export async function readLog(client: Client, after = 0): Promise<Operation[]> {
  const head = Number(await client.TalkService.getLastOpRevision());
  const found: Operation[] = [];
  if (head <= after) return found;
  const stop = new AbortController();
  for await (const event of client.operations({ from: String(after), signal: stop.signal })) {
    if (event.kind !== 'operation') continue;
    found.push(event.operation);
    if (Number(event.operation.revision) >= head) stop.abort();
  }
  return found;
}

export async function createDatabase(): Promise<{ url: string; drop(): Promise<void> }> {
  const url = new URL(process.env.SEALPOST_TEST_POSTGRES_URL as string);
  const name = `sealpost_t_${process.pid}_${Date.now().toString(36)}_${Math.random().toString(36).slice(2, 8)}`;
  await onDatabase(url, `create database ${name}`);
  const own = new URL(url);
  own.pathname = `/${name}`;
  return { url: own.href, drop: () => onDatabase(url, `drop database if exists ${name} with (force)`) };
}

async function onDatabase(url: URL, text: string): Promise<void> {
  const client = new pg.Client({ connectionString: url.href });
  await client.connect();
  await client.query(text);
  await client.end();
}
