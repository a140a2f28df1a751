// Reads and hashes whole tables, a few rows at a time.
import { hash } from 'node:crypto';
import { ownTables } from '../../platform/store/database-mark.ts';
import type { Value } from '../../platform/store/sql.ts';
import * as q from '../queries.ts';
import type { Database, Table, TableRow } from './database.ts';

/** Number of rows in memory at a time. */
const ROWS = 500;

/** Returns the tables of a database that hold data. */
export async function dataTables(database: Database): Promise<Table[]> {
  const tables: Table[] = [];
  for (const name of await database.tableNames()) {
    if (!ownTables.has(name)) tables.push(await database.tableOf(name));
  }
  return tables;
}

/** Returns the rows of a table in the order of its key, a few rows at a time. */
export async function* rowsOf(
  { reader }: Database,
  table: Table,
  after?: readonly Value[],
): AsyncGenerator<readonly TableRow[]> {
  const [first, next] = [q.rowsAfter(table, false), q.rowsAfter(table, true)];
  for (let key = after; ; ) {
    const rows = key === undefined ? await reader.all(first, ROWS) : await reader.all(next, ...key, ROWS);
    const last = rows.at(-1);
    if (last === undefined) return;
    yield rows.map((row) => q.valuesOf(table, row));
    if (rows.length < ROWS) return;
    key = table.key.map((column) => last[column] ?? null);
  }
}

/** Returns the key of a row. */
export function keyOf(table: Table, row: TableRow): Value[] {
  return table.key.map((column) => row[table.columns.findIndex(({ name }) => name === column)] ?? null);
}

/** The number of rows of a table, and a hash over all of them. */
export interface Digest {
  readonly rows: number;
  readonly hash: string;
}

/**
 * Adds up the rows of a table. The hash is the sum of the hashes of all rows, so it does not depend on their order: two
 * databases may sort text differently.
 */
export class TableDigest implements Digest {
  rows = 0;
  #sum = 0n;

  /** @param line the row as JSON */
  add(line: string): void {
    this.rows += 1;
    this.#sum += BigInt(`0x${hash('sha256', line)}`);
  }

  get hash(): string {
    return BigInt.asUintN(256, this.#sum).toString(16).padStart(64, '0');
  }
}

/** Returns the digest of a table as the database has it now. */
export async function digestOf(database: Database, table: Table): Promise<Digest> {
  const digest = new TableDigest();
  for await (const rows of rowsOf(database, table)) {
    for (const row of rows) digest.add(JSON.stringify(row));
  }
  return { rows: digest.rows, hash: digest.hash };
}

export const sameDigest = (a: Digest, b: Digest): boolean => a.rows === b.rows && a.hash === b.hash;
