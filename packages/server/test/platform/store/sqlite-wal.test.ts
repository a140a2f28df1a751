// The files of SQLite: only its user reads them. Once no more writes come, the WAL is copied to the database and emptied.
import assert from 'node:assert/strict';
import { mkdtempSync, rmSync, statSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import { afterEach, beforeEach, test } from 'node:test';
import { watchedTimers } from '@sealpost/dev-env/watched-timers';
import { systemPorts } from '../../../src/platform/kernel/system.ts';
import { sql } from '../../../src/platform/store/sql.ts';
import { openSqlite } from '../../../src/platform/store/sqlite.ts';
import type { Store } from '../../../src/platform/store/store.ts';

const IDLE_MS = 10_000;
const insert = sql('insert into server_secret (name, value, created_time) values (?, ?, ?)');

let folder: string;
let path: string;
let store: Store;
/** Lets the time until the next check of the WAL pass. */
let look: () => void;

beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'sealpost-wal-'));
  path = join(folder, 'test.db');
  const watched = watchedTimers();
  watched.hold(IDLE_MS);
  look = () => watched.fire(IDLE_MS);
  const fail = (error: Error): never => {
    throw error;
  };
  store = openSqlite({
    ...systemPorts,
    timeCommit: () => () => {},
    path,
    timers: watched.timers,
    check: 'auto',
    onNotice: () => {},
    onError: fail,
    onFatal: fail,
  });
});
afterEach(async () => {
  await store.close();
  rmSync(folder, { recursive: true });
});

const walBytes = () => statSync(`${path}-wal`).size;
const write = () => store.transact((tx) => tx.run(insert, crypto.randomUUID(), 'x'.repeat(50_000), 0));

test('an idle database has an empty WAL, a busy one is left alone', async () => {
  await write();
  const busy = walBytes();
  assert.ok(busy > 50_000);
  look();
  assert.equal(walBytes(), busy, 'somebody wrote since the last look');
  look();
  assert.equal(walBytes(), 0);
  await write();
  assert.ok(walBytes() > 50_000);
});

test('checks write, and keep no WAL from being emptied', async () => {
  look();
  look();
  assert.equal(walBytes(), 0);
  await store.check();
  const once = walBytes();
  assert.ok(once > 0, 'a check writes');
  await store.check();
  assert.ok(walBytes() > once, 'and writes again');
  look();
  assert.equal(walBytes(), 0);
});

test('the store does not wait for readers in other processes', async () => {
  await write();
  const outside = new DatabaseSync(path, { readOnly: true });
  outside.exec('begin; select count(*) from server_secret');
  outside.prepare('select count(*) from server_secret').get();
  await write();
  look();
  look();
  assert.ok(walBytes() > 0);
  outside.exec('commit');
  outside.close();
  look();
  assert.equal(walBytes(), 0);
});

test('only the user of the server can read the files', async () => {
  await write();
  for (const file of [path, `${path}-wal`, `${path}-shm`]) assert.equal(statSync(file).mode & 0o777, 0o600, file);
});
