// Faults of S3: nothing acknowledged is lost, nothing is published incompletely, and no call waits for ever.
import assert from 'node:assert/strict';
import { randomBytes } from 'node:crypto';
import { after, afterEach, before, beforeEach, describe, test } from 'node:test';
import { setTimeout as pause } from 'node:timers/promises';
import { ListMultipartUploadsCommand, ListObjectsV2Command } from '@aws-sdk/client-s3';
import { type Fault, type FaultProxy, startFaultProxy } from '@sealpost/dev-env/proxies/s3';
import { makeBucket, s3Origin, type TestBucket, withoutS3 } from '@sealpost/dev-env/s3-server';
import { type ByteRange, ObjectMissing, type Objects, wholeOf } from '../../../src/platform/objects/objects.ts';
import { openS3 } from '../../../src/platform/objects/s3.ts';
import type { Patience } from '../../../src/platform/objects/s3-bucket.ts';
import { StoreUnavailable } from '../../../src/platform/store/store.ts';

const MIB = 1024 * 1024;
const newKey = () => randomBytes(16).toString('hex');

async function* megabytes(bytes: Buffer): AsyncGenerator<readonly Buffer[]> {
  for (let at = 0; at < bytes.length; at += MIB) yield [bytes.subarray(at, at + MIB)];
}

/**
 * Times that are long enough for a slow machine, and short enough to show that the adapter gives up on a silent server.
 */
const patience: Patience = { connectMs: 2_000, answerMs: 8_000, idleMs: 8_000, attempts: 3 };

describe('S3 that fails', { skip: withoutS3 }, () => {
  let proxy: FaultProxy;
  let bucket: TestBucket;
  let objects: Objects;

  before(async () => {
    proxy = await startFaultProxy(s3Origin());
    bucket = await makeBucket(proxy.url);
  });
  // The S3 client retries less after many faults, so each test has its own client.
  beforeEach(async () => {
    objects = await openS3({ ...bucket.options, patience });
    proxy.seen.length = 0;
  });
  afterEach(async () => {
    proxy.fault = () => undefined;
    await objects.close();
  });
  after(async () => {
    bucket.close();
    await proxy.close();
  });

  const read = async (key: string, range?: ByteRange) => wholeOf(await objects.read(key, range));

  /** Makes the first request of each given kind fail. */
  const failOnce = (actions: readonly string[], fault: Fault): void => {
    const left = new Set(actions);
    proxy.fault = (seen) => (left.delete(seen) ? fault : undefined);
  };

  const count = (action: string): number => proxy.seen.filter((seen) => seen === action).length;

  /** Returns what the bucket still has under a key, read without the adapter. */
  async function left(key: string): Promise<{ names: string[]; uploads: number }> {
    const where = { Bucket: bucket.options.bucket };
    const { Contents = [] } = await bucket.client.send(new ListObjectsV2Command(where));
    const { Uploads = [] } = await bucket.client.send(new ListMultipartUploadsCommand(where));
    return {
      names: Contents.flatMap(({ Key = '' }) => (Key.includes(key) ? [Key] : [])),
      uploads: Uploads.filter(({ Key }) => Key?.endsWith(key)).length,
    };
  }

  const large = randomBytes(9 * MIB + 5);
  const cut = 2 * MIB;
  /** Makes every kind of request that storing and reading a large object needs. */
  async function storeAndRead(key: string): Promise<Buffer> {
    assert.equal(await objects.append(key, 0, megabytes(large.subarray(0, cut))), cut);
    assert.equal(await objects.append(key, cut, megabytes(large.subarray(cut))), large.length);
    await objects.publish(key);
    return read(key);
  }

  const actions = [
    ...['ListObjectsV2', 'PutObject', 'CreateMultipartUpload', 'UploadPart', 'ListParts', 'CompleteMultipartUpload'],
    ...['GetObject', 'DeleteObject'],
  ];
  for (const fault of ['lost answer', 'reset', 'broken', 'slow down'] as const) {
    test(`one ${fault} of each request is made good, and leaves nothing behind`, async () => {
      failOnce(actions, fault);
      const key = newKey();
      assert.ok(large.equals(await storeAndRead(key)));
      for (const action of actions) assert.ok(count(action) >= 2, action);
      assert.deepEqual(await left(key), { names: [`some/where/published/${key}`], uploads: 0 });
    });
  }

  test('a server that is silent once is asked again', async () => {
    failOnce(['UploadPart', 'CompleteMultipartUpload'], 'silence');
    assert.ok(large.equals(await storeAndRead(newKey())));
    assert.equal(count('CompleteMultipartUpload'), 2);
  });

  test('a download whose connection breaks goes on where it broke', async () => {
    const key = newKey();
    await storeAndRead(key);
    failOnce(['GetObject'], 'half an answer');
    proxy.seen.length = 0;
    assert.ok(large.equals(await read(key)));
    assert.deepEqual(proxy.seen, ['GetObject', 'GetObject']);
    const range = { start: 5, end: 8 * MIB };
    failOnce(['GetObject'], 'half an answer');
    assert.ok(large.subarray(range.start, range.end + 1).equals(await read(key, range)));
  });

  test('a download that breaks again and again ends with an error, not short', async () => {
    const key = newKey();
    await storeAndRead(key);
    proxy.fault = (action) => (action === 'GetObject' ? 'reset' : undefined);
    await assert.rejects(read(key), StoreUnavailable);
    let answers = 0;
    proxy.fault = () => (++answers === 1 ? 'half an answer' : 'broken');
    await assert.rejects(read(key), StoreUnavailable);
  });

  for (const fault of ['reset', 'broken', 'silence'] as const) {
    test(`while S3 answers everything with ${fault}, callers are told in time, and go on when it is back`, async () => {
      const key = newKey();
      assert.equal(await objects.append(key, 0, megabytes(large.subarray(0, cut))), cut);
      proxy.fault = () => fault;
      const begun = performance.now();
      await Promise.all([
        assert.rejects(objects.append(key, cut, megabytes(large.subarray(cut))), StoreUnavailable),
        assert.rejects(objects.publish(newKey()), StoreUnavailable),
        assert.rejects(objects.read(key), StoreUnavailable),
        assert.rejects(objects.remove(newKey()), StoreUnavailable),
        assert.rejects(objects.page('published', '', 5), StoreUnavailable),
        assert.rejects(objects.check(), StoreUnavailable),
      ]);
      assert.ok(performance.now() - begun < 60_000);
      proxy.fault = () => undefined;
      await assert.rejects(objects.read(key), ObjectMissing);
      assert.equal(await objects.append(key, cut, megabytes(large.subarray(cut))), large.length);
      await objects.publish(key);
      assert.ok(large.equals(await read(key)));
    });
  }

  test('an append that fails in its middle publishes nothing, and is made again from where it began', async () => {
    const key = newKey();
    await objects.append(key, 0, megabytes(large.subarray(0, 100)));
    proxy.fault = (action) => (action === 'UploadPart' ? 'broken' : undefined);
    await assert.rejects(objects.append(key, 100, megabytes(large.subarray(100))), StoreUnavailable);
    proxy.fault = () => undefined;
    assert.equal((await left(key)).uploads, 0);
    await assert.rejects(objects.read(key), ObjectMissing);
    assert.equal(await objects.append(key, 100, megabytes(large.subarray(100))), large.length);
    await objects.publish(key);
    assert.ok(large.equals(await read(key)));
  });

  test('a completion whose every answer is lost is found done by the next try', async () => {
    const key = newKey();
    await objects.append(key, 0, megabytes(large));
    proxy.fault = (action) => (action === 'CompleteMultipartUpload' ? 'lost answer' : undefined);
    await objects.publish(key).catch((error: unknown) => assert.ok(error instanceof StoreUnavailable));
    proxy.fault = () => undefined;
    await objects.publish(key);
    assert.ok(large.equals(await read(key)));
    assert.deepEqual(await left(key), { names: [`some/where/published/${key}`], uploads: 0 });
  });

  test('leftovers that cannot be tidied after publishing are removed with the object', async () => {
    const key = newKey();
    await objects.append(key, 0, megabytes(Buffer.from('small')));
    proxy.fault = (action) => (action === 'DeleteObject' ? 'broken' : undefined);
    await objects.publish(key);
    assert.equal((await read(key)).toString(), 'small');
    proxy.fault = () => undefined;
    assert.equal((await left(key)).names.length, 2);
    await objects.publish(key);
    assert.equal((await left(key)).names.length, 1);
    await objects.remove(key);
    assert.equal((await left(key)).names.length, 0);
  });

  test('an upload that broke off before its first checkpoint is listed, so that the upkeep can remove it', async () => {
    const key = newKey();
    proxy.fault = (action) => (action === 'PutObject' || action === 'AbortMultipartUpload' ? 'broken' : undefined);
    await assert.rejects(objects.append(key, 0, megabytes(large)), StoreUnavailable);
    proxy.fault = () => undefined;
    assert.equal((await left(key)).uploads, 1);
    const listed = await objects.page('unpublished', '', 1000);
    assert.ok(listed.some((object) => object.key === key && Math.abs(object.changedTime - Date.now()) < 3_600_000));
    await objects.remove(key);
    assert.deepEqual(await left(key), { names: [], uploads: 0 });
  });

  test('parts that somebody removed are missed before anything is published', async () => {
    const key = newKey();
    await objects.append(key, 0, megabytes(large));
    const other = await openS3({ ...bucket.options, patience });
    await other.remove(key);
    await other.close();
    await assert.rejects(objects.publish(key), ObjectMissing);
    await assert.rejects(objects.append(key, large.length, megabytes(Buffer.from('x'))), ObjectMissing);
  });

  test('a source is not read while its part is under way', async () => {
    let read = 0;
    async function* counted(): AsyncGenerator<readonly Buffer[]> {
      for await (const batch of megabytes(large)) {
        read += MIB;
        yield batch;
      }
    }
    failOnce(['UploadPart'], 'silence');
    const key = newKey();
    const done = objects.append(key, 0, counted());
    while (!proxy.seen.includes('UploadPart')) await pause(20);
    const before = read;
    await pause(1_000);
    assert.deepEqual([before, read], [8 * MIB, 8 * MIB]);
    assert.equal(await done, large.length);
    await objects.remove(key);
  });

  test('however many uploads there are, few of them hold a part in memory', async () => {
    const keys = Array.from({ length: 12 }, newKey);
    await Promise.all(keys.map((key) => objects.append(key, 0, megabytes(large))));
    assert.ok(proxy.mostBodies > 0 && proxy.mostBodies <= 4, `${proxy.mostBodies}`);
    await Promise.all(keys.map((key) => objects.publish(key)));
    assert.ok(proxy.mostBodies <= 4, `${proxy.mostBodies}`);
    for (const key of keys) assert.ok(large.equals(await read(key)));
  });
});
