// A test file whose process does not end fails, and names what keeps it running.
import assert from 'node:assert/strict';
import { spawnSync } from 'node:child_process';
import { test } from 'node:test';
import { limitOf } from '../test-limit.ts';

const run = (program: string, ms: number) =>
  spawnSync(process.execPath, [limitOf(ms), '--eval', program], { encoding: 'utf8' });

test('a process that stays after the limit ends with an error that names the open resource', () => {
  const { status, stderr } = run('setInterval(() => {}, 1000)', 200);
  assert.equal(status, 1);
  assert.match(stderr, /still runs after 200 ms\. These resources are open: .*Timeout/);
});

test('the limit keeps no process running', () => {
  const { status, stderr } = run('', 3_600_000);
  assert.deepEqual([status, stderr], [0, '']);
});
