// Tables, styles and hidden input.
import assert from 'node:assert/strict';
import { spawnSync } from 'node:child_process';
import { PassThrough } from 'node:stream';
import { test } from 'node:test';
import stringWidth from 'string-width';
import { askHidden } from '../src/confirm.ts';
import { cut, table } from '../src/table.ts';

test('columns align whatever the script of the names', () => {
  const names = [
    'Bob',
    '山田太郎',
    'สมชาย ใจดี',
    'น้ำใจ',
    '김철수',
    'e\u0301va',
    '👨‍👩‍👧 Tea',
    '🇩🇪',
    'ｶﾞ',
    'नमस्ते',
    'محمد',
  ];
  const rows = names.map((name) => [name, '|']);
  const [, ...lines] = table(['NAME', 'END'], rows).split('\n');
  const before = lines.map((line) => stringWidth(line.slice(0, line.indexOf('|'))));
  assert.deepEqual(new Set(before).size, 1, lines.join('\n'));
  // Columns of a terminal, counted by hand: these do not come from the library.
  const widths = [3, 8, 9, 4, 6, 3, 6, 2, 2];
  const widest = 9;
  for (const [i, width] of widths.entries()) {
    assert.equal(lines[i], `${names[i]}${' '.repeat(widest - width + 2)}|`);
  }
});

test('a text is cut between what people see as characters', () => {
  assert.equal(cut('山田太郎', 5), '山田');
  assert.equal(cut('a👨‍👩‍👧b', 2), 'a');
  assert.equal(cut('ที่รัก', 1), 'ที่');
});

/** Prints styled text with the given environment, to a pipe. */
function styledIn(env: Record<string, string>): string {
  const script = `import { WriteStream } from 'node:tty';
    import { styled } from ${JSON.stringify(new URL('../src/output.ts', import.meta.url).href)};
    process.stdout.isTTY = process.env.TERMINAL === 'yes';
    process.stdout.getColorDepth = WriteStream.prototype.getColorDepth;
    process.stdout.write(styled('bold', 'x'));`;
  const args = ['--input-type=module', '--eval', script];
  return spawnSync(process.execPath, args, { encoding: 'utf8', env: { PATH: process.env.PATH, TERM: 'xterm', ...env } })
    .stdout;
}

test('styles are for terminals, and NO_COLOR turns them off', () => {
  assert.equal(styledIn({ TERMINAL: 'yes' }), '\u001b[1mx\u001b[22m');
  assert.equal(styledIn({ TERMINAL: 'yes', NO_COLOR: '1' }), 'x');
  assert.equal(styledIn({}), 'x');
});

test('a password that is typed is returned, and nothing of it is shown', async () => {
  const shown: string[] = [];
  const output = Object.assign(new PassThrough({ encoding: 'utf8' }), { isTTY: true, columns: 80, rows: 24 });
  output.on('data', (text: string) => shown.push(text));
  const input = Object.assign(new PassThrough(), { isTTY: true, setRawMode: () => input });
  const asked = askHidden('Password of bob', { input, output });
  for (const key of [...'Zq7!X', '\r']) input.write(key);
  assert.equal(await asked, 'Zq7!X');
  const text = shown.join('');
  assert.match(text, /Password of bob/);
  for (const key of 'Zq7!X▪•*') assert.ok(!text.replaceAll(/\x1b\[[\d;?]*[A-Za-z]/g, '').includes(key), key);
});

for (const [what, end] of Object.entries({
  'Ctrl-D': (input: PassThrough): void => void input.write('\u0004'),
  'the end of the input': (input: PassThrough): void => void input.end(),
})) {
  test(`${what} stops a question, as Ctrl-C does`, { timeout: 10_000 }, async () => {
    const input = new PassThrough();
    const asked = askHidden('Password of bob', { input, output: new PassThrough() });
    setTimeout(() => end(input), 200);
    await assert.rejects(asked, /^CliError: Stopped: the question was not answered\.$/);
  });
}
