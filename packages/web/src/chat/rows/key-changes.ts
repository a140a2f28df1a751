// Adds lines to a conversation that say that somebody has a new key.
import type { Row } from './rows.ts';

/** The times at which people got new keys, in epoch milliseconds by mid. */
export type KeyChanges = Readonly<Record<string, readonly number[]>>;

const timeOf = (row: Row): number | undefined => {
  if (row.kind === 'message') return Number(row.message.createdTime);
  return row.kind === 'waiting' ? Number(row.waiting.content.createdTime) : undefined;
};

/**
 * Returns the rows of a chat with a line for each new key, placed by the time of the key. A key that is older than the
 * loaded messages gets no line.
 * @param members the mids whose keys matter in the chat
 */
export function withKeyChanges(rows: readonly Row[], changes: KeyChanges, members: readonly string[]): readonly Row[] {
  const first = rows.map(timeOf).find((time) => time !== undefined) ?? Number.POSITIVE_INFINITY;
  const lines = members
    .flatMap((mid) => (changes[mid] ?? []).map((time) => ({ mid, time })))
    .filter(({ time }) => time > first)
    .sort((one, other) => one.time - other.time);
  if (lines.length === 0) return rows;
  const next: Row[] = [];
  const add = (upTo: number): void => {
    for (let line = lines[0]; line && line.time <= upTo; line = lines[0]) {
      next.push({ kind: 'new-key', key: `new-key-${line.mid}-${line.time}`, mid: line.mid });
      lines.shift();
    }
  };
  for (const row of rows) {
    add(timeOf(row) ?? Number.NEGATIVE_INFINITY);
    next.push(row);
  }
  add(Number.POSITIVE_INFINITY);
  return next;
}
