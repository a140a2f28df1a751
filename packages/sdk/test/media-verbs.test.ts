// Verbs about objects: forwarding by a copy, what object storage knows, the address of a video, and the flow of a chat.
import assert from 'node:assert/strict';
import { randomBytes } from 'node:crypto';
import { after, before, describe, test } from 'node:test';
import { contentTypes } from '@sealpost/contract';
import { databases, startServer, type TestServer, type TestUser } from '@sealpost/dev-env/harness';
import { hurriedTimers } from '@sealpost/dev-env/hurried-timers';
import { until } from '@sealpost/dev-env/until';
import { type Client, SendFailed, type StoredMessage, type UploadProgress } from '@sealpost/sdk';
import { opened } from './opened.ts';
import { type Instead, recordedFetch } from './recorded-fetch.ts';
import { file } from './transfers.ts';

for (const database of databases) {
  describe(`verbs of media on ${database}`, () => {
    let server: TestServer;
    /** Users without keys, so that chats with them are plain. */
    let bob: TestUser;
    let carol: TestUser;
    before(async () => {
      server = await startServer({ database });
      [bob, carol] = [await server.user('bob'), await server.user('carol')];
    });
    after(() => server.close());

    async function forwarder(instead?: Instead) {
      const recorded = recordedFetch(instead);
      const user = await server.user('alice');
      const client = await opened(server, user, { fetch: recorded.fetch, timers: hurriedTimers(20) });
      return { recorded, client, mid: user.mid };
    }

    /** Returns a plain file from Bob, as the client of its receiver keeps it. */
    async function received(client: Client, bytes: Buffer): Promise<StoredMessage> {
      const { id } = await bob.client.media().send(client.session?.mid ?? '', file(new Uint8Array(bytes)));
      await client.synced();
      const [message] = await client.messaging.get([id]);
      assert.ok(message);
      return message;
    }

    async function contentAt(user: TestUser, id: string): Promise<Buffer> {
      const [message] = await user.client.TalkService.getMessagesByIds([id]);
      assert.ok(message);
      const parts: Uint8Array[] = [];
      for await (const part of (await user.client.media().open(message)).bytes()) parts.push(part);
      return Buffer.concat(parts);
    }

    test('plain media are forwarded into a plain chat by a copy, whose bytes do not travel', async () => {
      const { client, recorded } = await forwarder();
      const bytes = randomBytes(5000);
      const message = await received(client, bytes);
      const sent = await client.messaging.forward(message, carol.mid);
      assert.equal(sent.sealed, false);
      assert.deepEqual(sent.message.contentMetadata, message.contentMetadata);
      assert.deepEqual(await contentAt(carol, sent.message.id), bytes);
      assert.equal(recorded.to('/copyForMessage').length, 1);
      assert.deepEqual(
        recorded.requests.filter(({ path }) => path.startsWith('/r/')),
        [],
      );
      await client.synced();
      assert.equal(client.replica.chat(carol.mid)?.last?.id, sent.message.id);
    });

    test('a copy whose answer was lost is one message and one copy all the same', async () => {
      let lost = 0;
      const { client, recorded, mid } = await forwarder(({ path }, ask) =>
        /sendMessage$|copyForMessage$/.test(path) && lost++ % 2 === 0
          ? ask().then(() => Promise.reject(new TypeError('the line broke')))
          : undefined,
      );
      const bytes = randomBytes(100);
      const sent = await client.messaging.forward(await received(client, bytes), carol.mid);
      assert.equal(recorded.to('/copyForMessage').length, 2);
      assert.deepEqual(await contentAt(carol, sent.message.id), bytes);
      const recent = await carol.client.TalkService.getRecentMessagesV2(mid, 10);
      assert.deepEqual(
        recent.map(({ id }) => id),
        [sent.message.id],
      );
    });

    test('a copy that an earlier run made is found, and not made again', async () => {
      const stop = new AbortController();
      let lost = 0;
      const { client, recorded, mid } = await forwarder(({ path }, ask) =>
        path.endsWith('/copyForMessage') && lost++ === 0
          ? ask().then(() => {
              stop.abort(new Error('the program ended'));
              return Promise.reject(new TypeError('the line broke'));
            })
          : undefined,
      );
      const bytes = randomBytes(100);
      const message = await received(client, bytes);
      const resumeKey = 'a copy';
      await assert.rejects(client.media.copy(carol.mid, message, { resumeKey, signal: stop.signal }), /program ended/);
      const sent = await client.media.copy(carol.mid, message, { resumeKey });
      assert.deepEqual(await contentAt(carol, sent.id), bytes);
      assert.equal(recorded.to('/copyForMessage').length, 2);
      assert.equal((await carol.client.TalkService.getRecentMessagesV2(mid, 10)).length, 1);
    });

    test('sealed media are never copied into a plain chat: their content is sent again', async () => {
      const { client, recorded, mid } = await forwarder();
      const dora = await opened(server, await server.user('dora'));
      const bytes = randomBytes(200);
      const { message: sealed } = await dora.messaging.sendFile(mid, file(new Uint8Array(bytes)));
      await client.synced();
      const [message] = await client.messaging.get([sealed.id]);
      assert.ok(message);
      const sent = await client.messaging.forward(message, carol.mid);
      assert.equal(sent.sealed, false);
      assert.deepEqual(recorded.to('/copyForMessage'), []);
      assert.deepEqual(await contentAt(carol, sent.message.id), bytes);
    });

    test('media that are sent again keep their length, and whether they move', async () => {
      const { client, mid } = await forwarder();
      const dora = await opened(server, await server.user('dora'));
      const about = [
        { ...file(new Uint8Array(randomBytes(99))), kind: 'audio', name: 'a.m4a', duration: 1234 },
        { ...file(new Uint8Array(Buffer.from('GIF89a'))), kind: 'image', name: 'a.gif', animated: true },
      ] as const;
      for (const media of about) {
        const { message: sealed } = await dora.messaging.sendFile(mid, media, { keepMetadata: true });
        await client.synced();
        const [message] = await client.messaging.get([sealed.id]);
        assert.ok(message);
        const { message: sent } = await client.messaging.forward(message, carol.mid);
        for (const name of ['DURATION', 'AUDLEN', 'MEDIA_CONTENT_INFO'])
          assert.equal(sent.contentMetadata[name], message.contentMetadata[name], name);
      }
    });

    test('into a sealed chat, plain media are sent again, sealed', async () => {
      const { client, recorded } = await forwarder();
      const dora = await opened(server, await server.user('dora'));
      const bytes = randomBytes(3000);
      const sent = await client.messaging.forward(await received(client, bytes), dora.session?.mid ?? '');
      assert.equal(sent.sealed, true);
      assert.deepEqual(recorded.to('/copyForMessage'), []);
      const [message] = await dora.messaging.get([sent.message.id]);
      assert.ok(message);
      const parts: Uint8Array[] = [];
      for await (const part of (await dora.media.open(message)).bytes()) parts.push(part);
      assert.deepEqual(Buffer.concat(parts), bytes);
      assert.deepEqual(await client.messaging.mediaFlow(dora.session?.mid ?? ''), {
        image: 'sealed',
        video: 'sealed',
        audio: 'sealed',
        file: 'sealed',
      });
    });

    test('media that are forwarded without a connection wait for it, in the order of their chat', async () => {
      let refused = 0;
      let isDown = false;
      const { client, mid } = await forwarder(() => {
        if (!isDown) return undefined;
        refused += 1;
        return Promise.reject(new TypeError('there is no network'));
      });
      const dora = await opened(server, await server.user('dora'));
      const bytes = randomBytes(300);
      const plain = await received(client, bytes);
      const { message: sealed } = await dora.messaging.sendFile(mid, file(new Uint8Array(bytes)));
      await client.synced();
      const [opaque] = await client.messaging.get([sealed.id]);
      assert.ok(opaque);
      isDown = true;
      const { messaging, outbox } = client;
      const forwarded = [
        messaging.forward(plain, carol.mid),
        messaging.forward(opaque, carol.mid),
        messaging.sendText(carol.mid, 'after them'),
        messaging.forward(plain, dora.session?.mid ?? ''),
      ];
      await until(() => refused > 8 && outbox.all().length === 4, 'the messages wait, and were tried');
      assert.deepEqual(
        outbox.all().map(({ content, state, failure }) => [content.contentType, state, failure]),
        [contentTypes.FILE, contentTypes.FILE, contentTypes.NONE, contentTypes.FILE].map((type) => [
          type,
          'queued',
          undefined,
        ]),
      );
      isDown = false;
      outbox.wake();
      const sent = await Promise.all(forwarded);
      const ids = sent.map(({ message }) => message.id);
      assert.deepEqual(
        sent.map((one) => one.sealed),
        [false, false, false, true],
      );
      const recent = await carol.client.TalkService.getRecentMessagesV2(mid, 10);
      assert.deepEqual(
        recent.map(({ id }) => id),
        ids.slice(0, 3).toReversed(),
      );
      for (const id of ids.slice(0, 2)) assert.deepEqual(await contentAt(carol, id), bytes);
      assert.deepEqual(outbox.all(), []);
    });

    test('forwarded media that wait are called off, also while their content is downloaded', async () => {
      const { promise: asked, resolve: ask } = Promise.withResolvers<void>();
      const { client, mid } = await forwarder(({ path }) => {
        if (!path.startsWith('/r/')) return undefined;
        ask();
        return Promise.reject(new TypeError('the line broke'));
      });
      const dora = await opened(server, await server.user('dora'));
      const { message: sealed } = await dora.messaging.sendFile(mid, file(new Uint8Array(randomBytes(300))));
      await client.synced();
      const [message] = await client.messaging.get([sealed.id]);
      assert.ok(message);
      const forwarded = client.messaging.forward(message, carol.mid);
      await asked;
      const [row] = client.outbox.all();
      assert.equal(await client.outbox.cancel(row?.localId ?? ''), true);
      await assert.rejects(forwarded, { name: 'SendFailed', reason: 'cancelled' });
      assert.deepEqual(client.outbox.all(), []);
      assert.deepEqual(await carol.client.TalkService.getRecentMessagesV2(mid, 10), []);
    });

    test('an object that is gone is not forwarded, and its message is taken back', async () => {
      const { client, mid } = await forwarder();
      const message = await received(client, randomBytes(100));
      await bob.client.TalkService.unsendMessage(bob.client.nextReqSeq(), message.id);
      await assert.rejects(client.messaging.forward(message, carol.mid), SendFailed);
      const recent = await carol.client.TalkService.getRecentMessagesV2(mid, 10);
      assert.deepEqual(
        recent.map(({ contentMetadata }) => contentMetadata.UNSENT),
        ['true'],
      );
    });

    test('object storage tells state and size of an object, and where a video is played', async () => {
      const { client } = await forwarder();
      const dora = await opened(server, await server.user('dora'));
      const video = { kind: 'video', name: 'a.mp4', bytes: new Blob([randomBytes(4000)]), duration: 1000 } as const;
      for (const [to, sealed] of [
        [carol.mid, false],
        [dora.session?.mid ?? '', true],
      ] as const) {
        const { message } = await client.messaging.sendFile(to, video);
        assert.equal(message.contentType, contentTypes.VIDEO);
        const info = await client.media.info(message);
        assert.equal(info.status, 'exist');
        assert.equal(info.size, sealed ? 4032 : 4000);
        const { url } = await client.media.playback(message);
        assert.match(url, /^http/);
      }
      assert.equal((await client.messaging.mediaFlow(carol.mid)).image, 'plain');
    });

    test('the outbox tells how much of a file has been uploaded, until it is called off', async () => {
      const { client } = await forwarder();
      const told: UploadProgress[] = [];
      const stop = client.outbox.onProgress((progress) => told.push(progress));
      const size = 600_000;
      const localId = await client.messaging.queueFile(carol.mid, file(new Uint8Array(size)));
      await client.outbox.sent(localId);
      assert.deepEqual(told[0], { localId, done: 0, total: size });
      assert.deepEqual(told.at(-1), { localId, done: size, total: size });
      assert.ok(told.some(({ done }) => done > 0 && done < size));
      stop();
      const before = told.length;
      await client.messaging.sendFile(carol.mid, file(new Uint8Array(10)));
      assert.equal(told.length, before);
    });

    test('objects are read raw by their path', async () => {
      const { client } = await forwarder();
      const bytes = randomBytes(100);
      const { id } = await received(client, bytes);
      const { http } = client.rpc;
      const path = { service: 'talk', sid: 'm', oid: id } as const;
      assert.equal((await http.objectInfo(path)).size, 100);
      const answer = await http.directObject(path, { method: 'GET' });
      assert.deepEqual(Buffer.from(await answer.arrayBuffer()), bytes);
    });
  });
}
