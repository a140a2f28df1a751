import assert from 'node:assert/strict';
import { globSync, mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { after, test } from 'node:test';
import { fileURLToPath } from 'node:url';
import { inBatches } from '../test-batches.ts';

const root = join(import.meta.dirname, '../..');
const folder = mkdtempSync(join(tmpdir(), 'sealpost-batches-'));
after(() => rmSync(folder, { recursive: true }));

const files = globSync('packages/*/test/**/*.test.ts', { cwd: root });
const started = inBatches(root, files, folder);
const batches = started.filter((path) => path.startsWith(folder));
const alone = started.filter((path) => !batches.includes(path));
const filesOf = (batch: string): string[] =>
  [...readFileSync(batch, 'utf8').matchAll(/import\("([^"]+)"\)/g)].map(([, address = '']) => fileURLToPath(address));

test('every file runs once, alone or in a batch', () => {
  const all = [...alone, ...batches.flatMap(filesOf)];
  assert.deepEqual(all.sort(), files.map((file) => join(root, file)).sort());
  assert.ok(batches.length > 5 && batches.length < files.length / 5, String(batches.length));
});

test('files that start processes, replace what a process shares, or take long, run alone', () => {
  for (const file of [
    'packages/server/test/crash/kill-loop.test.ts',
    'packages/crypto/test/ed25519.test.ts',
    'packages/server/test/slices/login/login-qr.test.ts',
  ])
    assert.ok(alone.includes(join(root, file)), file);
});
