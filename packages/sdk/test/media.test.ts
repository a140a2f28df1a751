import assert from 'node:assert/strict';
import { randomBytes } from 'node:crypto';
import { after, afterEach, before, test } from 'node:test';
import { startServer, type TestServer, type TestUser } from '@sealpost/dev-env/harness';
import { type CuttingProxy, cuttingProxy } from '@sealpost/dev-env/proxies/cutting';
import { MediaError, type OutgoingMedia, type Progress, type RpcClient, type UploadStore } from '@sealpost/sdk';
import { contentOf, file, hash, MIB, shakyClient, visibleUploads } from './transfers.ts';

let server: TestServer;
let proxy: CuttingProxy;
let alice: TestUser;
let bob: TestUser;
let carol: TestUser;
const clients: RpcClient[] = [];

before(async () => {
  server = await startServer({ flags: { 'object-bytes': '20000000' } });
  proxy = await cuttingProxy(server.url);
  [alice, bob, carol] = [await server.user('alice'), await server.user('bob'), await server.user('carol')];
});
after(async () => {
  await proxy.close();
  await server.close();
});
afterEach(() => {
  for (const client of clients.splice(0)) client.close();
});

function shaky(user: TestUser, uploads?: UploadStore): RpcClient {
  const client = shakyClient(proxy, user.client, uploads);
  clients.push(client);
  return client;
}

const content = (client: RpcClient, id: string, after?: Uint8Array<ArrayBuffer>): Promise<Buffer> =>
  contentOf(client, client.media(), id, after);

test('a file arrives with its name and size, and says where it is', async () => {
  const bytes = randomBytes(700_000);
  const seen: Progress[] = [];
  const message = await alice.client.media().send(bob.mid, file(bytes), { onProgress: (p) => seen.push(p) });
  assert.equal(message.hasContent, true);
  assert.deepEqual(message.contentMetadata, { FILE_SIZE: '700000', FILE_NAME: 'report.pdf' });
  assert.deepEqual(
    [seen[0], seen.at(-1)],
    [
      { done: 0, total: 700_000 },
      { done: 700_000, total: 700_000 },
    ],
  );
  const [received] = await bob.client.TalkService.getMessagesByIds([message.id]);
  assert.ok(received);
  const media = await bob.client.media().open(received);
  assert.deepEqual([media.kind, media.sealed, media.name, media.size], ['file', false, 'report.pdf', 700_000]);
  assert.equal(hash(await content(bob.client, message.id)), hash(bytes));
});

test('each kind of media has the metadata of the specification', async () => {
  const bytes = randomBytes(1000);
  const preview = { bytes: randomBytes(100), width: 40, height: 30 };
  const thumb = '{"width":40,"height":30}';
  const cases: [Partial<OutgoingMedia>, number, Record<string, string>][] = [
    [
      { kind: 'image', name: 'a.JPG', preview, animated: false },
      1,
      {
        FILE_NAME: 'a.JPG',
        MEDIA_THUMB_INFO: thumb,
        MEDIA_CONTENT_INFO: '{"category":"original","fileSize":1000,"extension":"jpg","animated":false}',
      },
    ],
    [{ kind: 'video', name: 'a.mp4', duration: 2500.4, preview }, 2, { DURATION: '2500', MEDIA_THUMB_INFO: thumb }],
    [{ kind: 'audio', name: 'a.m4a', duration: 3000 }, 3, { DURATION: '3000', AUDLEN: '3000' }],
    [{ kind: 'file', name: 'a', duration: 3000 }, 14, { FILE_NAME: 'a' }],
  ];
  for (const [media, contentType, metadata] of cases) {
    const sent = await alice.client.media().send(bob.mid, file(bytes, media));
    assert.equal(sent.contentType, contentType);
    assert.deepEqual(sent.contentMetadata, { FILE_SIZE: '1000', ...metadata });
    const opened = await bob.client.media().open(sent);
    assert.deepEqual([opened.kind, opened.name], [media.kind, media.name]);
    const found = await bob.client.media().preview(sent);
    assert.deepEqual(found && hash(found), media.preview && hash(media.preview.bytes));
  }
});

test('an empty file is a file', async () => {
  const { id } = await alice.client.media().send(bob.mid, file(new Uint8Array()));
  assert.equal((await content(bob.client, id)).length, 0);
});

test('an upload goes on over a line that is cut again and again', async () => {
  const bytes = randomBytes(6 * MIB);
  const client = shaky(alice);
  const retries: string[] = [];
  const before = proxy.cuts;
  proxy.cutAfter('requests', 2 * MIB);
  const sending = client.media().send(bob.mid, file(bytes), {
    onRetry: ({ reason }) => {
      retries.push(reason);
      if (retries.length < 3) proxy.cutAfter('requests', MIB);
    },
  });
  const { id } = await sending;
  assert.ok(proxy.cuts - before >= 3, `${proxy.cuts - before} cuts`);
  assert.match(retries[0] as string, /the upload failed: no answer/);
  assert.equal(hash(await content(bob.client, id)), hash(bytes));
});

test('a download goes on over a line that is cut again and again', async () => {
  const bytes = randomBytes(6 * MIB);
  const { id } = await alice.client.media().send(bob.mid, file(bytes));
  const client = shaky(bob);
  const [message] = await client.TalkService.getMessagesByIds([id]);
  assert.ok(message);
  const before = proxy.cuts;
  const media = await client.media().open(message, {
    onRetry: () => proxy.cuts - before < 3 && proxy.cutAfter('answers', MIB),
  });
  proxy.cutAfter('answers', 2 * MIB);
  const parts: Uint8Array[] = [];
  for await (const part of media.bytes()) parts.push(part);
  assert.equal(proxy.cuts - before, 3);
  assert.equal(hash(Buffer.concat(parts)), hash(bytes));
});

test('an upload that was stopped goes on in another run, as the same message', async () => {
  const bytes = randomBytes(5 * MIB);
  const { states, uploads } = visibleUploads();
  const stop = new AbortController();
  const first = shaky(alice, uploads)
    .media()
    .send(bob.mid, file(bytes), {
      resumeKey: 'k',
      signal: stop.signal,
      onProgress: ({ done }) => done > MIB && stop.abort(new Error('enough')),
    });
  await assert.rejects(first, /^Error: enough$/);
  const { messageId } = JSON.parse(states.get('k') as string) as { messageId: string };
  const seen: number[] = [];
  const message = await shaky(alice, uploads)
    .media()
    .send(bob.mid, file(bytes), {
      resumeKey: 'k',
      onProgress: ({ done }) => seen.push(done),
    });
  assert.equal(message.id, messageId);
  assert.ok((seen[0] as number) > MIB, `it began again at ${seen[0]}`);
  assert.equal(hash(await content(bob.client, message.id)), hash(bytes));
  assert.equal(states.size, 0);
  const again = await shaky(alice, uploads).media().send(bob.mid, file(bytes), { resumeKey: 'k' });
  assert.notEqual(again.id, messageId);
});

test('an upload whose message was taken back meanwhile begins anew', async () => {
  const bytes = randomBytes(3 * MIB);
  const { states, uploads } = visibleUploads();
  const stop = new AbortController();
  const options = { resumeKey: 'k', signal: stop.signal, onProgress: () => stop.abort(new Error('enough')) };
  await assert.rejects(shaky(alice, uploads).media().send(bob.mid, file(bytes), options), /enough/);
  const { messageId } = JSON.parse(states.get('k') as string) as { messageId: string };
  await alice.client.TalkService.unsendMessage(alice.client.nextReqSeq(), messageId);
  const message = await shaky(alice, uploads).media().send(bob.mid, file(bytes), { resumeKey: 'k' });
  assert.notEqual(message.id, messageId);
  assert.equal(hash(await content(bob.client, message.id)), hash(bytes));
});

test('a download goes on after what is there, and proves that too', async () => {
  const bytes = randomBytes(2 * MIB);
  const { id } = await alice.client.media().send(bob.mid, file(bytes));
  for (const at of [0, 1, MIB + 17, bytes.length]) {
    const rest = await content(bob.client, id, bytes.subarray(0, at));
    assert.ok(rest.equals(bytes.subarray(at)), `after ${at}`);
  }
  const damaged = Buffer.from(bytes.subarray(0, MIB));
  damaged.writeUInt8(damaged.readUInt8(5) ^ 1, 5);
  for (const part of [damaged, randomBytes(bytes.length + 1)]) {
    await assert.rejects(content(bob.client, id, part), (e) => e instanceof MediaError && e.reason === 'changed');
  }
});

test('a line that stays dead ends the transfer with the error of the network', async () => {
  const client = shaky(alice);
  let retries = 0;
  const sending = client.media().send(bob.mid, file(randomBytes(3 * MIB)), {
    onProgress: ({ done }) => done > 0 && proxy.down(true),
    onRetry: () => void retries++,
  });
  await assert.rejects(sending, { name: 'NetworkError' });
  proxy.down(false);
  assert.equal(retries, 7);
});

test('what is too large is refused, and its message taken back', async () => {
  const sending = alice.client.media().send(bob.mid, file(new Uint8Array(20_000_001)));
  await assert.rejects(sending, (error: { http?: number }) => error.http === 413);
  const [last] = await bob.client.TalkService.getRecentMessagesV2(alice.mid, 1);
  assert.equal(last?.contentMetadata.UNSENT, 'true');
});

test('content that changes while it is sent is noticed, and its message taken back', async () => {
  const bytes = randomBytes(MIB);
  for (const size of [MIB + 1, MIB - 1]) {
    const source = { size, stream: () => [bytes] };
    const sending = alice.client.media().send(bob.mid, { ...file(bytes), bytes: source });
    await assert.rejects(sending, (e) => e instanceof MediaError && e.reason === 'source-changed');
    const [last] = await bob.client.TalkService.getRecentMessagesV2(alice.mid, 1);
    assert.equal(last?.contentMetadata.UNSENT, 'true');
  }
});

test('other accounts get no object, and the error says what that can mean', async () => {
  const message = await alice.client.media().send(bob.mid, file(randomBytes(1000)));
  await assert.rejects(carol.client.media().open(message), (error) => {
    assert.ok(error instanceof MediaError && error.reason === 'no-object');
    assert.match(error.message, /no object of the message \d+ for this account/);
    return true;
  });
  const text = await alice.client.sendText(bob.mid, 'no media');
  await assert.rejects(bob.client.media().open(text), (e) => e instanceof MediaError && e.reason === 'not-media');
});

test('an object that is not whole yet is waited for, and not for ever', async () => {
  const message = await alice.client.send({ to: bob.mid, contentType: 14, contentMetadata: {} });
  await assert.rejects(shaky(bob).media().open(message), (e) => e instanceof MediaError && e.reason === 'not-yet');
  const opening = shaky(bob).media().open(message);
  const token = alice.client.session?.tokens.accessToken as string;
  await fetch(`${server.url}/r/talk/m/${message.id}`, {
    method: 'POST',
    body: 'late',
    headers: { 'X-Svc-Access': token },
  });
  assert.equal((await opening).size, 4);
});
