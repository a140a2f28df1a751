// What the SDK sends where the specification names values: fields of messages, waits of long polls, certificates, and
// the token of object storage.
import assert from 'node:assert/strict';
import { randomBytes } from 'node:crypto';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { after, before, test } from 'node:test';
import { contentTypes, errors, midTypes } from '@sealpost/contract';
import { startServer, type TestServer, type TestUser } from '@sealpost/dev-env/harness';
import { hurriedTimers } from '@sealpost/dev-env/hurried-timers';
import {
  type Client,
  type ClientStore,
  createClient,
  createRpcClient,
  createSealingClient,
  LoginError,
  memoryKeyStore,
  memoryStore,
  NetworkError,
  type QrLoginStep,
  type RpcClient,
} from '@sealpost/sdk';
import { folderStore } from '@sealpost/sdk/node';
import { opened } from './opened.ts';
import { changed, type RecordedFetch, recordedFetch } from './recorded-fetch.ts';

let server: TestServer;
const open: { close(): void | Promise<void> }[] = [];
const folders: string[] = [];

before(async () => {
  server = await startServer({ flags: { 'login-confirmation': 'new-device' } });
});
after(async () => {
  for (const client of open) await client.close();
  await server.close();
  // A check of keys that was under way may still write its note.
  for (const folder of folders) await rm(folder, { recursive: true, maxRetries: 10 });
});

function aClient(recorded: RecordedFetch, store: ClientStore = memoryStore()): Client {
  const client = createClient({ url: server.url, store, fetch: recorded.fetch });
  open.push(client);
  return client;
}

const clientOf = (user: TestUser, { fetch }: RecordedFetch): Promise<Client> => opened(server, user, { fetch });

/** Returns a credential whose login another device of the user confirms. */
const credentialOf = ({ userid, password, client }: TestUser, asked: string[] = []) => ({
  identifier: userid,
  password,
  onConfirmationNeeded: async (pinCode: string, words?: string) => {
    asked.push(pinCode);
    const [pending] = await client.devices.pending();
    assert.ok(pending);
    await client.devices.approve(pending, { pinCode, words });
  },
});

/** Returns a user whose device can hand over the key of the account. */
async function userWithKey(name: string): Promise<TestUser> {
  const user = await server.user(name);
  const { session } = await user.session();
  assert.ok(session);
  const device = createRpcClient({ url: server.url, session, keyStore: memoryKeyStore() });
  open.push(device);
  await createSealingClient(device).ownKey();
  return { ...user, client: device };
}

async function follow(client: RpcClient | Client, device: RpcClient, typed = true): Promise<QrLoginStep['kind'][]> {
  const kinds: QrLoginStep['kind'][] = [];
  let address = '';
  for await (const step of client.loginByQr()) {
    kinds.push(step.kind);
    if (step.kind === 'qr') {
      address = step.url;
      await device.devices.approve(await device.devices.scan(address));
    }
    if (step.kind === 'pin' && typed) await device.devices.submitPin(address, { pinCode: step.pinCode });
  }
  return kinds;
}

test('messages say the kind of their chat, whether they have content, and session 0', async () => {
  const recorded = recordedFetch();
  const [alice, bob] = [await server.user('alice'), await server.user('bob')];
  const client = await clientOf(alice, recorded);
  const { TalkService, nextReqSeq } = alice.client;
  const made = async (type: 0 | 1) =>
    (await TalkService.createChat({ reqSeq: nextReqSeq(), type, name: '', targetUserMids: [bob.mid] })).chat.chatMid;
  const [group, room] = [await made(0), await made(1)];
  const file = { kind: 'file', name: 'a.txt', bytes: new Blob([randomBytes(10)]) } as const;
  await client.messaging.sendText(group, 'to a group');
  await client.messaging.sendText(room, 'to a room');
  await client.messaging.sendText(bob.mid, 'to a user');
  await client.messaging.sendLocation(bob.mid, { title: 'here', latitude: 1, longitude: 2 });
  await client.messaging.sendContact(bob.mid, alice.mid);
  await client.messaging.sendFile(bob.mid, file);
  await client.rpc.sendText(group, 'without an outbox');
  const sent = recorded.to('/sendMessage').map(({ body }) => (body as [number, Record<string, unknown>])[1]);
  assert.deepEqual(
    sent.map(({ to, toType, contentType, hasContent, sessionId, from }) => [
      ...[to, toType, contentType, hasContent, sessionId, from],
    ]),
    [
      [group, midTypes.GROUP, contentTypes.NONE, false, 0, alice.mid],
      [room, midTypes.ROOM, contentTypes.NONE, false, 0, alice.mid],
      [bob.mid, midTypes.USER, contentTypes.NONE, false, 0, alice.mid],
      [bob.mid, midTypes.USER, contentTypes.LOCATION, false, 0, alice.mid],
      [bob.mid, midTypes.USER, contentTypes.CONTACT, true, 0, alice.mid],
      [bob.mid, midTypes.USER, contentTypes.FILE, true, 0, alice.mid],
      [group, midTypes.GROUP, contentTypes.NONE, false, 0, alice.mid],
    ],
  );
  for (const { id, createdTime } of sent) {
    assert.match(String(id), /^local-\d+$/);
    assert.match(String(createdTime), /^\d{13}$/);
  }
});

test('the token of object storage is column 0 of row 1, whatever else the answer has', async () => {
  const more = changed('acquireEncryptedAccessToken', (data) => `${data}\x1fanother column\x1eanother row\x1fof two`);
  const recorded = recordedFetch(more);
  const [alice, bob] = [await server.user('alice'), await server.user('bob')];
  const client = await opened(server, alice, { fetch: recorded.fetch, timers: hurriedTimers(20) });
  const bytes = randomBytes(100);
  const message = await client.media.send(bob.mid, { kind: 'file', name: 'a', bytes: new Blob([bytes]) });
  const received = [];
  for await (const part of (await client.media.open(message)).bytes()) received.push(part);
  assert.deepEqual(Buffer.concat(received), bytes);
  const tokens = recorded.requests
    .filter(({ path }) => path.startsWith('/r/'))
    .map((one) => one.headers.get('X-Svc-Access'));
  assert.equal(new Set(tokens).size, 1);
  assert.match(tokens[0] ?? '', /^[\x21-\x7e]+$/);
});

test('the poll for sealed keys waits 110 s, and is repeated when it is lost or brings nothing', async () => {
  const user = await userWithKey('sealer');
  const failures = [
    () => Promise.reject(new TypeError('the line broke')),
    () => Promise.resolve(Response.json({ code: errors.POLL_TIMEOUT.code, message: 'later' }, { status: 408 })),
  ];
  const recorded = recordedFetch(({ path }) => (path.endsWith('/LF1') ? failures.shift()?.() : undefined));
  await aClient(recorded).login(credentialOf(user));
  const waits = recorded.to('/LF1').map(({ headers }) => headers.get('X-LST'));
  assert.deepEqual(waits, ['110000', '110000', '110000']);
});

test('the poll of a login without keys waits 180 s, and is not repeated', async () => {
  const user = await server.user('plain');
  const whole = recordedFetch();
  const client = createRpcClient({ url: server.url, fetch: whole.fetch });
  open.push(client);
  await client.login(credentialOf(user));
  assert.deepEqual(
    whole.to('/JQ').map(({ headers }) => headers.get('X-LST')),
    ['180000'],
  );

  const lost = recordedFetch(({ path }) =>
    path.endsWith('/JQ') ? Promise.reject(new TypeError('the line broke')) : undefined,
  );
  const shaky = createRpcClient({ url: server.url, fetch: lost.fetch });
  open.push(shaky);
  await assert.rejects(shaky.login({ ...credentialOf(user), onConfirmationNeeded: () => {} }), NetworkError);
  assert.equal(lost.to('/JQ').length, 1);

  const late = recordedFetch(({ path }) =>
    path.endsWith('/JQ')
      ? Promise.resolve(Response.json({ code: errors.POLL_TIMEOUT.code, message: 'later' }, { status: 408 }))
      : undefined,
  );
  const slow = createRpcClient({ url: server.url, fetch: late.fetch });
  open.push(slow);
  const refused = (error: unknown) => error instanceof LoginError && error.kind === 'refused';
  await assert.rejects(slow.login({ ...credentialOf(user), onConfirmationNeeded: () => {} }), refused);
  assert.equal(late.to('/JQ').length, 1);
});

test('the polls of a QR login wait as long and as often as the answer to createQrCode says', async () => {
  const user = await server.user('scanner');
  const intervals = changed('createQrCode', (data: object) => ({
    ...data,
    longPollingIntervalSec: 7,
    longPollingMaxCount: 3,
  }));
  const gone = () =>
    Promise.resolve(Response.json({ code: errors.POLL_GONE.code, message: 'nothing yet' }, { status: 410 }));
  const recorded = recordedFetch((request, ask) =>
    request.path.endsWith('/checkPinCodeVerified') ? gone() : intervals(request, ask),
  );
  const client = createRpcClient({ url: server.url, fetch: recorded.fetch });
  open.push(client);
  const refused = (error: unknown) => error instanceof LoginError && error.kind === 'refused';
  await assert.rejects(follow(client, user.client, false), refused);
  const waits = (poll: string) => recorded.to(poll).map(({ headers }) => headers.get('X-LST'));
  assert.deepEqual(
    [waits('/checkQrCodeVerified'), waits('/checkPinCodeVerified')],
    [['7000'], ['7000', '7000', '7000']],
  );
});

test('the certificate of a login is kept, and spares the next login of that account the confirmation', async () => {
  const [ann, ben] = [await server.user('ann'), await server.user('ben')];
  const folder = await mkdtemp(join(tmpdir(), 'sealpost-certificates-'));
  folders.push(folder);
  const recorded = recordedFetch();
  const asked: string[] = [];
  const first = aClient(recorded, folderStore(folder, { passphrase: 'a passphrase' }));
  await first.login(credentialOf(ann, asked));
  assert.equal(asked.length, 1);
  await first.logout();
  await first.close();
  const client = aClient(recorded, folderStore(folder, { passphrase: 'a passphrase' }));
  await client.login(credentialOf(ann, asked));
  assert.equal(asked.length, 1, 'the kept certificate was offered');
  await client.logout();

  await client.login(credentialOf(ben, asked));
  assert.equal(asked.length, 2, 'another account has no certificate yet');
  const offered = recorded
    .to('/loginV2')
    .map(({ body }) => (body as [{ identifier: string; certificate: string }])[0].certificate);
  assert.deepEqual(offered.at(-1), '', 'the certificate of one account is not shown for another');
  await client.logout();

  await client.login({ ...credentialOf(ann, asked), certificate: '' });
  assert.equal(asked.length, 3, 'what the caller gives wins');
});

test('the certificate of a login by QR code is kept too, and replaces the PIN', async () => {
  const user = await server.user('reader');
  const store = memoryStore();
  const client = aClient(recordedFetch(), store);
  assert.ok((await follow(client, user.client)).includes('pin'));
  await client.logout();
  assert.deepEqual(await follow(client, user.client), ['qr', 'scanned', 'done']);
});
