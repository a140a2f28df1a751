import assert from 'node:assert/strict';
import { DatabaseSync } from 'node:sqlite';
import { test } from 'node:test';
import '../../../src/start/server.ts';
import { createDatabase, databases } from '@sealpost/dev-env/harness';
import { systemPorts } from '../../../src/platform/kernel/system.ts';
import { migratePostgres, migrateSqlite } from '../../../src/platform/store/migrate.ts';
import { PostgresConnections } from '../../../src/platform/store/postgres-connections.ts';
import { declaredQueries } from '../../../src/platform/store/sql.ts';

/** Tables that have few rows, however many people use the server. */
const SMALL = new Set([
  'admin_token',
  'administrator',
  'administrator_session',
  'administrator_setup',
  'log_share',
  'product',
  'running_server',
]);

/** Queries that may read a whole table, and the reason. */
const EXCEPTIONS = new Map([
  [/from media_object where whole = 1 limit /, 'it ends at the first row'],
  [/from owed_news order by account_id, number limit /, 'it ends at the first row'],
  [/^insert into subscriber_cursor .* from operation_head$/, 'it runs once for a new subscriber'],
  [/^update report set report = /, 'it runs once when an account is deleted'],
]);

test('no query of a running server reads a whole table that grows', () => {
  const database = new DatabaseSync(':memory:');
  migrateSqlite(database);
  const unused = new Set(EXCEPTIONS.keys());
  for (const { sqlite } of declaredQueries()) {
    const text = sqlite.replaceAll(/\s+/g, ' ').trim();
    if (!readsAll(database, text).some((table) => !SMALL.has(table))) continue;
    const exception = [...EXCEPTIONS.keys()].find((pattern) => pattern.test(text));
    assert.ok(exception, `${text} reads a whole table. Give it an index, or list it with a reason`);
    unused.delete(exception);
  }
  assert.deepEqual([...unused], [], 'exceptions that no query needs any more');
  database.close();
});

/** Returns the tables that SQLite reads from the first row to the last for a query. */
function readsAll(database: DatabaseSync, text: string): string[] {
  const plan = database.prepare(`explain query plan ${text}`).all();
  const scanned = plan.flatMap(({ detail }) => /^SCAN (\w+)/.exec(String(detail))?.[1] ?? []);
  return scanned.flatMap((name) => {
    const table = new RegExp(`(?:from|join|into|update) (\\w+) (?:as )?${name}\\b`).exec(text)?.[1] ?? name;
    const known = database.prepare("select 1 from sqlite_schema where type = 'table' and name = ?").get(table);
    // Rows that a query brings with it, and results of another part of it, have names of their own.
    return known ? [table] : [];
  });
}

test('PostgreSQL starts no further processes for a query, however long the tables are', {
  skip: !databases.includes('postgres') && 'needs PostgreSQL',
}, async () => {
  const own = await createDatabase();
  const connections = new PostgresConnections({ ...systemPorts, url: own.url, onError: (error) => assert.fail(error) });
  const client = await connections.connect();
  await migratePostgres(client);
  // With these costs, short tables are worth more processes too. An empty table is taken for one of ten pages.
  for (const setting of [
    'parallel_setup_cost',
    'parallel_tuple_cost',
    'min_parallel_table_scan_size',
    'min_parallel_index_scan_size',
  ])
    await client.query(`set ${setting} = 0`);
  for (const { id, postgres } of declaredQueries()) {
    await client.query(`prepare ${id} as ${postgres}`);
    const parameters = new Set(postgres.match(/\$\d+/g)).size;
    const values = Array.from({ length: parameters }, () => 'null').join(', ');
    const { rows } = await client.query(`explain execute ${id}${parameters === 0 ? '' : `(${values})`}`);
    assert.doesNotMatch(JSON.stringify(rows), /Workers Planned/, postgres);
  }
  await connections.leave();
  await own.drop();
});
