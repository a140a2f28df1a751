// Behaviour that only media on S3 have. The other tests of media run on S3 as well.
import assert from 'node:assert/strict';
import { createHash, randomBytes, randomUUID } from 'node:crypto';
import { request } from 'node:http';
import { after, afterEach, before, describe, test } from 'node:test';
import { startServer, type TestServer, type TestUser } from '@sealpost/dev-env/harness';
import { accessToken, objectClient, params } from '@sealpost/dev-env/object-client';
import { type FaultProxy, startFaultProxy } from '@sealpost/dev-env/proxies/s3';
import { makeBucket, s3Origin, type TestBucket, withoutS3 } from '@sealpost/dev-env/s3-server';
import { loadConfig } from '../../../src/start/config/config.ts';
import { createServer } from '../../../src/start/server.ts';

const MIB = 1024 * 1024;
const sha256 = (bytes: Buffer): string => createHash('sha256').update(bytes).digest('hex');
const range = (first: number, size: number) => ({ Range: `bytes ${first}-${size - 1}/${size}` });
const newPath = () => `/r/talk/emf/reqid-${randomUUID()}`;

describe('media on S3', { skip: withoutS3 }, () => {
  let proxy: FaultProxy;
  let bucket: TestBucket;
  let server: TestServer;
  let alice: TestUser;
  let objects: ReturnType<typeof objectClient>;

  before(async () => {
    proxy = await startFaultProxy(s3Origin());
    bucket = await makeBucket(proxy.url);
    server = await startServer({ flags: bucket.flags });
    objects = objectClient(server);
    alice = await server.user('alice');
  });
  afterEach(() => {
    proxy.fault = () => undefined;
  });
  after(async () => {
    await server.close();
    bucket.close();
    await proxy.close();
  });

  const offsetOf = async (path: string) => (await objects.get(alice, `${path}/info.obs`)).json().offset as number;
  /** Sends a plain message to oneself; returns the path of its object. */
  async function messagePath(): Promise<string> {
    const message = await alice.client.TalkService.sendMessage(1000 + Math.floor(Math.random() * 1e6), {
      to: alice.mid,
      contentType: 14,
    });
    return `/r/talk/m/${message.id}`;
  }

  test('while S3 is away, transfers are refused as overloaded and readiness says why; then they go on', async () => {
    const bytes = randomBytes(2 * MIB);
    const path = newPath();
    const first = await objects.post(alice, path, bytes.subarray(0, MIB), range(0, bytes.length));
    assert.equal(first.status, 200);
    const kept = await messagePath();
    assert.equal((await objects.post(alice, kept, 'kept')).status, 201);

    proxy.fault = () => 'broken';
    const refused = await objects.post(alice, path, bytes.subarray(MIB), range(MIB, bytes.length));
    assert.equal(refused.status, 503);
    assert.deepEqual(refused.json(), {
      code: 10052,
      message: 'RESPONSE_HTTP_ERROR',
      data: { statusCode: 503, reason: 'the store is unavailable, try again' },
    });
    assert.equal(refused.headers.get('retry-after'), '1');
    assert.equal((await objects.get(alice, kept)).status, 503);
    assert.equal((await objects.post(alice, newPath(), 'new')).status, 503);
    const ready = (await (await fetch(`${server.url}/readyz`)).json()) as { objects: string };
    assert.equal(ready.objects, 'unavailable; the log says why');
    assert.equal(await offsetOf(path), MIB);

    proxy.fault = () => undefined;
    const done = await objects.post(alice, path, bytes.subarray(MIB), range(MIB, bytes.length));
    assert.deepEqual([done.status, done.headers.get('x-obs-hash')], [201, sha256(bytes)]);
    assert.equal((await objects.get(alice, kept)).body.toString(), 'kept');
    while ((await fetch(`${server.url}/readyz`)).status !== 200);
  });

  test('an upload whose publication fails continues from its last acknowledged byte', async () => {
    const bytes = randomBytes(9 * MIB);
    const path = newPath();
    await objects.post(alice, path, bytes.subarray(0, MIB), range(0, bytes.length));
    proxy.fault = (action) => (action === 'CompleteMultipartUpload' ? 'broken' : undefined);
    const refused = await objects.post(alice, path, bytes.subarray(MIB), range(MIB, bytes.length));
    assert.equal(refused.status, 503);
    proxy.fault = () => undefined;
    assert.equal(await offsetOf(path), MIB);
    const done = await objects.post(alice, path, bytes.subarray(MIB), range(MIB, bytes.length));
    assert.deepEqual([done.status, done.headers.get('x-obs-hash')], [201, sha256(bytes)]);
  });

  test('an upload whose bytes were removed from the bucket begins again at 0', async () => {
    const bytes = randomBytes(1000);
    const path = newPath();
    await objects.post(alice, path, bytes.subarray(0, 500), range(0, bytes.length));
    const store = await bucket.open();
    for (const { key } of await store.page('unpublished', '', 100)) await store.remove(key);
    await store.close();
    const refused = await objects.post(alice, path, bytes.subarray(500), range(500, bytes.length));
    assert.equal(refused.status, 416);
    assert.equal(await offsetOf(path), 0);
    const done = await objects.post(alice, path, bytes, range(0, bytes.length));
    assert.deepEqual([done.status, done.headers.get('x-obs-hash')], [201, sha256(bytes)]);
  });

  test('a large file survives a cut cable and a restart, and comes back whole and in ranges', async () => {
    const bytes = randomBytes(20 * MIB + 17);
    const path = await messagePath();
    await new Promise<void>((resolve) => {
      const cable = request(server.url + path, {
        method: 'POST',
        headers: { 'X-Svc-Access': accessToken(alice), 'Content-Length': bytes.length, ...range(0, bytes.length) },
      });
      cable.once('error', () => resolve());
      cable.once('close', () => resolve());
      cable.write(bytes.subarray(0, 11 * MIB), () => setTimeout(() => cable.destroy(), 300));
    });
    let offset = 0;
    for (let tries = 0; tries < 300 && offset === 0; tries++) {
      offset = (await offsetOf(path)) ?? 0;
      if (offset === 0) await new Promise((resolve) => setTimeout(resolve, 100));
    }
    assert.ok(offset > 0 && offset <= 11 * MIB, `${offset}`);
    const middle = bytes.subarray(offset, 13 * MIB);
    const second = await objects.post(alice, path, middle, range(offset, bytes.length));
    assert.deepEqual([second.status, second.headers.get('x-obs-offset')], [200, String(13 * MIB)]);
    await server.restart();
    const last = await objects.post(alice, path, bytes.subarray(13 * MIB), range(13 * MIB, bytes.length));
    assert.deepEqual([last.status, last.headers.get('x-obs-hash')], [201, sha256(bytes)]);

    const whole = await objects.get(alice, path);
    assert.deepEqual([whole.status, sha256(whole.body)], [200, sha256(bytes)]);
    const part = await objects.get(alice, path, { Range: `bytes=${8 * MIB - 3}-${8 * MIB + 3}` });
    assert.deepEqual([part.status, part.body], [206, bytes.subarray(8 * MIB - 3, 8 * MIB + 4)]);
    const known = await objects.get(alice, path, { 'If-None-Match': whole.headers.get('etag') as string });
    assert.equal(known.status, 304);
  });
});

describe('downloads that are redirected to S3', { skip: withoutS3 }, () => {
  let bucket: TestBucket;
  let server: TestServer;
  let alice: TestUser;
  let objects: ReturnType<typeof objectClient>;
  let path: string;
  let outside: FaultProxy;
  const text = '<script>alert(1)</script>';

  before(async () => {
    outside = await startFaultProxy(s3Origin());
    bucket = await makeBucket();
    server = await startServer({
      flags: { ...bucket.flags, 's3-link-seconds': '30', 's3-link-endpoint': outside.url },
    });
    objects = objectClient(server);
    alice = await server.user('alice');
    const message = await alice.client.TalkService.sendMessage(7, { to: alice.mid, contentType: 14 });
    path = `/r/talk/m/${message.id}`;
    const name = params({ ver: '2.0', name: 'a "page".html', type: 'file' });
    assert.equal((await objects.post(alice, path, text, { 'X-Obs-Params': name })).status, 201);
  });
  after(async () => {
    await server.close();
    bucket.close();
    await outside.close();
  });

  const ask = (user: TestUser | undefined, headers: Record<string, string> = {}, method = 'GET') =>
    fetch(server.url + path, {
      method,
      redirect: 'manual',
      headers: { ...(user && { 'X-Svc-Access': accessToken(user) }), ...headers },
    });

  test('a reader of an object is redirected to an address that works without a token for a short time', async () => {
    const answer = await ask(alice);
    assert.deepEqual([answer.status, answer.headers.get('cache-control')], [302, 'private, no-store']);
    const location = new URL(answer.headers.get('location') as string);
    assert.equal(location.origin, outside.url);
    assert.equal(location.searchParams.get('X-Amz-Expires'), '30');
    const bytes = await fetch(location);
    assert.equal(await bytes.text(), text);
    // Whatever the bytes are, the type is one that a browser does not run.
    assert.equal(bytes.headers.get('content-type'), 'application/octet-stream');
    assert.match(bytes.headers.get('content-disposition') as string, /^attachment; filename="a \\"page\\"\.html"/);
    assert.equal(bytes.headers.get('cache-control'), 'private, no-store');
    const part = await fetch(location, { headers: { Range: 'bytes=1-6' } });
    assert.deepEqual([part.status, await part.text()], [206, 'script']);
  });

  test('the address is good for this object and this purpose alone', async () => {
    const location = (await ask(alice)).headers.get('location') as string;
    const changed = new URL(location);
    changed.searchParams.set('response-content-type', 'text/html');
    assert.equal((await fetch(changed)).status, 403);
    assert.equal((await fetch(location, { method: 'PUT', body: 'x' })).status, 403);
    assert.equal((await fetch(location.split('?')[0] as string)).status, 403);
  });

  test('a user who may not read the object gets no address', async () => {
    const mallory = await server.user('mallory');
    assert.equal((await ask(mallory)).status, 404);
    assert.equal((await ask(undefined)).status, 401);
    assert.equal((await ask(mallory)).headers.get('location'), null);
  });

  test('requests that need no bytes are answered by the server itself', async () => {
    const head = await ask(alice, {}, 'HEAD');
    assert.deepEqual([head.status, head.headers.get('content-length')], [200, String(text.length)]);
    assert.equal((await ask(alice, { 'If-None-Match': head.headers.get('etag') as string })).status, 304);
    assert.equal((await ask(alice, { Range: 'bytes=999-' })).status, 416);
  });
});

describe('a start that cannot use the bucket', { skip: withoutS3 }, () => {
  let bucket: TestBucket;
  let server: TestServer;
  before(async () => {
    bucket = await makeBucket();
    server = await startServer({ flags: bucket.flags });
  });
  after(async () => {
    await server.close();
    bucket.close();
  });
  const start = (flags: Record<string, string>) =>
    createServer(
      loadConfig('serve', {
        flags: { port: '0', 'data-dir': `${server.dataDir}/other`, 'log-level': 'silent', ...bucket.flags, ...flags },
        env: {},
      }),
    );

  test('says what is wrong and what to do', async () => {
    const refusals: [Record<string, string>, RegExp][] = [
      [{ 'objects-url': 's3://no-such-bucket' }, /bucket no-such-bucket at http.*NoSuchBucket.*Create the bucket/],
      [{ 's3-secret-key': 'wrong' }, /SignatureDoesNotMatch.*Set s3-access-key and s3-secret-key/],
      [{ 's3-access-key': 'wrong' }, /InvalidAccessKeyId.*Set s3-access-key and s3-secret-key/],
      [{ 's3-endpoint': 'http://127.0.0.1:9' }, /at http:\/\/127\.0\.0\.1:9.*ECONNREFUSED.*Check that s3-endpoint/],
      [{ 's3-endpoint': server.url }, /Check /],
    ];
    for (const [flags, message] of refusals) {
      await assert.rejects(start(flags), (error: Error) => {
        assert.match(error.message, message);
        assert.ok(!error.message.includes(bucket.flags['s3-secret-key'] as string));
        return true;
      });
    }
  });
});
