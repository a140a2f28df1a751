import assert from 'node:assert/strict';
import { randomBytes, randomUUID } from 'node:crypto';
import { after, before, describe, test } from 'node:test';
import { createRawClient } from '@sealpost/conformance/testing';
import {
  contentTypes,
  httpPaths,
  type Operation,
  operationTypes,
  profileAttributes,
  updateChatAttributes,
} from '@sealpost/contract';
import { startServer, type TestServer, type TestUser } from '@sealpost/dev-env/harness';
import { accessToken, objectClient, talkMeta } from '@sealpost/dev-env/object-client';
import { failsWith, operator } from '@sealpost/dev-env/people';
import { places } from '@sealpost/dev-env/places';
import sharp from 'sharp';
import { sql } from '../../../src/platform/store/sql.ts';

const usageOf = sql<{ objects: number }>(
  'select u.objects as objects from account a join media_usage u on u.account_id = a.id where a.mid = ?',
);
const noise = (width: number, height: number) =>
  sharp(randomBytes(width * height * 3), { raw: { width, height, channels: 3 } });
const withPlace = (width: number, height: number): Promise<Buffer> =>
  noise(width, height)
    .jpeg({ quality: 60 })
    .withExif({ IFD0: { Copyright: 'the place where it was taken' } })
    .toBuffer();

/** Returns a WAV file of silence with 8,000 samples of one byte per second. */
function wav(millis: number): Buffer {
  const samples = Buffer.alloc(millis * 8, 128);
  const head = Buffer.alloc(44);
  head.write('RIFF', 0);
  head.writeUInt32LE(36 + samples.length, 4);
  head.write('WAVEfmt ', 8);
  head.writeUInt32LE(16, 16);
  head.writeUInt16LE(1, 20);
  head.writeUInt16LE(1, 22);
  head.writeUInt32LE(8000, 24);
  head.writeUInt32LE(8000, 28);
  head.writeUInt16LE(1, 32);
  head.writeUInt16LE(8, 34);
  head.write('data', 36);
  head.writeUInt32LE(samples.length, 40);
  return Buffer.concat([head, samples]);
}

/** Returns an MP3 file of silence with a cover picture: an ID3 2.3 tag, then frames of 417 bytes and 26 ms. */
function mp3(frames: number, cover: Buffer): Buffer {
  const picture = Buffer.concat([Buffer.from('\0image/jpeg\0\x03\0', 'latin1'), cover]);
  const frame = Buffer.alloc(10);
  frame.write('APIC');
  frame.writeUInt32BE(picture.length, 4);
  const size = frame.length + picture.length;
  const head = Buffer.from([0x49, 0x44, 0x33, 3, 0, 0, ...[21, 14, 7, 0].map((bits) => (size >> bits) & 0x7f)]);
  const silence = Buffer.alloc(417);
  silence.writeUInt32BE(0xfffb9000);
  return Buffer.concat([head, frame, picture, ...Array.from({ length: frames }, () => silence)]);
}

for (const { database, objects: place } of places) {
  describe(`pictures on ${database} and ${place}`, () => {
    let server: TestServer;
    let alice: TestUser;
    let bob: TestUser;
    let objects: ReturnType<typeof objectClient>;
    let raw: ReturnType<typeof createRawClient>;
    let reqSeq = 100;

    before(async () => {
      server = await startServer({ database, objects: place });
      objects = objectClient(server);
      raw = createRawClient({ url: server.url });
      [alice, bob] = [await server.user('alice'), await server.user('bob')];
    });
    after(() => server.close());

    const upload = (user: TestUser, mid: string, body: Buffer) =>
      raw.send(`${httpPaths.uploadProfile}?mid=${mid}`, {
        body,
        token: accessToken(user),
        headers: { 'Content-Type': 'image/jpeg' },
      });
    const pathAfter = async (user: TestUser, mid: string): Promise<string> =>
      ((await upload(user, mid, await withPlace(40, 30))).body.data as unknown as { picturePath: string }).picturePath;
    const picture = (value: string) => ({ [profileAttributes.PICTURE]: { value } });
    const storedBy = async ({ mid }: TestUser) =>
      (await server.server.store.read((reader) => reader.one(usageOf, mid)))?.objects;
    const copy = (user: TestUser, body: object) =>
      raw.send(httpPaths.copyForMessage, { body: JSON.stringify(body), token: accessToken(user) });
    const ofType = (log: readonly Operation[], type: number) => log.filter((operation) => operation.type === type);

    test('a profile picture is for everybody, small and large, without what the camera wrote into it', async () => {
      await bob.client.TalkService.findAndAddContactsByMid(++reqSeq, 0, [alice.mid]);
      const before = await withPlace(1600, 900);
      assert.ok(before.includes('the place where it was taken'));
      const { status, body } = await upload(alice, alice.mid, before);
      assert.equal(status, 200);
      const { picturePath, oid } = body.data as unknown as { picturePath: string; oid: string };
      assert.equal(picturePath, `/r/talk/p/${oid}`);
      assert.equal((await alice.client.TalkService.getProfile()).picturePath, picturePath);
      const large = await objects.get(undefined, picturePath);
      assert.deepEqual([large.status, large.headers.get('content-type')], [200, 'image/jpeg']);
      assert.match(large.headers.get('cache-control') as string, /^public/);
      assert.ok(!large.body.includes('the place where it was taken'));
      const [shown, small] = [
        await sharp(large.body).metadata(),
        await sharp((await objects.get(undefined, `${picturePath}/preview`)).body).metadata(),
      ];
      assert.deepEqual([shown.width, shown.height, small.width, small.height], [1280, 720, 240, 135]);
      assert.equal(ofType(await alice.log(), operationTypes.UPDATE_PROFILE).at(-1)?.param1, '8');
      assert.equal(ofType(await bob.log(), operationTypes.NOTIFIED_UPDATE_PROFILE).at(-1)?.param1, alice.mid);
      await upload(alice, alice.mid, await withPlace(50, 50));
      assert.equal((await objects.get(undefined, picturePath)).status, 404);
    });

    test('a group picture is set by its members, and the others are told', async () => {
      const { chat } = await alice.client.TalkService.createChat({
        reqSeq: ++reqSeq,
        type: 0,
        name: 'group',
        targetUserMids: [bob.mid],
      });
      const picture = await withPlace(60, 40);
      assert.equal((await upload(bob, chat.chatMid, picture)).body.data?.code, 10);
      const { body } = await upload(alice, chat.chatMid, picture);
      const { picturePath } = body.data as unknown as { picturePath: string };
      assert.equal((await objects.get(undefined, picturePath)).status, 200);
      const { chats } = await alice.client.TalkService.getChats({ chatMids: [chat.chatMid] });
      assert.equal(chats[0]?.picturePath, picturePath);
      const told = async () => ofType(await bob.log(), operationTypes.NOTIFIED_UPDATE_CHAT).map(({ param3 }) => param3);
      assert.deepEqual(await told(), ['2'], 'who is invited is told');
      await bob.client.TalkService.acceptChatInvitation({ reqSeq: ++reqSeq, chatMid: chat.chatMid });
      assert.equal((await upload(alice, chat.chatMid, await withPlace(50, 30))).status, 200);
      assert.deepEqual(await told(), ['2', '2'], 'who is a member is told');
    });

    test('a picture that is removed is gone for everybody, and no longer counts as stored', async () => {
      const ann = await server.user('ann');
      const { TalkService } = ann.client;
      const { chat } = await TalkService.createChat({ reqSeq: ++reqSeq, type: 0, name: 'tea', targetUserMids: [] });
      const [own, ofGroup] = [await pathAfter(ann, ann.mid), await pathAfter(ann, chat.chatMid)];
      assert.equal(await storedBy(ann), 4);
      await TalkService.updateProfileAttributes(++reqSeq, { profileAttributes: picture(own) });
      assert.equal((await objects.get(undefined, own)).status, 200, 'the present path stays');
      await TalkService.updateProfileAttributes(++reqSeq, { profileAttributes: picture('') });
      const updatedAttribute = updateChatAttributes.PICTURE_STATUS;
      await TalkService.updateChat({ reqSeq: ++reqSeq, updatedAttribute, chat: { chatMid: chat.chatMid } });
      for (const path of [own, `${own}/preview`, ofGroup, `${ofGroup}/preview`]) {
        assert.equal((await objects.get(undefined, path)).status, 404);
      }
      assert.equal(await storedBy(ann), 0);
    });

    test('nobody can name the picture of somebody else as theirs, and so remove it', async () => {
      const [victim, eve] = [await server.user('victim'), await server.user('eve')];
      const path = await pathAfter(victim, victim.mid);
      const { TalkService } = eve.client;
      const illegal = failsWith('ILLEGAL_ARGUMENT');
      await assert.rejects(
        TalkService.updateProfileAttributes(++reqSeq, { profileAttributes: picture(path) }),
        illegal,
      );
      const { chat } = await TalkService.createChat({
        ...{ reqSeq: ++reqSeq, type: 0, name: 'group', targetUserMids: [] },
        picturePath: path,
      });
      assert.equal(chat.picturePath, undefined, 'a new chat has no picture');
      const named = { chatMid: chat.chatMid, picturePath: path };
      await assert.rejects(TalkService.updateChat({ reqSeq: ++reqSeq, updatedAttribute: 2, chat: named }), illegal);
      await pathAfter(eve, eve.mid);
      await pathAfter(eve, chat.chatMid);
      assert.equal((await objects.get(undefined, path)).status, 200);
    });

    test('a message cannot carry the picture of a profile, so taking it back leaves the picture', async () => {
      const path = await pathAfter(alice, alice.mid);
      const contentMetadata = { OID: path.split('/').at(-1) as string };
      const message = await alice.client.TalkService.sendMessage(++reqSeq, {
        ...{ to: bob.mid, contentType: contentTypes.IMAGE, contentMetadata },
      });
      assert.equal(message.hasContent, false);
      await alice.client.TalkService.unsendMessage(++reqSeq, message.id);
      assert.equal((await objects.get(undefined, path)).status, 200);
    });

    const deletions = {
      'the operator': ({ mid }: TestUser) => operator(server).deleteAccount({ account: mid }),
      'its owner': ({ client, password }: TestUser) => client.ownAccount.delete(password),
    };
    for (const [by, deleteAccount] of Object.entries(deletions)) {
      test(`a group loses the picture of an account that ${by} deletes, also of one that left, and its members are told`, async () => {
        const [ann, ben, cleo] = [await server.user(), await server.user(), await server.user()];
        const groupOf = async (owner: TestUser, ...targets: TestUser[]): Promise<string> => {
          const targetUserMids = targets.map(({ mid }) => mid);
          const request = { reqSeq: ++reqSeq, type: 0, name: 'tea', targetUserMids } as const;
          return (await owner.client.TalkService.createChat(request)).chat.chatMid;
        };
        const [first, left, other] = [await groupOf(ann, ben, cleo), await groupOf(ann, ben), await groupOf(ben, ann)];
        for (const chatMid of [first, left]) {
          await ben.client.TalkService.acceptChatInvitation({ reqSeq: ++reqSeq, chatMid });
          await pathAfter(ann, chatMid);
        }
        await ann.client.TalkService.deleteSelfFromChat({ reqSeq: ++reqSeq, chatMid: left });
        const kept = await pathAfter(ben, other);
        const told = async (user: TestUser) =>
          ofType(await user.log(), operationTypes.NOTIFIED_UPDATE_CHAT).map(({ param1 }) => param1);
        const before = [(await told(ben)).length, (await told(cleo)).length];
        await deleteAccount(ann);
        const { chats } = await ben.client.TalkService.getChats({ chatMids: [first, left, other] });
        const pathIn = (mid: string) => chats.find(({ chatMid }) => chatMid === mid)?.picturePath;
        assert.deepEqual([pathIn(first), pathIn(left), pathIn(other)], [undefined, undefined, kept]);
        assert.deepEqual((await told(ben)).slice(before[0]).sort(), [first, left].sort());
        assert.deepEqual((await told(cleo)).slice(before[1]), [first], 'who is invited is told');
      });
    }

    test('a body that is not a picture, and a picture for another account, are refused', async () => {
      assert.equal((await upload(bob, alice.mid, await withPlace(10, 10))).body.data?.code, 5);
      const refused = await upload(bob, 'nobody', await withPlace(10, 10));
      assert.match(
        String(refused.body.data?.reason),
        /^invalid mid: mid "nobody" is not the mid of a user, group or room/,
      );
      const svg = Buffer.from('<svg xmlns="http://www.w3.org/2000/svg"><script>1</script></svg>');
      for (const body of [
        Buffer.from('no picture'),
        Buffer.alloc(0),
        svg,
        (await withPlace(50, 50)).subarray(0, 300),
      ]) {
        assert.equal((await upload(alice, alice.mid, body)).status, 400);
      }
      assert.equal((await upload(alice, alice.mid, Buffer.alloc(8 * 1024 * 1024 + 1))).status, 413);
      assert.equal((await objects.post(alice, '/r/talk/p/mine', 'x')).status, 405);
    });

    test('a copy can be carried by another message, and lives on when the first is taken back', async () => {
      const carol = await server.user('carol');
      const first = await alice.client.TalkService.sendMessage(++reqSeq, {
        to: bob.mid,
        contentType: contentTypes.IMAGE,
      });
      const picture = await withPlace(50, 50);
      await objects.post(alice, `/r/talk/m/${first.id}`, picture);
      const source = { service: 'talk', sid: 'm', oid: first.id };
      const request = {
        srcPath: source,
        dstPath: { service: 'talk', sid: 'm', oid: `reqid-${randomUUID()}` },
        toMid: carol.mid,
        isOriginal: true,
        reqSeq: ++reqSeq,
        talkMeta: talkMeta(first.id),
      };
      assert.equal((await copy(carol, { ...request, toMid: alice.mid })).status, 404);
      const { status, body } = await copy(bob, request);
      assert.equal(status, 200);
      const { oid, gid } = body.data as unknown as { oid: string; gid: string };
      assert.ok(gid);
      assert.deepEqual((await copy(bob, request)).body.data, body.data);
      const second = await bob.client.TalkService.sendMessage(++reqSeq, {
        to: carol.mid,
        contentType: contentTypes.IMAGE,
        contentMetadata: { OID: oid },
      });
      await alice.client.TalkService.unsendMessage(++reqSeq, first.id);
      assert.equal((await objects.get(bob, `/r/talk/m/${first.id}`)).status, 404);
      const found = await objects.get(carol, `/r/talk/m/${second.id}`);
      assert.ok(found.body.equals(picture));

      const third = await bob.client.TalkService.sendMessage(++reqSeq, {
        to: alice.mid,
        contentType: contentTypes.IMAGE,
      });
      const filled = {
        ...request,
        srcPath: { ...source, oid },
        dstPath: { ...source, oid: third.id },
        toMid: alice.mid,
      };
      assert.equal((await copy(bob, { ...filled, reqSeq: ++reqSeq })).status, 200);
      assert.equal((await copy(bob, { ...filled, reqSeq: ++reqSeq })).status, 423);
      assert.ok((await objects.get(alice, `/r/talk/m/${third.id}`)).body.equals(picture));
      const sealed = { ...source, sid: 'emi' };
      assert.equal((await copy(bob, { ...filled, dstPath: sealed, reqSeq: ++reqSeq })).status, 400);
      const toNobody = await copy(bob, { ...filled, toMid: 'nobody', reqSeq: ++reqSeq });
      assert.match(String(toNobody.body.data?.reason), /^invalid mid: body\.toMid "nobody" is not the mid/);
    });

    test('a picture gets a preview and its size; the preview of a client takes its place', async () => {
      const send = (contentType: 1 | 3) => alice.client.TalkService.sendMessage(++reqSeq, { to: bob.mid, contentType });
      const path = `/r/talk/m/${(await send(contentTypes.IMAGE)).id}`;
      const picture = await withPlace(1000, 500);
      await objects.post(alice, path, picture);
      const preview = await objects.get(bob, `${path}/preview`);
      const { width, height, exif } = await sharp(preview.body).metadata();
      assert.deepEqual([preview.status, width, height, exif], [200, 640, 320, undefined]);
      const { imageDetails } = (await objects.get(bob, `${path}/object_info.obs`)).json();
      assert.deepEqual(imageDetails, { format: 'jpeg', width: 1000, height: 500 });
      const own = await withPlace(20, 20);
      assert.equal((await objects.post(alice, `${path}__ud-preview`, own)).status, 201);
      assert.ok((await objects.get(bob, `${path}/preview`)).body.equals(own));
    });

    test('a sound gets its duration', async () => {
      const message = await alice.client.TalkService.sendMessage(++reqSeq, { to: bob.mid, contentType: 3 });
      const path = `/r/talk/m/${message.id}`;
      await objects.post(alice, path, wav(1500));
      await objects.get(bob, `${path}/preview`);
      const { audioM4aDetails } = (await objects.get(bob, `${path}/info.obs`)).json();
      assert.deepEqual(audioM4aDetails, { size: wav(1500).length, durationMillis: 1500 });
    });

    test('the cover of a sound is its preview; one that cannot be decoded is none, and harms nothing', async () => {
      const send = () => alice.client.TalkService.sendMessage(++reqSeq, { to: bob.mid, contentType: 3 });
      const path = `/r/talk/m/${(await send()).id}`;
      await objects.post(alice, path, mp3(100, await withPlace(800, 800)));
      const { status, body } = await objects.get(bob, `${path}/preview`);
      const { format, width, exif } = await sharp(body).metadata();
      assert.deepEqual([status, format, width, exif], [200, 'jpeg', 640, undefined]);
      const { audioM4aDetails } = (await objects.get(bob, `${path}/info.obs`)).json();
      const { durationMillis } = audioM4aDetails as { durationMillis: number };
      assert.ok(Math.abs(durationMillis - 2612) < 60, String(durationMillis));
      const other = `/r/talk/m/${(await send()).id}`;
      await objects.post(alice, other, mp3(100, (await withPlace(300, 300)).subarray(0, 2000)));
      assert.equal((await objects.get(bob, `${other}/preview`)).status, 404);
      assert.ok((await objects.get(bob, `${other}/info.obs`)).json().audioM4aDetails);
    });

    test('a picture that cannot be decoded, or is a bomb, is kept as it is and has no preview', async () => {
      const bomb = await sharp({ create: { width: 12_000, height: 12_000, channels: 3, background: '#fff' } })
        .png()
        .toBuffer();
      for (const body of [(await withPlace(300, 300)).subarray(0, 2000), bomb]) {
        const message = await alice.client.TalkService.sendMessage(++reqSeq, { to: bob.mid, contentType: 1 });
        const path = `/r/talk/m/${message.id}`;
        assert.equal((await objects.post(alice, path, body)).status, 201);
        assert.equal((await objects.get(bob, `${path}/preview`)).status, 404);
        assert.ok((await objects.get(bob, path)).body.equals(body));
      }
    });

    test('a player is told where a video is', async () => {
      const message = await alice.client.TalkService.sendMessage(++reqSeq, {
        to: bob.mid,
        contentType: contentTypes.VIDEO,
      });
      const path = `/r/talk/m/${message.id}`;
      assert.equal((await objects.get(bob, `${path}/playback.obs?modelName=x&networkType=WiFi&lang=en`)).status, 404);
      const mp4 = Buffer.concat([
        Buffer.from('0000001c6674797069736f6d0000020069736f6d69736f32', 'hex'),
        randomBytes(900),
      ]);
      await objects.post(alice, path, mp4);
      const { body } = await objects.get(bob, `${path}/playback.obs?modelName=x&networkType=WiFi&lang=zh-Hans`);
      assert.deepEqual(JSON.parse(body.toString()), { url: server.url + path, mime: 'video/mp4', size: mp4.length });
    });
  });
}
