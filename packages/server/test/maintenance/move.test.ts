// Moves from one database to the other, and moves that are cut off.
import assert from 'node:assert/strict';
import { spawnSync } from 'node:child_process';
import { existsSync, readFileSync, renameSync } from 'node:fs';
import { join } from 'node:path';
import { type TestContext, test } from 'node:test';
import { fileURLToPath } from 'node:url';
import { contentTypes } from '@sealpost/contract';
import { type DatabaseKind, databases, startServer } from '@sealpost/dev-env/harness';
import { accessToken } from '@sealpost/dev-env/object-client';
import { until } from '@sealpost/dev-env/until';
import { createRpcClient } from '@sealpost/sdk';
import pg from 'pg';
import { cancelMove, move } from '../../src/maintenance/move/move.ts';
import { verify } from '../../src/maintenance/verify/verify.ts';
import { createWorld, emptyDatabase, sourcesOf, temporary } from './world.ts';

const second: DatabaseKind = databases.includes('postgres') ? 'postgres' : 'sqlite';
const dying = fileURLToPath(new URL('./dying-move.ts', import.meta.url));

/** Waits until PostgreSQL has noticed that a killed process is gone, and has freed its locks. */
async function released(url: string): Promise<void> {
  if (!url.startsWith('postgres')) return;
  const client = new pg.Client({ connectionString: url });
  await client.connect();
  const others = 'select 1 from pg_stat_activity where datname = current_database() and pid <> pg_backend_pid()';
  await until(async () => (await client.query(others)).rows.length === 0, 'the killed process is gone');
  await client.end();
}

/** A server that was stopped, and empty databases to move it into. */
async function stopped(t: TestContext, kind: DatabaseKind = 'sqlite') {
  const world = await createWorld(kind);
  t.after(() => world.close());
  const folder = temporary(t);
  const { dataDir } = world.server;
  const session = world.bob.client.session;
  const token = accessToken(world.bob);
  // The server ends, and its data stays for the test.
  await world.server.server.close();
  return {
    ...{ ...world, folder, dataDir, session, token },
    sourcesAt: (url: string) => sourcesOf({ 'data-dir': dataDir, 'database-url': url }),
    async empty(database: DatabaseKind, name: string) {
      const made = await emptyDatabase(database, folder, name);
      t.after(() => made.drop());
      return made.url;
    },
  };
}

test('a server moves to the other database and back, and its clients go on', async (t) => {
  const { sourcesAt, databaseUrl, dataDir, empty, session, token, alice, file } = await stopped(t);
  const before = readFileSync(join(dataDir, 'sealpost.db'));
  let from = databaseUrl;
  for (const [kind, name] of [
    [second, 'one'],
    ['sqlite', 'two'],
  ] as const) {
    const to = await empty(kind, name);
    const { moved, rows, tables } = await move({ sources: sourcesAt(from), to });
    assert.ok(moved && rows > 100 && tables > 40);
    assert.deepEqual((await verify({ sources: sourcesAt(to) })).findings, []);
    assert.equal((await move({ sources: sourcesAt(from), to })).moved, false, 'a repeat moves again');
    await assert.rejects(startServer({ dataDir, flags: { 'database-url': from } }), /was moved to .*Set database-url/);
    from = to;
  }
  assert.ok(before.length > 0 && existsSync(join(dataDir, 'sealpost.db')));
  const server = await startServer({ dataDir, flags: { 'database-url': from } });
  t.after(() => server.close());
  const bob = createRpcClient({ url: server.url, ...(session && { session }) });
  server.atEnd(() => bob.close());
  const request = { messageBoxId: alice.mid, messagesCount: 10 };
  const texts = (await bob.TalkService.getPreviousMessagesV2WithRequest(request, 0)).map(({ text }) => text);
  assert.ok(texts.includes('one') && texts.includes('two'));
  await bob.TalkService.sendMessage(90, { to: alice.mid, contentType: contentTypes.NONE, text: 'moved' });
  const answer = await fetch(server.url + file.path, { headers: { 'X-Svc-Access': token } });
  assert.equal(await answer.text(), file.bytes);
});

test('objects move too if that is wanted, also out of quarantine', async (t) => {
  const { sourcesAt, databaseUrl, empty, folder, dataDir } = await stopped(t);
  renameSync(join(dataDir, 'objects/published'), join(dataDir, 'objects/quarantined'));
  assert.deepEqual((await verify({ sources: sourcesAt(databaseUrl) })).findings, []);
  const to = await empty(second, 'one');
  const place = join(folder, 'objects');
  const { objects } = await move({ sources: sourcesAt(databaseUrl), to, objectsTo: `file:${place}` });
  assert.equal(objects?.count, 3);
  const sources = sourcesOf({ 'data-dir': dataDir, 'database-url': to, 'objects-url': `file:${place}` });
  const { findings, objects: read } = await verify({ sources });
  assert.deepEqual([findings, read], [[], 1]);
});

test('a move that was cut off at any step goes on, and no server starts meanwhile', async (t) => {
  const { sourcesAt, databaseUrl, empty, dataDir } = await stopped(t);
  const sources = sourcesAt(databaseUrl);
  const steps: string[] = [];
  await move({ sources, to: await empty('sqlite', 'dry'), onProgress: ({ what }) => steps.push(what) });
  await cancelMove(sources);
  const to = await empty(second, 'one');
  const cut = async (at: number) => {
    let n = 0;
    const stop = () => {
      if (++n === at) throw new Error('cut off');
    };
    await assert.rejects(move({ sources, to, onProgress: stop }), /cut off/);
    await assert.rejects(startServer({ dataDir, flags: { 'database-url': databaseUrl } }), /is not finished/);
    await assert.rejects(startServer({ dataDir, flags: { 'database-url': to } }), /fills it and is not finished/);
  };
  // The process is killed at the first row, in the middle, and while the tables are compared.
  for (const at of [1, 3, steps.findIndex((what) => what.startsWith('comparing')) + 2]) {
    const { signal } = spawnSync(process.execPath, [dying, dataDir, databaseUrl, to, String(at)]);
    assert.equal(signal, 'SIGKILL');
    await released(to);
  }
  for (const at of [1, 4]) await cut(at);
  const other = await empty('sqlite', 'another');
  await assert.rejects(move({ sources, to: other }), /was begun\. Repeat it with that address/);
  assert.equal((await move({ sources, to })).moved, true);
  assert.deepEqual((await verify({ sources: sourcesAt(to) })).findings, []);
});

test('a move that was given up leaves the old database as it was', async (t) => {
  const { sourcesAt, databaseUrl, empty, dataDir } = await stopped(t);
  const sources = sourcesAt(databaseUrl);
  const to = await empty(second, 'one');
  const stop = () => {
    throw new Error('cut off');
  };
  await assert.rejects(move({ sources, to, onProgress: stop }), /cut off/);
  await assert.rejects(cancelMove(sourcesAt(to)), /only a part/);
  assert.equal((await cancelMove(sources))?.state, 'moving');
  assert.equal(await cancelMove(sources), undefined);
  await assert.rejects(move({ sources, to }), /has a part of another move/);
  const server = await startServer({ dataDir, flags: { 'database-url': databaseUrl } });
  t.after(() => server.close());
  await assert.rejects(move({ sources, to: await empty('sqlite', 'next') }), /in use|runs on/);
});

test('a move refuses a database with data, itself, and a server that runs', async (t) => {
  const { sourcesAt, databaseUrl } = await stopped(t);
  const sources = sourcesAt(databaseUrl);
  const running = await createWorld(second);
  t.after(() => running.close());
  await assert.rejects(move({ sources, to: databaseUrl }), /the database that the server has now/);
  await assert.rejects(move({ sources, to: running.databaseUrl }), /runs on/);
  await running.server.server.close();
  await assert.rejects(move({ sources, to: running.databaseUrl }), /is not empty/);
  assert.equal(await cancelMove(sources), undefined, 'a refused move leaves a mark');
});
