// Objects and database belong together. A server with the wrong pair does not start and removes nothing.
import assert from 'node:assert/strict';
import { mkdirSync, mkdtempSync, readFileSync, renameSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { after, describe, test } from 'node:test';
import { DeleteObjectCommand } from '@aws-sdk/client-s3';
import {
  createDatabase,
  type DatabaseKind,
  startServer,
  type TestServer,
  type TestUser,
} from '@sealpost/dev-env/harness';
import { objectClient } from '@sealpost/dev-env/object-client';
import { places } from '@sealpost/dev-env/places';
import { pino, stdSerializers } from 'pino';
import { openDisk } from '../../../src/platform/objects/disk.ts';
import type { Objects } from '../../../src/platform/objects/objects.ts';

const folder = mkdtempSync(join(tmpdir(), 'sealpost-owner-'));
after(() => rmSync(folder, { recursive: true, force: true }));

let reqSeq = 0;
/** Uploads a file in a message to oneself; returns its path. */
async function upload(server: TestServer, user: TestUser): Promise<string> {
  reqSeq += 1;
  const { id } = await user.client.TalkService.sendMessage(reqSeq, { to: user.mid, contentType: 14 });
  const path = `/r/talk/m/${id}`;
  assert.equal((await objectClient(server).post(user, path, `content of ${id}`)).status, 201);
  return path;
}

/** The database and object store that remain when a server ends. The settings in `flags` name them. */
interface Lasting {
  readonly flags: Readonly<Record<string, string>>;
  close(): void | Promise<void>;
}

interface Place extends Lasting {
  readonly objects: Objects;
  forgetOwner(): Promise<void>;
}

async function newPlace(kind: 'disk' | 's3'): Promise<Place> {
  if (kind === 'disk') {
    const root = mkdtempSync(join(folder, 'objects-'));
    const forgetOwner = async () => rmSync(join(root, 'instance'));
    return { flags: { 'objects-url': `file:${root}` }, objects: openDisk(root), forgetOwner, close: () => {} };
  }
  const { makeBucket } = await import('@sealpost/dev-env/s3-server');
  const { flags, client, options, open, close } = await makeBucket();
  const objects = await open();
  const owner = { Bucket: options.bucket, Key: `${options.prefix}instance` };
  return {
    ...{ flags, objects },
    forgetOwner: async () => void (await client.send(new DeleteObjectCommand(owner))),
    close: () => objects.close().then(close),
  };
}

async function newDatabase(kind: DatabaseKind): Promise<Lasting> {
  if (kind === 'sqlite') {
    const path = join(mkdtempSync(join(folder, 'database-')), 'sealpost.db');
    return { flags: { 'database-url': `sqlite:${path}` }, close: () => {} };
  }
  const { url, drop } = await createDatabase();
  return { flags: { 'database-url': url }, close: drop };
}

const start = (...parts: readonly Lasting[]): Promise<TestServer> =>
  startServer({ servers: 1, flags: Object.assign({}, ...parts.map(({ flags }) => flags)) });

for (const { database, objects: kind } of places) {
  describe(`owners of objects on ${database} and ${kind}`, () => {
    const published = async ({ objects }: Place) => (await objects.page('published', '', 100)).length;

    test('an empty database with the objects of another is refused and touches nothing; by the id it is let in', async () => {
      const [place, own, empty] = [await newPlace(kind), await newDatabase(database), await newDatabase(database)];
      const first = await start(place, own);
      const user = await first.user();
      for (let i = 0; i < 12; i++) await upload(first, user);
      await first.close();
      const owner = await place.objects.owner();

      let id = '';
      await assert.rejects(start(place, empty), ({ message }: Error) => {
        assert.match(message, new RegExp(`they carry the id ${owner}, this database has \\w{32}\\.`));
        id = /write (\w{32}) into \S+instance\.$/.exec(message)?.[1] ?? '';
        return id !== '' && id !== owner;
      });
      assert.equal(await published(place), 12);
      assert.equal(await place.objects.owner(), owner);

      await place.objects.claim(id);
      const other = await start(place, empty);
      await other.close();
      await assert.rejects(start(place, own), new RegExp(`they carry the id ${id}, this database has ${owner}\\.`));
      assert.equal(await published(place), 12);
      for (const lasting of [place, own, empty]) await lasting.close();
    });

    test('a database that names objects is refused an empty place; by its id it is let in', async () => {
      const [place, empty, own] = [await newPlace(kind), await newPlace(kind), await newDatabase(database)];
      const first = await start(place, own);
      await upload(first, await first.user());
      await first.close();
      await assert.rejects(start(empty, own), /the database names objects, and there are none/);
      assert.equal(await empty.objects.owner(), undefined);
      await empty.objects.claim((await place.objects.owner()) as string);
      const again = await start(empty, own);
      await upload(again, await again.user());
      await again.close();
      for (const lasting of [place, empty, own]) await lasting.close();
    });

    test('objects from before there were ids are known by what they are, to several servers at once', async () => {
      const [place, own, empty] = [await newPlace(kind), await newDatabase(database), await newDatabase(database)];
      const first = await start(place, own);
      const path = await upload(first, await first.user());
      await first.close();
      const owner = await place.objects.owner();
      await place.forgetOwner();
      await assert.rejects(start(place, empty), /there are objects, and the database names none/);
      const stranger = await newPlace(kind);
      const other = await start(stranger, empty);
      await upload(other, await other.user());
      await other.close();
      await assert.rejects(start(place, empty), /the database names others/);
      assert.equal(await place.objects.owner(), undefined);

      const count = database === 'postgres' ? 3 : 1;
      const servers = await Promise.all(Array.from({ length: count }, () => start(place, own)));
      assert.equal(await place.objects.owner(), owner);
      assert.match(path, /^\/r\/talk\/m\/\d+$/);
      for (const server of servers) await upload(server, await server.user());
      for (const server of servers) await server.close();
      for (const lasting of [place, stranger, own, empty]) await lasting.close();
    });
  });
}

test('a folder of objects that goes while the server runs is a 503, and its return needs no restart', async (t) => {
  let ahead = 0;
  const clock = { now: () => Date.now(), monotonic: () => performance.now() + ahead };
  const lines: string[] = [];
  const logger = pino(
    { base: null, serializers: { error: stdSerializers.err } },
    { write: (line: string) => void lines.push(line) },
  );
  const server = await startServer({ ports: { clock }, logger });
  t.after(() => server.close());
  const objects = objectClient(server);
  const user = await server.user();
  const path = await upload(server, user);
  const root = join(server.dataDir, 'objects');
  const send = async () => {
    reqSeq += 1;
    const { id } = await user.client.TalkService.sendMessage(reqSeq, { to: user.mid, contentType: 14 });
    return objects.post(user, `/r/talk/m/${id}`, 'while it is away');
  };
  const ready = async () => {
    // Moves the clock past the time for which the server reuses a readiness answer.
    ahead += 2_000;
    const response = await fetch(`${server.url}/readyz`);
    return { status: response.status, text: await response.text() };
  };
  const requireAway = async () => {
    const stored = await send();
    assert.equal(stored.status, 503, stored.body.toString());
    assert.ok(stored.headers.get('retry-after'));
    const begun = await user.client.TalkService.sendMessage(++reqSeq, { to: user.mid, contentType: 14 });
    const part = { Range: 'bytes 0-4/100' };
    assert.equal((await objects.post(user, `/r/talk/m/${begun.id}`, 'begun', part)).status, 503);
    assert.equal((await objects.get(user, path)).status, 503);
    const { status, text } = await ready();
    assert.equal(status, 503);
    assert.equal((JSON.parse(text) as { objects: string }).objects, 'unavailable; the log says why');
  };

  renameSync(root, `${root}.away`);
  await requireAway();
  assert.ok(lines.some((line) => /instance is not there; this database has \w{32}/.test(line)));
  // The mount point of an unmounted disk is an ordinary folder; the server must not write there.
  mkdirSync(root);
  await requireAway();
  rmSync(root, { recursive: true });
  mkdirSync(root);
  writeFileSync(join(root, 'instance'), 'another');
  await requireAway();
  rmSync(root, { recursive: true });

  renameSync(`${root}.away`, root);
  assert.equal((await send()).status, 201);
  assert.match((await objects.get(user, path)).body.toString(), /^content of/);
  assert.equal((await ready()).status, 200);

  // The bytes are lost, and the operator deliberately continues with an empty folder.
  const id = readFileSync(join(root, 'instance'), 'utf8');
  rmSync(root, { recursive: true });
  mkdirSync(root);
  writeFileSync(join(root, 'instance'), id);
  assert.equal((await send()).status, 201);
  assert.equal((await objects.get(user, path)).status, 404);
  assert.equal((await ready()).status, 200);
});
