// Formats tables of text. The library string-width tells how many columns of a terminal a text needs, in any script.
import stringWidth from 'string-width';
import { oneLine, styled } from './output.ts';

const GAP = '  ';

/** Returns a table whose columns are as wide as their widest cell. On a terminal, the head is bold. */
export function table(head: readonly string[], rows: readonly (readonly string[])[]): string {
  const all = [head, ...rows];
  const widths = head.map((_, column) => Math.max(...all.map((row) => stringWidth(row[column] ?? ''))));
  const padded = (cell: string, column: number) => cell + ' '.repeat((widths[column] ?? 0) - stringWidth(cell));
  const [first = '', ...others] = all.map((row) => row.map(padded).join(GAP).trimEnd());
  return [styled('bold', first), ...others].join('\n');
}

/** Returns the beginning of a text that fits into the given number of columns. */
export function cut(text: string, columns: number): string {
  let kept = '';
  for (const { segment } of new Intl.Segmenter().segment(text)) {
    if (stringWidth(kept + segment) > columns) break;
    kept += segment;
  }
  return kept;
}

/** Returns a record as a table with one line for each field. */
export const fieldTable = (record: object): string =>
  table(
    ['FIELD', 'VALUE'],
    Object.entries(record).map(([name, value]) => [
      name,
      oneLine(typeof value === 'object' ? JSON.stringify(value) : String(value)),
    ]),
  );
