// Programs for developers explain their options.
import assert from 'node:assert/strict';
import { spawnSync } from 'node:child_process';
import { globSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { test } from 'node:test';

const root = join(import.meta.dirname, '../..');
const program = join(root, 'packages/dev-env/src/simulator/main.ts');
const READER = 'packages/dev-env/src/program-options.ts';

const run = (...args: readonly string[]) => spawnSync(process.execPath, [program, ...args], { encoding: 'utf8' });

test('--help prints the comment at the head of the program', () => {
  const { status, stdout, stderr } = run('--help');
  assert.deepEqual([status, stderr], [0, '']);
  assert.match(stdout, /^`npm run sim` runs seeds .*--workers/s);
  assert.doesNotMatch(stdout, /^import|\/\//m);
});

test('an option that does not exist is named, with the comment', () => {
  const { status, stdout, stderr } = run('--nonsense');
  assert.deepEqual([status, stdout], [2, '']);
  assert.match(stderr, /^Unknown option '--nonsense'.*\n\n`npm run sim` runs seeds/s);
});

test('all programs read their options this way, and begin with a comment', () => {
  const files = globSync(['{scripts,bench}/**/*.ts', 'packages/dev-env/src/**/*.ts'], { cwd: root });
  const sources = files.filter((file) => !file.startsWith('scripts/test/') && file !== READER);
  const texts = sources.map((file) => ({ file, text: readFileSync(join(root, file), 'utf8') }));
  assert.deepEqual(
    texts.filter(({ text }) => /\bparseArgs\(/.test(text)).map(({ file }) => file),
    [],
  );
  const programs = texts.filter(({ text }) => text.includes('readOptions(import.meta.filename'));
  assert.ok(programs.length > 20);
  assert.deepEqual(
    programs.filter(({ text }) => !text.startsWith('// ')).map(({ file }) => file),
    [],
  );
});
