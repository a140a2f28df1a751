// A database that was set back by other means than a restore, and the clients that had seen newer operations.
import assert from 'node:assert/strict';
import { cpSync, readdirSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import { test } from 'node:test';
import { contentTypes } from '@sealpost/contract';
import { createDatabase, databases, startServer, type TestServer, type TestUser } from '@sealpost/dev-env/harness';
import { createRpcClient } from '@sealpost/sdk';
import { resync } from '../../src/maintenance/restore/resync.ts';
import { verify } from '../../src/maintenance/verify/verify.ts';
import { firstEvent, sourcesOf, temporary } from './world.ts';

/** Returns two clients that go on with their sessions at a server that was started anew. */
function goOn(server: TestServer, sessions: readonly TestUser[]) {
  const [sender, reader] = sessions.map(({ client: { session } }) =>
    createRpcClient({ url: server.url, ...(session && { session }) }),
  );
  assert.ok(sender && reader);
  server.atEnd(() => [sender, reader].map((client) => client.close()));
  let reqSeq = 60;
  const send = (to: string, text: string) =>
    sender.TalkService.sendMessage(++reqSeq, { to, contentType: contentTypes.NONE, text });
  const headOf = async () => Number(await reader.TalkService.getLastOpRevision());
  return { reader, send, headOf };
}

for (const database of databases) {
  test(`after a resync on ${database}, every client reads everything again, and nothing else changes`, async (t) => {
    const own = database === 'postgres' ? await createDatabase() : undefined;
    t.after(() => own?.drop());
    const server = await startServer({ flags: { ...(own && { 'database-url': own.url }) } });
    t.after(() => server.close());
    const sources = sourcesOf({ ...(own && { 'database-url': own.url }), 'data-dir': server.dataDir });
    const users = [await server.user('alice'), await server.user('bob')];
    const mid = users[1]?.mid ?? '';
    const before = goOn(server, users);
    const { id } = await before.send(mid, 'before');
    const seen = await before.headOf();
    assert.equal((await firstEvent(before.reader, seen - 1))?.kind, 'operation');
    await assert.rejects(resync({ sources }), /a server (or another command )?runs on/);

    await server.restart(async () => {
      assert.equal((await resync({ sources })).accounts, 2);
      assert.deepEqual((await verify({ sources })).findings, []);
    });
    const { reader, send, headOf } = goOn(server, users);
    for (const from of [1, seen, seen + 1]) assert.equal((await firstEvent(reader, from))?.kind, 'fullSync');
    assert.equal((await send(mid, 'before')).id, id, 'a send from before is sent twice');
    const now = await headOf();
    await send(mid, 'afterwards');
    const next = await firstEvent(reader, now);
    assert.equal(next?.kind === 'operation' && next.operation.message?.text, 'afterwards');
  });
}

test('a client that saw operations which are gone does not miss those that take their place', async (t) => {
  const server = await startServer();
  t.after(() => server.close());
  const users = [await server.user('alice'), await server.user('bob')];
  const mid = users[1]?.mid ?? '';
  const [{ dataDir }, copy] = [server, join(temporary(t), 'copy')];
  await server.restart(() => cpSync(dataDir, copy, { recursive: true }));
  const before = goOn(server, users);
  for (const text of ['one', 'two', 'three']) await before.send(mid, text);
  const seen = await before.headOf();
  await server.restart(async () => {
    rmSync(dataDir, { recursive: true });
    cpSync(copy, dataDir, { recursive: true });
    await resync({ sources: sourcesOf({ 'data-dir': dataDir }) });
  });
  const after = goOn(server, users);
  for (const text of ['four', 'five', 'six', 'seven']) await after.send(mid, text);
  assert.equal((await firstEvent(after.reader, seen))?.kind, 'fullSync');
});

test('a folder without a database is refused, and stays empty', async (t) => {
  const dataDir = temporary(t);
  await assert.rejects(resync({ sources: sourcesOf({ 'data-dir': dataDir }) }), /there is no database/);
  assert.deepEqual(readdirSync(dataDir), []);
});
