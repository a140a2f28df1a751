import { hash } from 'node:crypto';
import { brandHeader, contentTypes, httpPaths } from '@sealpost/contract';
import { httpEndpoints } from '@sealpost/contract/schemas';
import { expectSchema, expectSuccess } from '../answers.ts';
import { scenarios } from '../check.ts';
import { expectEqual, expectThat } from '../mismatch.ts';
import type { Person } from '../person.ts';
import { pixel } from '../pixel.ts';
import type { RawAnswer } from '../raw-client.ts';
import { randomBytes, randomUuid } from '../surroundings.ts';
import type { World } from '../world.ts';

const heading = 'Object storage';
const ROW = '\u001e';
const COLUMN = '\u001f';

async function objectToken(person: Person): Promise<string> {
  const text = await person.call('TalkService.acquireEncryptedAccessToken', 2);
  return text.split(ROW)[1]?.split(COLUMN)[0] ?? '';
}

const parameters = (type: string): string =>
  Buffer.from(JSON.stringify({ ver: '2.0', name: 'a file', type })).toString('base64');

/**
 * Uploads bytes to the object storage.
 * @param token the object token
 */
function upload(
  { raw }: World,
  token: string,
  path: string,
  bytes: Buffer,
  type: string,
  more: Readonly<Record<string, string>> = {},
): Promise<RawAnswer> {
  const headers = {
    ...more,
    [brandHeader(raw.brand, 'access')]: token,
    'Content-Type': 'application/octet-stream',
    'X-Obs-Params': parameters(type),
  };
  return raw.send(path, { body: bytes, headers, signature: false });
}

const get = (
  { raw }: World,
  token: string,
  path: string,
  headers: Readonly<Record<string, string>> = {},
): Promise<RawAnswer> =>
  raw.send(path, { verb: 'GET', headers: { ...headers, [brandHeader(raw.brand, 'access')]: token }, signature: false });

/** Returns a value of the header X-Talk-Meta that names a message. */
function talkMeta(messageId: string): string {
  const id = Buffer.from(messageId);
  const message = Buffer.concat([
    Buffer.from([0x0b, 0, 4, 0, 0, 0, id.length]),
    id,
    Buffer.from('0f001b0c0000000000', 'hex'),
  ]);
  return Buffer.from(JSON.stringify({ message: message.toString('base64') })).toString('base64');
}

/** Sends a picture and returns the path of its object. */
async function sendPicture(world: World, from: Person, to: Person): Promise<string> {
  const message = { to: to.mid, contentType: contentTypes.IMAGE, hasContent: true };
  const { id } = await from.call('TalkService.sendMessage', from.reqSeq(), message);
  const path = `/r/talk/m/${id}`;
  const answer = await upload(world, await objectToken(from), path, pixel, 'image');
  expectThat(
    [200, 201].includes(answer.status),
    'an upload to answer HTTP 200 or 201',
    `${answer.status} ${answer.text}`,
  );
  expectThat(Boolean(answer.headers['x-obs-oid']), 'the header x-obs-oid', answer.headers);
  return path;
}

/** Returns the information about an object without `imageDetails`, which a server may add later. */
function infoOf(text: string): { readonly status?: string; readonly size?: number } {
  const { imageDetails: _later, ...info } = JSON.parse(text) as {
    status?: string;
    size?: number;
    imageDetails?: unknown;
  };
  return info;
}

export const media = scenarios('media', {
  'profile-picture': {
    endpoint: 'uploadProfile',
    heading,
    expects: "A picture that is uploaded for the caller's own mid is stored, and the profile names it",
    async run({ account, raw }) {
      const alice = await account();
      const answer = await raw.send(`${httpPaths.uploadProfile}?mid=${alice.mid}`, {
        body: pixel,
        token: alice.token,
        headers: { 'Content-Type': 'image/png' },
      });
      expectSchema('the result', httpEndpoints.uploadProfile.response.schema, expectSuccess('uploadProfile', answer));
      const { picturePath } = await alice.call('TalkService.getProfile');
      expectThat(Boolean(picturePath), 'a picturePath in the profile', picturePath);
    },
  },
  'plain-object': {
    endpoint: 'directObject',
    heading,
    expects:
      'The object of a message is for the parties of its chat: they get the bytes that were sent, others get nothing',
    async run(world) {
      const [alice, bob, eve] = await world.people('alice', 'bob', 'eve');
      const path = await sendPicture(world, alice, bob);
      for (const person of [alice, bob]) {
        const answer = await get(world, await objectToken(person), path);
        expectEqual('HTTP status', answer.status, 200);
        expectEqual('bytes', Number(answer.headers['content-length']), pixel.length);
      }
      const stranger = await get(world, await objectToken(eve), path);
      expectThat([403, 404].includes(stranger.status), 'a stranger to get HTTP 403 or 404', stranger.status);
    },
  },
  'before-the-object': {
    endpoint: 'directObject',
    heading,
    expects: 'Until the object of a message exists its readers get HTTP 202',
    async run(world) {
      const [alice, bob] = await world.people('alice', 'bob');
      const message = { to: bob.mid, contentType: contentTypes.IMAGE };
      const { id } = await alice.call('TalkService.sendMessage', alice.reqSeq(), message);
      expectEqual('HTTP status', (await get(world, await objectToken(bob), `/r/talk/m/${id}`)).status, 202);
    },
  },
  'upload-in-ranges': {
    endpoint: 'directObject',
    heading,
    expects: 'An interrupted upload tells how much is stored, and the rest completes it; a gap is refused',
    async run(world) {
      const alice = await world.account();
      const token = await objectToken(alice);
      const bytes = randomBytes(1000);
      const path = `/r/talk/emf/reqid-${randomUuid()}`;
      const send = (from: number, to: number) =>
        upload(world, token, path, bytes.subarray(from, to), 'file', {
          Range: `bytes ${from}-${to - 1}/${bytes.length}`,
        });
      await send(0, 400);
      const info = JSON.parse((await get(world, token, `${path}/info.obs`)).text) as {
        status?: string;
        offset?: number;
      };
      expectEqual('status and offset to be', [info.status, info.offset], ['incompleted', 400]);
      expectEqual('HTTP status after a gap', (await send(500, 1000)).status, 416);
      const whole = await send(400, 1000);
      expectEqual('x-obs-hash', whole.headers['x-obs-hash'], hash('sha256', bytes));
    },
  },
  'ranges-and-conditions': {
    endpoint: 'directObject',
    heading,
    expects: 'Downloads answer ranges with HTTP 206 or 416, and known content with 304',
    async run(world) {
      const [alice, bob] = await world.people('alice', 'bob');
      const path = await sendPicture(world, alice, bob);
      const token = await objectToken(bob);
      const statusOf = async (headers: Readonly<Record<string, string>>) =>
        (await get(world, token, path, headers)).status;
      const { headers } = await get(world, token, path, { Range: 'bytes=0-9' });
      expectEqual('Content-Range', headers['content-range'], `bytes 0-9/${pixel.length}`);
      expectEqual('HTTP status past the end', await statusOf({ Range: `bytes=${pixel.length}-` }), 416);
      expectEqual('HTTP status of what is known', await statusOf({ 'If-None-Match': String(headers.etag) }), 304);
      expectEqual('HTTP status of another part', await statusOf({ Range: 'bytes=0-9', 'If-Range': '"other"' }), 200);
    },
  },
  'sealed-object': {
    endpoint: 'directObject',
    heading,
    expects: 'A sealed object is refused without X-Talk-Meta, and not found with that of a message without the object',
    async run(world) {
      const [alice, bob] = await world.people('alice', 'bob');
      const token = await objectToken(alice);
      const uploaded = await upload(world, token, `/r/talk/emi/reqid-${randomUuid()}`, randomBytes(100), 'file');
      const path = `/r/talk/emi/${uploaded.headers['x-obs-oid']}`;
      const { id } = await alice.call('TalkService.sendMessage', alice.reqSeq(), { to: bob.mid, text: 'no object' });
      const reader = await objectToken(bob);
      expectEqual('HTTP status without X-Talk-Meta', (await get(world, reader, path)).status, 400);
      const named = await get(world, reader, path, { 'X-Talk-Meta': talkMeta(id) });
      expectEqual('HTTP status with another message', named.status, 404);
    },
  },
  info: {
    endpoint: 'objectInfo',
    heading,
    expects: 'info.obs tells that the object exists, and its size; the other name of the path answers the same',
    async run(world) {
      const [alice, bob] = await world.people('alice', 'bob');
      const path = await sendPicture(world, alice, bob);
      const token = await objectToken(bob);
      const answer = await get(world, token, `${path}/info.obs`);
      expectEqual('HTTP status', answer.status, 200);
      const info = infoOf(answer.text);
      expectSchema('the information', httpEndpoints.objectInfo.response.schema, info);
      expectEqual('status and size to be', [info.status, info.size], ['exist', pixel.length]);
      const other = await get(world, token, `${path}/object_info.obs`);
      expectEqual('object_info.obs to answer', infoOf(other.text), info);
    },
  },
  playback: {
    endpoint: 'playback',
    heading,
    expects: 'playback.obs answers where to play a video, or HTTP 404 if it is not a video',
    async run(world) {
      const [alice, bob] = await world.people('alice', 'bob');
      const path = await sendPicture(world, alice, bob);
      const answer = await get(world, await objectToken(bob), `${path}/playback.obs?networkType=WiFi&lang=en`);
      if (answer.status === 404) return;
      expectEqual('HTTP status', answer.status, 200);
      expectSchema('the playback', httpEndpoints.playback.response.schema, JSON.parse(answer.text));
    },
  },
  copy: {
    endpoint: 'copyForMessage',
    heading,
    expects: 'The user who uploaded a sealed object can copy it for another message',
    async run(world) {
      const [alice, bob] = await world.people('alice', 'bob');
      const uploaded = await upload(
        world,
        await objectToken(alice),
        `/r/talk/emi/reqid-${randomUuid()}`,
        randomBytes(100),
        'file',
      );
      const place = { service: 'talk', sid: 'emi', oid: String(uploaded.headers['x-obs-oid']) };
      const request = {
        srcPath: place,
        dstPath: { ...place, oid: `reqid-${randomUuid()}` },
        toMid: bob.mid,
        isOriginal: true,
        reqSeq: 2,
      };
      const answer = await world.raw.send(httpPaths.copyForMessage, {
        body: JSON.stringify(request),
        token: alice.token,
      });
      const result = expectSuccess('copyForMessage', answer);
      expectSchema('the result', httpEndpoints.copyForMessage.response.schema, result);
    },
  },
});
