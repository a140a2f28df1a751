// If a chat was sealed before or its contact is verified, a server cannot bring messages into the clear by saying that
// sealing is "off".
import assert from 'node:assert/strict';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { after, afterEach, before, describe, test } from 'node:test';
import { ApiError, contentTypes } from '@sealpost/contract';
import { startServer, type TestServer } from '@sealpost/dev-env/harness';
import { type LyingProxy, startLyingProxy } from '@sealpost/dev-env/proxies/lying';
import { memoryKeyStore, type PlainReason, SealingError, type SendFailure } from '@sealpost/sdk';
import { fileKeyStore } from '@sealpost/sdk/node';
import { markVerified } from './key-owners.ts';
import { aGroup, aParty, type Party } from './sealing-parties.ts';
import { file } from './transfers.ts';

describe('messages that were sealed, and would go in the clear', () => {
  const folder = mkdtempSync(join(tmpdir(), 'sealpost-downgrade-'));
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
    rmSync(folder, { recursive: true, force: true });
  });

  const pair = async (): Promise<[Party, Party]> => [
    await (await aParty(server, 'alice')).again({ url: proxy.url }),
    await aParty(server, 'bob'),
  ];
  /** Returns the party as after a restart of its program, with an empty memory and the same key store. */
  const restarted = (party: Party) => party.again({ url: proxy.url });
  const notSent =
    (reason: SendFailure, because: PlainReason, words = /./) =>
    (error: unknown) => {
      assert.ok(error instanceof SealingError, String(error));
      assert.deepEqual([error.reason, error.plainBecause], [reason, because]);
      assert.match(error.message, words);
      return true;
    };
  /** Checks that the attempt is refused, and that the device has sent nothing of the message. */
  async function isRefused(attempt: () => Promise<unknown>, because: PlainReason, words?: RegExp) {
    proxy.calls();
    await assert.rejects(attempt, notSent('would-downgrade', because, words));
    assert.deepEqual(
      proxy.calls().filter((path) => /sendMessage|registerE2EEGroupKey|\/r\//.test(path)),
      [],
    );
  }
  const sayReceiverIsOff = () =>
    proxy.lie('TalkService.negotiateE2EEPublicKey', ({ publicKey, ...rest }) => ({ ...rest, specVersion: -1 }));

  test('a verified contact gets nothing in the clear, though the chat was never sealed', async () => {
    const [alice, bob] = await pair();
    await markVerified(alice.client, bob.mid);
    sayReceiverIsOff();
    const again = await restarted(alice);
    await isRefused(
      () => again.sealing.sendText(bob.mid, 'x'),
      'receiver-off',
      /verified on \d{4}-.* allow it for this one message: mode `plain`, on the command line --plain/,
    );
    const preview = await again.sealing.preview({ to: bob.mid });
    assert.ok(!preview.sealed);
    assert.deepEqual([preview.because, preview.refused?.kind], ['receiver-off', 'verified']);
    proxy.beHonest();
    await bob.turn('off');
    await isRefused(async () => (await restarted(alice)).sealing.sendText(bob.mid, 'x'), 'receiver-off');
    await alice.client.trust.unverify(bob.mid);
    assert.equal((await (await restarted(alice)).sealing.sendText(bob.mid, 'x')).plainBecause, 'receiver-off');
  });

  test('a chat that was sealed is remembered by a new process, and opened once by one message only', async () => {
    const [first, bob] = await pair();
    const alice = await first.again({ url: proxy.url, keyStore: fileKeyStore(folder) });
    await alice.keyStore.addOwnKeys(alice.mid, await first.keyStore.ownKeys(first.mid));
    assert.ok((await alice.sealing.sendText(bob.mid, 'one')).sealed);
    await bob.turn('off');
    const next = await first.again({ url: proxy.url, keyStore: fileKeyStore(folder) });
    await isRefused(() => next.sealing.sendText(bob.mid, 'two'), 'receiver-off', /sealed since \d{4}-/);
    const sent = await next.sealing.sendText(bob.mid, 'three', 'plain');
    assert.deepEqual([sent.sealed, sent.plainBecause], [false, 'asked']);
    await isRefused(() => next.sealing.sendText(bob.mid, 'four'), 'receiver-off');
    await bob.turn('on');
    assert.ok((await next.sealing.sendText(bob.mid, 'five')).sealed, 'before it refuses, it asks again');
  });

  test('a chat in which sealed messages were only read is remembered too', async () => {
    const [alice, bob] = await pair();
    await bob.sealing.sendText(alice.mid, 'sealed');
    assert.equal((await alice.sealing.history(bob.mid, 1))[0]?.text, 'sealed');
    sayReceiverIsOff();
    await isRefused(async () => (await restarted(alice)).sealing.sendText(bob.mid, 'x'), 'receiver-off');
  });

  test('a device that has not opened anything of a chat looks at its history before it sends in the clear', async () => {
    const [alice, bob] = await pair();
    const group = await aGroup(alice, bob);
    await bob.sealing.sendText(alice.mid, 'sealed');
    await bob.sealing.sendText(group, 'sealed');
    await bob.turn('off');
    await bob.sealing.sendText(alice.mid, 'in the clear', 'plain');
    // Only the keys are the same: this device has no memory of the chats. Another one has not even got the keys.
    const keyStore = memoryKeyStore();
    await keyStore.addOwnKeys(alice.mid, await alice.keyStore.ownKeys(alice.mid));
    const restored = await alice.again({ url: proxy.url, keyStore });
    const keyless = await alice.again({ url: proxy.url, keyStore: memoryKeyStore() });
    for (const device of [restored, keyless]) {
      const preview = await device.sealing.preview({ to: bob.mid });
      assert.ok(!preview.sealed);
      assert.deepEqual([preview.because, preview.refused?.kind], ['receiver-off', 'sealed-before']);
      await isRefused(() => device.sealing.sendText(bob.mid, 'x'), 'receiver-off', /sealed since/);
      await isRefused(() => device.sealing.sendText(group, 'x'), 'member-off', /sealed since/);
      assert.equal((await device.sealing.sendText(bob.mid, 'y', 'plain')).plainBecause, 'asked');
    }
  });

  test('a history that cannot be read keeps a message back; one that was never sealed is read once', async () => {
    const alice = await (await aParty(server, 'alice')).again({ url: proxy.url });
    const bob = await aParty(server, 'bob', { key: false });
    const looks = () => proxy.calls().filter((path) => path.endsWith('getRecentMessagesV2')).length;
    proxy.lie('TalkService.getRecentMessagesV2', () => {
      throw new ApiError('NOT_FOUND', 'the test has no history');
    });
    await assert.rejects(alice.sealing.sendText(bob.mid, 'one'), /the test has no history/);
    proxy.beHonest();
    assert.deepEqual(await alice.sealing.history(bob.mid, 1), [], 'nothing was sent');
    proxy.calls();
    for (const text of ['two', 'three'])
      assert.equal((await alice.sealing.sendText(bob.mid, text)).plainBecause, 'receiver-off');
    assert.equal(looks(), 1);
  });

  test('a sealed message that comes after that look, and does not open, is remembered too', async () => {
    const [alice, bob] = await pair();
    await bob.turn('off');
    const keyless = await alice.again({ url: proxy.url, keyStore: memoryKeyStore() });
    assert.equal((await keyless.sealing.sendText(bob.mid, 'one')).plainBecause, 'receiver-off');
    await bob.turn('on');
    await bob.sealing.sendText(alice.mid, 'sealed');
    await bob.turn('off');
    assert.equal((await keyless.sealing.history(bob.mid, 1))[0]?.sealing.state, 'unopened');
    await isRefused(() => keyless.sealing.sendText(bob.mid, 'two'), 'receiver-off');
  });

  test('a message that was on its way when sealing went off is refused too', async () => {
    const [alice, bob] = await pair();
    await alice.sealing.sendText(bob.mid, 'one');
    await bob.turn('off');
    // The client still has the old key in its cache. The server refuses the message, and only then the client asks for
    // the key again.
    await assert.rejects(alice.sealing.sendText(bob.mid, 'two'), notSent('would-downgrade', 'receiver-off'));
    assert.equal((await bob.sealing.history(alice.mid, 5)).length, 1);
  });

  test('a group that was sealed stays so, until the sender allows the one message', async () => {
    const [alice, bob] = await pair();
    const group = await aGroup(alice, bob);
    await alice.sealing.sendText(group, 'one');
    await bob.turn('off');
    await isRefused(async () => (await restarted(alice)).sealing.sendText(group, 'two'), 'member-off');
    assert.equal((await alice.sealing.sendText(group, 'three', { mode: 'plain' })).plainBecause, 'asked');
  });

  test('a server that says that the sender is off, or that the receiver takes no texts, changes nothing', async () => {
    const [alice, bob] = await pair();
    await alice.sealing.sendText(bob.mid, 'one');
    proxy.lie('TalkService.getSettingsAttributes2', (honest) => ({ ...honest, e2eeEnable: false }));
    await isRefused(async () => (await restarted(alice)).sealing.sendText(bob.mid, 'two'), 'sender-off');
    proxy.beHonest();
    proxy.lie('TalkService.negotiateE2EEPublicKey', (honest) => ({ ...honest, allowedTypes: [] }));
    await isRefused(async () => (await restarted(alice)).sealing.sendText(bob.mid, 'two'), 'type-not-taken');
  });

  test('no part of a file that would go in the clear is uploaded', async () => {
    const [alice, bob] = await pair();
    await alice.sealing.sendText(bob.mid, 'one');
    await bob.turn('off');
    const again = await restarted(alice);
    const media = again.client.media(again.sealing);
    const picture = file(new TextEncoder().encode('bytes'), { kind: 'image', name: 'holiday.bin' });
    await isRefused(() => media.send(bob.mid, picture), 'receiver-off');
    await assert.rejects(media.send(bob.mid, picture, { mode: 'sealed' }), notSent('must-be-plain', 'receiver-off'));
    const direct = await alice.again();
    const sent = await direct.client.media(direct.sealing).send(bob.mid, picture, { mode: 'plain' });
    assert.deepEqual([sent.chunks, sent.hasContent], [undefined, true]);
  });

  test('content without a sealed form is sent as before', async () => {
    const [alice, bob] = await pair();
    await alice.sealing.sendText(bob.mid, 'one');
    const contentMetadata = { STKPKGID: '1', STKID: '1', STKVER: '1' };
    const sent = await alice.sealing.send({ to: bob.mid, contentType: contentTypes.STICKER, contentMetadata });
    assert.equal(sent.plainBecause, 'no-sealed-form');
  });

  test('a message that is sent again under its reqSeq is stored once, sealed again or not', async () => {
    const [alice, bob] = await pair();
    const message = { to: bob.mid, text: 'once', createdTime: '1781129412050' };
    const reqSeq = alice.client.nextReqSeq();
    const first = await alice.sealing.send(message, { reqSeq });
    const again = await alice.sealing.send(message, { reqSeq });
    assert.ok(first.sealed && again.sealed);
    assert.equal((await bob.sealing.history(alice.mid, 5)).length, 1);
  });
});
