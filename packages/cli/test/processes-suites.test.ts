// Tests of one server, run unchanged on servers of two processes.
import assert from 'node:assert/strict';
import { spawn } from 'node:child_process';
import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { text } from 'node:stream/consumers';
import { describe, test } from 'node:test';

const PROCESSES = 2;
const root = join(import.meta.dirname, '../../..');
const files = [
  ...['group', 'verbs'].map((name) => `packages/cli/test/${name}.test.ts`),
  ...['operations', 'session'].map((name) => `packages/sdk/test/${name}.test.ts`),
];
const skip = !process.env.SEALPOST_TEST_POSTGRES_URL && 'needs PostgreSQL';

describe('on a server of two processes', { skip }, () => {
  for (const file of files) {
    test(file, async () => {
      assert.ok(existsSync(join(root, file)));
      // With this variable, the child process would report its tests to this process. The test needs the child's exit
      // code instead.
      const { NODE_TEST_CONTEXT: _this, ...env } = process.env;
      const run = spawn(process.execPath, ['--test', '--test-reporter=tap', file], {
        cwd: root,
        env: { ...env, SEALPOST_TEST_PROCESSES: String(PROCESSES) },
        stdio: ['ignore', 'pipe', 'inherit'],
      });
      const ended = new Promise<number | null>((resolve) => run.once('close', resolve));
      const told = await text(run.stdout);
      assert.equal(await ended, 0, told);
      assert.match(told, /^# pass [1-9]/m);
    });
  }
});
