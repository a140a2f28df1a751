import assert from 'node:assert/strict';
import { randomBytes, randomUUID } from 'node:crypto';
import { test } from 'node:test';
import { places, startServer } from './harness.ts';
import { objectClient } from './object-client.ts';
import { admin } from './people.ts';

const DAY_MS = 86_400_000;

for (const { database, objects: place } of places) {
  test(`on ${database} and ${place}, given up uploads, bytes of nothing and media that are too old go; pictures and the bytes of others stay`, async () => {
    let days = 0;
    const clock = { now: () => Date.now() + days * DAY_MS, monotonic: () => performance.now() };
    const server = await startServer({ database, objects: place, flags: { 'media-days': '30' }, ports: { clock } });
    const objects = objectClient(server);
    const alice = await server.user('alice');
    const { sweep } = server.server.slices.media;
    const bytes = await server.openObjects();
    const count = async () =>
      (await bytes.page('published', '', 100)).length + (await bytes.page('unpublished', '', 100)).length;
    const pass = async () => {
      const { id } = (await server.server.slices.accounts.show(alice.mid)) as { id: number };
      await sweep.account(id);
      await sweep.bytes();
    };

    const message = await alice.client.TalkService.sendMessage(5, { to: alice.mid, contentType: 14 });
    await objects.post(alice, `/r/talk/m/${message.id}`, 'kept for a while');
    const started = `/r/talk/emf/reqid-${randomUUID()}`;
    await objects.post(alice, started, 'begun', { Range: 'bytes 0-4/100' });
    const [lost, foreign] = [
      `a${randomBytes(16).toString('hex').slice(1)}`,
      `5${randomBytes(16).toString('hex').slice(1)}`,
    ];
    for (const key of [lost, foreign]) {
      await bytes.append(key, 0, [[Buffer.from('x')]]);
      await bytes.publish(key);
    }
    assert.equal(await count(), 4);
    await pass();
    assert.equal(await count(), 4);
    assert.equal((await objects.get(alice, `${started}/info.obs`)).json().status, 'incompleted');

    days = 2;
    await pass();
    assert.equal(await count(), 2);
    assert.equal((await admin(server, 'GET', '/media/expired?days=1')).status, 200);
    assert.deepEqual((await admin(server, 'GET', '/media/expired?days=1')).body, { days: 1, objects: 1, bytes: 16 });
    assert.deepEqual((await admin(server, 'GET', '/media/expired?days=30')).body, { days: 30, objects: 0, bytes: 0 });
    assert.equal((await admin(server, 'GET', '/media/expired')).status, 400);

    days = 31;
    await pass();
    assert.equal(await count(), 1);
    await bytes.close();
    await server.close();
  });
}
