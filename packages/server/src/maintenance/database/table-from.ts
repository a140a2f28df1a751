import type { Column, Table } from './database.ts';

/**
 * Returns a table as the database describes it.
 * @param found the columns by name; `pk` is the position in the primary key, or 0
 */
export function tableFrom(
  name: string,
  found: readonly { readonly name: string; readonly type: string; readonly pk: number }[],
): Table {
  const columns = found.map((column): Column => ({ name: column.name, type: typeOf(column.type) }));
  const key = found.filter(({ pk }) => pk > 0).sort((a, b) => a.pk - b.pk);
  if (key.length === 0) throw new Error(`the table ${name} has no primary key`);
  return { name, columns, key: key.map((column) => column.name) };

  function typeOf(type: string): Column['type'] {
    if (/^(bigint|integer)$/i.test(type)) return 'bigint';
    if (/^text$/i.test(type)) return 'text';
    throw new Error(`a column of the table ${name} has the type ${type}, and only bigint and text can be copied`);
  }
}
