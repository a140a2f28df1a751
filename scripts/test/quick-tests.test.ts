import assert from 'node:assert/strict';
import { globSync } from 'node:fs';
import { join } from 'node:path';
import { test } from 'node:test';
import { isQuick } from '../quick-tests.ts';

const root = join(import.meta.dirname, '../..');
const server = 'packages/server/test';

test('the rules of each topic are quick', () => {
  const rules = globSync(`${server}/slices/*/*.test.ts`, { cwd: root }).filter((file) => {
    const [topic, name] = file.split('/').slice(-2);
    return name === `${topic}.test.ts`;
  });
  assert.ok(rules.length > 10, rules.join('\n'));
  assert.deepEqual(
    rules.filter((file) => !isQuick(root, file)),
    [],
  );
});

test('what starts a process is not quick, itself or by what it imports', () => {
  for (const file of [
    `${server}/start/disk-full.test.ts`,
    `${server}/crash/kill-loop.test.ts`,
    `${server}/slices/media/media-browser.test.ts`,
    'packages/cli/test/people.test.ts',
    'packages/crypto/test/browser.test.ts',
  ])
    assert.equal(isQuick(root, file), false, file);
});

test('a file whose only processes are Python is quick, because a quick run has no Python', () => {
  assert.equal(isQuick(root, 'packages/crypto/test/transparency.test.ts'), true);
});

test('sweeps, S3, several servers and earlier clients are not quick', () => {
  for (const file of [
    `${server}/platform/rpc/bad-input.test.ts`,
    `${server}/platform/objects/objects-s3-faults.test.ts`,
    `${server}/start/three-servers.test.ts`,
    `${server}/compatibility/compatibility.test.ts`,
    'packages/sdk/test/refresh-races.test.ts',
  ])
    assert.equal(isQuick(root, file), false, file);
});
