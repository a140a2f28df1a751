// Migrations while servers of two versions run. The migrations of the newer version are made up here.
import assert from 'node:assert/strict';
import { DatabaseSync } from 'node:sqlite';
import { after, afterEach, before, beforeEach, describe, test } from 'node:test';
import { createDatabase, databases } from '@sealpost/dev-env/harness';
import pg from 'pg';
import {
  type Migration,
  migratePostgres,
  migrateSqlite,
  newestVersion,
  ownMigrations,
  requireKnownContracts,
} from '../../../src/platform/store/migrate.ts';
import { NODE_LOCKS, tellServer } from '../../../src/platform/store/node-holders.ts';

const made = (version: number, text: string, isContract = false): Migration => ({
  ...{ version, text, isContract },
  name: `${version}-made-up${isContract ? '.contract' : ''}.sql`,
});
const [first, second, third] = [newestVersion + 1, newestVersion + 2, newestVersion + 3];
const adds = made(first, 'create table made_up (id bigint primary key, old bigint)');
const takesAway = made(second, 'alter table made_up drop column old', true);
const addsLater = made(third, 'alter table made_up add column later bigint');

describe('on SQLite, where no other server runs', () => {
  test('a contract is applied at once', () => {
    const database = new DatabaseSync(':memory:');
    migrateSqlite(database, [...ownMigrations, adds, takesAway, addsLater]);
    assert.deepEqual(
      database.prepare('select version, is_contract from schema_version where version >= ? order by 1').all(first),
      [
        { __proto__: null, version: first, is_contract: 0 },
        { __proto__: null, version: second, is_contract: 1 },
        { __proto__: null, version: third, is_contract: 0 },
      ],
    );
    assert.throws(
      () => migrateSqlite(database),
      new RegExp(`schema version ${second}, this server knows up to ${newestVersion}`),
    );
    database.close();
  });

  test('a migration that finds the disk full says so, and changes nothing', () => {
    const database = new DatabaseSync(':memory:');
    migrateSqlite(database);
    const { page_count: pages } = database.prepare('pragma page_count').get() as { page_count: number };
    database.exec(`pragma max_page_count = ${pages + 2}`);
    const fills = made(second, 'insert into made_up select 1, zeroblob(100000)');
    assert.throws(
      () => migrateSqlite(database, [...ownMigrations, adds, fills]),
      new RegExp(`${fills.name} failed: database or disk is full. Nothing was changed: .* Make room on the disk`),
    );
    assert.equal(database.prepare("select name from sqlite_master where name = 'made_up'").get(), undefined);
    database.close();
  });

  test('an older server starts on tables to which a newer one has only added', () => {
    const database = new DatabaseSync(':memory:');
    migrateSqlite(database, [...ownMigrations, adds]);
    assert.doesNotThrow(() => migrateSqlite(database));
    database.close();
  });
});

describe('on PostgreSQL, beside an older server', {
  skip: !databases.includes('postgres') && 'needs PostgreSQL',
}, () => {
  let database: Awaited<ReturnType<typeof createDatabase>>;
  let client: pg.Client;
  /** The connection of the older server, which holds the lock of its number. */
  let older: pg.Client;

  before(async () => {
    database = await createDatabase();
  });
  beforeEach(async () => {
    client = await connect();
    older = await connect();
    await client.query('drop schema public cascade; create schema public');
    await migratePostgres(client);
    await older.query(`select pg_advisory_lock(${NODE_LOCKS}, 5)`);
    await tellServer(older, 5, { program: '0.9.0', schema: newestVersion, host: 'north', startedTime: 1 });
  });
  afterEach(async () => {
    await older.end().catch(() => {});
    await client.end();
  });
  after(() => database?.drop());

  async function connect(): Promise<pg.Client> {
    const one = new pg.Client({ connectionString: database.url });
    one.on('error', () => {});
    await one.connect();
    return one;
  }
  const columns = async (): Promise<string[]> => {
    const { rows } = await client.query<{ name: string }>(
      "select column_name as name from information_schema.columns where table_name = 'made_up' order by ordinal_position",
    );
    return rows.map(({ name }) => name);
  };

  test('additions are applied, and a contract waits until the older server has ended', async () => {
    const newer = [...ownMigrations, adds, takesAway];
    const waits = await migratePostgres(client, newer);
    assert.equal(
      waits,
      `migration ${takesAway.name} waits, because older servers still run: server 5 (Sealpost 0.9.0 on north)`,
    );
    assert.deepEqual(await columns(), ['id', 'old']);
    await requireKnownContracts(older, newestVersion);

    await older.end();
    assert.equal(await migratePostgres(client, newer), undefined);
    assert.deepEqual(await columns(), ['id']);
    await assert.rejects(requireKnownContracts(client, newestVersion), /Start a newer server/);
    await assert.rejects(migratePostgres(client), /Start a newer server/);
  });

  test('each contract waits for the servers that do not know it, also one that follows another', async () => {
    await tellServer(older, 5, { program: '1.1.0', schema: second, host: 'north', startedTime: 1 });
    const next = made(third, 'alter table made_up add column later bigint', true);
    assert.equal(
      await migratePostgres(client, [...ownMigrations, adds, takesAway, next]),
      `migration ${next.name} waits, because older servers still run: server 5 (Sealpost 1.1.0 on north)`,
    );
    assert.deepEqual(await columns(), ['id']);
  });

  test('a server that tells nothing of itself counts as older', async () => {
    await client.query('delete from node_holder');
    assert.match(
      String(await migratePostgres(client, [...ownMigrations, adds, takesAway])),
      /server 5 of an older version$/,
    );
  });

  test('a server that knows the contract does not count', async () => {
    await tellServer(older, 5, { program: '1.1.0', schema: second, host: 'north', startedTime: 1 });
    assert.equal(await migratePostgres(client, [...ownMigrations, adds, takesAway]), undefined);
    assert.deepEqual(await columns(), ['id']);
  });

  test('a start that cannot do without the contract is refused, and changes nothing', async () => {
    await assert.rejects(
      migratePostgres(client, [...ownMigrations, adds, takesAway, addsLater]),
      /cannot start beside older ones: .*server 5 \(Sealpost 0\.9\.0 on north\)\. Stop them first/,
    );
    assert.deepEqual(await columns(), []);
  });

  test('a migration whose connection is lost says so, and changes nothing', async () => {
    const dies = made(second, 'select pg_terminate_backend(pg_backend_pid())');
    await assert.rejects(
      migratePostgres(client, [...ownMigrations, adds, dies]),
      new RegExp(`${dies.name} failed: terminating connection .*Nothing was changed: .*lost the connection`),
    );
    await client.end().catch(() => {});
    client = await connect();
    assert.deepEqual(await columns(), []);
  });

  test('a migration that gets no lock on a table says what to do, and changes nothing', async () => {
    await older.query('begin; select count(*) from account');
    await assert.rejects(
      migratePostgres(
        client,
        [...ownMigrations, adds, made(second, 'alter table account add column later bigint')],
        50,
      ),
      new RegExp(`migration ${second}-made-up.sql failed: .*lock timeout. Nothing was changed: .* a backup, and start`),
    );
    assert.deepEqual(await columns(), []);
  });
});
