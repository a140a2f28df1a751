// Checks that time, timers and randomness come through ports (packages/contract/src/ports.ts). Only adapters may use
// the clock, timers and randomness of Node or of the browser directly.
import assert from 'node:assert/strict';
import { globSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { test } from 'node:test';

const root = join(import.meta.dirname, '../..');

/** The files that may use time, timers and randomness directly, each with the reason. */
const adapters: Readonly<Record<string, string>> = {
  'packages/server/src/platform/kernel/system.ts': 'the ports of a server',
  'packages/server/src/main.ts': 'keeps the process alive while it ends',
  'packages/sdk/src/gateway/ports.ts': 'the ports of clients',
  'packages/sdk/src/login/credential.ts':
    'imports nothing, for the /docs page; its padding is as secret as the password',
  'packages/crypto/src/bytes.ts': 'all randomness of keys and nonces',
  'packages/testing/src/time/virtual-time.ts': 'begins at the time of the machine, and lets the event loop turn',
  'packages/testing/src/time/kept-alive.ts': 'keeps the process alive while a server stops',
  'packages/reference/src/browser/app.ts': 'a page of its own, which shows how long a call took',
};

const ambient: readonly RegExp[] = [
  /\bDate\.now\b/,
  /\bnew Date\(\)/,
  /\bMath\.random\b/,
  /\bperformance\.now\b/,
  /\bprocess\.hrtime\b/,
  // A socket also has a method `setTimeout`, which sets how long the socket may be silent. That method is allowed.
  /(?<![.\w])set(Timeout|Interval)\(/,
  /\bglobalThis\.set(Timeout|Interval)\b/,
  /from 'node:timers(\/promises)?'/,
  /\bAbortSignal\.timeout\b/,
  /\b(getRandomValues|randomUUID)\(/,
  /import [^;]*\brandom(Bytes|Int|UUID|Fill|FillSync)\b[^;]* from 'node:crypto'/,
];

const ambientIn = (text: string): string[] => ambient.flatMap((use) => use.exec(withoutComments(text))?.[0] ?? []);

const withoutComments = (text: string): string => text.replace(/\/\*[\s\S]*?\*\/|^\s*\/\/.*$/gm, '');

/**
 * Returns true if a file only supports tests, or is a part of the pages. Support code of tests runs other processes and
 * waits for them in real time. Pages run in a browser, whose whole clock a test can set.
 */
const isExempt = (path: string): boolean => /^packages\/(dev-env|web)\//.test(path);

const sources = globSync('packages/*/src/**/*.ts', { cwd: root }).filter((path) => !isExempt(path));

test('only adapters touch the ambient clock, timers and randomness', () => {
  assert.ok(sources.length > 300, `only ${sources.length} files were found`);
  const found = sources.flatMap((path) => {
    const uses = adapters[path] ? [] : ambientIn(readFileSync(join(root, path), 'utf8'));
    return uses.map((use) => `${path}: ${use}`);
  });
  assert.deepEqual(found, [], 'take the port instead');
});

test('every file that may touch them does', () => {
  for (const path of Object.keys(adapters)) {
    assert.notDeepEqual(ambientIn(readFileSync(join(root, path), 'utf8')), [], `${path} need not be in the list`);
  }
});

for (const use of [
  'const now = Date.now();',
  'const now = new Date();',
  'const drawn = Math.random();',
  'const begun = performance.now();',
  'setTimeout(run, 5);',
  'const timer = globalThis.setInterval(run, 5);',
  "import { setTimeout as pause } from 'node:timers/promises';",
  'const signal = AbortSignal.timeout(5);',
  'crypto.getRandomValues(new Uint8Array(1));',
  'const id = crypto.randomUUID();',
  "import { createHash, randomBytes } from 'node:crypto';",
]) {
  test(`this is told: ${use}`, () => assert.equal(ambientIn(use).length, 1));
}

test('what only looks like it is not', () => {
  for (const text of [
    'socket.setTimeout(5, end);',
    '// Date.now() jumps',
    "import { randomBytes } from './bytes.ts';",
  ]) {
    assert.deepEqual(ambientIn(text), [], text);
  }
});
