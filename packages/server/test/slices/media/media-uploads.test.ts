import assert from 'node:assert/strict';
import { createHash, randomBytes, randomUUID } from 'node:crypto';
import { once } from 'node:events';
import { request } from 'node:http';
import { after, before, describe, test } from 'node:test';
import { startServer, type TestServer, type TestUser } from '@sealpost/dev-env/harness';
import { accessToken, type ObjectAnswer, objectClient } from '@sealpost/dev-env/object-client';
import { places } from '@sealpost/dev-env/places';
import type { OutgoingMedia } from '@sealpost/sdk';
import { usageNow } from '../../../src/slices/media/queries.ts';

const sha256 = (bytes: Buffer): string => createHash('sha256').update(bytes).digest('hex');

for (const { database, objects: place } of places) {
  describe(`uploads on ${database} and ${place}`, () => {
    let server: TestServer;
    let alice: TestUser;
    let objects: ReturnType<typeof objectClient>;

    before(async () => {
      server = await startServer({ database, objects: place, servers: 1, flags: { 'object-bytes': '3000000' } });
      objects = objectClient(server);
      alice = await server.user('alice');
    });
    after(() => server.close());

    const newPath = () => `/r/talk/emf/reqid-${randomUUID()}`;
    const range = (first: number, last: number, size: number, sign = ' ') => ({
      Range: `bytes${sign}${first}-${last}/${size}`,
    });
    const offsetOf = (answer: { headers: Headers }) => Number(answer.headers.get('x-obs-offset'));
    const info = async (path: string) => (await objects.get(alice, `${path}/object_info.obs`)).json();
    /** Begins an upload, sends a part of the body, and leaves the connection open. */
    async function begin(path: string, sent: Buffer, size: number, headers = {}) {
      const req = request(server.url + path, {
        method: 'POST',
        headers: { 'X-Svc-Access': accessToken(alice), 'Content-Length': String(size), ...headers },
      });
      req.on('error', () => {});
      req.write(sent);
      await once(req, 'socket');
      return req;
    }
    /** Waits until the state of an upload meets a condition. */
    async function until(path: string, ready: (state: Record<string, unknown>) => boolean) {
      for (let tries = 0; tries < 12_000; tries++) {
        const answer = await objects.get(alice, `${path}/info.obs`);
        if (answer.status === 200 && ready(answer.json())) return answer.json();
        await new Promise((resolve) => setTimeout(resolve, 10));
      }
      throw new Error(`${path} never came to the state that was waited for`);
    }

    test('an object comes in ranges, of either form, and is whole with the last one', async () => {
      const bytes = randomBytes(250_000);
      const path = newPath();
      const first = await objects.post(alice, path, bytes.subarray(0, 100_000), range(0, 99_999, bytes.length));
      assert.deepEqual([first.status, offsetOf(first), first.headers.get('x-obs-hash')], [200, 100_000, null]);
      const oid = first.headers.get('x-obs-oid') as string;
      assert.deepEqual(
        [(await info(path)).status, (await info(path)).offset, (await info(path)).size],
        ['incompleted', 100_000, bytes.length],
      );
      // The range names the whole rest of the object; the body may be a part of this rest.
      const rest = range(100_000, bytes.length - 1, bytes.length, '=');
      const second = await objects.post(alice, path, bytes.subarray(100_000, 200_000), rest);
      assert.deepEqual([second.status, offsetOf(second)], [200, 200_000]);
      // The server gave the object another name. This name works as well as the name that the client used in the first
      // request.
      const last = await objects.post(
        alice,
        `/r/talk/emf/${oid}`,
        bytes.subarray(200_000),
        range(200_000, bytes.length - 1, bytes.length),
      );
      assert.deepEqual(
        [last.status, last.headers.get('x-obs-oid'), last.headers.get('x-obs-hash')],
        [201, oid, sha256(bytes)],
      );
      const whole = await info(path);
      assert.deepEqual([whole.status, whole.oid, whole.size, whole.hash], ['exist', oid, bytes.length, sha256(bytes)]);
    });

    test('a range that came before changes nothing, and one that overlaps adds what is new', async () => {
      const bytes = randomBytes(1000);
      const path = newPath();
      const send = (from: number, to: number) =>
        objects.post(alice, path, bytes.subarray(from, to), range(from, to - 1, bytes.length));
      await send(0, 400);
      assert.deepEqual([(await send(0, 400)).status, offsetOf(await send(100, 300))], [200, 400]);
      assert.equal(offsetOf(await send(200, 600)), 600);
      const done = await send(600, 1000);
      assert.equal(done.headers.get('x-obs-hash'), sha256(bytes));
      const again = await send(600, 1000);
      assert.deepEqual([again.status, again.headers.get('x-obs-hash')], [201, sha256(bytes)]);
    });

    test('ranges that contradict each other are refused and change nothing', async () => {
      const bytes = randomBytes(1000);
      const path = newPath();
      await objects.post(alice, path, bytes.subarray(0, 400), range(0, 399, 1000));
      const refused: [number, Record<string, string>, number][] = [
        [416, range(500, 999, 1000), 500],
        [416, range(400, 999, 2000), 600],
        [416, range(400, 1000, 1000), 601],
        [416, range(999, 400, 1000), 10],
        [400, range(400, 499, 1000), 99],
        [400, range(400, 499, 1000), 101],
        [413, range(0, 9, 4_000_000), 10],
      ];
      for (const [status, headers, length] of refused) {
        const answer = await objects.post(alice, path, randomBytes(length), headers);
        assert.equal(answer.status, status, headers.Range);
        assert.equal((await info(path)).offset, 400);
      }
      const done = await objects.post(alice, path, bytes.subarray(400), range(400, 999, 1000));
      assert.equal(done.headers.get('x-obs-hash'), sha256(bytes));
    });

    test('a broken connection leaves what it brought, and the rest is enough', async () => {
      const bytes = randomBytes(1_000_000);
      const path = newPath();
      const broken = await begin(path, bytes.subarray(0, 600_000), bytes.length);
      await until(path, ({ status }) => status === 'uploading');
      // Waits until all bytes have left the socket. Such bytes arrive even if the connection is closed afterwards.
      while (broken.socket?.writableLength !== 0) await new Promise((resolve) => setImmediate(resolve));
      broken.destroy();
      const { offset } = (await until(path, ({ status }) => status === 'incompleted')) as { offset: number };
      assert.ok(offset > 0 && offset <= 600_000, `${offset}`);
      const rest = await objects.post(
        alice,
        path,
        bytes.subarray(offset),
        range(offset, bytes.length - 1, bytes.length),
      );
      assert.deepEqual([rest.status, rest.headers.get('x-obs-hash')], [201, sha256(bytes)]);
    });

    test('an upload goes on after a restart of the server', async () => {
      const bytes = randomBytes(500_000);
      const path = newPath();
      await objects.post(alice, path, bytes.subarray(0, 300_000), range(0, 299_999, bytes.length));
      await server.restart();
      const done = await objects.post(alice, path, bytes.subarray(300_000), range(300_000, 499_999, bytes.length));
      assert.deepEqual([done.status, done.headers.get('x-obs-hash')], [201, sha256(bytes)]);
    });

    test('among many uploads at once, long ones continue after short ones have ended', {
      timeout: 25_000,
    }, async () => {
      const sizes = Array.from({ length: 64 }, (_, i) => (i % 16 === 0 ? 2_500_000 : 1_000 * i));
      const sent = sizes.map((size) => randomBytes(size));
      const answers = await Promise.all(sent.map((bytes) => objects.post(alice, newPath(), bytes)));
      assert.deepEqual(
        answers.map(({ status, headers }) => [status, headers.get('x-obs-hash')]),
        sent.map((bytes) => [201, sha256(bytes)]),
      );
    });

    test('a newer upload of an object ends an older one that hangs', async () => {
      const bytes = randomBytes(200_000);
      const path = newPath();
      const hanging = await begin(path, bytes.subarray(0, 1000), bytes.length);
      await until(path, ({ status }) => status === 'uploading');
      const ended = new Promise((resolve) => hanging.once('close', resolve));
      const done = await objects.post(alice, path, bytes);
      assert.deepEqual([done.status, done.headers.get('x-obs-hash')], [201, sha256(bytes)]);
      await ended;
    });

    test('the same upload again is answered as the first time; another one under its name is not', async () => {
      const path = newPath();
      const first = await objects.post(alice, path, 'content');
      const again = await objects.post(alice, path, 'content');
      assert.deepEqual([again.status, again.headers.get('x-obs-oid')], [201, first.headers.get('x-obs-oid')]);
      assert.equal((await objects.post(alice, path, 'changed')).status, 423);
      assert.equal((await objects.post(alice, path, 'longer content')).status, 423);
    });

    test('the object of a message can be sent again after a lost answer, and not with other bytes', async () => {
      // The restarted server has another address, so the test creates a new client.
      const sender = await server.user('sender');
      const { id } = await sender.client.TalkService.sendMessage(0, { to: sender.mid, contentType: 14 });
      const path = `/r/talk/m/${id}`;
      const told = ({ status, headers }: ObjectAnswer) => [
        status,
        ...['x-obs-oid', 'x-obs-offset', 'x-obs-hash'].map((name) => headers.get(name)),
      ];
      const first = told(await objects.post(sender, path, 'tea 1'));
      assert.deepEqual(first, [201, String(id), '5', sha256(Buffer.from('tea 1'))]);
      const all = { Range: 'bytes 0-4/5' };
      const streamed = (text: string) => ({ body: new Blob([text]).stream() });
      assert.deepEqual(told(await objects.post(sender, path, 'tea 1')), first);
      assert.deepEqual(told(await objects.post(sender, path, 'tea 1', all)), first);
      assert.deepEqual(told(await objects.send('POST', path, sender, streamed('tea 1'))), first);
      assert.deepEqual(told(await objects.post(sender, path, ' 1', { Range: 'bytes 3-4/5' })), first);
      const refusal = async (answer: Promise<ObjectAnswer>) => {
        const { status, json } = await answer;
        return [status, (json().data as { reason: string }).reason];
      };
      const told423 = (why: string) => [
        423,
        `the object ${id} is complete already, and ${why}: upload it as a new object`,
      ];
      const other = told423('it has other bytes than this body');
      assert.deepEqual(await refusal(objects.post(sender, path, 'tea 2')), other);
      assert.deepEqual(await refusal(objects.post(sender, path, 'tea 2', all)), other);
      assert.deepEqual(await refusal(objects.send('POST', path, sender, streamed('tea'))), other);
      const longer = await refusal(objects.post(sender, path, 'tea for two'));
      assert.deepEqual(longer, told423('it has 5 bytes, not 11'));
      const endless = await refusal(objects.send('POST', path, sender, streamed('tea for two')));
      assert.deepEqual(endless, told423('it has 5 bytes, this body has more'));
      assert.equal((await objects.get(sender, path)).body.toString(), 'tea 1');
    });

    test('a body without a length is taken, and stopped when it is too long', async () => {
      const stream = (size: number) =>
        new ReadableStream({
          pull(controller) {
            controller.enqueue(new Uint8Array(size));
            controller.close();
          },
        });
      const fits = await objects.send('POST', newPath(), alice, { body: stream(100_000) });
      assert.deepEqual([fits.status, offsetOf(fits)], [201, 100_000]);
      const path = newPath();
      const tooLong = await objects.send('POST', path, alice, { body: stream(3_000_001) });
      assert.equal(tooLong.status, 413);
      assert.equal((await objects.post(alice, newPath(), Buffer.alloc(3_000_001))).status, 413);
    });

    test('an empty object is an object', async () => {
      const done = await objects.post(alice, newPath(), '');
      assert.deepEqual([done.status, done.headers.get('x-obs-hash')], [201, sha256(Buffer.alloc(0))]);
    });

    test('a picture for a home needs the channel token, and is of its owner alone until it is a cover', async () => {
      // The restarted server has another address, so the test creates new clients.
      const [owner, bob] = [await server.user('owner'), await server.user('bob')];
      const { token } = await owner.client.ChannelService.issueChannelToken('1341209850');
      const { token: other } = await bob.client.ChannelService.issueChannelToken('1341209850');
      const channel = (value: string) => ({ 'X-Svc-ChannelToken': value });
      const path = `/r/myhome/c/reqid-${randomUUID()}`;
      assert.equal((await objects.post(owner, path, 'cover')).status, 401);
      const stored = await objects.post(undefined, path, 'cover', channel(token));
      assert.equal(stored.status, 201);
      const own = `/r/myhome/c/${stored.headers.get('x-obs-oid')}`;
      assert.equal((await objects.get(undefined, own, channel(token))).body.toString(), 'cover');
      assert.equal((await objects.get(owner, own)).status, 401);
      assert.equal((await objects.get(undefined, own, channel(other))).status, 404);
      assert.equal((await objects.get(undefined, own.replace('/c/', '/a/'), channel(token))).status, 404);
    });
  });
}

describe('quotas', () => {
  test('an upload that exceeds the quota of the account leaves nothing behind', async (t) => {
    const server = await startServer({ flags: { 'quota-bytes': '1000', 'quota-objects': '2', 'object-bytes': '900' } });
    t.after(() => server.close());
    const objects = objectClient(server);
    const [alice, bob] = [await server.user('alice'), await server.user('bob')];
    const usage = async () => {
      const { id } = (await server.server.slices.accounts.show(alice.mid)) as { id: number };
      return server.server.store.read((reader) => reader.one(usageNow, id));
    };
    const nothing = async () => {
      assert.deepEqual(await alice.client.TalkService.getRecentMessagesV2(bob.mid, 10), []);
      assert.equal((await bob.log()).length, 0);
      assert.deepEqual({ ...(await usage()) }, { objects: 0, bytes: 0 });
    };
    const path = () => `/r/talk/emf/reqid-${randomUUID()}`;
    const streamed = (size: number) => new Blob([Buffer.alloc(size)]).stream();
    const name = path();
    assert.equal((await objects.send('POST', name, alice, { body: streamed(901) })).status, 413);
    assert.equal((await objects.get(alice, `${name}/info.obs`)).status, 400);
    assert.equal((await objects.post(alice, path(), Buffer.alloc(901))).status, 413);
    const file = (size: number): OutgoingMedia => ({ kind: 'file', name: 'a', bytes: new Blob([Buffer.alloc(size)]) });
    await assert.rejects(alice.client.media().send(bob.mid, file(1001)), { http: 507 });
    await nothing();

    await alice.client.media().send(alice.mid, file(600));
    await assert.rejects(alice.client.media().send(bob.mid, file(500)), { http: 507 });
    await alice.client.media().send(alice.mid, file(300));
    const plain = { to: bob.mid, contentType: 14 } as const;
    await assert.rejects(alice.client.TalkService.sendMessage(90, plain), { http: 507 });
    assert.equal((await bob.log()).length, 0);
    assert.equal((await objects.post(alice, path(), Buffer.alloc(10))).status, 507);
    assert.deepEqual({ ...(await usage()) }, { objects: 2, bytes: 900 });
    await alice.client.TalkService.sendMessage(91, { to: bob.mid, text: 'a text needs no room' });
  });

  test('an account keeps no more bytes and no more objects than it may, and gets room back', async () => {
    const server = await startServer({ flags: { 'quota-bytes': '1000', 'quota-objects': '3' } });
    const objects = objectClient(server);
    const alice = await server.user('alice');
    const newPath = () => `/r/talk/emf/reqid-${randomUUID()}`;
    const message = await alice.client.TalkService.sendMessage(5, { to: alice.mid, contentType: 14 });
    const path = `/r/talk/m/${message.id}`;
    assert.equal((await objects.post(alice, path, Buffer.alloc(600))).status, 201);
    const refused = await objects.post(alice, newPath(), Buffer.alloc(500));
    assert.deepEqual([refused.status, refused.json().code], [507, 10052]);
    assert.equal((await objects.post(alice, newPath(), Buffer.alloc(400))).status, 201);
    await alice.client.TalkService.unsendMessage(6, message.id);
    for (const _ of [1, 2]) assert.equal((await objects.post(alice, newPath(), Buffer.alloc(10))).status, 201);
    assert.equal((await objects.post(alice, newPath(), Buffer.alloc(10))).status, 507);
    const bob = await server.user('bob');
    assert.equal((await objects.post(bob, newPath(), Buffer.alloc(1000))).status, 201);
    await server.close();
  });
});
