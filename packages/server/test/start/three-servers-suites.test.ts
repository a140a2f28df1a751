// Tests of one server, run unchanged on three servers behind a balancer that is not sticky.
import assert from 'node:assert/strict';
import { spawn } from 'node:child_process';
import { globSync } from 'node:fs';
import { join } from 'node:path';
import { text } from 'node:stream/consumers';
import { describe, test } from 'node:test';

const SERVERS = 3;
/** Less than a test file may take, so that the test that hangs is named. */
const PATIENCE_MS = 240_000;
const root = join(import.meta.dirname, '../../../..');
const suites = [
  'packages/server/test/compatibility/*.test.ts',
  'packages/sdk/test/{login,media,operations,renewal,sealing,session}.test.ts',
].map((pattern) => ({ pattern, files: globSync(pattern, { cwd: root }).sort() }));
const skip = !process.env.SEALPOST_TEST_POSTGRES_URL && 'needs PostgreSQL';

test('each pattern matches test files', () => {
  for (const { pattern, files } of suites) assert.ok(files.length > 0, pattern);
});

describe('on three servers behind one address', { skip }, () => {
  for (const file of suites.flatMap(({ files }) => files)) {
    test(file, async () => {
      // With this variable, the child process would report its tests to this process. The test needs the child's exit
      // code instead.
      const { NODE_TEST_CONTEXT: _this, ...env } = process.env;
      const run = spawn(process.execPath, ['--test', `--test-timeout=${PATIENCE_MS}`, '--test-reporter=tap', file], {
        cwd: root,
        env: { ...env, SEALPOST_TEST_SERVERS: String(SERVERS) },
        stdio: ['ignore', 'pipe', 'inherit'],
      });
      const ended = new Promise<number | null>((resolve) => run.once('close', resolve));
      const told = await text(run.stdout);
      assert.equal(await ended, 0, told);
      assert.match(told, /^# pass [1-9]/m);
    });
  }
});
