// Connections to PostgreSQL that stay open but deliver no answers. A hung pooler causes them, or a NAT that dropped
// them.
import assert from 'node:assert/strict';
import { after, afterEach, before, beforeEach, describe, test } from 'node:test';
import { createDatabase } from '@sealpost/dev-env/harness';
import { type SilentProxy, startSilentProxy } from '@sealpost/dev-env/proxies/silent';
import { until } from '@sealpost/dev-env/until';
import { watchedTimers } from '@sealpost/dev-env/watched-timers';
import pg from 'pg';
import { systemPorts } from '../../../src/platform/kernel/system.ts';
import { openPostgres, type PostgresStore } from '../../../src/platform/store/postgres.ts';
import { sql } from '../../../src/platform/store/sql.ts';
import { StoreSilent, StoreUnavailable } from '../../../src/platform/store/store.ts';

const POSTGRES_PORT = 5432;
const READERS = 3;
const LOOK_MS = 500;
/**
 * The number of checks after which the server gives up a connection. PostgreSQL ends a statement after ten seconds, and
 * the server waits two seconds longer.
 */
const LOOKS = 12_000 / LOOK_MS;
const LATE_MS = 2_000;
const STUCK_LOOKS = 5_000 / LOOK_MS;
const LATE_LOOKS = LATE_MS / LOOK_MS;
/**
 * The number of checks after which callers are refused, within 3 s. One check is added, because the first may come at
 * once.
 */
const REFUSING_LOOKS = LATE_LOOKS + 1;
assert.ok(REFUSING_LOOKS * LOOK_MS < 3_000);
const insert = sql('insert into server_secret (name, value, created_time) values (?, ?, ?)');
const update = sql<{ value: string }>("update server_secret set value = 'changed' where value = ? returning value");
const echo = sql<{ value: number }>('select ?::bigint as value');
const sleep = sql('select pg_sleep(?)');

const skip = !process.env.SEALPOST_TEST_POSTGRES_URL && 'needs PostgreSQL';

describe('connections to PostgreSQL that fall silent', { skip, timeout: 300_000 }, () => {
  let database: Awaited<ReturnType<typeof createDatabase>>;
  let proxy: SilentProxy;
  let store: PostgresStore;
  /** Connection to PostgreSQL without the proxy. */
  let direct: pg.Client;
  const { timers, hold, fire } = watchedTimers();
  hold(LOOK_MS);
  // Holds back the timer that limits how long a single check may take.
  hold(LATE_MS);
  const look = (times: number): void => {
    for (let i = 0; i < times; i++) fire(LOOK_MS);
  };

  before(async () => {
    database = await createDatabase();
    direct = new pg.Client({ connectionString: database.url });
    await direct.connect();
  });
  beforeEach(async () => {
    proxy = await startSilentProxy(new URL(database.url), POSTGRES_PORT);
    store = await openPostgres({
      ...systemPorts,
      timeCommit: () => () => {},
      timers,
      url: proxy.url,
      allowUnsafe: false,
      server: { program: 'test', host: 'test', startedTime: 0 },
      onError: () => {},
    });
  });
  afterEach(async () => {
    await store.close();
    proxy.close();
  });
  after(async () => {
    await direct.end();
    await database.drop();
  });

  const write = (value: string) => store.transact((tx) => tx.run(insert, crypto.randomUUID(), value, 0));
  const read = async (value: number) => (await store.read((reader) => reader.one(echo, value)))?.value;
  async function countOf(value: string): Promise<number> {
    const found = await direct.query<{ count: string }>(
      'select count(*) as count from server_secret where value = $1',
      [value],
    );
    return Number(found.rows[0]?.count);
  }
  async function backends(): Promise<number> {
    const found = await direct.query<{ count: string }>(
      "select count(*) as count from pg_stat_activity where application_name = 'sealpost' and datname = current_database()",
    );
    return Number(found.rows[0]?.count);
  }
  const unavailable = (work: Promise<unknown>) => assert.rejects(work, StoreUnavailable);

  test('a transaction that PostgreSQL never heard of ends, and the next ones work', async () => {
    proxy.loss = 'questions';
    const lost = write('unheard');
    await proxy.silent(1);
    proxy.loss = 'none';
    look(REFUSING_LOOKS - 1);
    let over = false;
    const end = () => {
      over = true;
    };
    lost.then(end, end);
    await backends();
    assert.equal(over, false, 'it waits still');
    look(1);
    await assert.rejects(lost, StoreSilent);
    await write('heard');
    look(LOOKS);
    assert.deepEqual([await countOf('unheard'), await countOf('heard')], [0, 1]);
  });

  test('a commit whose answer never comes is not repeated', async () => {
    let known = 0;
    const send = store.grouped<string, string>(
      async (tx, values) => {
        for (const value of values) await tx.run(insert, crypto.randomUUID(), value, 0);
        tx.onCommit(() => {
          known += 1;
        });
        return values;
      },
      () => [],
    );
    proxy.loss = 'answers';
    const lost = Promise.allSettled([send('committed'), send('committed')]);
    await until(async () => (await countOf('committed')) > 0, 'the commit is there');
    proxy.loss = 'none';
    look(LOOKS);
    for (const outcome of await lost)
      assert.ok(outcome.status === 'rejected' && outcome.reason instanceof StoreUnavailable);
    await proxy.gone();
    assert.equal(known, 0, 'nobody is told of a commit whose outcome is unknown');
    await send('next');
    assert.equal(known, 1);
    assert.deepEqual([await countOf('committed'), await countOf('next')], [2, 1]);
  });

  test('a commit of which only its own answer is lost is no success', async () => {
    let known = 0;
    const lost = store.transact(async (tx) => {
      await tx.run(insert, crypto.randomUUID(), 'only the commit', 0);
      tx.onCommit(() => {
        known += 1;
      });
      // PostgreSQL answers in order. So when this answer arrives, the answer to the write has arrived too.
      await tx.one(echo, 1);
      proxy.loss = 'answers';
    });
    await until(async () => (await countOf('only the commit')) > 0, 'the commit is there');
    look(LOOKS);
    await assert.rejects(lost, StoreSilent);
    await proxy.gone();
    assert.equal(known, 0);
    proxy.loss = 'none';
  });

  test("other groups send meanwhile, and the silent group's place is freed", async () => {
    const send = store.grouped<string, string>(
      async (tx, values) => {
        for (const value of values) await tx.run(insert, crypto.randomUUID(), value, 0);
        return values;
      },
      (value) => [value],
    );
    proxy.loss = 'questions';
    const lost = send('alice');
    await proxy.silent(1);
    proxy.loss = 'none';
    const behind = send('alice');
    assert.equal(await send('bob'), 'bob');
    assert.equal(await countOf('alice'), 0);
    look(REFUSING_LOOKS);
    await assert.rejects(lost, StoreSilent);
    await assert.rejects(behind, StoreSilent);
    assert.equal(await countOf('alice'), 0);
    // The refused calls waited behind the lost call. They still run now, and their refusal says that this can happen.
    look(LOOKS);
    await until(async () => (await countOf('alice')) > 0, 'what waited is there');
    assert.equal(await countOf('alice'), 1);
  });

  test('a caller that waits for a lock is not refused while others are answered', async () => {
    await write('locked');
    await direct.query("begin; update server_secret set value = 'held' where value = 'locked'");
    const waits = store.transact((tx) => tx.one(update, 'locked'));
    for (let i = 0; i < 3 * REFUSING_LOOKS; i++) {
      look(1);
      await read(i);
    }
    await direct.query('rollback');
    assert.equal((await waits)?.value, 'changed');
  });

  test('reads are refused in time, too', async () => {
    await Promise.all(Array.from({ length: READERS }, (_, i) => read(i)));
    proxy.loss = 'questions';
    const lost = read(1);
    await proxy.silent(1);
    look(REFUSING_LOOKS);
    await assert.rejects(lost, StoreSilent);
    look(LOOKS);
  });

  test('a late answer of a reader is not taken for that of another', async () => {
    await Promise.all(Array.from({ length: READERS }, (_, i) => read(i)));
    proxy.loss = 'answers come late';
    const lost = Promise.allSettled(Array.from({ length: READERS }, (_, i) => read(100 + i)));
    await proxy.silent(READERS);
    look(LOOKS);
    for (const outcome of await lost)
      assert.ok(outcome.status === 'rejected' && outcome.reason instanceof StoreUnavailable);
    // Connections that the server gave up are closed a moment later.
    await proxy.gone();
    proxy.loss = 'none';
    const wanted = Array.from({ length: 3 * READERS }, (_, i) => i);
    const answers = Promise.all(wanted.map(read));
    proxy.deliverLate();
    assert.deepEqual(await answers, wanted);
  });

  test('unused writers go with a silent one', async () => {
    await Promise.all([write('many'), write('many'), write('many')]);
    proxy.loss = 'questions';
    const lost = write('unheard too');
    await proxy.silent(1);
    const before = await backends();
    look(LOOKS);
    await unavailable(lost);
    proxy.loss = 'none';
    await until(async () => (await backends()) <= before - 3, 'three connections are closed');
    await write('after it');
    assert.equal(await countOf('after it'), 1);
  });

  test('a connection that answers slowly is kept', async () => {
    await store.transact(async (tx) => {
      for (let i = 0; i < 3; i++) {
        const answer = tx.one(sleep, 0.05);
        look(LATE_LOOKS - 1);
        await answer;
      }
      await tx.run(insert, crypto.randomUUID(), 'slow', 0);
    });
    assert.equal(await countOf('slow'), 1);
  });

  test('the node number is looked for again', async () => {
    const lease = await store.leaseNode(4, async () => 0);
    proxy.loss = 'questions';
    const looking = lease.keep();
    await proxy.silent(1);
    look(LOOKS);
    await unavailable(looking);
    assert.throws(() => lease.node(), StoreUnavailable);
    proxy.loss = 'none';
    await lease.keep();
    lease.node();
  });

  test('the health check reports silent readers and writers', async () => {
    for (let i = 0; i < READERS; i++) await store.check();
    proxy.loss = 'questions';
    const late = assert.rejects(store.check(), /did not answer in 2 s/);
    await proxy.silent(1);
    fire(LATE_MS);
    await late;
    look(LOOKS);
    await proxy.gone();
    proxy.loss = 'none';
    for (let i = 0; i < READERS; i++) await store.check();

    const values = ['1', '2', '3', '4'];
    await Promise.all(values.map(write));
    proxy.loss = 'questions';
    const lost = values.map(write);
    const told = lost.map(unavailable);
    await proxy.silent(values.length);
    proxy.loss = 'none';
    await store.check();
    look(STUCK_LOOKS);
    await assert.rejects(store.check(), /4 of \d+ connections to PostgreSQL at [\d.:]+ wait for an answer for 5 s/);
    look(LOOKS);
    await Promise.all(told);
    await store.check();
  });

  test('the store closes all the same', async () => {
    const own = await startSilentProxy(new URL(database.url), POSTGRES_PORT);
    const other = await openPostgres({
      ...systemPorts,
      timeCommit: () => () => {},
      timers,
      url: own.url,
      allowUnsafe: false,
      server: { program: 'test', host: 'test', startedTime: 0 },
      onError: () => {},
    });
    own.loss = 'questions';
    const closing = other.close();
    await own.silent(1);
    look(LOOKS);
    await closing;
    own.close();
  });
});
