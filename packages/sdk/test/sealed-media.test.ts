import assert from 'node:assert/strict';
import { randomBytes } from 'node:crypto';
import { readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { after, before, test } from 'node:test';
import type { Message } from '@sealpost/contract';
import { createVideoReader, fromBase64, openMedia } from '@sealpost/crypto';
import { startServer, type TestServer } from '@sealpost/dev-env/harness';
import { objectClient, talkMeta } from '@sealpost/dev-env/object-client';
import { type CuttingProxy, cuttingProxy } from '@sealpost/dev-env/proxies/cutting';
import { createSealingClient, type Media, MediaError, type RpcClient, type UploadStore } from '@sealpost/sdk';
import { aGroup, aParty, type Party } from './sealing-parties.ts';
import { contentOf, file, hash, MIB, shakyClient, visibleUploads } from './transfers.ts';

let server: TestServer;
let proxy: CuttingProxy;
let ann: Party;
let ben: Party;

before(async () => {
  server = await startServer();
  proxy = await cuttingProxy(server.url);
  [ann, ben] = [await aParty(server, 'ann'), await aParty(server, 'ben')];
});
after(async () => {
  await proxy.close();
  await server.close();
});

const mediaOf = ({ client, sealing }: Party): Media => client.media(sealing);
const content = (party: Party, id: string, already?: Uint8Array<ArrayBuffer>) =>
  contentOf(party.client, mediaOf(party), id, already);
/** Returns a new client of the party, as in a process of its own. The connection of this client breaks. */
function shaky(party: Party, uploads?: UploadStore): { client: RpcClient; media: Media } {
  const client = shakyClient(proxy, party.client, uploads);
  return { client, media: client.media(createSealingClient(client)) };
}
async function delivered(party: Party, id: string): Promise<Message> {
  const [message] = await party.client.TalkService.getMessagesByIds([id]);
  assert.ok(message);
  return message;
}
/** Returns the files of all objects that the server has stored. */
const storedObjects = (): { path: string; bytes: Buffer }[] =>
  readdirSync(join(server.dataDir, 'objects'), { recursive: true, withFileTypes: true })
    .filter((entry) => entry.isFile())
    .map((entry) => join(entry.parentPath, entry.name))
    .map((path) => ({ path, bytes: readFileSync(path) }));
const isChanged = (error: unknown): boolean => error instanceof MediaError && error.reason === 'changed';

test('a file is sealed where the chat is: the server sees neither its name nor its bytes nor its key', async () => {
  const bytes = randomBytes(600_000);
  const sent = await mediaOf(ann).send(ben.mid, file(bytes));
  const raw = await delivered(ben, sent.id);
  const { OID, ...metadata } = raw.contentMetadata;
  assert.deepEqual(metadata, { FILE_SIZE: '600000', SID: 'emf', e2eeVersion: '2' });
  assert.equal(raw.chunks?.length, 5);
  const marker = bytes.subarray(1000, 1032);
  for (const { bytes: stored } of storedObjects()) assert.equal(stored.indexOf(marker), -1);
  const opened = await mediaOf(ben).open(raw);
  assert.deepEqual([opened.kind, opened.sealed, opened.name, opened.size], ['file', true, 'report.pdf', 600_000]);
  assert.equal(hash(await content(ben, sent.id)), hash(bytes));
  assert.equal(hash(await content(ann, sent.id)), hash(bytes));
});

test('a group gets it sealed, and a chat of somebody who does not seal gets it plain', async () => {
  const bytes = randomBytes(1000);
  const cleo = await aParty(server, 'cleo');
  const group = await aGroup(ann, ben, cleo);
  const { id } = await mediaOf(ann).send(group, file(bytes, { kind: 'image', name: 'a.jpg' }));
  assert.equal((await delivered(cleo, id)).contentMetadata.SID, 'emi');
  for (const reader of [ann, ben, cleo]) assert.ok((await content(reader, id)).equals(bytes));
  const plain = await aParty(server, 'plain', { key: false });
  const other = await mediaOf(ann).send(plain.mid, file(bytes));
  assert.equal(other.chunks, undefined);
  assert.ok((await content(plain, other.id)).equals(bytes));
});

test('an empty file is sealed too', async () => {
  const { id } = await mediaOf(ann).send(ben.mid, file(new Uint8Array()));
  assert.equal((await content(ben, id)).length, 0);
});

test('a video has the hashes of its pieces and a preview, which other clients open', async () => {
  const bytes = randomBytes(300_000);
  const preview = { bytes: randomBytes(500), width: 64, height: 36 };
  const sent = await mediaOf(ann).send(
    ben.mid,
    file(bytes, { kind: 'video', name: 'v.mp4', duration: 9000, preview }),
    {
      sealedPreview: true,
    },
  );
  const raw = await delivered(ben, sent.id);
  assert.deepEqual([raw.contentMetadata.DURATION, raw.contentMetadata.SID], ['9000', 'emv']);
  const { media } = await ben.sealing.open(raw);
  const key = fromBase64(media?.keyMaterial as string);
  const objects = objectClient(server);
  const get = async (side: string): Promise<Buffer> => {
    const path = `/r/talk/emv/${raw.contentMetadata.OID}${side}`;
    const { status, body } = await objects.get(ben.user, path, { 'X-Talk-Meta': talkMeta(raw.id) });
    assert.equal(status, 200);
    return body;
  };
  const blob = await get('');
  const reader = await createVideoReader(
    key,
    new Uint8Array(await get('__ud-hash')),
    new Uint8Array(blob.subarray(-32)),
  );
  const second = await reader.open(1, new Uint8Array(blob.subarray(reader.pieceSize, 2 * reader.pieceSize)));
  assert.ok(bytes.subarray(reader.pieceSize, 2 * reader.pieceSize).equals(second));
  const parts: Uint8Array[] = [];
  for await (const part of openMedia(key, [await get('__ud-preview')])) parts.push(part);
  assert.ok(preview.bytes.equals(Buffer.concat(parts)));
  const read = await mediaOf(ben).preview(raw);
  assert.equal(read && hash(read), hash(preview.bytes));
  const without = await mediaOf(ann).send(ben.mid, file(bytes, { kind: 'video', preview }));
  assert.deepEqual(JSON.parse(without.contentMetadata.MEDIA_THUMB_INFO ?? ''), { width: 64, height: 36 });
  assert.equal(await mediaOf(ben).preview(without), undefined);
});

test('a sealed upload goes on over a line that is cut, and in another run', async () => {
  const bytes = randomBytes(5 * MIB);
  const { states, uploads } = visibleUploads();
  const stop = new AbortController();
  proxy.cutAfter('requests', MIB);
  const retries: string[] = [];
  const first = shaky(ann, uploads).media.send(ben.mid, file(bytes, { kind: 'video', name: 'v.mp4' }), {
    resumeKey: 'k',
    signal: stop.signal,
    onRetry: ({ reason }) => retries.push(reason),
    onProgress: ({ done }) => done > 2 * MIB && stop.abort(new Error('enough')),
  });
  await assert.rejects(first, /^Error: enough$/);
  assert.equal(retries.length, 1);
  const again = shaky(ann, uploads);
  const seen: number[] = [];
  const message = await again.media.send(ben.mid, file(bytes, { kind: 'video', name: 'v.mp4' }), {
    resumeKey: 'k',
    onProgress: ({ done }) => seen.push(done),
  });
  assert.ok((seen[0] as number) > 2 * MIB, `it began again at ${seen[0]}`);
  assert.equal(hash(await content(ben, message.id)), hash(bytes));
  assert.equal(states.size, 0);
});

test('a run that ended after the message was sent, and before it knew, does not send it again', async () => {
  const bytes = randomBytes(1000);
  const { states, uploads } = visibleUploads();
  const forgetful = { ...uploads, remove: () => {} };
  const first = await shaky(ann, forgetful).media.send(ben.mid, file(bytes), { resumeKey: 'k' });
  assert.equal(states.size, 1);
  const second = await shaky(ann, uploads).media.send(ben.mid, file(bytes), { resumeKey: 'k' });
  assert.equal(second.id, first.id);
  assert.equal(states.size, 0);
});

test('when keys are missing at the end, the object waits for them', async () => {
  const bytes = randomBytes(2 * MIB);
  const { states, uploads } = visibleUploads();
  const client = shakyClient(proxy, ann.client, uploads);
  const sealing = createSealingClient(client);
  const locked = { ...sealing, send: () => Promise.reject(new Error('the keys are locked')) };
  await assert.rejects(client.media(locked).send(ben.mid, file(bytes), { resumeKey: 'k' }), /locked/);
  assert.equal(states.size, 1);
  const seen: number[] = [];
  const { id } = await client.media(sealing).send(ben.mid, file(bytes), {
    resumeKey: 'k',
    onProgress: ({ done }) => seen.push(done),
  });
  assert.deepEqual([...new Set(seen)], [bytes.length]);
  assert.equal(hash(await content(ben, id)), hash(bytes));
});

test('a sealed download goes on over a line that is cut, and after what is there', async () => {
  const bytes = randomBytes(3 * MIB);
  for (const kind of ['video', 'file'] as const) {
    const { id } = await mediaOf(ann).send(ben.mid, file(bytes, { kind }));
    const far = shaky(ben);
    const message = await delivered(ben, id);
    const opened = await far.media.open(message);
    const cuts = proxy.cuts;
    proxy.cutAfter('answers', MIB);
    const parts: Uint8Array[] = [];
    for await (const part of opened.bytes()) parts.push(part);
    assert.equal(proxy.cuts, cuts + 1);
    assert.equal(hash(Buffer.concat(parts)), hash(bytes));
    for (const at of [1, MIB + 17, bytes.length - 1, bytes.length]) {
      const rest = await content(ben, id, bytes.subarray(0, at));
      assert.ok(rest.equals(bytes.subarray(at)), `${kind} after ${at}`);
    }
    const damaged = Buffer.from(bytes.subarray(0, MIB));
    damaged.writeUInt8(damaged.readUInt8(5) ^ 1, 5);
    await assert.rejects(content(ben, id, damaged), isChanged);
  }
});

test('an object that the server changed is refused, wherever the change is', async () => {
  for (const kind of ['image', 'video'] as const) {
    for (const at of [0, 200_000, -1]) {
      const bytes = randomBytes(400_000);
      const known = new Set(storedObjects().map(({ path }) => path));
      const { id } = await mediaOf(ann).send(ben.mid, file(bytes, { kind }));
      const stored = storedObjects().find((object) => !known.has(object.path) && object.bytes.length === 400_032);
      assert.ok(stored);
      const place = (at + stored.bytes.length) % stored.bytes.length;
      stored.bytes.writeUInt8(stored.bytes.readUInt8(place) ^ 1, place);
      writeFileSync(stored.path, stored.bytes);
      await assert.rejects(content(ben, id), isChanged, `${kind} changed at ${at}`);
    }
  }
});

test('a device without the keys is told what is missing', async () => {
  const { id } = await mediaOf(ann).send(ben.mid, file(randomBytes(10)));
  const stranger = await ben.elsewhere();
  await assert.rejects(content(stranger, id), (error) => {
    assert.ok(error instanceof MediaError && error.reason === 'sealed');
    assert.match(error.message, /cannot be opened: .* What helps: log in anew/);
    return true;
  });
  await assert.rejects(
    ben.client.media().open(await delivered(ben, id)),
    (e) => e instanceof MediaError && e.reason === 'sealed',
  );
});
