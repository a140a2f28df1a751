// PostgreSQL that accepts no writes. After a failover, the address may lead to the old primary for a moment.
import assert from 'node:assert/strict';
import { after, before, describe, test } from 'node:test';
import { createDatabase } from '@sealpost/dev-env/harness';
import { until } from '@sealpost/dev-env/until';
import pg from 'pg';
import { systemPorts } from '../../../src/platform/kernel/system.ts';
import { openPostgres, type PostgresStore } from '../../../src/platform/store/postgres.ts';
import { sql } from '../../../src/platform/store/sql.ts';
import { StoreUnavailable } from '../../../src/platform/store/store.ts';

const WRITERS = 6;
const insert = sql('insert into server_secret (name, value, created_time) values (?, ?, ?)');
const count = sql<{ count: number }>('select count(*) as count from server_secret where value = ?');
const backend = sql<{ pid: number }>('select pg_backend_pid() as pid');
const becomeReadOnly = sql('set default_transaction_read_only = on');

const skip = !process.env.SEALPOST_TEST_POSTGRES_URL && 'needs PostgreSQL';

describe('a PostgreSQL that accepts no writes', { skip, timeout: 120_000 }, () => {
  let database: Awaited<ReturnType<typeof createDatabase>>;
  let store: PostgresStore;
  let operator: pg.Client;
  const open = () =>
    openPostgres({
      ...systemPorts,
      timeCommit: () => () => {},
      url: database.url,
      allowUnsafe: false,
      server: { program: 'test', host: 'test', startedTime: 0 },
      onError: () => {},
      crashPoint: () => {},
    });
  before(async () => {
    database = await createDatabase();
    store = await open();
    operator = new pg.Client({ connectionString: database.url });
    await operator.connect();
  });
  after(async () => {
    await operator.end();
    await store.close();
    await database.drop();
  });

  const write = (value: string) => store.transact((tx) => tx.run(insert, crypto.randomUUID(), value, 0));
  const countOf = async (value: string) => (await store.read((reader) => reader.one(count, value)))?.count;
  /** Makes the database accept no writes on new connections, and ends the connections of the store. */
  async function setReadOnly(value: 'on' | 'off'): Promise<void> {
    await database.set('default_transaction_read_only', value);
    await operator.query(
      "select pg_terminate_backend(pid) from pg_stat_activity where application_name = 'sealpost' and datname = current_database()",
    );
  }

  test('is unavailable for writes, and loses the connection on which it said so', async () => {
    // One transaction alone uses the first writer. The next transaction would get the same one.
    const old = await store.transact(async (tx) => {
      await tx.run(becomeReadOnly);
      return tx.one(backend);
    });
    await assert.rejects(write('refused'), StoreUnavailable);
    await write('on a new connection');
    const next = await store.transact((tx) => tx.one(backend));
    assert.notEqual(next?.pid, old?.pid);
    assert.deepEqual([await countOf('refused'), await countOf('on a new connection')], [0, 1]);
  });

  test('takes all idle connections with it', async () => {
    const together = Promise.withResolvers<void>();
    let running = 0;
    await Promise.all(
      Array.from({ length: WRITERS }, () =>
        store.transact(async (tx) => {
          await tx.one(backend);
          running += 1;
          if (running === WRITERS) together.resolve();
          await together.promise;
          await tx.run(becomeReadOnly);
        }),
      ),
    );
    await assert.rejects(write('one of them'), StoreUnavailable);
    await Promise.all(Array.from({ length: WRITERS }, () => write('afterwards')));
    assert.equal(await countOf('afterwards'), WRITERS);
  });

  test('is not used, neither for reads nor at a start, until it accepts writes again', async () => {
    await setReadOnly('on');
    const refused = (work: () => Promise<unknown>) =>
      until(
        () =>
          work().then(
            () => false,
            (error: Error) => /accepts no writes/.test(String(error.cause)) || /accepts no writes/.test(error.message),
          ),
        'the store is refused',
      );
    await refused(() => write('meanwhile'));
    await refused(() => countOf('meanwhile'));
    await refused(() => store.check());
    await assert.rejects(open(), /cannot connect to PostgreSQL .* accepts no writes: it is a standby, or set to be/);
    await setReadOnly('off');
    await write('again');
    assert.deepEqual([await countOf('meanwhile'), await countOf('again')], [0, 1]);
    for (let reader = 0; reader < 3; reader++) await store.check();
  });
});
