// Prints the output of commands: text for people, or one JSON value per line with --json.
import { styleText } from 'node:util';

export interface Output {
  readonly json: boolean;
  /** Prints a result: the text, or with --json the data. */
  print(text: string, data: unknown): void;
  /** Prints a note for people on standard error, so that it does not mix with a piped result. */
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

type Style = Parameters<typeof styleText>[0];

/** Returns a text with a style. If the stream is not a terminal, or with NO_COLOR, returns the text unchanged. */
export const styled = (style: Style, text: string, stream: NodeJS.WriteStream = process.stdout): string =>
  styleText(style, text, { stream });

/** Returns a text from another user on one line. Characters that could control the terminal are replaced. */
export const oneLine = (text: string): string =>
  text.replace(/\r?\n/g, ' ↵ ').replace(/[\u0000-\u001f\u007f-\u009f\u202a-\u202e\u2066-\u2069]/g, '\ufffd');

/** Returns a time in epoch milliseconds as local time. If the day is not today, the date comes first. */
export function localTime(millis: string, now: number): string {
  const at = new Date(Number(millis));
  const pad = (n: number) => String(n).padStart(2, '0');
  const clock = `${pad(at.getHours())}:${pad(at.getMinutes())}:${pad(at.getSeconds())}`;
  if (at.toDateString() === new Date(now).toDateString()) return clock;
  return `${at.getFullYear()}-${pad(at.getMonth() + 1)}-${pad(at.getDate())} ${clock}`;
}

/** Returns a time of the admin API, which is in UTC, as date and minute. */
export const minuteText = (time: string): string => time.slice(0, 16).replace('T', ' ');

/** Returns a number with its noun, such as `1 object` or `2 objects`. */
export const counted = (count: number, noun: string): string => `${count} ${noun}${count === 1 ? '' : 's'}`;

const UNITS = ['B', 'KB', 'MB', 'GB', 'TB'];

/** Returns a size in a readable unit, such as 2.1 MB. One MB is a thousand KB. */
export function bytesText(bytes: number): string {
  let value = bytes;
  let unit = 0;
  while (value >= 999.5 && unit < UNITS.length - 1) {
    value /= 1000;
    unit += 1;
  }
  return `${unit === 0 || value >= 99.95 ? Math.round(value) : value.toFixed(1)} ${UNITS[unit]}`;
}

/** Returns a duration as minutes and seconds, or as hours, minutes and seconds if it is an hour or longer. */
export function durationText(milliseconds: number): string {
  const seconds = Math.round(milliseconds / 1000);
  const pad = (n: number) => String(n).padStart(2, '0');
  const [h, m, s] = [Math.floor(seconds / 3600), Math.floor(seconds / 60) % 60, seconds % 60];
  return h > 0 ? `${h}:${pad(m)}:${pad(s)}` : `${m}:${pad(s)}`;
}
