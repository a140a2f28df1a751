// Tests that no table stands in the way of shards: every unique key begins with an account or a chat, or docs/scaling.md
// tells why it need not.
import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { DatabaseSync } from 'node:sqlite';
import { test } from 'node:test';
import { createDatabase, databases } from '@sealpost/dev-env/harness';
import pg from 'pg';
import { migratePostgres, migrateSqlite } from '../../../src/platform/store/migrate.ts';

/** Columns that name the owner of a row. The two ids are those of the owners themselves. */
const OWNERS = ['account_id', 'owner_id', 'chat_id'];
const OWN_IDS = ['account (id)', 'chat (id)'];
const KINDS = ['directory', 'owner', 'shard'];

/** A unique key as `table (column, column)`, and the columns of its table. */
interface Key {
  readonly name: string;
  readonly columns: readonly string[];
}

const keyOf = (table: string, key: readonly string[], columns: readonly string[]): Key => ({
  name: `${table} (${key.join(', ')})`,
  columns,
});

function sqliteKeys(): Key[] {
  const database = new DatabaseSync(':memory:');
  migrateSqlite(database);
  const rows = <T>(text: string, ...values: string[]): T[] => database.prepare(text).all(...values) as T[];
  const keys = rows<{ name: string }>("select name from sqlite_master where type = 'table'").flatMap(({ name }) => {
    const table = rows<{ name: string; pk: number }>('select name, pk from pragma_table_info(?)', name);
    const columns = table.map((column) => column.name);
    const primary = table.filter(({ pk }) => pk > 0).sort((a, b) => a.pk - b.pk);
    const others = rows<{ name: string }>(
      `select name from pragma_index_list(?) where "unique" = 1 and origin <> 'pk'`,
      name,
    );
    const unique = others.map((index) =>
      rows<{ name: string }>('select name from pragma_index_info(?) order by seqno', index.name),
    );
    return [primary, ...unique].map((key) =>
      keyOf(
        name,
        key.map((column) => column.name),
        columns,
      ),
    );
  });
  database.close();
  return keys;
}

async function postgresKeys(): Promise<Key[]> {
  const own = await createDatabase();
  const client = new pg.Client({ connectionString: own.url });
  await client.connect();
  await migratePostgres(client);
  const { rows } = await client.query<{ table: string; key: string[]; columns: string[] }>(`
    select c.relname as table,
      array(select a.attname::text from unnest(i.indkey) with ordinality k(number, place)
        join pg_attribute a on a.attrelid = c.oid and a.attnum = k.number order by k.place) as key,
      array(select a.attname::text from pg_attribute a where a.attrelid = c.oid and a.attnum > 0) as columns
    from pg_index i join pg_class c on c.oid = i.indrelid
    where i.indisunique and c.relnamespace = current_schema()::regnamespace`);
  await client.end();
  await own.drop();
  return rows.map(({ table, key, columns }) => keyOf(table, key, columns));
}

/** The rows of the list in docs/scaling.md: key, kind, reason. */
const listed = readFileSync(new URL('../../../../../docs/scaling.md', import.meta.url), 'utf8')
  .split('\n')
  .flatMap((line) => {
    const [, key, kind, reason] = /^\| `(\w+ \([\w, ]+\))` \| (\w+) \| (.+) \|$/.exec(line) ?? [];
    return key && kind && reason ? [{ key, kind, reason }] : [];
  });

/** Returns the keys that begin with neither an account nor a chat. */
const exceptions = (keys: readonly Key[]): Key[] =>
  keys.filter(({ name }) => !OWN_IDS.includes(name) && !OWNERS.some((owner) => /\((\w+)/.exec(name)?.[1] === owner));

const sorted = (names: readonly string[]): string[] => [...names].sort();

test('every key begins with an account or a chat, or docs/scaling.md argues why not', () => {
  const keys = sqliteKeys();
  assert.ok(keys.some(({ name }) => name === 'operation (account_id, revision)'));
  assert.deepEqual(sorted(exceptions(keys).map(({ name }) => name)), sorted(listed.map(({ key }) => key)));
});

test('the keys on PostgreSQL are those on SQLite', {
  skip: !databases.includes('postgres') && 'needs PostgreSQL',
}, async () => {
  const names = (keys: readonly Key[]): string[] => sorted(keys.map(({ name }) => name));
  assert.deepEqual(names(await postgresKeys()), names(sqliteKeys()));
});

test('an exception is of a known kind, and a row that has an owner names it', () => {
  const columns = new Map(sqliteKeys().map((key) => [key.name, key.columns]));
  for (const { key, kind } of listed) {
    assert.ok(KINDS.includes(kind), `${key} is of the kind "${kind}"; write ${KINDS.join(', ')}`);
    // A chat is an owner itself.
    if (kind !== 'owner' || key.startsWith('chat (')) continue;
    assert.ok(
      OWNERS.some((owner) => columns.get(key)?.includes(owner)),
      `${key}: its table has none of ${OWNERS.join(', ')}`,
    );
  }
});
