import assert from 'node:assert/strict';
import { test } from 'node:test';
import { progressBar, type Terminal } from '../src/media/progress-bar.ts';
import { bytesText, durationText, type Output } from '../src/output.ts';

function screen(columns: number): Terminal & { readonly writes: string[]; line(): string } {
  const writes: string[] = [];
  return {
    isTTY: true,
    columns,
    writes,
    write: (text: string) => writes.push(text),
    line: () => (writes.at(-1) ?? '').replace('\r\x1b[K', ''),
  };
}

function outputOf(json: boolean): Output & { readonly notes: string[] } {
  const notes: string[] = [];
  return { json, notes, print: () => {}, note: (text) => void notes.push(text) };
}

test('a bar says how far it is, on one line of any width', () => {
  for (const columns of [120, 80, 40, 10]) {
    const terminal = screen(columns);
    const bar = progressBar(outputOf(false), 'a-rather-long-name-of-a-file.mp4', terminal);
    bar.onProgress({ done: 0, total: 2_000_000 });
    bar.onProgress({ done: 2_000_000, total: 2_000_000 });
    assert.ok(terminal.line().length < columns, `${terminal.line().length} of ${columns}`);
    if (columns === 120) assert.match(terminal.line(), /^a-rather.*mp4 {2}\[#{24}\] 100 % {2}2\.0 MB of 2\.0 MB/);
    assert.equal(bar.percent(), 100);
    bar.end();
    assert.equal(terminal.line(), '');
  }
});

test('pipes and --json get no bar, and the note of a lost line all the same, once', () => {
  const pipe = { ...screen(80), isTTY: false };
  for (const [terminal, json] of [
    [pipe, false],
    [screen(80), true],
  ] as const) {
    const output = outputOf(json);
    const bar = progressBar(output, 'a', terminal);
    bar.onProgress({ done: 1, total: 4 });
    bar.onRetry({ reason: 'It broke.', retryInMs: 1 });
    bar.onRetry({ reason: 'It broke.', retryInMs: 1 });
    bar.onProgress({ done: 1, total: 4 });
    bar.onProgress({ done: 2, total: 4 });
    bar.end();
    assert.deepEqual(terminal.writes, []);
    assert.deepEqual(output.notes, ['It broke. Trying again.', 'Continuing.']);
    assert.equal(bar.percent(), 50);
  }
});

test('sizes and times are written as people read them', () => {
  const sizes = [0, 999, 1000, 1234, 99_949, 999_499, 999_500, 2 ** 31, 5e12, 7e15];
  assert.deepEqual(sizes.map(bytesText), [
    ...['0 B', '999 B', '1.0 KB', '1.2 KB', '99.9 KB', '999 KB', '1.0 MB', '2.1 GB', '5.0 TB', '7000 TB'],
  ]);
  assert.deepEqual([0, 499, 61_000, 3_600_000].map(durationText), ['0:00', '0:00', '1:01', '1:00:00']);
});
