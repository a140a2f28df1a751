// The inputs of the model: measured costs, and what is assumed about usage, machines and prices. They are in
// inputs.json; measured costs are also in docs/performance.md, from which `npm run model -- --take` copies them.
import { readFileSync } from 'node:fs';
import path from 'node:path';

/** Where docs/performance.md has a figure: the row whose first cells are `row`, in the column with the title. */
export interface Place {
  readonly row: readonly string[];
  readonly column: string;
}

export interface Measured {
  readonly what: string;
  readonly value: number;
  readonly unit: string;
  /** The command that measured it, and the day on which the figure was copied. */
  readonly command: string;
  readonly date: string;
  readonly from: Place;
}

interface Assumed {
  readonly what: string;
  readonly value: number;
  readonly unit: string;
}

export interface Inputs {
  /** What was measured. `floor` is the machine's: the cost of a bare request in the same run. */
  readonly measured: Readonly<Record<MeasuredName, Measured>>;
  readonly usage: Readonly<Record<UsageName, Assumed>>;
  readonly machines: Readonly<Record<MachineName, Assumed>>;
  readonly prices: Readonly<Record<PriceName, Assumed>>;
}

export type MeasuredName =
  | 'floor'
  | 'serverPerSend'
  | 'databasePerSend'
  | 'serverPerDelivery'
  | 'databasePerDelivery'
  | 'walPerSend'
  | 'walPerDelivery'
  | 'walScattered'
  | 'bytesPerMessage'
  | 'bytesPerEntry'
  | 'scan'
  | 'scanCpu'
  | 'kibPerStream'
  | 'syncCpu'
  | 'syncFloor'
  | 'uploadCpu'
  | 'downloadCpu';
export type UsageName =
  | 'active'
  | 'messages'
  | 'recipients'
  | 'peak'
  | 'online'
  | 'messageDays'
  | 'entryDays'
  | 'media'
  | 'mediaKilobytes'
  | 'mediaReaders'
  | 'mediaDays';
export type MachineName =
  | 'floorMicros'
  | 'busy'
  | 'databaseCores'
  | 'databaseTerabytes'
  | 'walMegabytes'
  | 'standbys'
  | 'processes'
  | 'streamsPerProcess'
  | 'scanPause'
  | 'scanSeconds';
export type PriceName = 'core' | 'gibMemory' | 'gbDisk' | 'gbObjects' | 'gbOut';

export const INPUTS = path.join(import.meta.dirname, 'inputs.json');
export const FIGURES = path.join(import.meta.dirname, '../../docs/performance.md');

export const readInputs = (): Inputs => JSON.parse(readFileSync(INPUTS, 'utf8')) as Inputs;

const cellsOf = (line: string): string[] =>
  line
    .split('|')
    .slice(1, -1)
    .map((cell) => cell.trim());

/** Returns the first number of a cell in a table of docs/performance.md. */
export function figureAt(page: string, { row, column }: Place): number {
  let head: string[] = [];
  const found: string[] = [];
  for (const line of page.split('\n')) {
    if (!line.startsWith('|')) head = [];
    else if (head.length === 0) head = cellsOf(line);
    else {
      const cells = cellsOf(line);
      const at = head.indexOf(column);
      if (at >= 0 && row.every((text, n) => cells[n] === text)) found.push(cells[at] as string);
    }
  }
  const [cell, ...others] = found;
  const number = Number(/^[\d,.]+/.exec(cell ?? '')?.[0].replaceAll(',', ''));
  if (others.length > 0 || !Number.isFinite(number)) {
    const seen = found.length === 0 ? 'no such row' : found.join(' and ');
    throw new Error(
      `docs/performance.md has no single figure for "${row.join(', ')}" under "${column}": ${seen}. Correct "from" in bench/model/inputs.json.`,
    );
  }
  return number;
}

/** Returns the inputs with the figures of the page, and the day for those that changed. */
export function withFigures(inputs: Inputs, page: string, date: string): Inputs {
  const measured = Object.entries(inputs.measured).map(([name, one]) => {
    const value = figureAt(page, one.from);
    return [name, value === one.value ? one : { ...one, value, date }];
  });
  return { ...inputs, measured: Object.fromEntries(measured) as Inputs['measured'] };
}
