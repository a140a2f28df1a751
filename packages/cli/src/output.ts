// What commands print: text for people, or one JSON value per line with --json.

export interface Output {
  readonly json: boolean;
  /** Prints a result: the text, or with --json the data. */
  print(text: string, data: unknown): void;
  /** Tells people what is going on, beside the result; stays out of the way of pipes. */
  note(text: string): void;
}

export function createOutput(options: { json?: boolean | undefined }): Output {
  const json = options.json ?? false;
  return {
    json,
    print: (text, data) => void process.stdout.write(`${json ? JSON.stringify(data) : text}\n`),
    note: (text) => void process.stderr.write(`${text}\n`),
  };
}

/** Columns as wide as their widest cell. */
export function table(head: readonly string[], rows: readonly (readonly string[])[]): string {
  const all = [head, ...rows];
  const widths = head.map((_, column) => Math.max(...all.map((row) => (row[column] ?? '').length)));
  const line = (row: readonly string[]) => row.map((cell, column) => cell.padEnd(widths[column] ?? 0)).join('  ');
  return all.map((row) => line(row).trimEnd()).join('\n');
}

/** Other people's text on one line, and without the control characters that could steer a terminal. */
export const oneLine = (text: string): string =>
  text.replace(/\r?\n/g, ' ↵ ').replace(/[\u0000-\u001f\u007f-\u009f\u202a-\u202e\u2066-\u2069]/g, '\ufffd');

/** Local time of epoch milliseconds: the clock alone for today, else with the date. */
export function localTime(millis: string, now: number): string {
  const at = new Date(Number(millis));
  const pad = (n: number) => String(n).padStart(2, '0');
  const clock = `${pad(at.getHours())}:${pad(at.getMinutes())}:${pad(at.getSeconds())}`;
  if (at.toDateString() === new Date(now).toDateString()) return clock;
  return `${at.getFullYear()}-${pad(at.getMonth() + 1)}-${pad(at.getDate())} ${clock}`;
}
