// SQL texts; each query has one text for both databases. Declaring a query registers it, so that one test can prepare
// all queries on both databases. The declaration also replaces each `?` by `$1`, `$2` and so on for PostgreSQL.

export type Value = string | number | null;
export type Row = Record<string, Value>;
type ColumnType = 'text' | 'bigint';

export interface Query<R = Row> {
  /** The name of the prepared statement on PostgreSQL. */
  readonly id: string;
  readonly answersRows: boolean;
  readonly sqlite: string;
  readonly postgres: string;
  /** Never set. This property exists only so that the type of a query names the type of its rows. */
  readonly row?: R;
}

/** A query over a set of rows. The text of the query refers to these rows as `given`. */
export interface SetQuery<R = Row> extends Query<R> {
  readonly columns: readonly string[];
}

const registry: Query[] = [];

/** Returns all declared queries, for the test that prepares them all. */
export const declaredQueries = (): readonly Query[] => registry;

/** Matches row locks. Only PostgreSQL needs row locks, because SQLite has one writer. */
const LOCK = /\{for (update|share)( of \w+)?( skip locked)?\}/g;

function toPostgres(text: string): string {
  let n = 0;
  return text.replaceAll('?', () => `$${++n}`).replace(LOCK, 'for $1$2$3');
}
/**
 * SQLite plans with the value of a plain `limit ?`, so it compiles such a query again at each run. That takes several
 * times as long as the run itself. It does not look into `+?`.
 */
const toSqlite = (text: string): string => text.replace(LOCK, '').replaceAll(/\blimit \?/g, 'limit +?');

const head = (text: string) => ({
  id: `q${registry.length}`,
  answersRows: /^\s*(select|with)\b/i.test(text) || /\breturning\b/i.test(text),
});

/**
 * Declares a query. `{for update}` and `{for share}` lock rows on PostgreSQL. `{for update skip locked}` leaves out the
 * rows that another transaction holds.
 */
export function sql<R = Row>(text: string): Query<R> {
  const query: Query<R> = { ...head(text), sqlite: toSqlite(text), postgres: toPostgres(text) };
  registry.push(query as Query);
  return query;
}

/**
 * Declares a query over a set of rows. The text selects from `{given}`, which has the named columns. If there is one
 * column, the text may instead compare a key with `in {given}`. PostgreSQL takes the whole set in one statement. SQLite
 * runs the query once for each row.
 */
export function sqlSet<R = Row>(columns: Record<string, ColumnType>, text: string): SetQuery<R> {
  const names = Object.keys(columns);
  const arrays = names.map((name, i) => `$${i + 1}::${columns[name]}[]`).join(', ');
  const query: SetQuery<R> = {
    ...head(text),
    columns: names,
    sqlite: toSqlite(onePerRow(names, text)),
    postgres: text
      .replace('in {given}', `= any(${arrays})`)
      .replace('{given}', `unnest(${arrays}) as given(${names.join(', ')})`)
      .replace(LOCK, 'for $1$2$3'),
  };
  registry.push(query as Query);
  return query;
}

const INSERT = /^insert into (\w+) \(([\w, ]+)\)\s+select ([\w, ]+) from \{given\}$/;
const UPDATE = /^update [^{]+\sfrom \{given\}\s+where /;

/**
 * Returns the text for one row. A plain insert or update takes the values as parameters, because SQLite would otherwise
 * build a table of the row first. All other queries select from the row.
 */
function onePerRow(names: readonly string[], text: string): string {
  const parameter = (name: string) => `?${names.indexOf(name) + 1}`;
  const insert = INSERT.exec(text);
  if (insert?.[2] && insert[2] === insert[3]) {
    return `insert into ${insert[1]} (${insert[2]}) values (${insert[2].split(', ').map(parameter).join(', ')})`;
  }
  if (UPDATE.test(text)) {
    return text.replace(/\sfrom \{given\}/, '').replaceAll(/\bgiven\.(\w+)/g, (_, name: string) => parameter(name));
  }
  if (text.includes('in {given}')) return text.replace('in {given}', '= ?');
  return text.replace('{given}', `(select ${names.map((name) => `? as ${name}`).join(', ')}) as given`);
}
