import assert from 'node:assert/strict';
import { after, afterEach, before, describe, test } from 'node:test';
import { fromBase64, safetyNumber } from '@sealpost/crypto';
import { startServer, type TestServer } from '@sealpost/dev-env/harness';
import { type LyingProxy, startLyingProxy } from '@sealpost/dev-env/proxies/lying';
import { KeyTrustError, SafetyNumberError } from '@sealpost/sdk';
import { type KeyOwner, keyOwner, markVerified } from './key-owners.ts';

describe('safety numbers', () => {
  let server: TestServer;
  let proxy: LyingProxy;
  before(async () => {
    server = await startServer();
    proxy = await startLyingProxy(server.url);
  });
  afterEach(() => proxy.beHonest());
  after(async () => {
    await proxy.close();
    await server.close();
  });

  const owner = (name: string): Promise<KeyOwner> => keyOwner(server, proxy.url, name);
  const trust = ({ client }: KeyOwner) => client.trust;
  async function seal(from: KeyOwner, { mid }: KeyOwner): Promise<void> {
    const { publicKey } = await from.client.TalkService.negotiateE2EEPublicKey(mid);
    await trust(from).forSealing([{ mid, key: publicKey ?? assert.fail('no key') }]);
  }
  const refuses = (reason: string, words: RegExp) => (error: unknown) => {
    assert.ok(error instanceof KeyTrustError && error.reason === reason, String(error));
    assert.match(error.message, words);
    return true;
  };

  test('both sides have the same number, and it is that of both current keys', async () => {
    const [alice, bob] = [await owner('alice'), await owner('bob')];
    await alice.register();
    const [hers, his] = [await trust(alice).contact(bob.mid), await trust(bob).contact(alice.mid)];
    assert.deepEqual([hers.digits, hers.qr], [his.digits, his.qr]);
    assert.match(hers.digits, /^(\d{5} ){11}\d{5}$/);
    assert.equal(fromBase64(hers.qr).length, 65);
    const newest = async ({ keyStore, mid }: KeyOwner) => ({
      mid,
      publicKeys: (await keyStore.ownKeys(mid)).slice(-1).map((key) => key.publicKey),
    });
    assert.equal(safetyNumber(await newest(bob), await newest(alice)).digits, hers.digits);
    assert.equal(hers.state, 'unverified');
  });

  test('a contact is verified by hand, by the digits or by the code of the other side, and by no other code', async () => {
    const [alice, bob, carol] = [await owner('alice'), await owner('bob'), await owner('carol')];
    const his = await trust(bob).contact(alice.mid);
    const others = await trust(carol).contact(alice.mid);
    for (const wrong of [others.digits, others.qr, '', '?', his.digits.slice(1), his.qr.toLowerCase()]) {
      assert.equal(await trust(alice).verify(bob.mid, wrong), undefined, wrong);
      assert.equal((await trust(alice).contact(bob.mid)).state, 'unverified');
    }
    for (const right of [his.digits, his.digits.replaceAll(' ', ''), his.digits.replaceAll(' ', '\n'), his.qr]) {
      assert.equal((await trust(alice).verify(bob.mid, right))?.state, 'verified');
      assert.equal((await alice.again().trust.contact(bob.mid)).state, 'verified', 'in the next run too');
      await trust(alice).unverify(bob.mid);
      assert.equal((await trust(alice).contact(bob.mid)).state, 'unverified');
    }
  });

  test('a key that changed after the comparison is not marked with the number that was compared', async () => {
    const [alice, bob] = [await owner('alice'), await owner('bob')];
    const { digits } = await trust(alice).contact(bob.mid);
    await bob.register();
    assert.equal(await trust(alice).verify(bob.mid, digits), undefined);
    assert.equal((await trust(alice).contact(bob.mid)).state, 'unverified');
  });

  test('nothing is sealed for a verified contact with a new key, until the number was compared again', async () => {
    const [alice, bob] = [await owner('alice'), await owner('bob')];
    const first = await markVerified(alice.client, bob.mid);
    await seal(alice, bob);
    const keyId = await bob.register();
    const words = new RegExp(`verified on \\d{4}-\\d\\d-\\d\\d with key ${first?.keyId}, has key ${keyId} now`);
    await assert.rejects(seal(alice, bob), refuses('verified-changed', words));
    const kinds = alice.events.map((event) => event.kind);
    assert.deepEqual(kinds, ['key-changed', 'alarm']);
    const [change] = alice.events;
    assert.deepEqual(change?.kind === 'key-changed' && change.verified?.digits, first?.digits);
    const now = await trust(alice).contact(bob.mid);
    assert.deepEqual([now.state, now.changed, now.verified?.digits], ['changed', 'contact', first?.digits]);
    assert.notEqual(now.digits, first?.digits);
    await trust(alice).verify(bob.mid, (await trust(bob).contact(alice.mid)).digits);
    await seal(alice, bob);
    await bob.register();
    await assert.rejects(seal(alice, bob), refuses('verified-changed', /Compare/));
    await trust(alice).unverify(bob.mid);
    await seal(alice, bob);
  });

  test('an own new key changes the number, and is told apart from one of the contact', async () => {
    const [alice, bob] = [await owner('alice'), await owner('bob')];
    await markVerified(alice.client, bob.mid);
    await alice.register();
    assert.equal((await trust(alice).contact(bob.mid)).changed, 'own');
    await seal(alice, bob);
    await bob.register();
    assert.equal((await trust(alice).contact(bob.mid)).changed, 'both');
  });

  test('there is no number of somebody without a key, of oneself, or on a device without keys', async () => {
    const [alice, bob] = [await owner('alice'), await owner('bob')];
    const nobody = await server.user();
    const fails = (words: RegExp) => (error: unknown) =>
      error instanceof SafetyNumberError && words.test(error.message);
    await assert.rejects(trust(alice).contact(nobody.mid), fails(/has no key/));
    await assert.rejects(trust(alice).contact(alice.mid), fails(/own account/));
    await assert.rejects(nobody.client.trust.contact(bob.mid), fails(/this device has no key/));
    await assert.rejects(trust(alice).verify(nobody.mid, '?'), fails(/has no key/));
  });

  test('lie: a key in the middle gives no number, neither for the contact nor for oneself', async () => {
    const [alice, bob, mallory] = [await owner('alice'), await owner('bob'), await owner('mallory')];
    const { publicKey } = await alice.client.TalkService.negotiateE2EEPublicKey(mallory.mid);
    const { digits } = await trust(alice).contact(bob.mid);
    proxy.lie('TalkService.negotiateE2EEPublicKey', (honest) => ({ ...honest, ...(publicKey && { publicKey }) }));
    await assert.rejects(trust(alice).contact(bob.mid), refuses('not-in-log', /real one/));
    await assert.rejects(trust(alice).verify(bob.mid, digits), refuses('not-in-log', /real one/));
    proxy.beHonest();
    // The server registers a key in the name of the account, so that the log has the key.
    const keyData = Buffer.alloc(32, 7).toString('base64');
    await (await alice.user.session()).TalkService.registerE2EEPublicKey(0, { keyData });
    await assert.rejects(trust(alice).contact(bob.mid), refuses('own-key-unknown', /look at your sessions/));
  });
});
