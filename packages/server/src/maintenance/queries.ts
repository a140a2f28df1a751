// The queries of maintenance. Most of them are made from the schema, so they hold for tables that are added later.
import {
  type DatabaseMark,
  MARK_TABLE,
  PROGRESS_TABLE,
  READ_MARK,
  VERSION_TABLE,
} from '../platform/store/database-mark.ts';
import { type Query, type Row, type SetQuery, sql, type Value } from '../platform/store/sql.ts';
import type { Column, Table } from './database/database.ts';

/** Returns a query that only maintenance uses, with one text for both databases. */
function made<R>(id: string, text: string): Query<R> {
  let n = 0;
  return {
    id,
    answersRows: text.startsWith('select'),
    sqlite: text,
    postgres: text.replaceAll('?', () => `$${++n}`),
  };
}

// Queries of the schema itself, which each database answers in its own way.

export const sqliteTables = made<{ name: string }>(
  'tables',
  "select name from sqlite_master where type = 'table' and name not like 'sqlite_%' order by name",
);
export const sqliteColumns = made<{ name: string; type: string; pk: number }>(
  'columns',
  'select name, type, pk from pragma_table_info(?) order by name',
);
export const postgresTables = made<{ name: string }>(
  'tables',
  'select tablename as name from pg_tables where schemaname = current_schema() order by tablename collate "C"',
);
export const postgresColumns = made<{ name: string; type: string; pk: number }>(
  'columns',
  `select a.attname::text as name, format_type(a.atttypid, a.atttypmod) as type,
     coalesce(array_position(i.indkey::int2[], a.attnum) + 1, 0) as pk
   from pg_class c join pg_namespace n on n.oid = c.relnamespace and n.nspname = current_schema()
   join pg_attribute a on a.attrelid = c.oid and a.attnum > 0 and not a.attisdropped
   left join pg_index i on i.indrelid = c.oid and i.indisprimary
   where c.relname = ? order by a.attname::text collate "C"`,
);
export const quickCheck = made<{ quick_check: string }>('quick check', 'pragma quick_check(20)');
/** Takes the node number of a server. PostgreSQL gives each number to one connection only. */
export const takeNode = made<{ taken: number }>(
  'node',
  "select case when pg_try_advisory_lock(hashtext('sealpost.node'), ?::int) then 1 else 0 end as taken",
);
export const schemaVersion = made<{ version: number | null }>(
  'version',
  `select max(version) as version from ${VERSION_TABLE}`,
);

// Queries of any table.

const namesOf = (columns: readonly Column[]): string => columns.map(({ name }) => name).join(', ');

/** Returns a query for the next rows of a table after a key, in the order of keys. Without a key, for the first rows. */
export function rowsAfter({ name, columns, key }: Table, afterKey: boolean): Query<Row> {
  const after = afterKey ? ` where (${key.join(', ')}) > (${key.map(() => '?').join(', ')})` : '';
  return made(
    `rows ${afterKey ? 'after' : 'of'} ${name}`,
    `select ${namesOf(columns)} from ${name}${after} order by ${key.join(', ')} limit ?`,
  );
}

const insertions = new WeakMap<Table, SetQuery>();

/**
 * Returns the query that inserts rows into a table. Each table has one such query, so that it is prepared only once.
 */
export function insertInto(table: Table): SetQuery {
  const known = insertions.get(table);
  if (known) return known;
  const query = insertionInto(table);
  insertions.set(table, query);
  return query;
}

function insertionInto({ name, columns }: Table): SetQuery {
  const names = namesOf(columns);
  return {
    id: `insert into ${name}`,
    answersRows: false,
    columns: columns.map((column) => column.name),
    sqlite: `insert into ${name} (${names}) values (${columns.map(() => '?').join(', ')})`,
    postgres: `insert into ${name} (${names}) select ${names} from unnest(${columns
      .map(({ type }, n) => `$${n + 1}::${type}[]`)
      .join(', ')}) as given(${names})`,
  };
}

export const clear = (table: string): Query => made(`clear ${table}`, `delete from ${table}`);
export const countRows = (table: string): Query<{ count: number }> =>
  made(`count ${table}`, `select count(*) as count from ${table}`);

// Queries of marks and of the progress of a move.

export const createMarks = made(
  'create marks',
  `create table if not exists ${MARK_TABLE}
   (state text primary key, place text not null, id text not null, time bigint not null)`,
);
export const readMark = made<DatabaseMark>('mark', READ_MARK);
export const dropMarks = made('drop marks', `drop table ${MARK_TABLE}`);
export const clearMarks = clear(MARK_TABLE);
export const putMark = made('put mark', `insert into ${MARK_TABLE} (state, place, id, time) values (?, ?, ?, ?)`);
export const createProgress = made(
  'create progress',
  `create table if not exists ${PROGRESS_TABLE} (name text primary key, after_key text not null)`,
);
export const dropProgress = made('drop progress', `drop table ${PROGRESS_TABLE}`);
export const progressOf = made<{ after_key: string }>(
  'progress',
  `select after_key from ${PROGRESS_TABLE} where name = ?`,
);
export const putProgress = made(
  'put progress',
  `insert into ${PROGRESS_TABLE} (name, after_key) values (?, ?)
   on conflict (name) do update set after_key = excluded.after_key`,
);

// Queries of tables that maintenance knows by name.

export const findSecret = sql<{ value: string }>("select value from server_secret where name = 'tokens'");
export const objectsAfter = sql<{ object_key: string; size: number | null; hash: string | null }>(
  `select object_key, max(size) as size, max(hash) as hash from media_object
   where whole = 1 and object_key > ? group by object_key order by object_key limit ?`,
);
export const objectNamed = sql<{ object_key: string }>(
  'select object_key from media_object where object_key = ? and whole = 1 limit 1',
);

// Queries after a restore.

/** Removes operations that clients may have read. Sends stay, because a client may repeat them. */
export const dropReadOperations = sql('delete from operation where session_id is null');
/** Moves the ends of all logs beyond every revision that a client may have seen. */
export const raiseAllHeads = sql(
  'update operation_head set revision = revision + cast(? as bigint), first_revision = revision + cast(? as bigint) + 1',
);
export const moveCursors = sql(
  `update subscriber_cursor set revision =
   (select h.revision from operation_head h where h.account_id = subscriber_cursor.account_id)
   where account_id in (select account_id from operation_head)`,
);

/** Returns the values of a row, in the order of the columns of its table. */
export const valuesOf = ({ columns }: Table, row: Row): Value[] => columns.map(({ name }) => row[name] ?? null);
