import assert from 'node:assert/strict';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { constants, DatabaseSync } from 'node:sqlite';
import { test } from 'node:test';
import pg from 'pg';
import '../../../src/maintenance/index.ts';
import '../../../src/start/server.ts';
import { createDatabase, databases } from '@sealpost/dev-env/harness';
import { migratePostgres, migrateSqlite } from '../../../src/platform/store/migrate.ts';
import { declaredQueries } from '../../../src/platform/store/sql.ts';

// The server has loaded every slice, so every query is declared.
const queries = declaredQueries();

test('every query prepares on SQLite after the migrations', () => {
  const folder = mkdtempSync(join(tmpdir(), 'sealpost-queries-'));
  const database = new DatabaseSync(join(folder, 'queries.db'));
  migrateSqlite(database);
  assert.ok(queries.length > 100, `${queries.length} queries`);
  for (const query of queries) assert.doesNotThrow(() => database.prepare(query.sqlite), query.sqlite);
  database.close();
  rmSync(folder, { recursive: true });
});

test('SQLite compiles a query once, whatever its values are', () => {
  const database = new DatabaseSync(':memory:');
  migrateSqlite(database);
  // SQLite asks for permission whenever it compiles a query.
  let asked = 0;
  database.setAuthorizer(() => {
    asked += 1;
    return constants.SQLITE_OK;
  });
  for (const { sqlite } of queries) {
    const statement = database.prepare(sqlite);
    assert.ok(asked > 0, sqlite);
    database.exec('savepoint tried');
    asked = 0;
    for (const value of [1, 2]) {
      const values = Array.from({ length: parametersOf(sqlite) }, () => value);
      try {
        statement.all(...values);
      } catch (error) {
        // Rows may miss what a table wants. The query was compiled before that.
        assert.match(String(error), /constraint failed/, sqlite);
      }
    }
    assert.equal(asked, 0, sqlite);
    database.exec('rollback to tried; release tried');
  }
  database.close();
});

/** Returns the number of parameters of a query, which have numbers or no names. */
function parametersOf(text: string): number {
  const numbers = [...text.matchAll(/\?(\d+)/g)].map(([, number]) => Number(number));
  return Math.max(0, ...numbers) + [...text.matchAll(/\?(?!\d)/g)].length;
}

test('every query prepares on PostgreSQL after the migrations', {
  skip: !databases.includes('postgres') && 'needs PostgreSQL',
}, async () => {
  const own = await createDatabase();
  const client = new pg.Client({ connectionString: own.url });
  await client.connect();
  await migratePostgres(client);
  for (const { id, postgres } of queries) {
    await client
      .query(`prepare ${id} as ${postgres}`)
      .catch((error: Error) => assert.fail(`${error.message}: ${postgres}`));
  }
  await client.end();
  await own.drop();
});

test('a database of a newer version is refused with what to do', () => {
  const database = new DatabaseSync(':memory:');
  migrateSqlite(database);
  database.exec('insert into schema_version values (9999, 0, 1)');
  assert.throws(() => migrateSqlite(database), /schema version 9999.*Start a newer server/);
  database.close();
});
