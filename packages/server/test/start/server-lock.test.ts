import assert from 'node:assert/strict';
import { cpSync, mkdtempSync, readdirSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { after, beforeEach, describe, test } from 'node:test';
import { createDatabase, databases } from '@sealpost/dev-env/harness';
import { loadConfig } from '../../src/start/config/config.ts';
import { createServer, type RunningServer } from '../../src/start/server.ts';

describe('one server at a time', () => {
  const root = mkdtempSync(join(tmpdir(), 'sealpost-lock-'));
  after(() => rmSync(root, { recursive: true, force: true }));
  let folder: string;
  beforeEach(() => {
    folder = mkdtempSync(join(root, 'data-'));
  });
  const start = (dataDir: string, flags: Readonly<Record<string, string>> = {}): Promise<RunningServer> =>
    createServer(
      loadConfig('serve', { flags: { port: '0', 'data-dir': dataDir, 'log-level': 'silent', ...flags }, env: {} }),
    );
  const inUse = (what: string) => (error: Error) => error.message.includes(`${what} is in use by another server`);

  test('on a data folder, whatever its databases are called, until it has ended', async () => {
    const first = await start(folder);
    await assert.rejects(start(folder), inUse(`the data folder ${folder}`));
    await assert.rejects(start(folder, { 'database-url': `sqlite:${root}/apart.db` }), inUse(`folder ${folder}`));
    await first.close();
    assert.ok(!readdirSync(folder).includes('server.pid'));
    await (await start(folder)).close();
  });

  test('on a database, whatever the data folders are', async () => {
    const first = await start(folder);
    const other = join(root, 'other');
    const shared = { 'database-url': `sqlite:${folder}/sealpost.db` };
    await assert.rejects(start(other, shared), inUse(`the database ${folder}/sealpost.db`));
    // The refused start has released the lock of its own folder.
    const beside = await start(other, { 'database-url': `sqlite:${folder}/beside.db` });
    await Promise.all([first.close(), beside.close()]);
  });

  test('a start that fails gives the folder back', async () => {
    const elsewhere = await start(join(root, 'elsewhere'));
    const { port } = new URL(elsewhere.url);
    await assert.rejects(start(folder, { port }), /is in use. Stop what listens there/);
    await elsewhere.close();
    await (await start(folder, { port })).close();
  });

  test('a copy of a folder is another folder', async () => {
    await (await start(folder)).close();
    cpSync(folder, `${folder}-copy`, { recursive: true });
    const servers = [await start(folder), await start(`${folder}-copy`)];
    await Promise.all(servers.map((server) => server.close()));
  });

  test('several servers on PostgreSQL may share a data folder', { skip: !databases.includes('postgres') }, async () => {
    const { url, drop } = await createDatabase();
    const servers = [await start(folder, { 'database-url': url }), await start(folder, { 'database-url': url })];
    await Promise.all(servers.map((server) => server.close()));
    await drop();
  });
});
