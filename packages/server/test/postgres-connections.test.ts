import assert from 'node:assert/strict';
import { after, before, describe, test } from 'node:test';
import pg from 'pg';
import { openPostgres } from '../src/store/postgres.ts';
import { sql } from '../src/store/sql.ts';
import { type Store, StoreUnavailable } from '../src/store/store.ts';
import { createDatabase } from './harness.ts';

const WRITERS = 6;
const insert = sql('insert into server_secret (name, value, created_time) values (?, ?, ?)');
const count = sql<{ count: number }>('select count(*) as count from server_secret where value = ?');

const skip = !process.env.SEALPOST_TEST_POSTGRES_URL && 'needs PostgreSQL';

describe('the connections to PostgreSQL', { skip, timeout: 30_000 }, () => {
  let database: Awaited<ReturnType<typeof createDatabase>>;
  let store: Store;
  let loseCommit = false;
  before(async () => {
    database = await createDatabase();
    store = await openPostgres({
      url: database.url,
      onError: () => {},
      crashPoint: (name) => {
        if (!loseCommit || name !== 'transaction.committed') return;
        loseCommit = false;
        throw Object.assign(new Error('read ECONNRESET'), { code: 'ECONNRESET' });
      },
    });
  });
  after(async () => {
    await store.close();
    await database.drop();
  });

  const countOf = async (value: string) => (await store.read((reader) => reader.one(count, value)))?.count;
  const write = (value: string) => store.transact((tx) => tx.run(insert, crypto.randomUUID(), value, 0));
  const everyWriter = (value: string) => Promise.all(Array.from({ length: WRITERS }, () => write(value)));

  async function dropAllConnections(): Promise<void> {
    const url = new URL(database.url);
    const name = url.pathname.slice(1);
    url.pathname = '/postgres';
    const operator = new pg.Client({ connectionString: url.href });
    await operator.connect();
    await operator.query('select pg_terminate_backend(pid) from pg_stat_activity where datname = $1', [name]);
    await operator.end();
    await new Promise((resolve) => setTimeout(resolve, 200));
  }

  test('come back after all of them were lost, as often as that happens', async () => {
    for (let round = 1; round <= 3; round++) {
      await everyWriter(`round ${round}`);
      await dropAllConnections();
      await everyWriter(`again ${round}`);
      assert.equal(await countOf(`again ${round}`), WRITERS);
    }
  });

  test('a commit whose answer was lost is not repeated for those who shared it', async () => {
    const send = store.grouped<string, string>(async (tx, values) => {
      for (const value of values) await tx.run(insert, crypto.randomUUID(), value, 0);
      return values;
    });
    loseCommit = true;
    const outcomes = await Promise.allSettled([send('shared'), send('shared')]);
    for (const outcome of outcomes)
      assert.ok(outcome.status === 'rejected' && outcome.reason instanceof StoreUnavailable);
    assert.equal(await countOf('shared'), 2);
  });
});
