// A database as maintenance sees it: all tables with all rows, whatever they are. SQLite and PostgreSQL look the same
// here, so a backup of one can be restored into the other.
import type { Query, Value } from '../../platform/store/sql.ts';
import type { Reader } from '../../platform/store/store.ts';

/** A row as the values of its table's columns, in the order of the columns. */
export type TableRow = readonly Value[];

export interface Column {
  readonly name: string;
  readonly type: 'bigint' | 'text';
}

export interface Table {
  readonly name: string;
  /** The columns by name, so that their order is the same in every database. */
  readonly columns: readonly Column[];
  /** The columns of the primary key. */
  readonly key: readonly string[];
}

export interface Database {
  readonly kind: 'sqlite' | 'postgres';
  /** The place of the database, in a form for messages. Contains no credentials. */
  readonly location: string;
  readonly reader: Reader;
  /** Returns the names of all tables, in alphabetical order. */
  tableNames(): Promise<string[]>;
  /** Returns a table as the schema has it. */
  tableOf(name: string): Promise<Table>;
  /** Returns what is wrong with the files of the database. */
  damage(): Promise<string[]>;
  close(): Promise<void>;
}

/** A database that this process alone uses. */
export interface WritableDatabase extends Database {
  /** Runs the work as one transaction. */
  transact<T>(work: () => Promise<T>): Promise<T>;
  /** Makes the tables of a version of the schema. */
  createTables(version: number): Promise<void>;
  run(query: Query<unknown>, ...params: Value[]): Promise<void>;
  insert(table: Table, rows: readonly TableRow[]): Promise<void>;
}
