// The folder of the logins: where it is, and what a command tells if it cannot be used.
import assert from 'node:assert/strict';
import { mkdirSync, mkdtempSync, writeFileSync } from 'node:fs';
import { homedir, tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, describe, test } from 'node:test';
import { run } from '@sealpost/dev-env/command';
import { configDirectory } from '../src/logins.ts';

/** An address at which nothing listens. A command that calls it exits with 4. */
const NOBODY = 'http://127.0.0.1:9';
const ADVICE = 'Give this user the right to it, or set SEALPOST_CONFIG_DIR to another folder.';

describe('a folder of logins that cannot be used', () => {
  const folder = mkdtempSync(join(tmpdir(), 'login-folder-'));
  const file = join(folder, 'a-file');
  writeFileSync(file, '');
  const env = { SEALPOST_CONFIG_DIR: file, SEALPOST_URL: NOBODY, SEALPOST_PASSWORD: 'a password' };

  for (const args of [
    ['login', 'ann'],
    ['login', '--qr'],
    ['register', 'ann'],
    ['whoami', '--as', 'ann'],
  ]) {
    test(`is told by \`${args.join(' ')}\` before the server is called`, async () => {
      const { code, err } = await run(env, args);
      assert.equal(code, 1, err);
      assert.match(err, /a-file\/logins(\/ann\.json)? cannot be used: not a directory\. /);
      assert.ok(err.endsWith(`${ADVICE}\n`), err);
    });
  }

  test('is told where the operating system makes no folders', { skip: process.platform !== 'linux' }, async () => {
    const { code, err } = await run({ ...env, SEALPOST_CONFIG_DIR: '/proc/sealpost' }, ['login', 'ann']);
    assert.equal(code, 1, err);
    assert.match(err, /\/proc\/sealpost\/logins cannot be used: /);
  });

  test('is told when a file cannot take its name', async () => {
    const taken = join(folder, 'taken');
    mkdirSync(join(taken, 'logins', 'ann.json'), { recursive: true });
    const { code, err } = await run({ ...env, SEALPOST_CONFIG_DIR: taken }, ['whoami', '--as', 'ann']);
    assert.equal(code, 1, err);
    assert.match(err, /logins\/ann\.json cannot be used: illegal operation on a directory\. /);
  });
});

describe('an empty variable', () => {
  const before = { ...process.env };
  afterEach(() => {
    process.env = { ...before };
  });

  test('is as none, so that no login lands in the current folder', () => {
    Object.assign(process.env, { SEALPOST_CONFIG_DIR: '', XDG_CONFIG_HOME: '' });
    assert.equal(configDirectory(), join(homedir(), '.config', 'sealpost'));
  });
});
