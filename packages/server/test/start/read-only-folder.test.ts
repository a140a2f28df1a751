// The folder of the objects becomes read-only while a server runs. Uploads are refused as overloaded and leave nothing
// behind, everything else goes on, and uploads pass once the folder can be written again.
import assert from 'node:assert/strict';
import { spawnSync } from 'node:child_process';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { test } from 'node:test';
import { contentTypes } from '@sealpost/contract';
import { startServer } from '@sealpost/dev-env/harness';
import { objectClient } from '@sealpost/dev-env/object-client';

const mount = (...args: string[]): boolean => spawnSync('mount', args).status === 0;

test('a read-only folder of objects refuses uploads, and harms nothing else', async (t) => {
  const folder = mkdtempSync(join(tmpdir(), 'sealpost-read-only-'));
  if (!mount('-t', 'tmpfs', '-o', 'size=16m', 'sealpost-test', folder)) {
    rmSync(folder, { recursive: true });
    return t.skip('only root can mount a folder that is read-only for everybody');
  }
  const server = await startServer({ flags: { 'objects-url': `file:${folder}`, 'least-free-bytes': '0' } });
  try {
    const [alice, bob] = [await server.user('alice'), await server.user('bob')];
    const objects = objectClient(server);
    const fileMessage = async (reqSeq: number) =>
      (await alice.client.TalkService.sendMessage(reqSeq, { to: bob.mid, contentType: contentTypes.FILE })).id;
    const [first, second] = [await fileMessage(10), await fileMessage(11)];
    const upload = async (id: string) =>
      (await objects.post(alice, `/r/talk/m/${id}`, Buffer.from(`bytes ${id}`))).status;
    const read = async (id: string) => {
      const { status, body } = await objects.get(bob, `/r/talk/m/${id}`);
      return [status, body.toString()] as const;
    };
    assert.equal(await upload(first), 201);
    assert.deepEqual(await read(first), [200, `bytes ${first}`]);

    assert.ok(mount('-o', 'remount,ro', folder), 'the folder is read-only');
    assert.equal(await upload(second), 503);
    assert.deepEqual(await read(first), [200, `bytes ${first}`]);
    assert.equal((await alice.client.sendText(bob.mid, 'goes on')).text, 'goes on');

    assert.ok(mount('-o', 'remount,rw', folder), 'the folder can be written again');
    assert.equal(await upload(second), 201);
    assert.deepEqual(await read(second), [200, `bytes ${second}`]);
  } finally {
    await server.close();
    spawnSync('umount', [folder]);
    rmSync(folder, { recursive: true, force: true });
  }
});
