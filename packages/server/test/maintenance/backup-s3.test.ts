// Backups in a bucket, and moves of objects into one.
import assert from 'node:assert/strict';
import { spawnSync } from 'node:child_process';
import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { after, before, describe, test } from 'node:test';
import { fileURLToPath } from 'node:url';
import { contentTypes } from '@sealpost/contract';
import { objectClient } from '@sealpost/dev-env/object-client';
import { makeBucket, type TestBucket, withoutS3 } from '@sealpost/dev-env/s3-server';
import { backup } from '../../src/maintenance/backup/backup.ts';
import { move } from '../../src/maintenance/move/move.ts';
import { listBackups, restore } from '../../src/maintenance/restore/restore.ts';
import { verify } from '../../src/maintenance/verify/verify.ts';
import { openS3 } from '../../src/platform/objects/s3.ts';
import { createWorld, sourcesOf, temporary, type World } from './world.ts';

const dying = fileURLToPath(new URL('./dying-backup.ts', import.meta.url));
const MISSING = 'sealpost-test-never-made';

describe('a bucket', { skip: withoutS3 }, () => {
  let world: World;
  let bucket: TestBucket;
  before(async () => {
    [world, bucket] = await Promise.all([createWorld('sqlite'), makeBucket()]);
  });
  after(async () => {
    await world.close();
    bucket.close();
  });

  /** Returns the settings of the server with those of the bucket, and the place of backups in it. */
  function backups(changed: Readonly<Record<string, string>> = {}) {
    const { 'objects-url': url = '', ...own } = bucket.flags;
    const flags: Readonly<Record<string, string>> = { 'data-dir': world.server.dataDir, ...own, ...changed };
    return { flags, sources: sourcesOf(flags), place: `${url}/backups` };
  }

  const wrong = [
    [
      { 's3-access-key': 'nobody' },
      'InvalidAccessKeyId',
      'Set s3-access-key and s3-secret-key to a key of that server.',
    ],
    [{ 'backup-s3-secret-key': 'wr0ng' }, 'SignatureDoesNotMatch', 'Set s3-access-key and s3-secret-key to a key'],
    [{}, 'NoSuchBucket', 'Create the bucket, or correct the place of backups.'],
  ] as const;
  for (const [changed, problem, advice] of wrong) {
    test(`that answers ${problem} stops backup and restore with what to do, and the secret is not told`, async (t) => {
      const { sources, place, flags } = backups(changed);
      const given = problem === 'NoSuchBucket' ? `s3://${MISSING}/backups` : place;
      const told = (operation: string) => (error: Error) => {
        const [, name = ''] = /^s3:\/\/([^/]+)/.exec(given) ?? [];
        const start = `the place of backups names bucket ${name} at ${flags['s3-endpoint']}, which cannot be used: `;
        assert.ok(error.message.startsWith(`${start}${operation}`), error.message);
        assert.ok(error.message.includes(`failed: ${problem}`), error.message);
        assert.ok(error.message.includes(advice), error.message);
        assert.match(error.message, /use the settings backup-s3-… instead\.$/);
        assert.doesNotMatch(error.message, /sealpost-secret|wr0ng/);
        return true;
      };
      await assert.rejects(backup({ sources, place: given }), told('PutObject writable'));
      const dataDir = join(temporary(t), 'new');
      const empty = sourcesOf({ ...flags, 'data-dir': dataDir });
      await assert.rejects(restore({ sources: empty, place: given }), told('ListObjectsV2 published/'));
      assert.ok(!existsSync(dataDir) || !existsSync(join(dataDir, 'sealpost.db')));
    });
  }

  test('keeps what a killed backup copied, takes only what is new, and is restored', async (t) => {
    const { sources, place, flags } = backups();
    const killed = spawnSync(process.execPath, [dying, JSON.stringify(flags), place, '1'], { encoding: 'utf8' });
    assert.equal(killed.signal, 'SIGKILL', killed.stderr);
    await assert.rejects(listBackups({ sources, place }), /there is no whole backup in/);
    await assert.rejects(backup({ sources, place }), /is running, or was killed less than 2 minutes ago\. Wait, then/);
    const marks = await openS3({ ...bucket.options, prefix: `${bucket.options.prefix}backups/running/` });
    for (const { key } of await marks.page('published', '', 10)) await marks.remove(key);
    const first = await backup({ sources, place });
    assert.deepEqual([first.objects.count, first.objects.copied, first.missing], [3, 2, []]);

    const { alice, bob, server } = world;
    const { id } = await alice.client.TalkService.sendMessage(50, { to: bob.mid, contentType: contentTypes.FILE });
    assert.equal((await objectClient(server).post(alice, `/r/talk/m/${id}`, 'new')).status, 201);
    const second = await backup({ sources, place, keep: 1 });
    assert.deepEqual([second.objects.count, second.objects.copied, second.removed.backups], [4, 1, 1]);

    assert.deepEqual(await marks.page('published', '', 10), [], 'a mark stays after its backup');
    await marks.close();

    const restored = sourcesOf({ ...flags, 'data-dir': join(temporary(t), 'new') });
    const { id: taken, objects } = await restore({ sources: restored, place, backup: second.id });
    assert.deepEqual([taken, objects.count], [second.id, 4]);
    const { findings, objects: read } = await verify({ sources: restored });
    assert.deepEqual([findings, read], [[], 2]);
  });

  test('takes the objects of a server that moves, and one that is missing is told before anything moves', async (t) => {
    const own = await createWorld('sqlite');
    t.after(() => own.close());
    const { dataDir } = own.server;
    await own.server.server.close();
    const { 'objects-url': url = '', ...settings } = bucket.flags;
    const flags = { 'data-dir': dataDir, ...settings };
    const to = `sqlite:${join(temporary(t), 'new.db')}`;
    await assert.rejects(move({ sources: sourcesOf(flags), to, objectsTo: `s3://${MISSING}` }), {
      message: new RegExp(
        `^--objects-to names bucket ${MISSING} at .*: NoSuchBucket.*Create the bucket, or correct --objects-to\\.$`,
      ),
    });
    const { objects } = await move({ sources: sourcesOf(flags), to, objectsTo: `${url}/moved` });
    assert.equal(objects?.count, 3);
    const moved = sourcesOf({ ...flags, 'database-url': to, 'objects-url': `${url}/moved` });
    const { findings, objects: read } = await verify({ sources: moved });
    assert.deepEqual([findings, read], [[], 1]);
  });
});
