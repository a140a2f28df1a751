// A server that gets its content in stages. A stage has only what the schema of its time could hold.
import assert from 'node:assert/strict';
import { randomUUID } from 'node:crypto';
import { chatTypes, contactTypes, contentTypes, type Operation, settingsAttributes } from '@sealpost/contract';
import { startServer, type TestServer, type TestUser } from '@sealpost/dev-env/harness';
import { objectClient, params } from '@sealpost/dev-env/object-client';
import { type Rows, rowsIn } from '@sealpost/dev-env/older-schema';
import { importPack } from '@sealpost/dev-env/packs';
import { type SealingUser, sealingUser } from '@sealpost/dev-env/sealing-user';
import { sourcesOf } from './world.ts';

/** What the server had when a schema was the newest one. */
export interface Stage {
  /** The first version of the schema that holds all of it. */
  readonly since: number;
  readonly rows: Rows;
  /** The operations of bob. */
  readonly log: readonly Operation[];
}

export interface UpgradeWorld {
  readonly server: TestServer;
  readonly alice: TestUser;
  readonly bob: TestUser;
  /** The first message from alice to bob. */
  readonly first: { readonly id: string; readonly text: string; readonly reqSeq: number };
  /** A file that alice sent to bob. */
  readonly file: { readonly path: string; readonly bytes: string };
  readonly stages: readonly Stage[];
}

export async function createUpgradeWorld(): Promise<UpgradeWorld> {
  const server = await startServer();
  const [alice, bob, carol] = [await server.user('alice'), await server.user('bob'), await server.user('carol')];
  const stages: Stage[] = [];
  const stage = async (since: number) => {
    const rows = await rowsIn(sourcesOf({ 'data-dir': server.dataDir }));
    // A login that confirms itself is not needed here: this row is what is left of one.
    const account_id = rows.account?.[0]?.id ?? null;
    const certificate = [
      { hash: 'a hash', account_id, client_type: '', created_time: 1, revoked_time: null, session_id: null },
    ];
    stages.push({ since, rows: { ...rows, certificate }, log: await bob.log() });
  };
  const first = await sendTexts(alice, bob);
  await stage(1);
  await meet(alice, bob, carol);
  await stage(3);
  const [ann, ben] = await seal(server, carol);
  await stage(7);
  const file = await sendMedia(server, alice, bob);
  await sendSealedMedia(server, ann, ben);
  await stage(9);
  await importPack(server, { name: 'Dots', pictures: ['dot', 'spot'] });
  await stage(10);
  return { server, alice, bob, first, file, stages };
}

async function sendTexts({ client: { TalkService: talk } }: TestUser, bob: TestUser): Promise<UpgradeWorld['first']> {
  const [reqSeq, text] = [20, 'one'];
  const send = (seq: number, words: string) =>
    talk.sendMessage(seq, { to: bob.mid, contentType: contentTypes.NONE, text: words });
  const { id } = await send(reqSeq, text);
  await send(reqSeq + 1, 'two');
  await talk.unsendMessage(reqSeq + 2, (await send(reqSeq + 3, 'taken back')).id);
  return { id, text, reqSeq };
}

/** Makes a group, a contact, and settings that became columns later. */
async function meet(alice: TestUser, bob: TestUser, carol: TestUser): Promise<void> {
  const { chat } = await alice.client.TalkService.createChat({
    ...{ reqSeq: 10, type: chatTypes.GROUP, name: 'Tea', targetUserMids: [bob.mid, carol.mid] },
  });
  for (const { client } of [bob, carol])
    await client.TalkService.acceptChatInvitation({ reqSeq: 11, chatMid: chat.chatMid });
  await alice.client.TalkService.sendMessage(30, {
    ...{ to: chat.chatMid, contentType: contentTypes.NONE, text: 'to all' },
  });
  await bob.client.TalkService.findAndAddContactsByMid(12, contactTypes.MID, [alice.mid]);
  const { E2EE_ENABLE, PRIVACY_ALLOW_FRIEND_REQUEST, PRIVACY_ALLOW_SECONDARY_DEVICE_LOGIN } = settingsAttributes;
  await carol.client.TalkService.updateSettingsAttributes2(
    13,
    [E2EE_ENABLE, PRIVACY_ALLOW_FRIEND_REQUEST, PRIVACY_ALLOW_SECONDARY_DEVICE_LOGIN],
    { e2eeEnable: false, privacyAllowFriendRequest: false, privacyAllowSecondaryDeviceLogin: false },
  );
}

/** Registers keys, also for one who has sealing off, and sends sealed messages, one of them into a group. */
async function seal(server: TestServer, carol: TestUser): Promise<[SealingUser, SealingUser]> {
  const [ann, ben] = [await sealingUser(await server.user('ann')), await sealingUser(await server.user('ben'))];
  await sealingUser(carol);
  await ben.renew();
  await ann.send(await ann.sealFor(ben.mid, 'sealed'));
  const { chat } = await ann.user.client.TalkService.createChat({
    ...{ reqSeq: 10, type: chatTypes.GROUP, name: 'Sealed tea', targetUserMids: [ben.mid] },
  });
  await ben.user.client.TalkService.acceptChatInvitation({ reqSeq: 11, chatMid: chat.chatMid });
  await ann.makeGroupKey(chat.chatMid);
  await ann.send(await ann.sealInto(chat.chatMid, 'sealed for all'));
  return [ann, ben];
}

/** Sends two files, and uploads only the first. */
async function sendMedia(server: TestServer, alice: TestUser, bob: TestUser): Promise<UpgradeWorld['file']> {
  const send = (reqSeq: number) =>
    alice.client.TalkService.sendMessage(reqSeq, { to: bob.mid, contentType: contentTypes.FILE });
  const { id } = await send(40);
  await send(41);
  const file = { path: `/r/talk/m/${id}`, bytes: 'the bytes of the file' };
  assert.equal((await objectClient(server).post(alice, file.path, file.bytes)).status, 201);
  return file;
}

async function sendSealedMedia(server: TestServer, ann: SealingUser, ben: SealingUser): Promise<void> {
  const headers = { 'X-Obs-Params': params({ ver: '2.0', name: '1', type: 'file' }) };
  const upload = await objectClient(server).post(ann.user, `/r/talk/emi/reqid-${randomUUID()}`, 'sealed', headers);
  const OID = upload.headers.get('x-obs-oid') ?? '';
  const message = await ann.sealFor(ben.mid, 'the key of the object');
  const contentMetadata = { ...message.contentMetadata, OID, SID: 'emi' };
  await ann.send({ ...message, contentType: contentTypes.IMAGE, contentMetadata });
}
