// Clients that saw keys which are newer than the copy to which the server was set back.
import assert from 'node:assert/strict';
import { cpSync, mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { after, afterEach, beforeEach, describe, test } from 'node:test';
import { setTimeout as pause } from 'node:timers/promises';
import { run } from '@sealpost/dev-env/command';
import { startServer, type TestServer } from '@sealpost/dev-env/harness';
import type { SentMessage } from '@sealpost/sdk';
import { aGroup, aParty, join as joinChat, type Party } from './sealing-parties.ts';

describe('a server that was set back to an earlier copy', () => {
  const copy = mkdtempSync(join(tmpdir(), 'sealpost-copy-'));
  after(() => rmSync(copy, { recursive: true, force: true }));
  let server: TestServer;
  beforeEach(async () => {
    server = await startServer();
  });
  afterEach(() => server.close());

  const save = () =>
    server.restart(() => {
      rmSync(copy, { recursive: true });
      cpSync(server.dataDir, copy, { recursive: true });
    });
  const setBack = () =>
    server.restart(async () => {
      // The ids of group keys count seconds.
      await pause(2000);
      rmSync(server.dataDir, { recursive: true });
      cpSync(copy, server.dataDir, { recursive: true });
      const { code, err } = await run({}, ['resync', '--data-dir', server.dataDir]);
      assert.equal(code, 0, err);
    });
  const again = (party: Party): Promise<Party> => party.again();
  const opens = async (reader: Party, { message }: SentMessage, text: string) =>
    assert.equal((await reader.sealing.open(message)).text, text);

  test('never gives the id of a group key again', async () => {
    const [founder, member, guest] = [await aParty(server), await aParty(server), await aParty(server)];
    const group = await aGroup(founder, member);
    await founder.sealing.sendText(group, 'the first key');
    /** Invites the guest, so that the group needs another key. Then everybody writes, and everybody reads it. */
    async function talkWithGuest(): Promise<void> {
      const [ann, ben, cem] = [await again(founder), await again(member), await again(guest)];
      await ann.client.TalkService.inviteIntoChat({ reqSeq: 0, chatMid: group, targetUserMids: [guest.mid] });
      await joinChat(cem, group);
      for (const writer of [ann, ben, cem]) {
        const sent = await writer.sealing.sendText(group, writer.mid);
        for (const reader of [ann, ben, cem]) await opens(reader, sent, writer.mid);
      }
    }
    await save();
    await talkWithGuest();
    await setBack();
    await talkWithGuest();
  });

  test('takes the keys of a device that accepts its log, and others seal for them again', async () => {
    const people = [await aParty(server, 'ann'), await aParty(server, 'ben')] as const;
    const [first] = [await people[1].sealing.sendText(people[0].mid, 'first')];
    await save();
    const [lateAnn, lateBen] = [await again(people[0]), await again(people[1])];
    await lateAnn.sealing.renewOwnKey();
    const lost = await lateAnn.sealing.renewOwnKey();
    await opens(lateAnn, await lateBen.sealing.sendText(lateAnn.mid, 'lost'), 'lost');
    await lateAnn.client.trust.checkOwnKeys();
    await setBack();

    // Two people get the ids of ann's lost keys.
    for (const name of ['cem', 'dee']) await aParty(server, name);
    const [ann, ben] = [await again(people[0]), await again(people[1])];
    await assert.rejects(ann.client.trust.checkOwnKeys(), { name: 'KeyTrustError', reason: 'forked' });
    assert.equal((await ann.sealing.ownKey()).kind, 'ready', 'with the key that the server has');
    await ann.client.trust.acceptLog();
    const state = await ann.sealing.ownKey();
    assert.ok(state.kind === 'ready' && state.keyId > lost.keyId, 'the newest key is current again');
    await ann.client.trust.checkOwnKeys();
    const changes: unknown[] = [];
    ben.client.trust.onEvent((event) => changes.push(event.kind));
    await ben.client.trust.acceptLog();
    await opens(ann, await ben.sealing.sendText(ann.mid, 'to ann'), 'to ann');
    await opens(ben, await ann.sealing.sendText(ben.mid, 'to ben'), 'to ben');
    assert.deepEqual(changes, ['log-accepted'], 'it is the key that ben knew');
    for (const reader of [ann, ben]) await opens(reader, first, 'first');
    const [one, other] = [await ann.client.trust.contact(ben.mid), await ben.client.trust.contact(ann.mid)];
    assert.equal(one.digits, other.digits);
    assert.deepEqual(await ann.keyStore.unregisteredKeys(ann.mid), []);
    assert.equal((await ann.keyStore.ownKeys(ann.mid)).length, 3);
  });

  test('takes a key that its device had never looked for in the log', async () => {
    const [party] = [await aParty(server, 'ann')];
    await save();
    await (await again(party)).sealing.renewOwnKey();
    await setBack();
    // The log is as long as before. The id of the lost key belongs to somebody else.
    const cem = await aParty(server, 'cem');
    const ann = await again(party);
    await assert.rejects(ann.client.trust.checkOwnKeys(), { name: 'KeyTrustError', reason: 'rewound' });
    await ann.client.trust.acceptLog();
    await ann.sealing.ownKey();
    await opens(ann, await cem.sealing.sendText(ann.mid, 'to ann'), 'to ann');
    await ann.client.trust.checkOwnKeys();
    assert.deepEqual(await ann.keyStore.unregisteredKeys(ann.mid), []);
  });

  test('restores the backup of keys that it has, once its log is accepted, and takes a new one', async () => {
    const passphrase = 'gravel onion tractor velvet mimic';
    const cheap = { cost: { memoryKiB: 64, passes: 1, lanes: 1 } };
    const [party] = [await aParty(server)];
    const { keyIds } = await party.client.recovery.backup(passphrase, cheap);
    await save();
    const late = await again(party);
    await late.sealing.renewOwnKey();
    await late.client.recovery.backup(passphrase, cheap);
    await setBack();

    const { client, sealing } = await again(party);
    await assert.rejects(client.recovery.restore(passphrase), { name: 'RecoveryError', reason: 'older-backup' });
    await client.trust.acceptLog();
    assert.deepEqual((await client.recovery.restore(passphrase)).missingKeyIds, []);
    await sealing.ownKey();
    const stored = await client.recovery.backup(passphrase, cheap);
    assert.equal(stored.keyIds.length, keyIds.length + 1, 'with the key that the server had lost');
    const device = await party.elsewhere();
    assert.deepEqual((await device.client.recovery.restore(passphrase)).addedKeyIds, stored.keyIds);
  });

  test('lets others seal for the key that it has, once they accept its log', async () => {
    const people = [await aParty(server, 'ann'), await aParty(server, 'ben')] as const;
    await save();
    const [lateAnn, lateBen] = [await again(people[0]), await again(people[1])];
    await lateAnn.sealing.renewOwnKey();
    await lateBen.sealing.sendText(lateAnn.mid, 'lost');
    await setBack();
    const [ann, ben] = [await again(people[0]), await again(people[1])];
    await assert.rejects(ben.sealing.sendText(ann.mid, 'no'), { name: 'KeyTrustError', reason: 'rewound' });
    await ben.client.trust.acceptLog();
    await opens(ann, await ben.sealing.sendText(ann.mid, 'yes'), 'yes');
  });

  test('may give the id of a lost key to another key of the same person', async () => {
    const people = [await aParty(server, 'ann'), await aParty(server, 'ben')] as const;
    await save();
    const [lateAnn, lateBen] = [await again(people[0]), await again(people[1])];
    const lost = await lateAnn.sealing.renewOwnKey();
    await lateBen.sealing.sendText(lateAnn.mid, 'lost');
    await setBack();
    // Ann uses a device that has never had the lost key.
    const [ann, ben] = [await people[0].elsewhere(), await again(people[1])];
    const { keyId } = await ann.sealing.renewOwnKey();
    assert.equal(keyId, lost.keyId);
    await assert.rejects(ben.sealing.sendText(ann.mid, 'no'), { name: 'KeyTrustError', reason: 'swapped' });
    await ben.client.trust.acceptLog();
    const changes: unknown[] = [];
    ben.client.trust.onEvent((event) => changes.push(event));
    await opens(ann, await ben.sealing.sendText(ann.mid, 'to ann'), 'to ann');
    await opens(ben, await ann.sealing.sendText(ben.mid, 'to ben'), 'to ben');
    assert.deepEqual(changes, [{ kind: 'key-changed', mid: ann.mid, previousKeyId: 0, keyId, verified: undefined }]);
  });
});
