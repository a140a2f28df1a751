import assert from 'node:assert/strict';
import { randomBytes } from 'node:crypto';
import { after, before, describe, test } from 'node:test';
import { startServer, type TestServer } from '@sealpost/dev-env/harness';
import { type FaultProxy, startFaultProxy } from '@sealpost/dev-env/proxies/s3';
import { s3Origin, withoutS3 } from '@sealpost/dev-env/s3-server';
import { contentOf, file, hash } from './transfers.ts';

describe('a server that redirects downloads', { skip: withoutS3 }, () => {
  let elsewhere: FaultProxy;
  let server: TestServer;
  before(async () => {
    elsewhere = await startFaultProxy(s3Origin());
    server = await startServer({
      objects: 's3',
      flags: { 's3-link-seconds': '60', 's3-link-endpoint': elsewhere.url },
    });
  });
  after(async () => {
    await server.close();
    await elsewhere.close();
  });

  test('is followed to the other host, which gets the range and nothing of the login', async () => {
    const [alice, bob] = [await server.user('alice'), await server.user('bob')];
    const bytes = randomBytes(300_000);
    const { id } = await alice.client.media().send(bob.mid, file(bytes));
    assert.equal(hash(await contentOf(bob.client, bob.client.media(), id)), hash(bytes));
    assert.deepEqual(elsewhere.seen, ['GetObject']);
    const half = Uint8Array.from(bytes.subarray(0, 150_000));
    assert.equal(hash(await contentOf(bob.client, bob.client.media(), id, half)), hash(bytes.subarray(150_000)));
    assert.equal(elsewhere.heard.length, 2);
    assert.equal(elsewhere.heard[1]?.range, 'bytes=150000-');
    for (const headers of elsewhere.heard) {
      assert.deepEqual(
        Object.keys(headers).filter((name) => /^(x-|authorization|cookie)/.test(name)),
        [],
      );
    }
  });

  test('is asked again when the other host fails', async () => {
    const [alice, bob] = [await server.user('alice'), await server.user('bob')];
    const bytes = randomBytes(300_000);
    const { id } = await alice.client.media().send(bob.mid, file(bytes));
    let faults = 0;
    elsewhere.fault = () => (faults++ === 0 ? 'half an answer' : undefined);
    assert.equal(hash(await contentOf(bob.client, bob.client.media(), id)), hash(bytes));
    assert.equal(faults, 2);
  });
});
