// Runs what docs/testing.md shows, as its readers would: in folders of their own, with the command and the packages of
// this project.
import assert from 'node:assert/strict';
import { execFileSync, spawn } from 'node:child_process';
import { mkdirSync, mkdtempSync, readFileSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { after, test } from 'node:test';
import { commandPath } from '@sealpost/dev-env/server-process';

const page = readFileSync(new URL('../../../docs/testing.md', import.meta.url), 'utf8');
const pytest = process.env.SEALPOST_TEST_PYTEST;
const go = process.env.SEALPOST_TEST_GO;
const folders: string[] = [];
after(() => {
  for (const folder of folders) rmSync(folder, { recursive: true, force: true });
});

/** Returns the blocks of a language, in their order. */
const blocks = (language: string): string[] =>
  [...page.matchAll(new RegExp(`^\`\`\`${language}\n([\\s\\S]*?)^\`\`\``, 'gm'))].map(([, text = '']) => text);

/** Makes a folder with the packages and the command of this project, as an installation does. */
function project(): string {
  const folder = mkdtempSync(join(tmpdir(), 'sealpost-testing-docs-'));
  folders.push(folder);
  mkdirSync(join(folder, 'node_modules/@sealpost'), { recursive: true });
  for (const name of ['sdk', 'testing'])
    symlinkSync(join(import.meta.dirname, '../../', name), join(folder, 'node_modules/@sealpost', name));
  for (const name of ['node_modules/.bin', 'tmp']) mkdirSync(join(folder, name));
  symlinkSync(commandPath, join(folder, 'node_modules/.bin/sealpost'));
  return folder;
}

/** Runs a program in a folder, and returns what it wrote. Throws if it fails. */
async function run(folder: string, command: string, ...args: string[]): Promise<string> {
  const path = [dirname(process.execPath), process.env.PATH].join(':');
  // A run inside of a test would otherwise report to that test.
  const { NODE_TEST_CONTEXT: _, ...env } = process.env;
  const home = {
    HOME: folder,
    TMPDIR: join(folder, 'tmp'),
    GOCACHE: join(folder, 'go-cache'),
    GOFLAGS: '-mod=mod',
    GO111MODULE: 'on',
  };
  const child = spawn(command, args, { cwd: folder, env: { ...env, ...home, PATH: path } });
  let text = '';
  for (const stream of [child.stdout, child.stderr]) stream.on('data', (part) => (text += part));
  const code = await new Promise<number | null>((resolve) => child.once('close', resolve));
  assert.equal(code, 0, text);
  return text;
}

/** Throws if a program that has its files in a folder still runs. */
function assertEnded(folder: string): void {
  const running = execFileSync('ps', ['-A', '-ww', '-o', 'args'], { encoding: 'utf8' }).split('\n');
  assert.deepEqual(
    running.filter((line) => line.includes(folder)),
    [],
  );
}

test('the ten lines of a test in CI', async () => {
  const folder = project();
  const [script = ''] = blocks('sh');
  const lines = script.split('\n').filter((line) => !line.startsWith('npm '));
  assert.ok(script.trim().split('\n').length <= 12, 'the page promises few lines');
  writeFileSync(join(folder, 'package.json'), '{}');
  writeFileSync(join(folder, 'ci.sh'), lines.join('\n'));
  assert.match(await run(folder, 'sh', '-e', 'ci.sh'), /pass 1\n/);
});

test('the tests with node:test', async () => {
  const folder = project();
  const [program = ''] = blocks('js');
  writeFileSync(join(folder, 'client.test.mjs'), program);
  assert.match(await run(folder, process.execPath, '--test', 'client.test.mjs'), /pass 2\n/);
});

test('the test of a bot', async () => {
  const folder = project();
  const program = blocks('js').find((block) => block.includes('createBot')) ?? '';
  writeFileSync(join(folder, 'bot.test.mjs'), program);
  assert.match(await run(folder, process.execPath, '--test', 'bot.test.mjs'), /pass 1\n/);
});

test('the tests with pytest', { skip: pytest === undefined && 'no pytest' }, async () => {
  const folder = project();
  const [fixture = '', tests = ''] = blocks('python');
  writeFileSync(join(folder, 'conftest.py'), fixture);
  writeFileSync(join(folder, 'test_client.py'), tests);
  assert.match(await run(folder, pytest ?? '', '-q', '-p', 'no:cacheprovider'), /2 passed/);
  assertEnded(folder);
});

test('the tests in Go', { skip: go === undefined && 'no Go' }, async () => {
  const folder = project();
  const [program = ''] = blocks('go');
  writeFileSync(join(folder, 'client_test.go'), program);
  writeFileSync(join(folder, 'go.mod'), 'module client\n\ngo 1.19\n');
  assert.match(await run(folder, go ?? '', 'test', './...'), /^ok\s+client/m);
  assertEnded(folder);
});
