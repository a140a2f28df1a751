import assert from 'node:assert/strict';
import { after, before, describe, test } from 'node:test';
import { contentTypes, type Message, talkCodes } from '@sealpost/contract';
import { createKeyMaterial, createKeyPair, sealMessage, sharedSecret, toBase64 } from '@sealpost/crypto';
import { startServer, type TestServer } from '@sealpost/dev-env/harness';
import { virtualTime } from '@sealpost/dev-env/virtual-time';
import {
  KeyTrustError,
  type OpenFailure,
  type PlainReason,
  SealingError,
  type SendFailure,
  type TrustEvent,
} from '@sealpost/sdk';
import { markVerified } from './key-owners.ts';
import { aGroup, aParty, aRoom, join, type Party, refusal, watchedCalls } from './sealing-parties.ts';

let server: TestServer;
before(async () => {
  server = await startServer();
});
after(() => server.close());

const pair = async () => [await aParty(server, 'alice'), await aParty(server, 'bob')] as const;
const trio = async () =>
  [await aParty(server, 'alice'), await aParty(server, 'bob'), await aParty(server, 'carol')] as const;
const history = async (reader: Party, chatMid: string) => (await reader.sealing.history(chatMid, 50)).toReversed();
const texts = async (reader: Party, chatMid: string) =>
  (await history(reader, chatMid)).filter((m) => m.contentType !== contentTypes.CHATEVENT).map((m) => m.text);
const notSent = (reason: SendFailure, because?: PlainReason) => (error: unknown) => {
  assert.ok(error instanceof SealingError, String(error));
  assert.deepEqual([error.reason, error.plainBecause], [reason, because]);
  return true;
};
async function staysClosed(reader: Party, message: Message, reason: OpenFailure) {
  const { sealing, text } = await reader.sealing.open(message);
  assert.equal(sealing.state === 'unopened' ? sealing.reason : sealing.state, reason);
  assert.equal(text, undefined);
}
/** Returns the message as the server has stored it. */
const stored = async (reader: Party, id: string) =>
  (await reader.client.TalkService.getMessagesByIds([id]))[0] ?? assert.fail(`no message ${id}`);
const changed = (message: Message, at: number, change: (bytes: Buffer) => void): Message => {
  const bytes = Buffer.from(message.chunks?.[at] ?? '', 'base64');
  change(bytes);
  return { ...message, chunks: (message.chunks ?? []).with(at, bytes.toString('base64')) };
};

describe('sealing between two', () => {
  test('a text is sealed, and opens for both, on the stream and in history', async () => {
    const [alice, bob] = await pair();
    const sent = await alice.sealing.sendText(bob.mid, 'tea?');
    assert.equal(sent.sealed, true);
    assert.equal(sent.message.text, 'tea?');
    assert.ok(!JSON.stringify(await stored(bob, sent.message.id)).includes('tea?'));
    assert.deepEqual(await texts(bob, alice.mid), ['tea?']);
    assert.deepEqual(await texts(alice, bob.mid), ['tea?']);
    const stop = new AbortController();
    for await (const event of bob.sealing.operations({ from: '0', signal: stop.signal })) {
      if (event.kind !== 'operation' || event.operation.message?.id !== sent.message.id) continue;
      assert.equal(event.operation.message.text, 'tea?');
      assert.equal(event.operation.message.sealing.state, 'opened');
      stop.abort();
    }
    assert.ok(stop.signal.aborted);
  });

  test('nothing of the content is left in the clear: emoji, places, names and keys of files', async () => {
    const [alice, bob] = await pair();
    const REPLACE = '{"sticon":{"resources":[{"S":0,"E":6,"productId":"5","sticonId":"001"}]}}';
    const location = { title: 'the secret place', address: 'hidden', latitude: 53.5, longitude: 9.9 };
    const keyMaterial = toBase64(createKeyMaterial());
    const media = { keyMaterial, fileName: 'salaries.pdf' };
    const metadata = { OID: 'object', SID: 'emf', FILE_NAME: 'salaries.pdf', ENC_KM: keyMaterial, FILE_SIZE: '7' };
    const messages = [
      { to: bob.mid, text: '(wave)', contentMetadata: { REPLACE, MENTION: '{}' } },
      { to: bob.mid, contentType: contentTypes.LOCATION, location },
      { to: bob.mid, contentType: contentTypes.FILE, media, contentMetadata: metadata, contentPreview: 'cHJldmlldw==' },
    ] as const;
    for (const message of messages) {
      const sent = await alice.sealing.send(message);
      assert.ok(sent.sealed);
      const raw = JSON.stringify(await stored(bob, sent.message.id));
      for (const secret of ['(wave)', 'sticonId', 'secret place', 'salaries', keyMaterial, 'cHJldmlldw']) {
        assert.ok(!raw.includes(secret), `${secret} in ${raw}`);
      }
    }
    const [wave, place, file] = await history(bob, alice.mid);
    assert.deepEqual(
      [wave?.text, wave?.contentMetadata.REPLACE, wave?.contentMetadata.MENTION],
      ['(wave)', REPLACE, '{}'],
    );
    assert.deepEqual(place?.location, location);
    assert.deepEqual(file?.media, media);
    assert.deepEqual([file?.contentMetadata.FILE_NAME, file?.contentMetadata.FILE_SIZE], ['salaries.pdf', '7']);
  });

  test('what an older client sealed in version 1 opens too', async () => {
    const [alice, bob] = await pair();
    const [key] = await alice.keyStore.ownKeys(alice.mid);
    const { publicKey } = await alice.client.TalkService.negotiateE2EEPublicKey(bob.mid);
    assert.ok(key && publicKey);
    const keys = {
      sharedSecret: sharedSecret(key.privateKey, Buffer.from(publicKey.keyData, 'base64')),
      senderKeyId: key.keyId,
      receiverKeyId: publicKey.keyId,
    };
    const parties = { to: bob.mid, from: alice.mid, contentType: contentTypes.NONE } as const;
    const chunks = await sealMessage(keys, parties, { text: 'long ago' }, { version: 1 });
    await alice.client.send({ to: bob.mid, contentMetadata: { e2eeVersion: '1' }, chunks });
    assert.deepEqual(await texts(bob, alice.mid), ['long ago']);
    assert.deepEqual(await texts(alice, bob.mid), ['long ago']);
  });

  test('notes to oneself are sealed for the own key', async () => {
    const alice = await aParty(server);
    assert.ok((await alice.sealing.sendText(alice.mid, 'a note')).sealed);
    assert.deepEqual(await texts(alice, alice.mid), ['a note']);
  });

  test('a new key of the other side is found out by the refusal, and the message is sealed anew', async () => {
    const [alice, bob] = await pair();
    const watched = watchedCalls('sendMessage');
    const sender = await alice.again({ fetch: watched.fetch });
    await sender.sealing.sendText(bob.mid, 'one');
    await bob.sealing.renewOwnKey();
    const sent = await sender.sealing.sendText(bob.mid, 'two');
    assert.ok(sent.sealed);
    assert.equal(watched.calls.length, 3);
    const [, first, second] = watched.calls.map(({ args }) => args as [number, { chunks: string[] }]);
    assert.equal(first?.[0], second?.[0], 'the tries have one reqSeq');
    assert.notDeepEqual(first?.[1].chunks, second?.[1].chunks);
    assert.deepEqual(await texts(bob, alice.mid), ['one', 'two']);
  });

  test('a change of key is told before anything is sealed for it', async () => {
    const [alice, bob] = await pair();
    const told: TrustEvent[] = [];
    const stop = alice.client.trust.onEvent((event) => told.push(event));
    await alice.sealing.sendText(bob.mid, 'one');
    assert.equal(told.length, 0);
    const renewed = await bob.sealing.renewOwnKey();
    await alice.sealing.sendText(bob.mid, 'two');
    assert.deepEqual(
      told.map((event) => [
        event.kind,
        event.kind === 'key-changed' && event.mid,
        event.kind === 'key-changed' && event.keyId,
      ]),
      [['key-changed', bob.mid, renewed.keyId]],
    );
    stop();
  });

  test('nothing is sealed for the new key of a verified contact until it is compared or the mark is taken back', async () => {
    const [alice, bob] = await pair();
    await alice.sealing.sendText(bob.mid, 'one');
    await markVerified(alice.client, bob.mid);
    await bob.sealing.renewOwnKey();
    const refused = (error: unknown) => error instanceof KeyTrustError && error.reason === 'verified-changed';
    await assert.rejects(alice.sealing.sendText(bob.mid, 'two'), refused);
    const room = await aRoom(alice, bob);
    await assert.rejects(alice.sealing.sendText(room, 'two'), refused);
    await alice.client.trust.unverify(bob.mid);
    assert.ok((await alice.sealing.sendText(bob.mid, 'three')).sealed);
    assert.deepEqual(await texts(bob, alice.mid), ['one', 'three']);
  });

  test('after a third refusal it gives up', async () => {
    const [alice, bob] = await pair();
    const watched = watchedCalls('sendMessage', () => refusal(talkCodes.E2EE_UPDATE_RECEIVER_KEY));
    const sender = await alice.again({ fetch: watched.fetch });
    await assert.rejects(sender.sealing.sendText(bob.mid, 'x'), /E2EE_UPDATE_RECEIVER_KEY/);
    assert.equal(watched.calls.length, 3);
    assert.deepEqual(await texts(bob, alice.mid), []);
  });

  test('a message that was stored though its answer said otherwise is not stored twice', async () => {
    const [alice, bob] = await pair();
    const time = virtualTime();
    const watched = watchedCalls('sendMessage');
    const losing: typeof fetch = async (input, init) => {
      time.move(1000);
      const answer = await watched.fetch(input, init);
      return watched.calls.length === 1 && String(input).endsWith('sendMessage')
        ? refusal(talkCodes.E2EE_UPDATE_RECEIVER_KEY)
        : answer;
    };
    const sender = await alice.again({ fetch: losing, clock: time });
    const sent = await sender.sealing.sendText(bob.mid, 'once');
    assert.equal(watched.calls.length, 2);
    assert.deepEqual(
      (await history(bob, alice.mid)).map(({ id }) => id),
      [sent.message.id],
    );
    assert.deepEqual(await texts(bob, alice.mid), ['once']);
  });

  test('after a refusal that another attempt cannot change, the client does not try again', async () => {
    const [alice, bob] = await pair();
    const watched = watchedCalls('sendMessage', () => refusal(talkCodes.DUPLICATED));
    const sender = await alice.again({ fetch: watched.fetch });
    await assert.rejects(sender.sealing.sendText(bob.mid, 'x'), /DUPLICATED/);
    assert.equal(watched.calls.length, 1);
  });

  test('a cached key is used for hours, then asked for again', async () => {
    const [alice, bob] = await pair();
    const time = virtualTime();
    const watched = watchedCalls('negotiateE2EEPublicKey');
    const sender = await alice.again({ fetch: watched.fetch, clock: time });
    for (const text of ['one', 'two', 'three']) await sender.sealing.sendText(bob.mid, text);
    assert.equal(watched.calls.length, 1);
    time.move(7 * 60 * 60_000);
    await sender.sealing.sendText(bob.mid, 'four');
    assert.equal(watched.calls.length, 2);
  });
});

describe('in the clear', () => {
  test('to somebody without a key, and it says so; sealed as soon as they have one', async () => {
    const alice = await aParty(server);
    const bob = await aParty(server, 'bob', { key: false });
    const sent = await alice.sealing.sendText(bob.mid, 'plain');
    assert.deepEqual([sent.sealed, sent.plainBecause, sent.message.text], [false, 'receiver-off', 'plain']);
    await bob.sealing.ownKey();
    assert.ok((await alice.sealing.sendText(bob.mid, 'sealed')).sealed);
    assert.deepEqual(await texts(bob, alice.mid), ['plain', 'sealed']);
  });

  test('when either side turns sealing off, and sealed again when it is on', async () => {
    const [alice, bob] = await pair();
    const isSealed = async (text: string) => assert.ok((await alice.sealing.sendText(bob.mid, text)).sealed);
    const goesIfAllowed = async (text: string, because: PlainReason) => {
      await assert.rejects(alice.sealing.sendText(bob.mid, text), notSent('would-downgrade', because));
      assert.equal((await alice.sealing.sendText(bob.mid, text, 'plain')).plainBecause, 'asked');
    };
    await isSealed('1');
    await bob.turn('off');
    await goesIfAllowed('2', 'receiver-off');
    await bob.turn('on');
    // The client has the answer "off" in its cache for an hour, but asks again before it refuses a message.
    await isSealed('3');
    await alice.turn('off');
    await goesIfAllowed('4', 'sender-off');
    await alice.turn('on');
    await isSealed('5');
    assert.deepEqual(await texts(bob, alice.mid), ['1', '2', '3', '4', '5']);
  });

  test('with the mode sealed nothing is sent in the clear, and with plain nothing sealed', async () => {
    const [alice, bob] = await pair();
    const off = await aParty(server, 'off', { key: false });
    await assert.rejects(alice.sealing.sendText(off.mid, 'x', 'sealed'), notSent('must-be-plain', 'receiver-off'));
    await assert.rejects(alice.sealing.sendText(bob.mid, 'x', 'plain'), notSent('must-be-sealed'));
    const sent = await alice.sealing.sendText(off.mid, 'x', 'plain');
    assert.equal(sent.plainBecause, 'asked');
    assert.deepEqual([await texts(bob, alice.mid), await texts(off, alice.mid)], [[], ['x']]);
  });

  test('what has no sealed form goes as it is', async () => {
    const [alice, bob] = await pair();
    const sticker = { STKPKGID: '1', STKID: '1', STKVER: '1' };
    const sent = await alice.sealing.send({ to: bob.mid, contentType: contentTypes.STICKER, contentMetadata: sticker });
    assert.deepEqual([sent.sealed, sent.plainBecause], [false, 'no-sealed-form']);
    const card = { ORGCONTP: 'CONTACT', vCard: 'BEGIN:VCARD' };
    assert.equal((await alice.sealing.send({ to: bob.mid, contentMetadata: card })).plainBecause, 'no-sealed-form');
  });

  test('an object is never sent in a form that the receiver cannot open', async () => {
    const [alice, bob] = await pair();
    const off = await aParty(server, 'off', { key: false });
    const image = { contentType: contentTypes.IMAGE, contentMetadata: { OID: 'object', SID: 'emi' } };
    const media = { keyMaterial: toBase64(createKeyMaterial()) };
    assert.deepEqual(await alice.sealing.preview({ to: bob.mid, ...image }), { sealed: true });
    assert.deepEqual(await alice.sealing.preview({ to: off.mid, ...image }), {
      sealed: false,
      because: 'receiver-off',
    });
    await assert.rejects(alice.sealing.send({ to: bob.mid, ...image }), notSent('no-key-material'));
    await assert.rejects(
      alice.sealing.send({ to: off.mid, ...image, media }),
      notSent('must-be-plain', 'receiver-off'),
    );
  });
});

describe('the own key', () => {
  test('is registered once, also by two clients at once and after a registration that was cut off', async () => {
    const alice = await aParty(server, 'alice', { key: false });
    const { keyStore, mid } = alice;
    const cut = createKeyPair();
    await keyStore.addUnregisteredKey(mid, cut);
    const keyData = toBase64(cut.publicKey);
    const { keyId } = await alice.client.TalkService.registerE2EEPublicKey(5, { version: 1, keyId: 0, keyData });
    assert.deepEqual(await alice.sealing.ownKey(), { kind: 'ready', keyId });
    assert.deepEqual(
      (await keyStore.ownKeys(mid)).map((key) => key.keyId),
      [keyId],
    );
    assert.deepEqual(await keyStore.unregisteredKeys(mid), []);
    assert.deepEqual(await (await alice.again()).sealing.ownKey(), { kind: 'ready', keyId });
    assert.equal((await alice.client.TalkService.getE2EEPublicKeysEx(false)).length, 1);
  });

  test('is not registered while sealing is off', async () => {
    const alice = await aParty(server, 'alice', { key: false });
    await alice.turn('off');
    assert.deepEqual(await alice.sealing.ownKey(), { kind: 'off' });
    assert.deepEqual(await alice.client.TalkService.getE2EEPublicKeysEx(false), []);
  });

  test('a device without it sends nothing that should be sealed, says what helps, and opens nothing', async () => {
    const [alice, bob] = await pair();
    const off = await aParty(server, 'off', { key: false });
    await bob.sealing.sendText(alice.mid, 'for alice');
    const device = await alice.elsewhere();
    const held = (await alice.sealing.ownKey()) as { keyId: number };
    assert.deepEqual(await device.sealing.ownKey(), { kind: 'missing', keyId: held.keyId });
    await assert.rejects(device.sealing.sendText(bob.mid, 'x'), notSent('own-key-missing'));
    assert.equal((await device.sealing.sendText(off.mid, 'x')).plainBecause, 'receiver-off');
    const [message] = await device.sealing.history(bob.mid, 1);
    assert.equal(message?.sealing.state === 'unopened' && message.sealing.reason, 'unknown-key');
    assert.equal(
      (await alice.client.TalkService.getE2EEPublicKeysEx(false)).length,
      1,
      'no key was registered unasked',
    );

    await device.sealing.renewOwnKey();
    assert.ok((await device.sealing.sendText(bob.mid, 'from a new key')).sealed);
    assert.deepEqual(await texts(bob, alice.mid), ['for alice', 'from a new key']);
    // The first device now has only an old key, because the new key is not in its store.
    await assert.rejects(alice.sealing.sendText(bob.mid, 'x'), notSent('own-key-missing'));
  });

  test('that comes to a device later is used at once', async () => {
    const [alice, bob] = await pair();
    await bob.sealing.sendText(alice.mid, 'early');
    const device = await alice.elsewhere();
    await assert.rejects(device.sealing.sendText(bob.mid, 'x'), notSent('own-key-missing'));
    assert.deepEqual(await texts(device, bob.mid), [undefined]);
    await device.keyStore.addOwnKeys(alice.mid, await alice.keyStore.ownKeys(alice.mid));
    assert.ok((await device.sealing.sendText(bob.mid, 'late')).sealed);
    assert.deepEqual(await texts(device, bob.mid), ['early', 'late']);
  });

  test('history opens with the keys of its time, after a new login', async () => {
    const [alice, bob] = await pair();
    await alice.sealing.sendText(bob.mid, 'first');
    await alice.sealing.renewOwnKey();
    await bob.sealing.sendText(alice.mid, 'second');
    await bob.sealing.renewOwnKey();
    await alice.sealing.sendText(bob.mid, 'third');
    const all = ['first', 'second', 'third'];
    assert.deepEqual(await texts(await alice.again(), bob.mid), all);
    assert.deepEqual(await texts(await bob.again(), alice.mid), all);
  });
});

describe('groups and rooms', () => {
  test('the first message makes the group key, and everybody opens it', async () => {
    const [alice, bob, carol] = await trio();
    for (const chatMid of [await aGroup(alice, bob, carol), await aRoom(alice, bob, carol)]) {
      const keyOfBob = () => bob.client.TalkService.getLastE2EEGroupSharedKey(1, chatMid);
      assert.ok((await alice.sealing.sendText(chatMid, 'one')).sealed);
      const made = await keyOfBob();
      assert.ok((await bob.sealing.sendText(chatMid, 'two')).sealed);
      assert.deepEqual(await keyOfBob(), made, 'one key for both messages');
      for (const reader of [alice, bob, carol]) assert.deepEqual(await texts(reader, chatMid), ['one', 'two']);
    }
  });

  test('new members read what comes after, former members read no more, and a new key seals it', async () => {
    const [alice, bob, carol] = await trio();
    const chatMid = await aGroup(alice, bob);
    await alice.sealing.sendText(chatMid, 'before');
    await alice.client.TalkService.inviteIntoChat({ reqSeq: 0, chatMid, targetUserMids: [carol.mid] });
    await join(carol, chatMid);
    assert.ok((await alice.sealing.sendText(chatMid, 'with carol')).sealed);
    const [first, second] = (await history(alice, chatMid)).filter((m) => m.sealing.state === 'opened');
    const [old = 0, next = 0] = [first, second].map((m) => m?.sealing.state === 'opened' && m.sealing.receiverKeyId);
    assert.ok(next > old, `${next} follows ${old}`);
    assert.equal((await carol.sealing.open(await stored(carol, second?.id ?? ''))).text, 'with carol');
    await staysClosed(carol, await stored(alice, first?.id ?? ''), 'no-group-share');

    await bob.client.TalkService.deleteSelfFromChat({ reqSeq: 0, chatMid });
    const { message } = await carol.sealing.sendText(chatMid, 'without bob');
    assert.equal((await alice.sealing.open(await stored(alice, message.id))).text, 'without bob');
    await staysClosed(bob, await stored(alice, message.id), 'no-group-share');
  });

  test('a new key of a member is followed by a new group key; the old messages still open', async () => {
    const [alice, bob, carol] = await trio();
    const chatMid = await aRoom(alice, bob, carol);
    await alice.sealing.sendText(chatMid, 'one');
    await bob.sealing.renewOwnKey();
    assert.ok((await alice.sealing.sendText(chatMid, 'two')).sealed);
    const back = await bob.again();
    assert.ok((await back.sealing.sendText(chatMid, 'three')).sealed);
    for (const reader of [alice, back, carol]) assert.deepEqual(await texts(reader, chatMid), ['one', 'two', 'three']);
  });

  test('a group with somebody whose sealing is off is written to in the clear, until it is on', async () => {
    const [alice, bob] = await pair();
    const off = await aParty(server, 'off', { key: false });
    const chatMid = await aGroup(alice, bob, off);
    assert.equal((await alice.sealing.sendText(chatMid, 'plain')).plainBecause, 'member-off');
    await off.sealing.ownKey();
    assert.ok((await alice.sealing.sendText(chatMid, 'sealed')).sealed);
    await bob.turn('off');
    await assert.rejects(alice.sealing.sendText(chatMid, 'no'), notSent('would-downgrade', 'member-off'));
    assert.equal((await alice.sealing.sendText(chatMid, 'plain again', 'plain')).plainBecause, 'asked');
    for (const reader of [alice, bob, off]) {
      assert.deepEqual(await texts(reader, chatMid), ['plain', 'sealed', 'plain again']);
    }
  });

  test('messages of many members at once in a new room all arrive sealed, though each makes a group key', async () => {
    const parties = await Promise.all([0, 1, 2, 3, 4].map((n) => aParty(server, `member-${n}`)));
    const [first, ...others] = parties as [Party, ...Party[]];
    const chatMid = await aRoom(first, ...others);
    const sent = await Promise.all(
      parties.flatMap((party, p) => [0, 1].map((n) => party.sealing.sendText(chatMid, `${p}.${n}`))),
    );
    assert.ok(sent.every(({ sealed }) => sealed));
    const written = parties.flatMap((_, p) => [`${p}.0`, `${p}.1`]);
    assert.deepEqual((await texts(first, chatMid)).toSorted(), written);
  });

  test('a share that does not open is replaced when the next member writes', async () => {
    const [alice, bob] = await pair();
    const chatMid = await aRoom(alice, bob);
    const talk = alice.client.TalkService;
    const members = Object.entries(await talk.getLastE2EEPublicKeys(chatMid));
    const junk = toBase64(new Uint8Array(48).fill(7));
    const mids = members.map(([mid]) => mid);
    await talk.registerE2EEGroupKey(
      1,
      chatMid,
      mids,
      members.map(([, { keyId }]) => keyId),
      mids.map(() => junk),
    );
    assert.ok((await bob.sealing.sendText(chatMid, 'healed')).sealed);
    assert.deepEqual(await texts(alice, chatMid), ['healed']);
  });
});

describe('a message that must not open', () => {
  async function aMessage() {
    const [alice, bob] = await pair();
    const { message } = await alice.sealing.sendText(bob.mid, 'true words');
    return { alice, bob, message: await stored(bob, message.id) };
  }

  test('is refused when its key is not one of its sender', async () => {
    const { alice, bob, message } = await aMessage();
    const eve = await aParty(server, 'eve');
    await staysClosed(bob, { ...message, from: eve.mid }, 'wrong-sender');

    // Eve seals a message for Bob with her own key, and the server says that Alice sent it.
    const [key] = await eve.keyStore.ownKeys(eve.mid);
    const { publicKey } = await eve.client.TalkService.negotiateE2EEPublicKey(bob.mid);
    assert.ok(key && publicKey);
    const keys = {
      sharedSecret: sharedSecret(key.privateKey, Buffer.from(publicKey.keyData, 'base64')),
      senderKeyId: key.keyId,
      receiverKeyId: publicKey.keyId,
    };
    const parties = { to: bob.mid, from: alice.mid, contentType: contentTypes.NONE } as const;
    const chunks = await sealMessage(keys, parties, { text: 'false words' });
    await staysClosed(bob, { ...message, chunks }, 'wrong-sender');
    await staysClosed(bob, { ...message, chunks, from: bob.mid }, 'wrong-sender');
  });

  test('is refused when it is for somebody else, or for a key that does not belong to the receiver', async () => {
    const { alice, bob, message } = await aMessage();
    const carol = await aParty(server, 'carol');
    await staysClosed(carol, message, 'wrong-receiver');
    await staysClosed(carol, { ...message, to: carol.mid }, 'wrong-receiver');
    await staysClosed(
      bob,
      changed(message, 4, (id) => id.writeUInt32BE(4_000_000)),
      'wrong-receiver',
    );
    await staysClosed(
      alice,
      changed(message, 4, (id) => id.writeUInt32BE(4_000_000)),
      'wrong-receiver',
    );
  });

  test('is refused when a bit was changed, in the content, the salt or the nonce', async () => {
    const { bob, message } = await aMessage();
    for (const at of [0, 1, 2]) {
      await staysClosed(
        bob,
        changed(message, at, (bytes) => (bytes[3] = (bytes[3] ?? 0) ^ 1)),
        'tampered',
      );
    }
  });

  test('is refused with its own reason when type, mark, layout or parties were changed', async () => {
    const { alice, bob, message } = await aMessage();
    const metadata = (more: Record<string, string>) => ({ ...message.contentMetadata, ...more });
    await staysClosed(bob, { ...message, contentType: contentTypes.LOCATION }, 'metadata-changed');
    await staysClosed(bob, { ...message, contentType: contentTypes.STICKER }, 'metadata-changed');
    await staysClosed(bob, { ...message, contentMetadata: metadata({ contentType: '1' }) }, 'metadata-changed');
    await staysClosed(bob, { ...message, contentMetadata: metadata({ e2eeVersion: '1' }) }, 'version');
    await staysClosed(bob, { ...message, chunks: (message.chunks ?? []).slice(1) }, 'malformed');
    const [id1, id2] = [message.chunks?.[3], message.chunks?.[4]] as [string, string];
    const mirrored = { ...message, from: bob.mid, to: alice.mid, chunks: message.chunks?.with(3, id2).with(4, id1) };
    await staysClosed(bob, mirrored as Message, 'tampered');
  });

  test('text that the server put beside the chunks is never shown as the sender’s', async () => {
    const { bob, message } = await aMessage();
    const opened = await bob.sealing.open({ ...message, text: 'false words' });
    assert.equal(opened.text, 'true words');
    await staysClosed(bob, { ...changed(message, 1, (bytes) => bytes.fill(0)), text: 'false words' }, 'tampered');
  });

  test('is refused when it comes a second time under another id, and opens again under its own', async () => {
    const { bob, message } = await aMessage();
    assert.equal((await bob.sealing.open(message)).text, 'true words');
    await staysClosed(bob, { ...message, id: '99' }, 'repeated');
    assert.equal((await bob.sealing.open(message)).text, 'true words');
  });

  test('is refused when the key of its sender is not in the key log', async () => {
    const { alice, bob } = await aMessage();
    const forged = createKeyPair();
    const keyData = toBase64(forged.publicKey);
    const { keyId } = (await alice.sealing.ownKey()) as { keyId: number };
    const record = { version: 1, keyId: keyId + 1, keyData, createdTime: '1' };
    await (await aParty(server, 'other')).sealing.ownKey();
    const { publicKey } = await alice.client.TalkService.negotiateE2EEPublicKey(bob.mid);
    const keys = {
      sharedSecret: sharedSecret(forged.privateKey, Buffer.from(publicKey?.keyData ?? '', 'base64')),
      senderKeyId: record.keyId,
      receiverKeyId: publicKey?.keyId ?? 0,
    };
    const parties = { to: bob.mid, from: alice.mid, contentType: contentTypes.NONE } as const;
    const chunks = await sealMessage(keys, parties, { text: 'false words' });
    const lying = watchedCalls('getE2EEPublicKey', () => Response.json({ code: 0, message: 'OK', data: record }));
    const reader = await bob.again({ fetch: lying.fetch });
    const { message } = await bob.sealing.sendText(alice.mid, 'x');
    const envelope = { ...(await stored(bob, message.id)), to: bob.mid, from: alice.mid };
    await staysClosed(reader, { ...envelope, chunks }, 'untrusted-key');
    assert.equal(lying.calls.length, 1);
  });

  test('is told apart from one whose keys could not be fetched', async () => {
    const { bob, message } = await aMessage();
    const down = await bob.again({ fetch: async () => new Response('', { status: 500 }) });
    await staysClosed(down, message, 'unavailable');
  });

  test('is explained step by step', async () => {
    const { bob, message } = await aMessage();
    const good = await bob.sealing.explain(message);
    assert.deepEqual(
      good.steps.map(({ step }) => step),
      ['chunks', 'receiver key', 'sender key', 'content'],
    );
    assert.equal(good.message.sealing.state, 'opened');
    const bad = await (await bob.elsewhere()).sealing.explain(message);
    assert.deepEqual(
      bad.steps.map(({ step }) => step),
      ['chunks'],
    );
    assert.ok(bad.message.sealing.state === 'unopened');
    assert.match(bad.message.sealing.remedy, /log in anew/);
  });
});

test('a key that the server exchanges under an id that was seen is not sealed for', async () => {
  const [alice, bob] = await pair();
  await alice.sealing.sendText(bob.mid, 'one');
  const keyId = ((await bob.sealing.ownKey()) as { keyId: number }).keyId;
  const publicKey = { version: 1, keyId, keyData: toBase64(createKeyPair().publicKey), createdTime: '1' };
  const data = { publicKey, specVersion: 2, allowedTypes: [0] };
  const watched = watchedCalls('negotiateE2EEPublicKey', () => Response.json({ code: 0, message: 'OK', data }));
  const sends = watchedCalls('sendMessage');
  const between: typeof fetch = (input, init) =>
    String(input).endsWith('sendMessage') ? sends.fetch(input, init) : watched.fetch(input, init);
  const sender = await alice.again({ fetch: between });
  const swapped = (error: unknown) => error instanceof KeyTrustError && error.reason === 'swapped';
  await assert.rejects(sender.sealing.sendText(bob.mid, 'two'), swapped);
  assert.deepEqual([watched.calls.length, sends.calls.length], [1, 0]);
});
