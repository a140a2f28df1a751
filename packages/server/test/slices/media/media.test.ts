import assert from 'node:assert/strict';
import { createHash, randomBytes, randomUUID } from 'node:crypto';
import { after, before, describe, test } from 'node:test';
import { contentTypes } from '@sealpost/contract';
import { startServer, type TestServer, type TestUser } from '@sealpost/dev-env/harness';
import { objectClient, objectToken, params, talkMeta } from '@sealpost/dev-env/object-client';
import { operator } from '@sealpost/dev-env/people';
import { places } from '@sealpost/dev-env/places';
import { type SealingUser, sealingUser } from '@sealpost/dev-env/sealing-user';
import { pino } from 'pino';

const sha256 = (bytes: Buffer): string => createHash('sha256').update(bytes).digest('hex');
const jpeg = Buffer.concat([Buffer.from('ffd8ffe000104a46494600010100000100010000', 'hex'), randomBytes(3000)]);

for (const { database, objects: place } of places) {
  describe(`media on ${database} and ${place}`, () => {
    let server: TestServer;
    let alice: TestUser;
    let bob: TestUser;
    let carol: TestUser;
    // These users have keys and seal their messages to each other.
    let ann: TestUser;
    let ben: TestUser;
    let cat: TestUser;
    const sealers = new Map<TestUser, SealingUser>();
    let objects: ReturnType<typeof objectClient>;
    let reqSeq = 100;
    const logged: string[] = [];

    before(async () => {
      const logger = pino({ level: 'error' }, { write: (line) => logged.push(line) });
      server = await startServer({ database, objects: place, logger });
      objects = objectClient(server);
      [alice, bob, carol] = [await server.user('alice'), await server.user('bob'), await server.user('carol')];
      [ann, ben, cat] = [await sealer('ann'), await sealer('ben'), await sealer('cat')];
    });
    after(() => server.close());

    const sendMedia = (from: TestUser, to: string, contentType: number, contentMetadata = {}) =>
      from.client.TalkService.sendMessage(++reqSeq, { to, contentType: contentType as 1, contentMetadata });
    const sealer = async (name: string) => {
      const sealing = await sealingUser(await server.user(name));
      sealers.set(sealing.user, sealing);
      return sealing.user;
    };
    async function sendSealed(from: TestUser, to: string, oid: string, SID = 'emi') {
      const sealing = sealers.get(from) as SealingUser;
      const message = await sealing.sealFor(to, 'the key of the object');
      const contentMetadata = { ...message.contentMetadata, OID: oid, SID };
      return sealing.send({ ...message, contentType: contentTypes.IMAGE, contentMetadata });
    }
    async function uploadSealed(user: TestUser, bytes: Buffer, sid = 'emi'): Promise<string> {
      const answer = await objects.post(user, `/r/talk/${sid}/reqid-${randomUUID()}`, bytes, {
        'X-Obs-Params': params({ ver: '2.0', name: '1', type: 'file' }),
      });
      assert.equal(answer.status, 201, answer.body.toString());
      return answer.headers.get('x-obs-oid') as string;
    }

    test('an object whose bytes are gone is not found, and the log names it', async () => {
      const { id } = await sendMedia(alice, bob.mid, contentTypes.FILE);
      const path = `/r/talk/m/${id}`;
      const bytes = await server.openObjects();
      const keys = async () => (await bytes.page('published', '', 1000)).map(({ key }) => key);
      const before = await keys();
      assert.equal((await objects.post(alice, path, 'soon gone')).status, 201);
      const key = (await keys()).find((found) => !before.includes(found)) as string;
      await bytes.remove(key);
      await bytes.close();
      const { status, json } = await objects.get(bob, path);
      assert.deepEqual([status, json().code], [404, 10052]);
      const [line] = logged.splice(0).filter((text) => text.includes(key));
      assert.match(line ?? '', new RegExp(`"oid":"${id}".*bytes of an object are not there`));
    });

    test('a plain picture is sent first and uploaded after; until it is whole its readers get 202', async () => {
      const message = await sendMedia(alice, bob.mid, contentTypes.IMAGE);
      assert.equal(message.hasContent, false);
      const path = `/r/talk/m/${message.id}`;
      assert.equal((await objects.get(bob, path)).status, 202);
      const stored = await objects.post(alice, path, jpeg, {
        'X-Obs-Params': params({ ver: '2.0', name: 'a photo.jpg', type: 'image' }),
      });
      assert.equal(stored.status, 201);
      assert.equal(stored.headers.get('x-obs-oid'), message.id);
      assert.equal(stored.headers.get('x-obs-hash'), sha256(jpeg));
      for (const reader of [alice, bob]) {
        const { status, body, headers } = await objects.get(reader, path);
        assert.equal(status, 200);
        assert.ok(body.equals(jpeg));
        assert.equal(headers.get('content-type'), 'image/jpeg');
        assert.equal(headers.get('content-disposition'), 'inline; filename="a photo.jpg"');
        assert.equal(headers.get('x-content-type-options'), 'nosniff');
        assert.equal(headers.get('content-security-policy'), "default-src 'none'; sandbox");
        assert.equal(headers.get('cache-control'), 'private, no-store');
      }
      assert.ok((await objects.get(bob, `${path}/original`)).body.equals(jpeg));
      const [found] = await bob.client.TalkService.getMessagesByIds([message.id]);
      assert.equal(found?.hasContent, true);
    });

    test('the object of a message is written once, by its sender', async () => {
      const message = await sendMedia(alice, bob.mid, contentTypes.FILE);
      const path = `/r/talk/m/${message.id}`;
      assert.equal((await objects.post(bob, path, 'mine now')).status, 403);
      assert.equal((await objects.post(carol, path, 'mine now')).status, 404);
      assert.equal((await objects.post(alice, path, 'first')).status, 201);
      const again = await objects.post(alice, path, 'other');
      assert.deepEqual([again.status, again.json().code], [423, 10052]);
      assert.equal((await objects.get(bob, path)).body.toString(), 'first');
      const text = await alice.client.sendText(bob.mid, 'no media');
      assert.equal((await objects.post(alice, `/r/talk/m/${text.id}`, 'x')).status, 400);
      assert.equal((await objects.get(bob, `/r/talk/m/${text.id}`)).status, 404);
      assert.equal((await objects.post(alice, '/r/talk/m/123456789', 'x')).status, 404);
    });

    test('a sealed object is named by the server and read by the parties of the message that carries it', async () => {
      const blob = randomBytes(100_000);
      const oid = await uploadSealed(ann, blob);
      assert.match(oid, /^[\w-]{32}$/);
      const path = `/r/talk/emi/${oid}`;
      const message = await sendSealed(ann, ben.mid, oid);
      for (const form of ['base64', 'base64url'] as const) {
        const found = await objects.get(ben, path, { 'X-Talk-Meta': talkMeta(message.id, form) });
        assert.equal(found.status, 200);
        assert.ok(found.body.equals(blob));
        assert.equal(found.headers.get('content-type'), 'application/octet-stream');
      }
      assert.equal((await objects.get(ben, path)).status, 400);
      assert.equal((await objects.get(ben, path, { 'X-Talk-Meta': 'e30=' })).status, 400);
      assert.equal((await objects.get(cat, path, { 'X-Talk-Meta': talkMeta(message.id) })).status, 404);
      assert.equal((await objects.get(ben, `/r/talk/emf/${oid}`, { 'X-Talk-Meta': talkMeta(message.id) })).status, 404);
    });

    test('a message that carries one object opens no other of the same owner', async () => {
      const [carried, other] = [await uploadSealed(ann, randomBytes(100)), await uploadSealed(ann, randomBytes(100))];
      const message = await sendSealed(ann, ben.mid, carried);
      const read = async (user: TestUser, oid: string) =>
        (await objects.get(user, `/r/talk/emi/${oid}`, { 'X-Talk-Meta': talkMeta(message.id) })).status;
      assert.deepEqual([await read(ben, carried), await read(ben, other), await read(ann, other)], [200, 404, 404]);
    });

    test('side objects belong to the object whose name they have', async () => {
      const oid = await uploadSealed(ann, randomBytes(300_000), 'emv');
      const [preview, parts] = [randomBytes(500), randomBytes(96)];
      for (const [side, bytes] of [
        ['preview', preview],
        ['hash', parts],
      ] as const) {
        const answer = await objects.post(ann, `/r/talk/emv/${oid}__ud-${side}`, bytes);
        assert.deepEqual([answer.status, answer.headers.get('x-obs-oid')], [201, `${oid}__ud-${side}`]);
      }
      assert.equal((await objects.post(ben, `/r/talk/emv/${oid}__ud-preview`, 'x')).status, 404);
      assert.equal((await objects.post(ben, `/r/talk/emv/${oid}`, 'x')).status, 404);
      assert.equal((await objects.post(ann, '/r/talk/emi/nothing__ud-preview', 'x')).status, 404);
      const message = await sendSealed(ann, ben.mid, oid, 'emv');
      const meta = { 'X-Talk-Meta': talkMeta(message.id) };
      assert.ok((await objects.get(ben, `/r/talk/emv/${oid}__ud-preview`, meta)).body.equals(preview));
      assert.ok((await objects.get(ben, `/r/talk/emv/${oid}__ud-hash`, meta)).body.equals(parts));
      const plain = await sendMedia(alice, bob.mid, contentTypes.VIDEO);
      assert.equal((await objects.get(bob, `/r/talk/m/${plain.id}/preview`)).status, 202);
      assert.equal((await objects.post(alice, `/r/talk/m/${plain.id}__ud-preview`, jpeg)).status, 201);
      for (const path of [`/r/talk/m/${plain.id}/preview`, `/r/talk/m/${plain.id}__ud-preview`]) {
        assert.ok((await objects.get(bob, path)).body.equals(jpeg));
      }
    });

    test('a forwarded object is read by the parties of each message; a name alone opens nothing', async () => {
      const oid = await uploadSealed(ann, Buffer.from('sealed'));
      const first = await sendSealed(ann, ben.mid, oid);
      // Cat has learned the name of the object, and sends it to herself.
      const forged = await sendSealed(cat, cat.mid, oid);
      const path = `/r/talk/emi/${oid}`;
      for (const id of [forged.id, first.id]) {
        assert.equal((await objects.get(cat, path, { 'X-Talk-Meta': talkMeta(id) })).status, 404);
      }
      const forwarded = await sendSealed(ben, cat.mid, oid);
      assert.equal((await objects.get(cat, path, { 'X-Talk-Meta': talkMeta(forwarded.id) })).status, 200);
      assert.equal((await objects.get(cat, path, { 'X-Talk-Meta': talkMeta(first.id) })).status, 404);
      assert.equal((await objects.get(ann, path, { 'X-Talk-Meta': talkMeta(forwarded.id) })).status, 404);
    });

    test('a member who leaves a group loses its media, and a later member gets no earlier media', async () => {
      const { chat } = await alice.client.TalkService.createChat({
        reqSeq: ++reqSeq,
        type: 0,
        name: 'group',
        targetUserMids: [bob.mid],
      });
      const { chatMid } = chat;
      await bob.client.TalkService.acceptChatInvitation({ reqSeq: ++reqSeq, chatMid });
      const message = await sendMedia(alice, chatMid, contentTypes.IMAGE);
      const path = `/r/talk/m/${message.id}`;
      await objects.post(alice, path, jpeg);
      assert.equal((await objects.get(bob, path)).status, 200);
      assert.equal((await objects.get(carol, path)).status, 404);
      await bob.client.TalkService.deleteSelfFromChat({ reqSeq: ++reqSeq, chatMid });
      assert.equal((await objects.get(bob, path)).status, 404);
    });

    test('an unsent message takes its objects with it, unless another message carries them', async () => {
      const oid = await uploadSealed(ann, Buffer.from('sealed'));
      const path = `/r/talk/emi/${oid}`;
      const first = await sendSealed(ann, ben.mid, oid);
      const second = await sendSealed(ann, cat.mid, oid);
      await ann.client.TalkService.unsendMessage(++reqSeq, first.id);
      assert.equal((await objects.get(ben, path, { 'X-Talk-Meta': talkMeta(first.id) })).status, 404);
      assert.equal((await objects.get(cat, path, { 'X-Talk-Meta': talkMeta(second.id) })).status, 200);
      await ann.client.TalkService.unsendMessage(++reqSeq, second.id);
      assert.equal((await objects.get(ann, `${path}/info.obs`)).status, 400);
      const plain = await sendMedia(alice, bob.mid, contentTypes.IMAGE);
      await objects.post(alice, `/r/talk/m/${plain.id}`, jpeg);
      await alice.client.TalkService.unsendMessage(++reqSeq, plain.id);
      assert.equal((await objects.get(alice, `/r/talk/m/${plain.id}`)).status, 404);
    });

    test('a deleted account takes its objects with it', async () => {
      const dave = await server.user('dave');
      const message = await sendMedia(dave, bob.mid, contentTypes.IMAGE);
      const path = `/r/talk/m/${message.id}`;
      await objects.post(dave, path, jpeg);
      const dora = await sealer('dora');
      const sealed = await uploadSealed(dora, randomBytes(100));
      const carrying = await sendSealed(dora, ben.mid, sealed);
      for (const { mid } of [dave, dora]) await operator(server).deleteAccount({ account: mid });
      const meta = { 'X-Talk-Meta': talkMeta(carrying.id) };
      assert.equal((await objects.get(ben, `/r/talk/emi/${sealed}`, meta)).status, 404);
      assert.notEqual((await objects.get(bob, path)).status, 200);
    });

    test('object storage takes the object token and the access token, and nothing else', async () => {
      const message = await sendMedia(alice, bob.mid, contentTypes.IMAGE);
      const path = `/r/talk/m/${message.id}`;
      const own = { 'X-Svc-Access': await objectToken(alice), 'X-Svc-Application': 'CHROMEOS\t3.7.2\tChrome_OS\t' };
      assert.equal((await objects.post(undefined, path, jpeg, own)).status, 201);
      assert.equal((await objects.get(undefined, path, { 'X-Svc-Access': await objectToken(bob) })).status, 200);
      assert.equal((await objects.get(undefined, path)).status, 401);
      assert.equal((await objects.get(undefined, path, { 'X-Svc-Access': '1.99999999999999.x' })).status, 401);
      const cookie = { Cookie: `lct=${bob.client.session?.tokens.accessToken}` };
      assert.equal((await objects.get(undefined, path, cookie)).status, 200);
      assert.equal((await objects.post(undefined, `${path}__ud-preview`, jpeg, cookie)).status, 401);
      const other = await bob.session();
      const ended = other.session?.tokens.accessToken as string;
      await other.AuthService.logoutV2();
      assert.equal((await objects.get(undefined, path, { 'X-Svc-Access': ended })).status, 401);
    });

    test('ranges and conditions are answered as browsers and players ask them', async () => {
      const message = await sendMedia(alice, bob.mid, contentTypes.FILE);
      const path = `/r/talk/m/${message.id}`;
      const bytes = randomBytes(10_000);
      await objects.post(alice, path, bytes);
      const part = await objects.get(bob, path, { Range: 'bytes=100-199' });
      assert.deepEqual([part.status, part.headers.get('content-range')], [206, 'bytes 100-199/10000']);
      assert.ok(part.body.equals(bytes.subarray(100, 200)));
      assert.ok((await objects.get(bob, path, { Range: 'bytes=-10' })).body.equals(bytes.subarray(-10)));
      assert.equal((await objects.get(bob, path, { Range: 'bytes=10000-' })).status, 416);
      assert.equal((await objects.get(bob, path, { Range: 'bytes=0-1,5-6' })).status, 200);
      const etag = part.headers.get('etag') as string;
      assert.equal((await objects.get(bob, path, { 'If-None-Match': `"x", ${etag}` })).status, 304);
      assert.equal((await objects.get(bob, path, { 'If-None-Match': '"x"' })).status, 200);
      assert.equal((await objects.get(bob, path, { Range: 'bytes=0-9', 'If-Range': etag })).status, 206);
      assert.equal((await objects.get(bob, path, { Range: 'bytes=0-9', 'If-Range': '"x"' })).status, 200);
      const head = await objects.send('HEAD', path, bob);
      assert.deepEqual([head.status, head.headers.get('content-length'), head.body.length], [200, '10000', 0]);
    });

    test('names that no object can have are refused before any query', async () => {
      const paths = [
        '/r/talk/m/..',
        '/r/talk/m/%2e%2e%2f%2e%2e',
        '/r/talk/m/..%2f..%2fetc%2fpasswd',
        '/r/talk/m/a%00b',
        '/r/talk/m/a\\..\\b',
        '/r/talk/m/',
        '/r/talk/m',
        '/r/talk/../m/1',
        '/r//m/1',
        '/r/talk/zz/1',
        '/r/talk/m/1/other',
        `/r/talk/emi/${'a'.repeat(129)}`,
      ];
      for (const path of paths) {
        for (const verb of ['GET', 'POST']) {
          const { status } = await objects.send(verb, path, alice, verb === 'POST' ? { body: 'x' } : {});
          assert.ok(status === 404 || status === 400, `${verb} ${path}: ${status}`);
        }
      }
    });

    test('malformed headers are refused as such', async () => {
      const path = () => `/r/talk/emi/reqid-${randomUUID()}`;
      const unstorable = ['a\0b', '\ud800'].map((name) => params({ ver: '2.0', name, type: 'file' }));
      for (const header of ['no base64 of json', params([]), params({ name: 5 }), ...unstorable]) {
        assert.equal((await objects.post(alice, path(), 'x', { 'X-Obs-Params': header })).status, 400, header);
      }
      const unpadded = params({ type: 'file', name: 'ä' }).replace(/=+$/, '').replaceAll('+', '-').replaceAll('/', '_');
      assert.equal((await objects.post(alice, path(), 'x', { 'X-Obs-Params': unpadded })).status, 201);
      for (const header of ['bytes', 'bytes 0-0', 'bytes -1-5/9', `bytes 0-${'9'.repeat(16)}/${'9'.repeat(17)}`]) {
        assert.equal((await objects.post(alice, path(), 'x', { Range: header })).status, 400, header);
      }
      assert.equal((await objects.post(alice, path(), 'x', { 'Content-Encoding': 'gzip' })).status, 415);
      assert.equal((await objects.post(alice, path(), 'x', { 'Content-Encoding': 'Identity' })).status, 201);
    });
  });
}
