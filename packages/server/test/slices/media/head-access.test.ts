// HEAD reveals as much about an object as GET, so it requires the same proof.
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { contentTypes, httpPaths } from '@sealpost/contract';
import { startServer, type TestUser } from '@sealpost/dev-env/harness';
import { objectClient } from '@sealpost/dev-env/object-client';

test('HEAD of an object is answered to whom GET is, and tells others nothing of it', async () => {
  const server = await startServer();
  try {
    const [alice, bob, eve] = [await server.user('alice'), await server.user('bob'), await server.user('eve')];
    const objects = objectClient(server);
    const { id } = await alice.client.TalkService.sendMessage(2, {
      to: bob.mid,
      contentType: contentTypes.FILE,
      contentMetadata: {},
    });
    const path = `/r/talk/m/${id}`;
    const bytes = 'the content of a file';
    assert.equal((await objects.post(alice, path, bytes)).status, 201);
    const ask = async (method: string, user: TestUser | undefined) => {
      const { status, headers } = await objects.send(method, path, user);
      return { status, hash: headers.get('x-obs-hash'), etag: headers.get('etag') };
    };
    for (const [user, status] of [
      [alice, 200],
      [bob, 200],
      [eve, 404],
      [undefined, 401],
    ] as const) {
      const [get, head] = [await ask('GET', user), await ask('HEAD', user)];
      assert.deepEqual(head, get);
      assert.equal(head.status, status);
      assert.equal(head.hash !== null, status === 200);
    }
  } finally {
    await server.close();
  }
});

test('HEAD is refused where it is not supported, with and without a login', async () => {
  const server = await startServer();
  try {
    const user = await server.user();
    for (const caller of [user, undefined]) {
      const { status, headers } = await objectClient(server).send('HEAD', httpPaths.operationReceive, caller);
      assert.deepEqual([status, headers.get('allow')], [405, 'GET, OPTIONS']);
    }
    assert.equal(server.server.openStreams.size, 0);
  } finally {
    await server.close();
  }
});
