// Connections to PostgreSQL that stay open and bring no answers, as behind a hung pooler or a NAT that forgot them.
import assert from 'node:assert/strict';
import { connect, createServer, type Socket } from 'node:net';
import { after, afterEach, before, beforeEach, describe, test } from 'node:test';
import pg from 'pg';
import type { Timers } from '../src/kernel/ports.ts';
import { systemPorts } from '../src/kernel/system.ts';
import { openPostgres, type PostgresStore } from '../src/store/postgres.ts';
import { sql } from '../src/store/sql.ts';
import { StoreUnavailable } from '../src/store/store.ts';
import { createDatabase } from './harness.ts';

const READERS = 3;
/** The store looks every second; PostgreSQL ends a statement after ten. */
const LOOKS = 12;
const LATE_MS = 5_000;
const insert = sql('insert into server_secret (name, value, created_time) values (?, ?, ?)');
const echo = sql<{ value: number }>('select ?::bigint as value');
const sleep = sql('select pg_sleep(?)');

type Loss = 'none' | 'questions' | 'answers' | 'answers come late';

/** Loses bytes, and never closes a connection by itself. */
async function startProxy(target: URL) {
  const late: (() => void)[] = [];
  const sockets = new Set<Socket>();
  const server = createServer((near) => {
    const far = connect(Number(target.port || 5432), target.hostname);
    for (const socket of [near, far]) {
      sockets.add(socket);
      socket.on('error', () => {});
    }
    near.on('close', () => far.destroy());
    near.on('data', (bytes) => proxy.loss !== 'questions' && far.write(bytes));
    far.on('data', (bytes) => {
      if (proxy.loss === 'answers') return;
      if (proxy.loss === 'answers come late') late.push(() => near.write(bytes));
      else near.write(bytes);
    });
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  const url = new URL(target);
  url.host = `127.0.0.1:${(server.address() as { port: number }).port}`;
  const proxy = {
    url: url.href,
    loss: 'none' as Loss,
    deliverLate() {
      for (const deliver of late.splice(0)) deliver();
    },
    close() {
      server.close();
      for (const socket of sockets) socket.destroy();
    },
  };
  return proxy;
}

const skip = !process.env.SEALPOST_TEST_POSTGRES_URL && 'needs PostgreSQL';

describe('connections to PostgreSQL that fall silent', { skip, timeout: 30_000 }, () => {
  let database: Awaited<ReturnType<typeof createDatabase>>;
  let proxy: Awaited<ReturnType<typeof startProxy>>;
  let store: PostgresStore;
  /** Past the proxy. */
  let direct: pg.Client;
  let watches: (() => void)[];
  const timers: Timers = {
    after: (ms, run) => systemPorts.timers.after(ms === LATE_MS ? 50 : ms, run),
    every: (_, run) => {
      watches.push(run);
      return { cancel: () => {} };
    },
  };
  const look = (times: number): void => {
    for (let i = 0; i < times; i++) for (const watch of watches) watch();
  };

  before(async () => {
    database = await createDatabase();
    direct = new pg.Client({ connectionString: database.url });
    await direct.connect();
  });
  beforeEach(async () => {
    watches = [];
    proxy = await startProxy(new URL(database.url));
    store = await openPostgres({ ...systemPorts, timers, url: proxy.url, onError: () => {} });
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
  const soon = () => new Promise((resolve) => setTimeout(resolve, 50));

  test('a transaction that PostgreSQL never heard of ends, and the next ones work', async () => {
    proxy.loss = 'questions';
    const lost = write('unheard');
    await soon();
    proxy.loss = 'none';
    look(LOOKS - 1);
    assert.equal(await Promise.race([lost, soon().then(() => 'waits')]), 'waits');
    look(1);
    await unavailable(lost);
    await write('heard');
    assert.deepEqual([await countOf('unheard'), await countOf('heard')], [0, 1]);
  });

  test('a commit whose answer never comes is not repeated', async () => {
    const send = store.grouped<string, string>(async (tx, values) => {
      for (const value of values) await tx.run(insert, crypto.randomUUID(), value, 0);
      return values;
    });
    proxy.loss = 'answers';
    const lost = Promise.allSettled([send('committed'), send('committed')]);
    while ((await countOf('committed')) === 0) await soon();
    proxy.loss = 'none';
    look(LOOKS);
    for (const outcome of await lost)
      assert.ok(outcome.status === 'rejected' && outcome.reason instanceof StoreUnavailable);
    await send('next');
    assert.deepEqual([await countOf('committed'), await countOf('next')], [2, 1]);
  });

  test('others send meanwhile, and the silent group gives its place back', async () => {
    const send = store.grouped<string, string>(
      async (tx, values) => {
        for (const value of values) await tx.run(insert, crypto.randomUUID(), value, 0);
        return values;
      },
      (value) => [value],
    );
    proxy.loss = 'questions';
    const lost = send('alice');
    await soon();
    proxy.loss = 'none';
    const behind = send('alice');
    assert.equal(await send('bob'), 'bob');
    assert.equal(await countOf('alice'), 0);
    look(LOOKS);
    await unavailable(lost);
    assert.equal(await behind, 'alice');
    assert.equal(await countOf('alice'), 1);
  });

  test('a late answer of a reader is not taken for that of another', async () => {
    await Promise.all(Array.from({ length: READERS }, (_, i) => read(i)));
    proxy.loss = 'answers come late';
    const lost = Promise.allSettled(Array.from({ length: READERS }, (_, i) => read(100 + i)));
    await soon();
    look(LOOKS);
    for (const outcome of await lost)
      assert.ok(outcome.status === 'rejected' && outcome.reason instanceof StoreUnavailable);
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
    await soon();
    const before = await backends();
    look(LOOKS);
    await unavailable(lost);
    proxy.loss = 'none';
    await soon();
    assert.ok((await backends()) <= before - 3);
    await write('after it');
    assert.equal(await countOf('after it'), 1);
  });

  test('one that answers slowly, but answers, is kept', async () => {
    await store.transact(async (tx) => {
      for (let i = 0; i < 3; i++) {
        const answer = tx.one(sleep, 0.05);
        look(LOOKS - 1);
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
    await soon();
    look(LOOKS);
    await unavailable(looking);
    assert.throws(() => lease.node(), StoreUnavailable);
    proxy.loss = 'none';
    await lease.keep();
    lease.node();
  });

  test('the check tells of it, of readers and of writers', async () => {
    for (let i = 0; i < READERS; i++) await store.check();
    proxy.loss = 'questions';
    await assert.rejects(store.check(), /did not answer in 5 s/);
    look(LOOKS);
    await soon();
    proxy.loss = 'none';
    for (let i = 0; i < READERS; i++) await store.check();

    const values = ['1', '2', '3', '4'];
    await Promise.all(values.map(write));
    proxy.loss = 'questions';
    const lost = values.map(write);
    const told = lost.map(unavailable);
    await soon();
    proxy.loss = 'none';
    await store.check();
    look(LATE_MS / 1000);
    await assert.rejects(store.check(), /4 of \d+ connections to PostgreSQL at [\d.:]+ wait for an answer for 5 s/);
    look(LOOKS);
    await Promise.all(told);
    await store.check();
  });

  test('the store closes all the same', async () => {
    const own = await startProxy(new URL(database.url));
    const other = await openPostgres({ ...systemPorts, timers, url: own.url, onError: () => {} });
    own.loss = 'questions';
    const closing = other.close();
    await soon();
    look(LOOKS);
    await closing;
    own.close();
  });
});
