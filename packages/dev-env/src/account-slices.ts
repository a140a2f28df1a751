// Opens the slices of accounts, sessions, login and admin on a real store. The test moves their clock.
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { Store } from '@sealpost/server/internal';
import {
  createAccounts,
  createAudit,
  createCertificates,
  createIds,
  createOperationLog,
  createPasswords,
  createSessions,
  loadServerSecret,
  openPostgres,
  openSqlite,
  type SessionOptions,
  systemPorts,
} from '@sealpost/server/internal';
import { createDatabase, type DatabaseKind } from './harness.ts';
import { quickCrypto } from './quick-crypto.ts';
import { virtualTime } from './virtual-time.ts';

const START = Date.UTC(2026, 0, 1);
const FIRST = { number: 0, newest: 0 };
const SECOND = { number: 1, newest: 0 };

interface OpenedStore {
  readonly store: Store;
  drop(): Promise<void>;
}

/** Measures nothing. */
const timeCommit = () => () => {};

async function openStore(kind: DatabaseKind): Promise<OpenedStore> {
  const fail = (error: Error): void => {
    throw error;
  };
  if (kind === 'sqlite') {
    const folder = mkdtempSync(join(tmpdir(), 'sealpost-slices-'));
    const store = openSqlite({
      ...systemPorts,
      timeCommit,
      path: join(folder, 'test.db'),
      check: 'auto',
      onNotice: () => {},
      onError: fail,
      onFatal: fail,
    });
    return { store, drop: async () => rmSync(folder, { recursive: true }) };
  }
  const database = await createDatabase();
  const store = await openPostgres({
    ...systemPorts,
    timeCommit,
    url: database.url,
    allowUnsafe: false,
    server: { program: 'test', host: 'test', startedTime: 0 },
    onError: () => {},
  });
  return { store, drop: database.drop };
}

/** Does nothing, because the tests that use these slices send no news about devices. */
const tellDevices = async (): Promise<void> => {};

export async function openSlices(kind: DatabaseKind, options: Partial<SessionOptions> = {}, slowCrypto = quickCrypto) {
  const { store, drop } = await openStore(kind);
  const clock = virtualTime(START);
  const { random } = systemPorts;
  const ids = createIds(clock, random, () => FIRST);
  const secret = await loadServerSecret(store, random, clock);
  const sessions = createSessions({ store, ids, clock, secret, tellDevices, options });
  const certificates = createCertificates(random, clock);
  const passwords = createPasswords(slowCrypto);
  const operationLog = createOperationLog(clock, () => {});
  const accounts = createAccounts({
    ...{ store, operationLog, ids, clock, passwords, sessions },
    beforeRemoval: async () => {},
  });
  const audit = createAudit(store, ids, clock);
  const slices = {
    store,
    clock,
    random,
    slowCrypto,
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
    /** Creates the sessions slice of another server on the same database. */
    otherSessions: () =>
      createSessions({ store, ids: createIds(clock, random, () => SECOND), clock, secret, tellDevices, options }),
    /** Creates an account and opens a session for it. */
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
