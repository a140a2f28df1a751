// The slices of accounts, sessions, login and admin over a real store, with a clock that the test moves.
import { randomBytes } from 'node:crypto';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import pg from 'pg';
import { createAccounts, createPasswords } from '../src/accounts/index.ts';
import { createAudit } from '../src/admin/index.ts';
import { createIds } from '../src/kernel/ids.ts';
import { createCertificates, createSessions, loadServerSecret, type SessionOptions } from '../src/sessions/index.ts';
import { openPostgres } from '../src/store/postgres.ts';
import { openSqlite } from '../src/store/sqlite.ts';
import type { Store } from '../src/store/store.ts';
import { createOperationLog } from '../src/stream/operation-log.ts';

export const databases: readonly ('sqlite' | 'postgres')[] = process.env.SEALPOST_TEST_POSTGRES_URL
  ? ['sqlite', 'postgres']
  : ['sqlite'];

interface Opened {
  readonly store: Store;
  drop(): Promise<void>;
}

async function openStore(kind: 'sqlite' | 'postgres'): Promise<Opened> {
  const fail = (error: Error): void => {
    throw error;
  };
  if (kind === 'sqlite') {
    const folder = mkdtempSync(join(tmpdir(), 'sealpost-slices-'));
    const store = openSqlite({ path: join(folder, 'test.db'), crashPoint: () => {}, onFatal: fail });
    return { store, drop: async () => rmSync(folder, { recursive: true }) };
  }
  const url = new URL(process.env.SEALPOST_TEST_POSTGRES_URL as string);
  const name = `slices_${randomBytes(6).toString('hex')}`;
  await administer(url, `create database ${name}`);
  const own = new URL(url);
  own.pathname = `/${name}`;
  const store = await openPostgres({ url: own.href, crashPoint: () => {}, onError: () => {} });
  return { store, drop: () => administer(url, `drop database ${name} with (force)`) };
}

async function administer(url: URL, text: string): Promise<void> {
  const client = new pg.Client({ connectionString: url.href });
  await client.connect();
  await client.query(text);
  await client.end();
}

/** A clock that stands still until it is moved. */
export function standingClock(start = Date.UTC(2026, 0, 1)) {
  let now = start;
  return {
    now: () => now,
    monotonic: () => now - start,
    move: (ms: number) => {
      now += ms;
    },
  };
}

export async function openSlices(kind: 'sqlite' | 'postgres', options: Partial<SessionOptions> = {}) {
  const { store, drop } = await openStore(kind);
  const clock = standingClock();
  const random = { bytes: randomBytes };
  const ids = createIds(clock, random, 0, 0);
  const secret = await loadServerSecret(store, random, clock);
  const sessions = createSessions({ store, ids, clock, secret, options });
  const certificates = createCertificates(random, clock);
  const passwords = createPasswords();
  const operationLog = createOperationLog(clock, () => {});
  const accounts = createAccounts({ store, operationLog, ids, clock, passwords, sessions });
  const audit = createAudit(store, ids, clock);
  const slices = {
    store,
    clock,
    random,
    ids,
    secret,
    sessions,
    certificates,
    passwords,
    operationLog,
    accounts,
    audit,
  };
  return {
    ...slices,
    /** A second server on the same database. */
    otherSessions: () => createSessions({ store, ids: createIds(clock, random, 1, 0), clock, secret, options }),
    /** A session of a new account. */
    async openSession(userid: string) {
      const account = await accounts.create({ userid, password: `${userid}-secret`, displayName: userid });
      const device = { systemName: 'Test', modelName: '', clientType: 'TEST', remoteAddress: '127.0.0.1' };
      const { sessionId, tokens } = await store.transact((tx) =>
        sessions.open(tx, { accountId: account.id, mid: account.mid, ...device }),
      );
      return { account, sessionId, tokens };
    },
    async close() {
      await store.close();
      await drop();
    },
  };
}

export type Slices = Awaited<ReturnType<typeof openSlices>>;
