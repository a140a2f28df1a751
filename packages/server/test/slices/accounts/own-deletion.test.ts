// Calls of an account whose deletion is under way: none of them leaves anything behind.
import assert from 'node:assert/strict';
import { createECDH } from 'node:crypto';
import { type TestContext, test } from 'node:test';
import { chatTypes, profileAttributes, settingsAttributes } from '@sealpost/contract';
import { createDatabase, databases, startServer, type TestServer, type TestUser } from '@sealpost/dev-env/harness';
import { objectClient } from '@sealpost/dev-env/object-client';
import { failsWith } from '@sealpost/dev-env/people';
import { verify } from '../../../src/maintenance/verify/verify.ts';

type Calls = (ann: TestUser, bob: TestUser, server: TestServer) => Readonly<Record<string, () => Promise<unknown>>>;

const EMAIL = 'ann@example.org';
const quietHours = { from: '22:00', to: '07:00', timeZone: 'UTC' };

const calls: Calls = ({ client, mid, ...ann }, bob, server) => {
  const { TalkService, RelationService, PushService, KeyBackupService } = client;
  const seq = client.nextReqSeq;
  const targetUserMids = [bob.mid];
  const email = { profileAttributes: { [profileAttributes.EMAIL]: { value: EMAIL } } };
  const name = { profileAttributes: { [profileAttributes.DISPLAY_NAME]: { value: 'Ann again' } } };
  const setting = settingsAttributes.PRIVACY_RECV_MESSAGES_FROM_NOT_FRIEND;
  const values = { privacyReceiveMessagesFromNotFriend: false };
  const key = { version: 1, keyId: 0, keyData: Buffer.alloc(32, 7).toString('base64'), createdTime: '0' };
  const keys = { p256dh: createECDH('prime256v1').generateKeys().toString('base64url') };
  const upload = async (path: string) => {
    const { status } = await objectClient(server).post({ client, mid, ...ann }, path, 'bytes');
    assert.equal(status, 401);
  };
  return {
    'creates a room': () => TalkService.createChat({ reqSeq: seq(), type: chatTypes.ROOM, targetUserMids }),
    'creates a group': () =>
      TalkService.createChat({ reqSeq: seq(), type: chatTypes.GROUP, name: 'Tea', targetUserMids }),
    'takes an address': () => TalkService.updateProfileAttributes(seq(), email),
    'takes a name': () => TalkService.updateProfileAttributes(seq(), name),
    'changes a setting': () => TalkService.updateSettingsAttributes2(seq(), [setting], values),
    'adds a contact': () => RelationService.addFriendByMid({ reqSeq: seq(), userMid: bob.mid }),
    'blocks a contact': () => TalkService.blockContact(seq(), bob.mid),
    'registers a key': () => TalkService.registerE2EEPublicKey(seq(), key),
    'sends a message': () => TalkService.sendMessage(seq(), { to: bob.mid, text: 'I was here' }),
    'stores a backup': () => KeyBackupService.putBackup({ expectedVersion: 0, blob: 'AAAA' }),
    'asks for pushes': () =>
      PushService.subscribe({
        endpoint: 'https://push.example.org/x',
        ...keys,
        auth: 'AAAAAAAAAAAAAAAAAAAAAA',
        quietHours,
      }),
    uploads: () => upload('/r/talk/emi/reqid-11111111-2222-3333-4444-555555555555'),
  };
};

/** Calls that are answered without an effect, if the chat is gone before they look for it. */
const callsOfChat: Calls = ({ client: { TalkService, nextReqSeq: seq } }, bob) => ({
  'reads a chat': () => TalkService.sendChatChecked(seq(), bob.mid, '0'),
  'removes a history': () => TalkService.sendChatRemoved(seq(), bob.mid, '0'),
  'hides a chat': () => TalkService.setChatHiddenStatus({ reqSeq: seq(), chatMid: bob.mid, hidden: true }),
});

for (const database of databases)
  test(`an account that is being deleted changes nothing on ${database}`, async (t) => {
    const { server, sources } = await started(t, database === 'postgres');
    const { accounts } = server.server.slices;
    const [ann, bob] = [await server.user('ann'), await server.user('bob')];
    await bob.client.sendText(ann.mid, 'hi');
    const before = await bob.log();
    const id = await server.server.store.read(async (reader) => (await accounts.idOf(reader, ann.mid)) ?? 0);
    // The server knows the session, so the calls below pass its check.
    await ann.client.TalkService.getProfile();
    const outcomes = new Map<string, Promise<unknown>>();
    const ofChat: Promise<unknown>[] = [];
    await accounts.remove(id, async () => {
      for (const [name, call] of Object.entries(calls(ann, bob, server))) outcomes.set(name, call());
      for (const call of Object.values(callsOfChat(ann, bob, server))) ofChat.push(call());
      for (const outcome of [...outcomes.values(), ...ofChat]) outcome.catch(() => {});
      // While these are answered, the calls come as far as the row or the turn that the deletion holds.
      for (let n = 0; n < 5; n++) await bob.client.TalkService.getProfile();
    });
    for (const [name, outcome] of outcomes)
      if (name === 'uploads') await outcome;
      else await assert.rejects(outcome, failsWith('SESSION_LOGGED_OUT'), name);
    for (const outcome of ofChat) await outcome.catch(failsWith('SESSION_LOGGED_OUT'));
    assert.deepEqual((await verify({ sources })).findings, []);
    assert.deepEqual(await bob.log(), before);
    const { TalkService } = bob.client;
    const mids = await TalkService.getAllChatMids({ withMemberChats: true, withInvitedChats: true });
    assert.deepEqual([...mids.memberChatMids, ...mids.invitedChatMids], []);
    const email = { profileAttributes: { [profileAttributes.EMAIL]: { value: EMAIL } } };
    await TalkService.updateProfileAttributes(bob.client.nextReqSeq(), email);
  });

async function started(t: TestContext, onPostgres: boolean) {
  const own = onPostgres ? await createDatabase() : undefined;
  const flags = own ? { 'database-url': own.url } : {};
  const server = await startServer({ flags });
  t.after(async () => {
    await server.close();
    await own?.drop();
  });
  return { server, sources: { flags: { ...flags, 'data-dir': server.dataDir }, env: {} } };
}
