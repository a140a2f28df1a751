import assert from 'node:assert/strict';
import { randomBytes } from 'node:crypto';
import { after, before, describe, test } from 'node:test';
import { makeBucket, type TestBucket, withoutS3 } from '@sealpost/dev-env/s3-server';
import { wholeOf } from '../../../src/platform/objects/objects.ts';
import { Bucket, usualPatience } from '../../../src/platform/objects/s3-bucket.ts';
import { moveObject } from '../../../src/platform/objects/s3-copy.ts';
import { objectsConformance } from './objects-conformance/suite.ts';

describe('S3', { skip: withoutS3 }, () => {
  let bucket: TestBucket;
  before(async () => {
    bucket = await makeBucket();
  });
  after(() => bucket.close());

  objectsConformance('S3', () => bucket.open());

  test('an object that is too large for one copy is moved in parts', async () => {
    const within = new Bucket(bucket.options, usualPatience);
    const bytes = randomBytes(11 * 1024 * 1024 + 3);
    await within.put('published/large', bytes);
    assert.equal(await moveObject(within, 'published/large', 'quarantined/large', 5 * 1024 * 1024), true);
    assert.equal(await within.head('published/large'), undefined);
    assert.ok(bytes.equals(await wholeOf((await within.get('quarantined/large')).body)));
    assert.equal(await moveObject(within, 'published/large', 'quarantined/other'), false);
    within.close();
  });

  test('an object that another server moves between the look and the copy is moved', async () => {
    const within = new Bucket(bucket.options, usualPatience);
    await within.put('quarantined/raced', Buffer.from('bytes'));
    class Raced extends Bucket {
      override async copy(from: string, to: string) {
        await moveObject(within, from, to);
        await super.copy(from, to);
      }
    }
    const raced = new Raced(bucket.options, usualPatience);
    assert.equal(await moveObject(raced, 'quarantined/raced', 'published/raced'), true);
    assert.equal((await wholeOf((await within.get('published/raced')).body)).toString(), 'bytes');
    raced.close();
    within.close();
  });

  test('names that are no objects are not listed', async () => {
    const [within, objects] = [new Bucket(bucket.options, usualPatience), await bucket.open()];
    await within.put('published/notes.txt', Buffer.from('bytes'));
    const key = 'f'.repeat(32);
    await objects.append(key, 0, [[Buffer.from('x')]]);
    await objects.publish(key);
    const listed = (await objects.page('published', 'e'.repeat(32), 1000)).map((object) => object.key);
    assert.ok(listed.includes(key));
    assert.ok(!listed.includes('notes.txt'));
    await objects.close();
    within.close();
  });
});
