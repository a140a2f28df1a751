import assert from 'node:assert/strict';
import { PassThrough } from 'node:stream';
import { test } from 'node:test';
import stringWidth from 'string-width';
import { progressBar } from '../src/media/progress-bar.ts';
import { bytesText, durationText, type Output } from '../src/output.ts';

function screen(columns: number, isTTY = true) {
  const stream = Object.assign(new PassThrough({ encoding: 'utf8' }), { isTTY, columns });
  /** Everything that was written, as lines of text without the controls of the cursor. */
  const lines = () =>
    String(stream.read() ?? '')
      .split(/(?:\x1b\[[\d;?]*[A-Za-z]|\x1b[78])+/)
      .filter(Boolean);
  return Object.assign(stream, { lines });
}

function outputOf(json: boolean): Output & { readonly notes: string[] } {
  const notes: string[] = [];
  return { json, notes, print: () => {}, note: (text) => void notes.push(text) };
}

test('a bar says how far it is, on one line of any width', async () => {
  for (const [label, columns] of [
    ['a-rather-long-name-of-a-file.mp4', 120],
    ['a-rather-long-name-of-a-file.mp4', 80],
    ['休暇の動画ファイル.mp4', 60],
    ['a', 40],
    ['a', 10],
  ] as const) {
    const terminal = screen(columns);
    const bar = await progressBar(outputOf(false), label, terminal);
    bar.onProgress({ done: 0, total: 2_000_000 });
    bar.onProgress({ done: 2_000_000, total: 2_000_000 });
    bar.end();
    const lines = terminal.lines();
    assert.ok(lines.length >= 2);
    for (const line of lines) assert.ok(stringWidth(line) < columns, `${line} in ${columns}`);
    const last = lines.at(-1) ?? '';
    if (columns === 120) assert.match(last, /^a-rather.*mp4 {2}\[#{24}\] 100 % {2}2\.0 MB of 2\.0 MB/);
    if (columns === 60) assert.match(last, /^休暇の {2}\[#{24}\] 100 %/);
    assert.equal(bar.percent(), 100);
  }
});

test('pipes and --json get no bar, and the note of a lost line all the same, once', async () => {
  for (const [terminal, json] of [
    [screen(80, false), false],
    [screen(80), true],
  ] as const) {
    const output = outputOf(json);
    const bar = await progressBar(output, 'a', terminal);
    bar.onProgress({ done: 1, total: 4 });
    bar.onRetry({ reason: 'It broke.', retryInMs: 1 });
    bar.onRetry({ reason: 'It broke.', retryInMs: 1 });
    bar.onProgress({ done: 1, total: 4 });
    bar.onProgress({ done: 2, total: 4 });
    bar.end();
    assert.deepEqual(terminal.lines(), []);
    assert.deepEqual(output.notes, ['It broke. Trying again.', 'Continuing.']);
    assert.equal(bar.percent(), 50);
  }
});

test('the bar is gone while the connection is, and comes back', async () => {
  const terminal = screen(80);
  const output = outputOf(false);
  const bar = await progressBar(output, 'a', terminal);
  bar.onProgress({ done: 1, total: 4 });
  bar.onRetry({ reason: 'It broke.', retryInMs: 1 });
  terminal.lines();
  bar.onProgress({ done: 1, total: 4 });
  assert.deepEqual(terminal.lines(), []);
  bar.onProgress({ done: 2, total: 4 });
  bar.end();
  assert.match(terminal.lines().at(-1) ?? '', /^a {2}\[#{12}-{12}\] 50 %/);
});

test('sizes and times are written as people read them', () => {
  const sizes = [0, 999, 1000, 1234, 99_949, 999_499, 999_500, 2 ** 31, 5e12, 7e15];
  assert.deepEqual(sizes.map(bytesText), [
    ...['0 B', '999 B', '1.0 KB', '1.2 KB', '99.9 KB', '999 KB', '1.0 MB', '2.1 GB', '5.0 TB', '7000 TB'],
  ]);
  assert.deepEqual([0, 499, 61_000, 3_600_000].map(durationText), ['0:00', '0:00', '1:01', '1:00:00']);
});
