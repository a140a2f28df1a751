// Reads people from a CSV file. Every fault names its line and column.
import { CsvError, parse } from 'csv-parse/sync';

/** The columns that a file may have, and the field of an account for each column. */
const COLUMNS = {
  userid: 'userid',
  name: 'displayName',
  email: 'email',
  phone: 'phone',
  password: 'password',
} as const;
type Column = keyof typeof COLUMNS;
const NEEDED: readonly Column[] = ['userid', 'name'];
const isColumn = (text: string): text is Column => Object.hasOwn(COLUMNS, text);

export interface Row {
  /** The line of the file in which the row ends; the first line is 1. */
  readonly line: number;
  readonly userid: string;
  readonly displayName: string;
  readonly email?: string;
  readonly phone?: string;
  readonly password?: string;
}

export interface Fault {
  readonly line: number;
  readonly column: string;
  readonly message: string;
}

/** Error with every fault of a file. */
export class PeopleFaults extends Error {
  override name = 'PeopleFaults';
  readonly faults: readonly Fault[];
  constructor(faults: readonly Fault[]) {
    super(faults.map(({ line, column, message }) => `line ${line}, ${column}: ${message}`).join('\n'));
    this.faults = faults;
  }
}

/** Returns the column of a field that the server names. */
export const columnOf = (field: string): string =>
  Object.entries(COLUMNS).find(([, name]) => name === field)?.[0] ?? field;

interface Parsed {
  readonly record: readonly string[];
  readonly line: number;
}

/** The rows of a file, and the faults that are seen without the server. */
export interface People {
  readonly rows: readonly Row[];
  readonly faults: readonly Fault[];
}

/**
 * Reads a file whose first line names the columns.
 * @throws PeopleFaults if the file is not CSV, or a column is unknown
 */
export function readPeople(text: string): People {
  requireCommas(text);
  const [head, ...records] = parsed(text);
  const columns = columnsOf(head);
  const faults: Fault[] = [];
  const rows = records.map(({ record, line }) => {
    const values = Object.fromEntries(columns.map((column, n) => [column, record[n]?.trim() ?? '']));
    for (const column of NEEDED) if (!values[column]) faults.push({ line, column, message: 'is missing' });
    if (record.length > columns.length) {
      const message = `there are ${record.length} values for ${columns.length} columns; put values with commas into quotes`;
      faults.push({ line, column: columns.at(-1) ?? '', message });
    }
    const { userid = '', name = '', email, phone, password } = values;
    return {
      ...{ line, userid, displayName: name },
      ...(email && { email }),
      ...(phone && { phone }),
      ...(password && { password }),
    };
  });
  if (rows.length === 0) faults.push({ line: 2, column: 'userid', message: 'the file has no people' });
  return { rows, faults };
}

/** Throws if the first line has other separators. Spreadsheets of many countries write semicolons. */
function requireCommas(text: string): void {
  const [head = ''] = text.trimStart().split(/[\r\n]/, 1);
  const [found] = /[;\t]/.exec(head) ?? [];
  if (found === undefined || head.includes(',')) return;
  const message = `separate the columns with commas, not with ${found === ';' ? 'semicolons' : 'tabs'}`;
  throw new PeopleFaults([{ line: 1, column: 'all columns', message }]);
}

function parsed(text: string): readonly Parsed[] {
  const rows: Parsed[] = [];
  try {
    parse(text, {
      ...{ bom: true, relax_column_count: true, skip_empty_lines: true },
      on_record(record: string[], { lines }) {
        rows.push({ record, line: lines });
        return undefined;
      },
    });
    return rows;
  } catch (error) {
    if (!(error instanceof CsvError)) throw error;
    const { code, lines, column, message } = error;
    const place = { line: Number(lines ?? 1), column: `column ${Number(column ?? 0) + 1}` };
    // The parser names the last line of the file, because it reads until there. People need the line of the quote.
    const fault =
      code === 'CSV_QUOTE_NOT_CLOSED'
        ? { ...place, line: lineOfOpenQuote(text), message: 'a quote is opened here and never closed' }
        : { ...place, message };
    throw new PeopleFaults([fault]);
  }
}

/** Matches a value in quotes, to the end of the text if its quote is never closed. Two quotes inside stand for one. */
const QUOTED = /"[^"]*(?:""[^"]*)*(?:"|$)/g;

/** Returns the line of the quote that is never closed. All quotes before it are closed. */
function lineOfOpenQuote(text: string): number {
  const last = [...text.matchAll(QUOTED)].at(-1);
  return text.slice(0, last?.index).split(/\r\n|\n|\r/).length;
}

function columnsOf(head: Parsed | undefined): readonly Column[] {
  const names = (head?.record ?? []).map((name) => name.trim().toLowerCase());
  const known = names.filter(isColumn);
  const faults = names.flatMap((name, n): Fault[] => {
    if (!isColumn(name)) {
      const message = `is not known; the columns are ${Object.keys(COLUMNS).join(', ')}`;
      return [{ line: 1, column: name || `column ${n + 1}`, message }];
    }
    return names.indexOf(name) < n ? [{ line: 1, column: name, message: 'is there twice' }] : [];
  });
  for (const column of NEEDED)
    if (!names.includes(column)) faults.push({ line: 1, column, message: 'this column is missing' });
  if (faults.length > 0) throw new PeopleFaults(faults);
  return known;
}
