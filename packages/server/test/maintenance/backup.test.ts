// Backups of running servers, and servers that are restored from them.
import assert from 'node:assert/strict';
import { cpSync, existsSync, mkdirSync, readdirSync, readFileSync, statSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import { describe, type TestContext, test } from 'node:test';
import { contentTypes } from '@sealpost/contract';
import { databases, startServer } from '@sealpost/dev-env/harness';
import { accessToken } from '@sealpost/dev-env/object-client';
import { places } from '@sealpost/dev-env/places';
import { createRpcClient, type RpcClient } from '@sealpost/sdk';
import { backup } from '../../src/maintenance/backup/backup.ts';
import { tellingPlace } from '../../src/maintenance/backup/telling-place.ts';
import { listBackups, restore } from '../../src/maintenance/restore/restore.ts';
import { verify } from '../../src/maintenance/verify/verify.ts';
import { openDisk } from '../../src/platform/objects/disk.ts';
import { StoreFull } from '../../src/platform/store/store.ts';
import { createWorld, emptyDatabase, firstEvent, sourcesOf, temporary, type World } from './world.ts';

async function world(t: TestContext, ...args: Parameters<typeof createWorld>): Promise<World> {
  const made = await createWorld(...args);
  t.after(() => made.close());
  return made;
}

const texts = async (client: RpcClient, mid: string): Promise<(string | undefined)[]> => {
  const request = { messageBoxId: mid, messagesCount: 100 };
  return (await client.TalkService.getPreviousMessagesV2WithRequest(request, 0)).map(({ text }) => text).reverse();
};

/** Returns all files below a folder. */
const filesIn = (folder: string): string[] =>
  readdirSync(folder, { recursive: true, withFileTypes: true })
    .filter((entry) => entry.isFile())
    .map((entry) => join(entry.parentPath, entry.name));

for (const { database, objects } of places) {
  test(`a server of ${database} and ${objects} is restored, and its clients go on`, async (t) => {
    const { server, alice, bob, file, messageIds, sources, close } = await createWorld(database, objects);
    t.after(close);
    const folder = temporary(t);
    const other = await emptyDatabase(database, folder);
    t.after(() => other.drop());
    const bucket = objects === 's3' ? await (await import('@sealpost/dev-env/s3-server')).makeBucket() : undefined;
    t.after(() => bucket?.close());
    const place = bucket ? `${bucket.flags['objects-url']}/backups` : join(folder, 'backups');
    const made = await backup({ sources, place });
    assert.deepEqual([made.objects.count, made.objects.copied, made.missing], [3, 3, []]);
    const revision = Number(await bob.client.TalkService.getLastOpRevision());
    await alice.client.TalkService.sendMessage(30, { to: bob.mid, contentType: contentTypes.NONE, text: 'too late' });
    const [sessions, token] = [[alice, bob].map(({ client }) => client.session), accessToken(bob)];
    const { adminToken } = server;

    const flags = {
      ...{ 'data-dir': join(folder, 'new'), 'database-url': other.url },
      ...(bucket && { ...bucket.flags, 'objects-url': `${bucket.flags['objects-url']}/objects` }),
    };
    const restored = await restore({ sources: sourcesOf(flags), place });
    assert.deepEqual([restored.id, restored.rows, restored.objects.count], [made.id, made.rows, 3]);
    assert.deepEqual((await verify({ sources: sourcesOf(flags) })).findings, []);
    await close();

    const again = await startServer({ dataDir: flags['data-dir'], flags });
    t.after(() => again.close());
    const [ann, ben] = sessions.map((session) => createRpcClient({ url: again.url, ...(session && { session }) }));
    assert.ok(ann && ben);
    again.atEnd(() => [ann, ben].map((client) => client.close()));
    assert.equal(again.adminToken, adminToken);
    assert.deepEqual((await texts(ben, alice.mid)).slice(0, 2), ['one', 'two']);
    assert.ok(!(await texts(ben, alice.mid)).includes('too late'));
    const { body } = await fetch(again.url + file.path, { headers: { 'X-Svc-Access': token } }).then(
      async (answer) => ({
        body: await answer.text(),
      }),
    );
    assert.equal(body, file.bytes);
    const picture = await fetch(`${again.url}/stickershop/v1/sticker/10000/android/sticker.png`);
    assert.equal(picture.status, 200);

    // Every client reads everything again, whether its revision is behind the backup or ahead of it.
    for (const from of [1, revision, revision + 1]) {
      const event = await firstEvent(ben, from);
      assert.equal(event?.kind, 'fullSync', `from ${from}`);
    }
    const repeated = await ann.TalkService.sendMessage(20, {
      to: bob.mid,
      contentType: contentTypes.NONE,
      text: 'one',
    });
    assert.equal(repeated.id, messageIds[0], 'a send from before the backup is sent twice');
    const head = Number(await ben.TalkService.getLastOpRevision());
    await ann.TalkService.sendMessage(31, { to: bob.mid, contentType: contentTypes.NONE, text: 'afterwards' });
    const next = await firstEvent(ben, head);
    assert.equal(next?.kind === 'operation' && next.operation.message?.text, 'afterwards');
    assert.ok(head > revision + 1, `the revision ${head} may have been seen with other content`);
    assert.deepEqual((await verify({ sources: sourcesOf(flags) })).findings, []);
  });
}

test('a client that saw a restored server reads everything again after a second restore of the backup', async (t) => {
  const { alice, bob, sources, close } = await createWorld('sqlite');
  t.after(close);
  const folder = temporary(t);
  await backup({ sources, place: join(folder, 'backups') });
  const sessions = [alice, bob].map(({ client }) => client.session);
  await close();
  async function restored(name: string) {
    const dataDir = join(folder, name);
    await restore({ sources: sourcesOf({ 'data-dir': dataDir }), place: join(folder, 'backups') });
    const server = await startServer({ dataDir });
    t.after(() => server.close());
    const [sender, reader] = sessions.map((session) =>
      createRpcClient({ url: server.url, ...(session && { session }) }),
    );
    assert.ok(sender && reader);
    server.atEnd(() => [sender, reader].map((client) => client.close()));
    let reqSeq = 60;
    const send = (text: string) =>
      sender.TalkService.sendMessage(++reqSeq, { to: bob.mid, contentType: contentTypes.NONE, text });
    return { server, reader, send };
  }
  const first = await restored('first');
  await first.send('only on the first server');
  const seen = Number(await first.reader.TalkService.getLastOpRevision());
  await first.server.close();
  const second = await restored('second');
  for (const text of ['one more', 'two more', 'three more']) await second.send(text);
  const event = await firstEvent(second.reader, seen);
  assert.equal(event?.kind, 'fullSync');
});

test('a backup of one database is restored into the other', {
  skip: !databases.includes('postgres') && 'needs PostgreSQL',
}, async (t) => {
  const { sources } = await world(t, 'sqlite');
  const folder = temporary(t);
  const own = await emptyDatabase('postgres', folder);
  t.after(() => own.drop());
  await backup({ sources, place: join(folder, 'one') });
  const inPostgres = sourcesOf({ 'data-dir': join(folder, 'a'), 'database-url': own.url });
  await restore({ sources: inPostgres, place: join(folder, 'one') });
  assert.deepEqual((await verify({ sources: inPostgres })).findings, []);
  await assert.rejects(restore({ sources: inPostgres, place: join(folder, 'one') }), /not empty/);
  await backup({ sources: inPostgres, place: join(folder, 'two') });
  const inSqlite = sourcesOf({ 'data-dir': join(folder, 'b') });
  await restore({ sources: inSqlite, place: join(folder, 'two') });
  assert.deepEqual((await verify({ sources: inSqlite })).findings, []);
});

describe('the place of backups', () => {
  test('a second backup copies what is new, and only the owner can read anything', async (t) => {
    const { server, alice, bob, sources } = await world(t, 'sqlite');
    const place = join(temporary(t), 'a', 'place');
    await backup({ sources, place });
    const { id } = await alice.client.TalkService.sendMessage(50, { to: bob.mid, contentType: contentTypes.FILE });
    const headers = { 'X-Svc-Access': accessToken(alice), 'Content-Type': 'application/octet-stream' };
    await fetch(`${server.url}/r/talk/m/${id}`, { method: 'POST', body: 'new', headers });
    const { objects } = await backup({ sources, place });
    assert.deepEqual([objects.count, objects.copied], [4, 1]);
    for (const path of filesIn(place)) assert.equal(statSync(path).mode & 0o777, 0o600, path);
    for (const folder of [place, join(place, 'objects'), join(place, 'parts/published')])
      assert.equal(statSync(folder).mode & 0o777, 0o700, folder);
    // An object that rotted in the backup is copied again.
    const rotten = filesIn(join(place, 'objects/published')).find((path) => path.includes('/published/a'));
    assert.ok(rotten);
    const size = statSync(rotten).size;
    writeFileSync(rotten, 'x'.repeat(size));
    assert.equal((await backup({ sources, place, trustExisting: true })).objects.copied, 0);
    assert.equal((await backup({ sources, place })).objects.copied, 1);
  });

  test('old backups are removed with what only they need, and the others stay whole', async (t) => {
    const { server, alice, sources, file } = await world(t, 'sqlite');
    const folder = temporary(t);
    const place = join(folder, 'place');
    const first = await backup({ sources, place });
    await alice.client.TalkService.unsendMessage(40, file.path.split('/').at(-1) ?? '');
    const [second, third] = [await backup({ sources, place }), await backup({ sources, place })];
    assert.deepEqual(
      (await listBackups({ sources, place })).map(({ id }) => id),
      [first.id, second.id, third.id],
    );
    const objects = () => filesIn(join(place, 'objects/published')).length;
    const before = objects();
    const { removed } = await backup({ sources, place, keep: 3 });
    assert.deepEqual([removed.backups, removed.objects, objects()], [1, 1, before - 1]);
    for (const [n, { id }] of [second, third].entries()) {
      const flags = { 'data-dir': join(folder, `new-${n}`) };
      await restore({ sources: sourcesOf(flags), place, backup: id });
      assert.deepEqual((await verify({ sources: sourcesOf(flags) })).findings, []);
    }
    assert.ok(server.dataDir);
    await assert.rejects(
      restore({ sources: sourcesOf({ 'data-dir': join(folder, 'x') }), place, backup: first.id }),
      /no backup in .* begins with/,
    );
  });

  test('a backup whose manifest is damaged hides no other, and stops the removal of old ones', async (t) => {
    const { sources } = await world(t, 'sqlite');
    const place = join(temporary(t), 'place');
    const ids: string[] = [];
    for (let n = 0; n < 3; n++) ids.push((await backup({ sources, place })).id);
    const [first, second, third] = ids as [string, string, string];
    const manifest = filesIn(place).find((path) => path.endsWith(second)) ?? assert.fail('no manifest');
    const whole = readFileSync(manifest);
    writeFileSync(manifest, '{');
    const unusable: string[] = [];
    const list = async () =>
      (await listBackups({ sources, place, onUnusable: ({ message }) => unusable.push(message) })).map(({ id }) => id);
    assert.deepEqual(await list(), [first, third]);
    assert.match(unusable.join(), new RegExp(`^the backup ${second} in .* cannot be used`));
    await assert.rejects(backup({ sources, place, keep: 3 }), /cannot be used/);
    writeFileSync(manifest, whole);
    assert.deepEqual((await list()).slice(0, 3), ids, 'nothing was removed');
    await restore({ sources: sourcesOf({ 'data-dir': join(place, '../new') }), place, backup: first });
  });

  test('the backups of another server are left alone', async (t) => {
    const [one, two] = [await world(t, 'sqlite'), await world(t, 'sqlite')];
    const place = join(temporary(t), 'place');
    await backup({ sources: one.sources, place });
    const before = filesIn(place).length;
    await assert.rejects(backup({ sources: two.sources, place }), /has the backups of another server/);
    assert.equal(filesIn(place).length, before);
  });

  test('an object that is missing at the server is told, and the rest is saved', async (t) => {
    const { server, sources } = await world(t, 'sqlite');
    const folder = temporary(t);
    const [lost = ''] = filesIn(join(server.dataDir, 'objects/published'));
    writeFileSync(lost, 'other bytes');
    const made = await backup({ sources, place: folder });
    assert.deepEqual(
      made.missing.map(({ key }) => key),
      [lost.slice(-32)],
    );
    assert.match(made.missing[0]?.problem ?? '', /bytes/);
    const flags = { 'data-dir': join(folder, 'new') };
    assert.equal((await restore({ sources: sourcesOf(flags), place: folder })).missing, 1);
  });
});

describe('a restore', () => {
  async function backedUp(t: TestContext) {
    const { sources, close } = await createWorld('sqlite');
    t.after(close);
    const folder = temporary(t);
    const place = join(folder, 'place');
    await backup({ sources, place });
    await close();
    return { place, folder, dataDir: join(folder, 'new'), sources: sourcesOf({ 'data-dir': join(folder, 'new') }) };
  }

  test('takes only an empty folder, and only one that is named', async (t) => {
    const { place, dataDir, sources } = await backedUp(t);
    await assert.rejects(restore({ sources: sourcesOf({}), place }), /needs --data-dir/);
    mkdirSync(dataDir);
    writeFileSync(join(dataDir, 'something'), '');
    await assert.rejects(restore({ sources, place }), /is not empty: it has something/);
    assert.deepEqual(readdirSync(dataDir), ['something']);
    for (const work of [restore, listBackups])
      await assert.rejects(work({ sources, place: join(place, 'nothing') }), /no whole backup in .*nothing\. Is it/);
  });

  test('into a database that is there tells what names it, and never to remove it', async (t) => {
    const { place, folder, dataDir, sources } = await backedUp(t);
    const [live, file] = [join(folder, 'live.db'), join(folder, 'sealpost.yaml')];
    writeFileSync(live, '');
    writeFileSync(file, `database-url: sqlite:${live}\n`);
    const refusal = async (given: typeof sources): Promise<string> => {
      const error = await restore({ sources: given, place }).catch((thrown: Error) => thrown);
      assert.ok(error instanceof Error);
      assert.equal(readFileSync(live, 'utf8'), '');
      return error.message;
    };
    const advice = 'Name a new file with --database-url sqlite:<new file>.';
    const there = `the database ${live} is there already`;
    assert.equal(await refusal({ ...sources, file }), `${there}: database-url in ${file} names it. ${advice}`);
    const env = { SEALPOST_DATABASE_URL: `sqlite:${live}` };
    assert.equal(await refusal({ ...sources, env }), `${there}: SEALPOST_DATABASE_URL names it. ${advice}`);
    const flags = { ...sources.flags, 'database-url': `sqlite:${live}` };
    assert.equal(await refusal({ ...sources, flags }), `${there}. ${advice}`);
    mkdirSync(dataDir);
    writeFileSync(join(dataDir, 'sealpost.db'), '');
    assert.match(await refusal(sources), /sealpost\.db is there already\. Name an empty folder with --data-dir\.$/);
  });

  for (const [what, part] of [
    ['a table', 'parts'],
    ['an object', 'objects'],
    ['a manifest', 'backups'],
  ] as const) {
    test(`of a backup with ${what} that rotted leaves nothing behind`, async (t) => {
      const { place, dataDir, sources } = await backedUp(t);
      for (const path of filesIn(join(place, part, 'published'))) {
        const bytes = readFileSync(path);
        bytes.writeUInt8(bytes.readUInt8(20) ^ 1, 20);
        writeFileSync(path, bytes);
      }
      await assert.rejects(restore({ sources, place }), /damaged/);
      assert.ok(!existsSync(dataDir));
    });
  }

  test('that fails leaves nothing behind, and one that was cut off goes on', async (t) => {
    const { place, dataDir, sources } = await backedUp(t);
    const steps: string[] = [];
    await restore({
      sources: sourcesOf({ 'data-dir': join(dataDir, '../dry') }),
      place,
      onProgress: ({ what }) => steps.push(what),
    });
    const begun = steps.indexOf('objects');
    for (const at of [begun, begun + 2, steps.length - 1]) {
      let n = 0;
      const fail = () => {
        if (n++ === at) throw new Error('the disk broke');
      };
      await assert.rejects(restore({ sources, place, onProgress: fail }), /the disk broke/);
      assert.deepEqual(readdirSync(dataDir), []);
    }
    const elsewhere = join(dataDir, '../elsewhere');
    await assert.rejects(
      restore({
        sources: sourcesOf({ ...sources.flags, 'database-url': `sqlite:${join(elsewhere, 'big.db')}` }),
        place,
        onProgress: ({ what }) => assert.ok(!what.startsWith('table'), 'the disk broke'),
      }),
      /the disk broke/,
    );
    assert.deepEqual(readdirSync(elsewhere), []);
    // A kill leaves the mark and some of the objects.
    const [id = ''] = (await listBackups({ sources, place })).map((found) => found.id);
    const database = `sqlite:${join(dataDir, 'sealpost.db')}`;
    const mark = (backup: string, filled = database) =>
      writeFileSync(join(dataDir, 'restoring.json'), JSON.stringify({ backup, place, database: filled }));
    cpSync(join(dataDir, '../dry/objects'), join(dataDir, 'objects'), { recursive: true });
    mark(id);
    await assert.rejects(startServer({ dataDir, flags: {} }), /has an unfinished restore/);
    mark('another');
    await assert.rejects(restore({ sources, place }), /unfinished restore of the backup another/);
    mark(id, 'sqlite:/another.db');
    await assert.rejects(restore({ sources, place }), /unfinished restore .* into the database sqlite:\/another\.db/);
    mark(id);
    await restore({ sources, place });
    assert.deepEqual((await verify({ sources })).findings, []);
    assert.ok(!existsSync(join(dataDir, 'restoring.json')));
  });
});

test('a backup without its manifest does not exist, and what it left is removed later', async (t) => {
  const { sources } = await world(t, 'sqlite');
  const place = join(temporary(t), 'place');
  let steps = 0;
  await backup({ sources, place, onProgress: () => (steps += 1) });
  assert.ok(steps > 10);
  const [known] = await listBackups({ sources, place });
  for (const at of [0, 5, steps - 1]) {
    let n = 0;
    const stop = () => {
      if (n++ === at) throw new Error('cut off');
    };
    await assert.rejects(backup({ sources, place, onProgress: stop }), /cut off/);
  }
  assert.deepEqual(await listBackups({ sources, place }), [known]);
});

test('a place that takes no bytes is named, with the cause and what to do', async (t) => {
  const { sources } = await world(t, 'sqlite');
  const place = join(temporary(t), 'backups');
  mkdirSync(place);
  writeFileSync(join(place, 'parts'), 'in the way');
  await assert.rejects(backup({ sources, place }), {
    message: `no backup was made: the place of backups ${place} cannot be used: a part of the path is a file. Name another place (ENOTDIR).`,
  });
  const cause = Object.assign(new Error('ENOSPC: no space left on device, write'), { code: 'ENOSPC' });
  for (const error of [cause, new StoreFull('objects cannot be written', { cause })]) {
    const full = tellingPlace({ ...openDisk(place), claim: () => Promise.reject(error) }, place);
    await assert.rejects(full.claim('a server'), {
      message: /backups cannot be used: the disk is full\. Make room on it/,
    });
  }
});

test('a database that is damaged where only rows are is explained as at a start', async (t) => {
  const { server, close } = await createWorld('sqlite');
  t.after(close);
  await server.server.close();
  const path = join(server.dataDir, 'sealpost.db');
  const database = new DatabaseSync(path);
  database.exec('pragma wal_checkpoint(truncate)');
  const { at } = database.prepare("select rootpage as at from sqlite_master where name = 'message'").get() as {
    at: number;
  };
  const { page_size: size } = database.prepare('pragma page_size').get() as { page_size: number };
  database.close();
  writeFileSync(path, readFileSync(path).fill(0xff, (at - 1) * size, at * size));
  const sources = sourcesOf({ 'data-dir': server.dataDir });
  await assert.rejects(backup({ sources, place: join(temporary(t), 'backups') }), {
    message:
      /^the database .*sealpost\.db cannot be used: it is damaged\. Keep a copy .*sealpost restore.*malformed\)\.$/,
  });
});
