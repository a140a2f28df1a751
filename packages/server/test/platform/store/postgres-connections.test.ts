import assert from 'node:assert/strict';
import { after, before, describe, test } from 'node:test';
import { createDatabase } from '@sealpost/dev-env/harness';
import { until } from '@sealpost/dev-env/until';
import pg from 'pg';
import { systemPorts } from '../../../src/platform/kernel/system.ts';
import { openPostgres } from '../../../src/platform/store/postgres.ts';
import { sql } from '../../../src/platform/store/sql.ts';
import { type Store, StoreUnavailable } from '../../../src/platform/store/store.ts';

const WRITERS = 6;
const insert = sql('insert into server_secret (name, value, created_time) values (?, ?, ?)');
const insertAccount = sql('insert into account (id, mid) values (?, ?)');
const count = sql<{ count: number }>('select count(*) as count from server_secret where value = ?');
const sleep = sql('select pg_sleep(?)');
const endPausedSoon = sql('set local idle_in_transaction_session_timeout = 50');
const PAUSE_MS = 300;
/** Stops this process for a time, as if its machine stood still. */
const pause = () => Atomics.wait(new Int32Array(new SharedArrayBuffer(4)), 0, 0, PAUSE_MS);
const keyOf = (item: string): string => item.split('.')[0] as string;

const skip = !process.env.SEALPOST_TEST_POSTGRES_URL && 'needs PostgreSQL';

describe('the connections to PostgreSQL', { skip, timeout: 300_000 }, () => {
  let database: Awaited<ReturnType<typeof createDatabase>>;
  let store: Store;
  let loseCommit = false;
  before(async () => {
    database = await createDatabase();
    store = await openPostgres({
      ...systemPorts,
      timeCommit: () => () => {},
      url: database.url,
      allowUnsafe: false,
      server: { program: 'test', host: 'test', startedTime: 0 },
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

  test('are not used for a database that may lose commits, unless the operator accepts it', async () => {
    const own = await createDatabase();
    await own.set('synchronous_commit', 'off');
    const open = (allowUnsafe: boolean) =>
      openPostgres({
        ...systemPorts,
        timeCommit: () => () => {},
        url: own.url,
        server: { program: 'test', host: 'test', startedTime: 0 },
        onError: () => {},
        allowUnsafe,
      }).then(
        (opened) => opened.close().then(() => 'opened'),
        (error: Error) => error.message,
      );
    const [refused, accepted] = [await open(false), await open(true)];
    await own.drop();
    assert.match(
      refused,
      /^PostgreSQL runs with synchronous_commit=off: an acknowledged message could be lost\..*--allow-unsafe/,
    );
    assert.equal(accepted, 'opened');
  });

  test('are not used by a machine whose clock is more than a minute wrong', async () => {
    const openAt = (ahead: number) =>
      openPostgres({
        ...systemPorts,
        timeCommit: () => () => {},
        url: database.url,
        server: { program: 'test', host: 'test', startedTime: 0 },
        onError: () => {},
        allowUnsafe: false,
        clock: { now: () => Date.now() + ahead },
      }).then(
        (opened) => opened.close().then(() => 'opened'),
        (error: Error) => error.message,
      );
    assert.match(await openAt(86_400_000), /^The clock of this machine is 86400 s ahead of that of PostgreSQL\. Set/);
    assert.match(await openAt(-86_400_000), /^The clock of this machine is 86400 s behind that of PostgreSQL\. Set/);
    for (const ahead of [-50_000, 50_000]) assert.equal(await openAt(ahead), 'opened');
  });

  const countOf = async (value: string) => (await store.read((reader) => reader.one(count, value)))?.count;
  const write = (value: string) => store.transact((tx) => tx.run(insert, crypto.randomUUID(), value, 0));
  const everyWriter = (value: string) => Promise.all(Array.from({ length: WRITERS }, () => write(value)));

  const isUnavailable = (error: unknown): false => {
    if (error instanceof StoreUnavailable) return false;
    throw error;
  };

  test('tell a server that paused within a transaction that nothing was stored, and the next write works', async () => {
    const paused = store.transact(async (tx) => {
      await tx.run(endPausedSoon);
      await tx.one(count, '');
      await tx.run(insert, crypto.randomUUID(), 'paused', 0);
      pause();
    });
    await assert.rejects(paused, StoreUnavailable);
    await write('after a pause');
    assert.deepEqual([await countOf('paused'), await countOf('after a pause')], [0, 1]);
  });

  async function dropAllConnections(): Promise<void> {
    const url = new URL(database.url);
    const name = url.pathname.slice(1);
    url.pathname = '/postgres';
    const operator = new pg.Client({ connectionString: url.href });
    await operator.connect();
    await operator.query('select pg_terminate_backend(pid) from pg_stat_activity where datname = $1', [name]);
    await operator.end();
    // A write fails if its connection ended unnoticed. Such a write may be repeated.
    const works = () => everyWriter('probe').then(() => true, isUnavailable);
    await until(works, 'the store has noticed');
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
    const send = store.grouped<string, string>(
      async (tx, values) => {
        for (const value of values) await tx.run(insert, crypto.randomUUID(), value, 0);
        return values;
      },
      () => [],
    );
    loseCommit = true;
    const outcomes = await Promise.allSettled([send('shared'), send('shared')]);
    for (const outcome of outcomes)
      assert.ok(outcome.status === 'rejected' && outcome.reason instanceof StoreUnavailable);
    assert.equal(await countOf('shared'), 2);
  });

  test('a write that fails fails its transaction by its own name, and nothing of it stays', async () => {
    const lost = store.transact(async (tx) => {
      await tx.run(insert, crypto.randomUUID(), 'half done', 0);
      await tx.run(insertAccount, 1, 'u1');
      await tx.run(insert, crypto.randomUUID(), 'half done', 0);
    });
    await assert.rejects(lost, /null value in column "kind"/);
    const read = store.transact(async (tx) => {
      await tx.run(insertAccount, 1, 'u1');
      return tx.one(count, 'half done');
    });
    await assert.rejects(read, /null value in column "kind"/);
    assert.equal(await countOf('half done'), 0);
  });

  test('items with a key in common never run at once and keep their order; others go beside them', async () => {
    let running: string[] = [];
    const begun: string[] = [];
    let together = 0;
    let groups = 0;
    const beside = Promise.withResolvers<void>();
    const send = store.grouped<string, string>(
      async (tx, items) => {
        const own = items.map(keyOf);
        assert.deepEqual(
          own.filter((key) => running.includes(key)),
          [],
        );
        if (running.length > 0) together += 1;
        running.push(...own);
        begun.push(...items);
        groups += 1;
        if (groups === 2) beside.resolve();
        // The first group runs until a second group runs at the same time.
        await beside.promise;
        await tx.one(sleep, 0.02);
        running = running.filter((key) => !own.includes(key));
        return items;
      },
      (item) => [keyOf(item), `of ${item}`],
    );
    // Items as "sender.number": ten senders, some with more items than the others.
    const items = Array.from({ length: 300 }, (_, i) => `${i % 10 < 7 ? i : i % 10}.${String(i).padStart(3, '0')}`);
    const sent: Promise<string>[] = [];
    for (const [i, item] of items.entries()) {
      sent.push(send(item));
      if (i % 30 === 29) await new Promise((resolve) => setImmediate(resolve));
    }
    assert.deepEqual(await Promise.all(sent), items);
    assert.ok(together > 0);
    for (const [key, own] of Map.groupBy(begun, keyOf)) assert.deepEqual(own, own.toSorted(), key);
  });
});
