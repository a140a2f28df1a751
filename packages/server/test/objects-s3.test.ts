import { after, before, describe } from 'node:test';
import { objectsConformance } from './objects-conformance/suite.ts';
import { makeBucket, type TestBucket, withoutS3 } from './s3-server.ts';

describe('S3', { skip: withoutS3 }, () => {
  let bucket: TestBucket;
  before(async () => {
    bucket = await makeBucket();
  });
  after(() => bucket.close());

  objectsConformance('S3', () => bucket.open());
});
