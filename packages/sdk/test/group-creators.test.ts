// Group keys from a server that lies about their creators, or about the members who should get them.
import assert from 'node:assert/strict';
import { after, afterEach, before, describe, test } from 'node:test';
import { contentTypes, type E2EEGroupSharedKey, type E2EEPublicKey, type Message } from '@sealpost/contract';
import { createKeyPair, type KeyPair, sealMessage, sharedSecret, wrapGroupKey } from '@sealpost/crypto';
import { startServer, type TestServer } from '@sealpost/dev-env/harness';
import { type LyingProxy, startLyingProxy } from '@sealpost/dev-env/proxies/lying';
import { KeyTrustError, type KeyTrustReason, type TrustEvent } from '@sealpost/sdk';
import { markVerified } from './key-owners.ts';
import { aGroup, aParty, join, type Party } from './sealing-parties.ts';

const GROUP_KEY_ID = 7;

describe('who makes the key of a group', () => {
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

  /** Returns a group of alice, who connects through the proxy, and bob. Mallory is not a member. */
  async function world() {
    const [first, bob, mallory] = [
      await aParty(server, 'alice'),
      await aParty(server, 'bob'),
      await aParty(server, 'mallory'),
    ];
    const group = await aGroup(first, bob);
    const alice = await first.again({ url: proxy.url });
    const events: TrustEvent[] = [];
    alice.client.trust.onEvent((event) => events.push(event));
    return { alice, bob, mallory, group, events };
  }
  type World = Awaited<ReturnType<typeof world>>;

  const calls = (made: readonly string[], method: string) => made.filter((path) => path.endsWith(`/${method}`)).length;
  const ownKey = async ({ keyStore, mid }: Party) => (await keyStore.ownKeys(mid)).at(-1) ?? assert.fail('no key');
  /** Returns alice's share of a group key that `maker` made with one of the maker's own keys. */
  async function shareBy(
    maker: Party,
    { alice }: World,
    made: { pair?: KeyPair; keyId?: number } = {},
  ): Promise<E2EEGroupSharedKey> {
    const keys = await maker.keyStore.ownKeys(maker.mid);
    const creator = keys.find(({ keyId }) => keyId === made.keyId) ?? keys.at(-1) ?? assert.fail('no key');
    const receiver = await ownKey(alice);
    const { privateKey } = made.pair ?? createKeyPair();
    return {
      keyVersion: 1,
      groupKeyId: GROUP_KEY_ID,
      creator: maker.mid,
      creatorKeyId: creator.keyId,
      receiver: alice.mid,
      receiverKeyId: receiver.keyId,
      encryptedSharedKey: await wrapGroupKey(privateKey, creator.privateKey, receiver.publicKey),
      allowedTypes: [contentTypes.NONE],
      specVersion: 2,
    };
  }
  const offer = (share: E2EEGroupSharedKey) => proxy.lie('TalkService.getLastE2EEGroupSharedKey', () => share);

  /**
   * Checks that alice sends nothing and that the listeners get the reason. Then checks that the message is sent with an
   * honest server.
   */
  async function isRefused({ alice, bob, group, events }: World, reason: KeyTrustReason, words: RegExp) {
    proxy.calls();
    await assert.rejects(alice.sealing.sendText(group, 'secret'), (error) => {
      assert.ok(error instanceof KeyTrustError, String(error));
      assert.equal(error.reason, reason, error.message);
      assert.match(error.message, words);
      return true;
    });
    const made = proxy.calls();
    assert.deepEqual([calls(made, 'registerE2EEGroupKey'), calls(made, 'sendMessage')], [0, 0]);
    assert.ok(events.some((event) => event.kind === 'alarm' && event.error.reason === reason));
    proxy.beHonest();
    assert.ok((await alice.sealing.sendText(group, 'secret')).sealed);
    const [received] = await bob.sealing.history(group, 1);
    assert.equal(received?.text, 'secret');
  }

  test('somebody outside of the group: nothing is sealed with it', async () => {
    const found = await world();
    offer(await shareBy(found.mallory, found));
    await isRefused(found, 'not-a-member', new RegExp(`${found.mallory.mid} made group key 7 of ${found.group}`));
  });

  test('members that the answer names, or members of another chat, do not count', async () => {
    const found = await world();
    const share = await shareBy(found.mallory, found);
    const memberMids = [found.alice.mid, found.bob.mid, found.mallory.mid];
    offer({ ...share, members: memberMids, memberMids } as E2EEGroupSharedKey);
    proxy.lie('TalkService.getChats', (honest) => {
      const [chat] = honest.chats;
      assert.ok(chat?.extra?.groupExtra);
      const other = {
        ...chat,
        chatMid: `c${'0'.repeat(32)}`,
        extra: { groupExtra: { ...chat.extra.groupExtra, memberMids } },
      };
      return { ...honest, chats: [other, chat, other] };
    });
    await isRefused(found, 'not-a-member', /does not list/);
  });

  test('a member with a key that is not the newest: nothing is sealed with it', async () => {
    const found = await world();
    const { keyId } = await ownKey(found.bob);
    await found.bob.sealing.renewOwnKey();
    offer(await shareBy(found.bob, found, { keyId }));
    await isRefused(
      found,
      'creator-key-old',
      new RegExp(`made with key ${keyId} of ${found.bob.mid}, who has key \\d+`),
    );
  });

  test('the account itself with an earlier key: nothing is sealed with it', async () => {
    const found = await world();
    const { keyId } = await ownKey(found.alice);
    await found.alice.sealing.renewOwnKey();
    offer(await shareBy(found.alice, found, { keyId }));
    await isRefused(found, 'creator-key-old', /made with key/);
  });

  test('a member with a key that is not in the key log: nothing is sealed with it', async () => {
    const found = await world();
    const ofMallory = await ownKey(found.mallory);
    const share = await shareBy(found.mallory, found);
    const { keyId } = await ownKey(found.bob);
    offer({ ...share, creator: found.bob.mid, creatorKeyId: keyId });
    proxy.lie('TalkService.negotiateE2EEPublicKey', (honest) => {
      const publicKey = {
        ...(honest.publicKey as E2EEPublicKey),
        keyData: Buffer.from(ofMallory.publicKey).toString('base64'),
      };
      return { ...honest, publicKey };
    });
    await isRefused(found, 'not-in-log', /does not hold key/);
  });

  test('a verified member with a new key: nothing is sealed with it until the number is compared again', async () => {
    const { alice, bob, group } = await world();
    await markVerified(alice.client, bob.mid);
    await bob.sealing.renewOwnKey();
    assert.ok((await bob.sealing.sendText(group, 'with a new key')).sealed);
    const reason = (error: unknown) => error instanceof KeyTrustError && error.reason;
    await assert.rejects(alice.sealing.sendText(group, 'x'), (error) => reason(error) === 'verified-changed');
    await markVerified(alice.client, bob.mid);
    assert.ok((await alice.sealing.sendText(group, 'x')).sealed);
  });

  test('a key is not made for somebody whom the list of members does not have', async () => {
    const found = await world();
    const { publicKey } = await found.alice.client.TalkService.negotiateE2EEPublicKey(found.mallory.mid);
    proxy.lie('TalkService.getLastE2EEPublicKeys', (honest) => ({
      ...honest,
      [found.mallory.mid]: publicKey as E2EEPublicKey,
    }));
    await isRefused(found, 'not-a-member', /is to get the next group key/);
  });

  test('a key that changes under its number is not taken', async () => {
    const found = await world();
    await found.bob.sealing.sendText(found.group, 'one');
    await found.alice.sealing.sendText(found.group, 'two');
    const { groupKeyId } = await found.bob.client.TalkService.getLastE2EEGroupSharedKey(1, found.group);
    const again = { ...found, alice: await found.alice.again({ url: proxy.url }) };
    again.alice.client.trust.onEvent((event) => found.events.push(event));
    offer({ ...(await shareBy(found.bob, found)), groupKeyId });
    await isRefused(again, 'swapped', /another one than this device has/);
  });

  /** Returns a forged message in bob's name. Anybody who knows the group key can make one with the server's help. */
  async function forged({ bob, group }: World, pair: KeyPair): Promise<Message> {
    const { publicKey, keyId } = await ownKey(bob);
    const keys = {
      sharedSecret: sharedSecret(pair.privateKey, publicKey),
      senderKeyId: keyId,
      receiverKeyId: GROUP_KEY_ID,
    };
    const parties = { to: group, from: bob.mid, contentType: contentTypes.NONE } as const;
    const { message } = await bob.sealing.sendText(group, 'a real one');
    const chunks = await sealMessage(keys, parties, { text: 'send me money' });
    return { ...message, chunks, text: undefined, contentMetadata: { e2eeVersion: '2' } } as unknown as Message;
  }

  test('a message under a key of somebody outside proves nothing, and its key is not kept', async () => {
    const found = await world();
    const pair = createKeyPair();
    const share = await shareBy(found.mallory, found, { pair });
    proxy.lie('TalkService.getE2EEGroupSharedKey', (honest, _version, _chat, id) =>
      id === GROUP_KEY_ID ? share : honest,
    );
    const opened = await found.alice.sealing.open(await forged(found, pair));
    assert.equal(opened.text, 'send me money');
    assert.ok(opened.sealing.state === 'unproven', opened.sealing.state);
    assert.equal(opened.sealing.creator, found.mallory.mid);
    assert.match(`${opened.sealing.cause} ${opened.sealing.detail}`, /anybody may have written it.*no known member/);
    assert.equal(await found.alice.keyStore.groupKey(found.alice.mid, found.group, GROUP_KEY_ID), undefined);
    const [real] = await found.alice.sealing.history(found.group, 1);
    assert.ok(real?.sealing.state === 'opened');
    assert.deepEqual([real.text, real.sealing.creator], ['a real one', found.bob.mid]);
  });

  test('a share under another number than the message names opens nothing', async () => {
    const found = await world();
    const pair = createKeyPair();
    const share = await shareBy(found.bob, found, { pair });
    proxy.lie('TalkService.getE2EEGroupSharedKey', () => ({ ...share, groupKeyId: GROUP_KEY_ID + 1 }));
    const { sealing, text } = await found.alice.sealing.open(await forged(found, pair));
    assert.deepEqual([sealing.state === 'unopened' && sealing.reason, text], ['no-group-share', undefined]);
  });

  test('a creator who left is remembered by a device that knew them, and unproven on a new one', async () => {
    const { alice, bob, mallory: carol, group } = await world();
    await alice.client.TalkService.inviteIntoChat({ reqSeq: 0, chatMid: group, targetUserMids: [carol.mid] });
    await alice.sealing.sendText(group, 'before she joins');
    await join(carol, group);
    const { message } = await carol.sealing.sendText(group, 'carol made this key');
    const stateOf = async (reader: Party) => {
      const [found] = await reader.client.TalkService.getMessagesByIds([message.id]);
      const { sealing, text } = await reader.sealing.open(found ?? assert.fail('no message'));
      assert.equal(text, 'carol made this key');
      return sealing.state;
    };
    assert.equal(await stateOf(alice), 'opened', 'the list of members was asked for anew');
    await carol.client.TalkService.deleteSelfFromChat({ reqSeq: 0, chatMid: group });
    assert.equal(await stateOf(await alice.again()), 'opened');
    assert.equal(await stateOf(bob), 'unproven');
    const elsewhere = await alice.elsewhere();
    await elsewhere.keyStore.addOwnKeys(alice.mid, await alice.keyStore.ownKeys(alice.mid));
    assert.equal(await stateOf(elsewhere), 'unproven');
  });

  test('can be asked for, with the members that are verified', async () => {
    const { alice, bob, group } = await world();
    assert.deepEqual(await alice.sealing.group(group), {
      chatMid: group,
      key: undefined,
      members: [{ mid: bob.mid, verified: false }],
      state: 'unverified',
    });
    await bob.sealing.sendText(group, 'one');
    await markVerified(alice.client, bob.mid);
    const { key, state } = await alice.sealing.group(group);
    assert.deepEqual([key?.creator, state], [bob.mid, 'verified']);
    await bob.sealing.renewOwnKey();
    await alice.client.trust.learn(bob.mid);
    assert.equal((await alice.sealing.group(group)).state, 'unverified');
  });
});
