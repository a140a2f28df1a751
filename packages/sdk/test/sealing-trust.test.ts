// A server that lies about keys gets nothing from clients that seal.
import assert from 'node:assert/strict';
import { after, afterEach, before, describe, test } from 'node:test';
import { createKeyPair, toBase64 } from '@sealpost/crypto';
import { startServer, type TestServer } from '@sealpost/dev-env/harness';
import { type LyingProxy, startLyingProxy } from '@sealpost/dev-env/proxies/lying';
import { KeyTrustError, type KeyTrustReason } from '@sealpost/sdk';
import { aGroup, aParty, type Party } from './sealing-parties.ts';

describe('sealing over a server that lies about keys', () => {
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

  const calls = (method: string) => proxy.calls().filter((path) => path.endsWith(`/${method}`)).length;
  const refused = (reason: KeyTrustReason) => (error: unknown) =>
    error instanceof KeyTrustError && error.reason === reason;
  /** Returns the same party with the same keys, connected through the proxy. */
  const throughProxy = (party: Party): Promise<Party> => party.again({ url: proxy.url });
  const ofTheServer = toBase64(createKeyPair().publicKey);
  const swapFor = () =>
    proxy.lie('TalkService.negotiateE2EEPublicKey', (honest) =>
      honest.publicKey ? { ...honest, publicKey: { ...honest.publicKey, keyData: ofTheServer } } : honest,
    );

  test('a first message for a swapped key is not sent, and the real key is taken afterwards', async () => {
    const [alice, bob] = [await throughProxy(await aParty(server, 'alice')), await aParty(server, 'bob')];
    swapFor();
    proxy.calls();
    for (let tries = 0; tries < 2; tries++) {
      await assert.rejects(alice.sealing.sendText(bob.mid, 'secret'), refused('not-in-log'));
    }
    assert.equal(calls('sendMessage'), 0);
    proxy.beHonest();
    const { message, sealed } = await alice.sealing.sendText(bob.mid, 'secret');
    assert.ok(sealed);
    const [received] = await bob.sealing.history(alice.mid, 1);
    assert.deepEqual([received?.id, received?.text], [message.id, 'secret']);
  });

  test('a message for the swapped key of a known contact is not sent either', async () => {
    const [alice, bob] = [await aParty(server, 'alice'), await aParty(server, 'bob')];
    await alice.sealing.sendText(bob.mid, 'one');
    const again = await throughProxy(alice);
    swapFor();
    proxy.calls();
    await assert.rejects(again.sealing.sendText(bob.mid, 'two'), refused('swapped'));
    assert.equal(calls('sendMessage'), 0);
  });

  test('a group key is not wrapped for a swapped key of a member', async () => {
    const [first, bob, carol] = [
      await aParty(server, 'alice'),
      await aParty(server, 'bob'),
      await aParty(server, 'carol'),
    ];
    const group = await aGroup(first, bob, carol);
    const alice = await throughProxy(first);
    proxy.lie('TalkService.getLastE2EEPublicKeys', (honest) => {
      const real = honest[carol.mid];
      return real ? { ...honest, [carol.mid]: { ...real, keyData: ofTheServer } } : honest;
    });
    proxy.calls();
    await assert.rejects(alice.sealing.sendText(group, 'secret'), refused('not-in-log'));
    assert.deepEqual([calls('registerE2EEGroupKey'), calls('sendMessage')], [0, 0]);
    proxy.beHonest();
    await alice.sealing.sendText(group, 'secret');
    const [received] = await carol.sealing.history(group, 1);
    assert.equal(received?.text, 'secret');
  });

  test('a message whose sender has a swapped key stays closed, and opens with the real one', async () => {
    const [alice, bob] = [await aParty(server, 'alice'), await aParty(server, 'bob')];
    await alice.sealing.sendText(bob.mid, 'from alice');
    const reader = await throughProxy(bob);
    proxy.lie('TalkService.getE2EEPublicKey', (honest) => ({ ...honest, keyData: ofTheServer }));
    const [closed] = await reader.sealing.history(alice.mid, 1);
    assert.deepEqual([closed?.text, closed?.sealing.state], [undefined, 'unopened']);
    assert.equal(closed?.sealing.state === 'unopened' && closed.sealing.reason, 'untrusted-key');
    proxy.beHonest();
    const [opened] = await (await throughProxy(bob)).sealing.history(alice.mid, 1);
    assert.equal(opened?.text, 'from alice');
  });
});
