// No request makes the object store keep more bytes than the account has room for.
import assert from 'node:assert/strict';
import { randomBytes, randomUUID } from 'node:crypto';
import { once } from 'node:events';
import { request } from 'node:http';
import { after, before, describe, test } from 'node:test';
import { createRawClient } from '@sealpost/conformance/testing';
import { contentTypes, httpPaths } from '@sealpost/contract';
import { startServer, type TestServer, type TestUser } from '@sealpost/dev-env/harness';
import { accessToken, objectClient } from '@sealpost/dev-env/object-client';
import { places } from '@sealpost/dev-env/places';
import { until } from '@sealpost/dev-env/until';
import sharp from 'sharp';
import { usageNow } from '../../../src/slices/media/queries.ts';

const ROOM = 1_000_000;

for (const { database, objects: place } of places) {
  describe(`the room of an account on ${database} and ${place}`, () => {
    let server: TestServer;
    let objects: ReturnType<typeof objectClient>;

    before(async () => {
      server = await startServer({ database, objects: place, flags: { 'quota-bytes': String(ROOM) } });
      objects = objectClient(server);
    });
    after(() => server.close());

    const newPath = () => `/r/talk/emf/reqid-${randomUUID()}`;
    async function usageOf({ mid }: TestUser) {
      const { id } = (await server.server.slices.accounts.show(mid)) as { id: number };
      return { ...(await server.server.store.read((reader) => reader.one(usageNow, id))) };
    }
    /** Returns the number of objects in the store, whether a row names them or not. */
    async function stored(): Promise<number> {
      const store = await server.openObjects();
      const [whole, parts] = [await store.page('published', '', 1000), await store.page('unpublished', '', 1000)];
      await store.close();
      return whole.length + parts.length;
    }
    /** Begins an upload without a length, and sends the first bytes. */
    function begin(user: TestUser, path: string, bytes: number) {
      const headers = { 'X-Svc-Access': accessToken(user), 'Transfer-Encoding': 'chunked' };
      const sent = request(server.url + path, { method: 'POST', headers });
      sent.on('error', () => {});
      sent.write(Buffer.alloc(bytes));
      return sent;
    }
    const stateOf = async (user: TestUser, path: string) => {
      const answer = await objects.get(user, `${path}/info.obs`);
      return answer.status === 200 ? answer.json() : {};
    };
    /** Sends bytes without a length, and breaks the connection off when the server has them. */
    async function breakOff(user: TestUser, path: string, bytes: number): Promise<void> {
      const sent = begin(user, path, bytes);
      await until(async () => (await stateOf(user, path)).status === 'uploading', 'the upload begins');
      while (sent.socket?.writableLength !== 0) await new Promise((resolve) => setImmediate(resolve));
      sent.destroy();
      await until(async () => (await stateOf(user, path)).offset === bytes, 'the bytes arrive');
    }

    test('has the bytes of a broken upload that told no length', async () => {
      const alice = await server.user('alice');
      const path = newPath();
      await breakOff(alice, path, 600_000);
      assert.deepEqual(await usageOf(alice), { objects: 1, bytes: 600_000 });
      assert.equal((await objects.post(alice, newPath(), Buffer.alloc(500_000))).status, 507);
      const rest = { Range: 'bytes 600000-699999/700000' };
      assert.equal((await objects.post(alice, path, Buffer.alloc(100_000), rest)).status, 201);
      assert.deepEqual(await usageOf(alice), { objects: 1, bytes: 700_000 });
    });

    test('is not exceeded by uploads without a length that run at once', async () => {
      const alice = await server.user('alice');
      const before = await stored();
      const paths = [newPath(), newPath()];
      const uploads = paths.map((path) => begin(alice, path, 600_000));
      for (const path of paths)
        await until(async () => (await stateOf(alice, path)).status === 'uploading', 'the upload begins');
      const statuses: (number | undefined)[] = [];
      for (const upload of uploads) {
        upload.end();
        const [answer] = await once(upload, 'response');
        statuses.push(answer.statusCode);
        answer.resume();
      }
      assert.deepEqual(statuses, [201, 507]);
      assert.deepEqual(await usageOf(alice), { objects: 1, bytes: 600_000 });
      await until(async () => (await stored()) === before + 1, 'the bytes of the refused upload are removed');
    });

    test('loses nothing to a refused repetition of a broken upload', async () => {
      const alice = await server.user('alice');
      const before = await stored();
      const path = newPath();
      await breakOff(alice, path, 400_000);
      const tooLong = new Blob([Buffer.alloc(ROOM + 1)]).stream();
      assert.equal((await objects.send('POST', path, alice, { body: tooLong })).status, 413);
      assert.deepEqual(await usageOf(alice), { objects: 1, bytes: 0 });
      await until(async () => (await stored()) === before, 'the bytes are removed');
      assert.equal((await objects.post(alice, path, Buffer.alloc(ROOM))).status, 201);
    });

    test('is kept by pictures that are refused, and by previews for which there is none', async () => {
      const alice = await server.user('alice');
      const pixels = { raw: { width: 300, height: 200, channels: 3 } } as const;
      const picture = await sharp(randomBytes(300 * 200 * 3), pixels)
        .jpeg()
        .toBuffer();
      const { id } = await alice.client.TalkService.sendMessage(5, { to: alice.mid, contentType: contentTypes.IMAGE });
      await objects.post(alice, newPath(), Buffer.alloc(ROOM - picture.length - 100));
      const before = await stored();
      const raw = createRawClient({ url: server.url });
      const refused = await raw.send(`${httpPaths.uploadProfile}?mid=${alice.mid}`, {
        body: picture,
        token: accessToken(alice),
        headers: { 'Content-Type': 'image/jpeg' },
      });
      assert.equal(refused.status, 507);
      await until(async () => (await stored()) === before, 'the bytes of the refused picture are removed');
      const path = `/r/talk/m/${id}`;
      assert.equal((await objects.post(alice, path, picture)).status, 201);
      for (const _ of [1, 2, 3]) assert.equal((await objects.get(alice, `${path}/preview`)).status, 404);
      const { imageDetails } = await stateOf(alice, path);
      assert.deepEqual(imageDetails, { format: 'jpeg', width: 300, height: 200 });
      await until(async () => (await stored()) === before + 1, 'only the picture itself is stored');
    });
  });
}
