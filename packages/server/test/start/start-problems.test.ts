// Starts that cannot succeed. Each must end at once, name the file at fault and say what to do.
import assert from 'node:assert/strict';
import { existsSync, mkdtempSync, openSync, readFileSync, rmSync, writeFileSync, writeSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { after, beforeEach, describe, test } from 'node:test';
import { createDatabase, databases } from '@sealpost/dev-env/harness';
import { ConfigError } from '../../src/platform/kernel/config-error.ts';
import { FileProblem, makeFolder } from '../../src/platform/kernel/files.ts';
import { startProblem } from '../../src/platform/store/sqlite-errors.ts';
import { loadConfig } from '../../src/start/config/config.ts';
import { createServer } from '../../src/start/server.ts';

describe('a start that cannot work', () => {
  const root = mkdtempSync(join(tmpdir(), 'sealpost-start-'));
  after(() => rmSync(root, { recursive: true, force: true }));
  let dataDir: string;
  beforeEach(() => {
    dataDir = mkdtempSync(join(root, 'data-'));
  });
  const start = (flags: Readonly<Record<string, string>> = {}) =>
    createServer(
      loadConfig('serve', { flags: { port: '0', 'data-dir': dataDir, 'log-level': 'silent', ...flags }, env: {} }),
    );
  const messageOf = async (work: Promise<unknown>): Promise<string> =>
    work.then(
      () => assert.fail('it started'),
      (error: Error) => error.message,
    );

  test('in a folder that cannot be made ends at once', { skip: process.platform !== 'linux' }, async () => {
    // Nothing can be created below /proc: the system says that a new folder there does not exist.
    for (const [path, code] of [
      ['/proc/none/data', 'ENOENT'],
      ['/dev/null/data', 'ENOTDIR'],
    ] as const) {
      await assert.rejects(start({ 'data-dir': path }), (error: Error) => {
        assert.ok(error instanceof ConfigError);
        assert.match(
          error.message,
          new RegExp(`^data-dir ${path} cannot be used: .* Name another place \\(${code}\\)`),
        );
        return true;
      });
      assert.match(await messageOf(start({ 'objects-url': `file:${path}` })), /^the folder of objects \/.* cannot be/);
      assert.match(await messageOf(start({ 'database-url': `sqlite:${path}/x.db` })), /^the folder of a lock \/.*/);
    }
    assert.match(
      await messageOf(start({ 'ready-file': '/proc/none/ready' })),
      /^ready-file \/proc\/none\/ready cannot/,
    );
    assert.ok(!existsSync(join(dataDir, 'server.json')), 'a server that is not there is not to be found');
  });

  test('the errors of the system say what to do', () => {
    const cause = (code: string) => Object.assign(new Error('the system says no'), { code });
    const told = (code: string) => new FileProblem('the file', '/data/x', cause(code)).message;
    assert.match(
      told('ENOSPC'),
      /^the file \/data\/x cannot be used: the disk is full\. Make room on it, .*\(ENOSPC\)/,
    );
    assert.match(
      told('EACCES'),
      /^the file \/data\/x cannot be used: the user .* Give it the folder \(chown\).*\(EACCES\)/,
    );
    assert.match(told('EWHATEVER'), /the system says no \(EWHATEVER\)/);
    const sqlite = (errcode: number) =>
      (startProblem('/data/x.db', Object.assign(new Error('no'), { errcode })) as Error).message;
    assert.match(sqlite(13), /^the database \/data\/x\.db cannot be used: the disk is full\. Make room/);
    assert.match(sqlite(14), /^the database \/data\/x\.db cannot be used: this user may not open it/);
    assert.match(sqlite(8 + (1 << 8)), /may not write it.*chown/);
    assert.equal(startProblem('x', cause('EELSE')) instanceof Error, true);
  });

  test('folders are made with those above them, and only once', () => {
    const path = join(dataDir, 'a', 'b', 'c');
    makeFolder('it', path);
    makeFolder('it', path);
    writeFileSync(join(dataDir, 'file'), '');
    assert.throws(() => makeFolder('it', join(dataDir, 'file')), /^FileProblem: it .*file cannot be used/);
    assert.throws(() => makeFolder('it', join(dataDir, 'file', 'b')), /ENOTDIR/);
  });

  test('on a file that is not a database', async () => {
    const path = join(dataDir, 'sealpost.db');
    writeFileSync(path, 'This is a letter, not a database.\n'.repeat(100));
    const message = await messageOf(start());
    assert.ok(message.startsWith(`the database ${path} cannot be used: it is not a SQLite database`), message);
    assert.match(message, /--database-url.*restore a backup.*docs\/backup\.md/);
    assert.match(readFileSync(path, 'utf8'), /^This is a letter/);
    // The failed start has not left the folder locked.
    rmSync(path);
    await (await start()).close();
  });

  test('without its bus', { skip: !databases.includes('postgres') && 'needs PostgreSQL' }, async () => {
    const database = await createDatabase();
    try {
      const flags = { 'database-url': database.url, 'bus-url': 'nats://me:5ecret@127.0.0.1:1' };
      const message = await messageOf(start(flags));
      assert.match(
        message,
        /^cannot connect to NATS at 127\.0\.0\.1:1: .*Check that it runs and that bus-url names it\.$/,
      );
    } finally {
      await database.drop();
    }
  });

  test('on a damaged database, unless the check is switched off', async () => {
    const server = await start();
    const pages = server.slices.accounts;
    for (let i = 0; i < 40; i++)
      await pages.create({ userid: `user-${i}`, password: `password ${i}`, displayName: `user ${i}` });
    await server.close();
    const path = join(dataDir, 'sealpost.db');
    const { length } = readFileSync(path);
    const file = openSync(path, 'r+');
    const page = 4096;
    // The first pages contain the schema. All others are damaged.
    for (let at = 6 * page; at < length; at += page) writeSync(file, Buffer.alloc(64, 0xff), 0, 64, at);
    const message = await messageOf(start());
    assert.match(message, /^the database .*sealpost\.db (is damaged|cannot be used: it is damaged)/);
    assert.match(message, /restore a backup/);
    const warned = await start({ 'database-check': 'never' }).catch((error: Error) => error);
    if (warned instanceof Error) assert.doesNotMatch(warned.message, /quick_check/);
    else await warned.close();
  });
});
