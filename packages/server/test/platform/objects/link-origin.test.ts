// The origin of redirected downloads must be the one of the addresses that S3's own client signs.
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { linkOrigin } from '../../../src/platform/objects/link-origin.ts';
import { Bucket, usualPatience } from '../../../src/platform/objects/s3-bucket.ts';

const usual = {
  bucket: 'media',
  prefix: '',
  endpoint: undefined,
  region: 'eu-central-1',
  credentials: { accessKeyId: 'key', secretAccessKey: 'secret' },
  pathStyle: false,
  linkSeconds: 60,
  linkEndpoint: undefined,
};

test('the origin of downloads is that of the signed addresses, wherever the bucket is', async () => {
  for (const more of [
    {},
    { pathStyle: true },
    { region: 'us-east-1' },
    { region: 'cn-north-1' },
    { bucket: 'me.dia' },
    { bucket: 'me.dia', endpoint: 'http://s3.example.org' },
    { bucket: 'me.dia', endpoint: 'https://s3.example.org' },
    { endpoint: 'https://s3.example.org:9000' },
    { endpoint: 'https://s3.example.org', pathStyle: true },
    { endpoint: 'https://s3.example.org/below/a/path' },
    { endpoint: 'http://127.0.0.1:9000' },
    { endpoint: 'http://[::1]:9000' },
    { endpoint: 'http://localhost:9000' },
    { endpoint: 'http://127.0.0.1:9000', linkEndpoint: 'https://s3.example.org', pathStyle: true },
  ]) {
    const settings = { ...usual, ...more };
    const bucket = new Bucket(settings, usualPatience);
    const headers = { type: 'image/png', disposition: 'inline', cacheControl: 'private' };
    const { origin } = new URL(await bucket.link('a-picture', headers));
    bucket.close();
    assert.equal(linkOrigin(settings), origin, JSON.stringify(more));
  }
});

test('downloads through this server have no origin of their own', () => {
  assert.equal(linkOrigin({ ...usual, linkSeconds: 0 }), undefined);
});
