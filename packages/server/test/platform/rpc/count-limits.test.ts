// The limits on counts that handlers enforce: exactly the limit passes, and one more is refused. Limits that schemas
// declare are in declared-limits.test.ts.
import assert from 'node:assert/strict';
import { globSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { after, before, describe, test } from 'node:test';
import { setImmediate as turn } from 'node:timers/promises';
import { createRawClient, newDevice, outcomeOf, sampleHandover, wrongPinFor } from '@sealpost/conformance/testing';
import {
  chatTypes,
  httpPaths,
  type LimitName,
  limits,
  profileAttributes,
  settingsAttributes,
} from '@sealpost/contract';
import { startServer, type TestServer, type TestUser } from '@sealpost/dev-env/harness';
import { accessToken } from '@sealpost/dev-env/object-client';
import { importPack, pngOf, postPack, zipOf } from '@sealpost/dev-env/packs';
import { failsWith, operator } from '@sealpost/dev-env/people';
import { until } from '@sealpost/dev-env/until';
import { watchedTimers } from '@sealpost/dev-env/watched-timers';
import { createLoginWaiters } from '../../../src/slices/login/login-waiters.ts';

/** Limits that other tests in this package cover, with the file and a part of the test's name. */
const elsewhere: { readonly [N in LimitName]?: readonly [file: string, name: string] } = {
  rpcBodyBytes: ['wire.test.ts', 'A body up to the limit is read'],
  refreshBodyBytes: ['wire.test.ts', 'refreshBodyBytes.value + 1'],
  jsonDepth: ['wire.test.ts', 'Nesting beyond the limit is refused'],
  keyBackupBytes: ['key-backup.test.ts', 'and the largest is taken'],
  keyLogPage: ['page-limits.test.ts', 'a count beyond the limit is refused'],
  midsPerCall: ['page-limits.test.ts', 'a count beyond the limit is refused'],
  messageBoxesPerPage: ['page-limits.test.ts', 'a page of boxes has as many as are asked for'],
  messagesPerPage: ['page-limits.test.ts', 'history gives as many messages as are asked for'],
  pageBytes: ['page-limits.test.ts', 'an answer holds no more bytes of messages than its limit'],
  unreadCounted: ['page-limits.test.ts', 'unread messages are counted among the newest'],
  operationsPerPoll: ['page-limits.test.ts', 'a poll answers as many operations as are asked for'],
  productsPerPage: ['page-limits.test.ts', 'a count beyond the limit is refused'],
  chatMembers: ['limit-settings.test.ts', '4 members and invitees, at most 3'],
  pendingLogins: ['login-qr.test.ts', 'ten devices waiting'],
  operationCount: ['retention.test.ts', 'exactly as many as it may'],
  streamBytes: ['slow-streams.test.ts', 'stream-bytes'],
  answerBytes: ['unread-answers.test.ts', 'answer-bytes'],
  registrationsPerAddress: ['registration.test.ts', "'registrations-per-address': '2'"],
  registrationsPerDay: ['registration.test.ts', "'registrations-per-day': '3'"],
};

const tests = join(import.meta.dirname, '../..');
const textOf = (file: string): string =>
  readFileSync(join(tests, globSync(`**/${file}`, { cwd: tests })[0] ?? file), 'utf8');

/** Limits that refuse no call. They advise clients, apply when a client names no count, or set its work. */
const advice: readonly LimitName[] = ['syncMessageBoxes', 'syncMessages', 'recentMessages', 'challengeWork'];
/** Returns whether a limit is a time. Such limits are tested with a clock elsewhere. */
const isTime = (name: LimitName): boolean => /(Ms|Days)$/.test(name);

type Attempt = (count: number) => Promise<unknown>;

describe('limits on counts', () => {
  let server: TestServer;
  let alice: TestUser;
  let bob: TestUser;
  let reqSeq = 100;
  before(async () => {
    server = await startServer({ flags: { 'login-confirmation': 'new-device' } });
    [alice, bob] = [await server.user('alice'), await server.user('bob')];
    await alice.client.TalkService.findAndAddContactsByMid(++reqSeq, 0, [bob.mid]);
  });
  after(() => server.close());

  const profile = (attribute: number, value: string, meta?: Record<string, string>) =>
    alice.client.TalkService.updateProfileAttributes(++reqSeq, {
      profileAttributes: { [attribute]: { value, ...(meta && { meta }) } },
    });
  const text = (length: number) => 'x'.repeat(length);
  const entries = (count: number) => Object.fromEntries(Array.from({ length: count }, (_, i) => [`${i}`, 'x']));

  /** Calls that take a count. Each has its limit, and the error for a count that is one higher. */
  const counted: Readonly<Record<string, readonly [most: number, Attempt, refusal: string]>> = {
    textLength: [limits.textLength.value, (count) => alice.client.sendText(bob.mid, text(count)), 'INVALID_LENGTH'],
    'textLength in emoji': [
      limits.textLength.value,
      (count) => alice.client.sendText(bob.mid, '😀'.repeat(count)),
      'INVALID_LENGTH',
    ],
    displayName: [
      limits.displayName.value,
      (count) => profile(profileAttributes.DISPLAY_NAME, text(count)),
      'INVALID_LENGTH',
    ],
    'displayName of a contact': [
      limits.displayName.value,
      (count) => alice.client.TalkService.updateContactSetting(++reqSeq, bob.mid, 2, text(count)),
      'INVALID_LENGTH',
    ],
    statusMessage: [
      limits.statusMessage.value,
      (count) => profile(profileAttributes.STATUS_MESSAGE, text(count)),
      'INVALID_LENGTH',
    ],
    'entries of the meta of statusMessage': [
      32,
      (count) => profile(profileAttributes.STATUS_MESSAGE, 'hello', entries(count)),
      'INVALID_LENGTH',
    ],
    'characters of the meta of statusMessage': [
      4000,
      (count) => profile(profileAttributes.STATUS_MESSAGE, 'hello', { k: text(count - '{"k":""}'.length) }),
      'INVALID_LENGTH',
    ],
    'entries of a map in the settings': [
      32,
      (count) =>
        alice.client.TalkService.updateSettingsAttributes2(++reqSeq, [settingsAttributes.SNS_ACCOUNT], {
          snsAccounts: entries(count),
        }),
      'INVALID_LENGTH',
    ],
    chatName: [
      limits.chatName.value,
      (count) =>
        alice.client.TalkService.createChat({
          reqSeq: ++reqSeq,
          type: chatTypes.GROUP,
          name: text(count),
          targetUserMids: [bob.mid],
        }),
      'INVALID_LENGTH',
    ],
  };
  for (const [name, [most, attempt, refusal]] of Object.entries(counted)) {
    test(`${name}: ${most} pass, ${most + 1} are refused`, async () => {
      await attempt(most);
      await assert.rejects(attempt(most + 1), failsWith(refusal as 'INVALID_LENGTH'));
      await attempt(most - 1);
    });
  }

  test('pictureBytes: a picture of that many is taken, one byte more answers 413', async () => {
    const shortest = pngOf('picture', { comment: '.' }).length;
    const of = (bytes: number) => pngOf('picture', { comment: text(bytes - shortest + 1) });
    const raw = createRawClient({ url: server.url });
    const upload = async (bytes: number) => {
      const body = of(bytes);
      assert.equal(body.length, bytes);
      const path = `${httpPaths.uploadProfile}?mid=${alice.mid}`;
      const headers = { 'Content-Type': 'image/png' };
      return (await raw.send(path, { body, token: accessToken(alice), headers })).status;
    };
    const most = limits.pictureBytes.value;
    assert.deepEqual([await upload(most), await upload(most + 1)], [200, 413]);
    raw.close();
  });

  test('sticonProductsPerMessage: a message uses that many packs, and not one more', async () => {
    const most = limits.sticonProductsPerMessage.value;
    const ids: string[] = [];
    while (ids.length <= most) {
      const { id } = await importPack(server, { name: `pack ${ids.length}`, kind: 'emoji', pictures: ['one'] });
      await operator(server).grantProduct({ product: id, everyone: true });
      ids.push(id);
    }
    const send = (productIds: readonly string[]) =>
      alice.client.send({
        to: bob.mid,
        text: '(one)',
        contentMetadata: { STICON_OWNERSHIP: JSON.stringify(productIds) },
      });
    await send(ids.slice(0, most));
    await assert.rejects(send(ids), failsWith('ILLEGAL_ARGUMENT', new RegExp(`${most + 1} products; at most ${most}`)));
  });

  test('streamsPerAccount: that many are open, and one more closes the oldest', async () => {
    const most = limits.streamsPerAccount.value;
    const { openStreams, slices } = server.server;
    const caller = (await slices.sessions.load(accessToken(bob))).caller;
    const ended: number[] = [];
    const open = (n: number) =>
      openStreams.open(
        { ...caller, cursor: undefined },
        {
          write: () => 0,
          unread: () => 0,
          drained: async () => {},
          end: () => ended.push(n),
          cut: () => ended.push(n),
        },
      );
    const others = openStreams.size;
    for (let n = 1; n <= most; n++) open(n);
    assert.deepEqual([ended, openStreams.size - others], [[], most]);
    open(most + 1);
    assert.deepEqual([ended, openStreams.size - others], [[1], most]);
  });

  test('streamBufferBytes: a slow client may leave that many unread, and one more closes its stream', async () => {
    const reader = await server.user('reader');
    const { caller } = await server.server.slices.sessions.load(accessToken(reader));
    let [left, writes, ended] = [0, 0, false];
    const end = () => {
      ended = true;
    };
    const write = () => {
      writes += 1;
      return left;
    };
    // This client never reads everything: something is always unread when the next event comes.
    const sink = { write, unread: () => Math.min(left, 1), drained: async () => {}, end, cut: end };
    server.server.openStreams.open({ ...caller, cursor: undefined }, sink);
    await until(() => writes > 0, 'the stream follows the log');
    for (const [bytes, closed] of [
      [limits.streamBufferBytes.value, false],
      [limits.streamBufferBytes.value + 1, true],
    ] as const) {
      left = bytes;
      const before = writes;
      await alice.client.sendText(reader.mid, 'hello');
      await until(() => writes > before, 'the message is written');
      assert.equal(ended, closed, `${bytes} bytes`);
    }
  });

  test('pollsPerLogin: that many wait, and one more ends the oldest', async () => {
    const waiters = createLoginWaiters(watchedTimers().timers);
    const over: number[] = [];
    const { signal } = new AbortController();
    const poll = (n: number) => waiters.until('login', 60_000, signal, async () => undefined).then(() => over.push(n));
    const most = limits.pollsPerLogin.value;
    const polls = Array.from({ length: most + 1 }, (_, i) => poll(i + 1));
    // Only promises are pending, so one turn of the event loop settles them.
    await turn();
    assert.deepEqual(over, [1]);
    waiters.endAll();
    await Promise.all(polls);
  });

  test('loginTries: the last of them still lets a device in, and after them the login is over', async () => {
    const device = newDevice(server);
    const { PrimaryDeviceService } = alice.client;
    const guess = (loginId: string, pinCode: string) => PrimaryDeviceService.submitPinCode({ loginId, pinCode });
    const wrong = async (loginId: string, pinCode: string, count: number) => {
      for (let n = 1; n <= count; n++) await assert.rejects(guess(loginId, wrongPinFor(pinCode, n)));
    };
    const most = limits.loginTries.value;
    const first = await device.showPin(alice.client);
    await wrong(first.loginId, first.pinCode, most - 1);
    await guess(first.loginId, first.pinCode);
    assert.equal(outcomeOf(await device.checkPin(first.id)), 'OK');
    const second = await device.showPin(alice.client);
    await wrong(second.loginId, second.pinCode, most);
    await assert.rejects(guess(second.loginId, second.pinCode));
    device.close();
  });

  test('a key chain of 65,536 characters is handed over, and no longer one', async () => {
    const device = newDevice(server);
    const { PrimaryDeviceService } = alice.client;
    const loginId = device.loginIdOf(await device.showCode());
    await PrimaryDeviceService.scanQrCode({ loginId });
    const approve = (characters: number) =>
      PrimaryDeviceService.approveLogin({
        loginId,
        e2ee: { ...sampleHandover(), encryptedKeyChain: 'A'.repeat(characters) },
      });
    await assert.rejects(approve(65_536 + 4), failsWith('ILLEGAL_ARGUMENT', /encryptedKeyChain/));
    await approve(65_536);
    device.close();
  });

  test('a pack has 100 pictures at most, of 1 MiB each', async () => {
    const pack = async (pictures: number, bytes: number) => {
      const files = Object.fromEntries(
        Array.from({ length: pictures }, (_, i) => [`${i}.png`, pngOf(`${i}`, { comment: text(i === 0 ? bytes : 1) })]),
      );
      const described = { name: `${pictures} ${bytes}`, author: 'A test', kind: 'emoji' };
      const listed = Object.keys(files).map((file) => ({ file, text: `[${file}]` }));
      const json = Buffer.from(JSON.stringify({ ...described, pictures: listed }));
      return (await postPack(server, await zipOf({ 'pack.json': json, ...files }))).status;
    };
    const most = 1024 * 1024 - pngOf('0', { comment: '.' }).length + 1;
    assert.deepEqual([await pack(100, most), await pack(101, 1), await pack(1, most + 1)], [201, 400, 400]);
  });

  test('a page of the admin API has 200 entries at most', async () => {
    const page = async (count: number) => {
      const headers = { Authorization: `Bearer ${server.adminToken}` };
      return (await fetch(`${server.url}/api/admin/v1/accounts?limit=${count}`, { headers })).status;
    };
    assert.deepEqual([await page(200), await page(201)], [200, 400]);
  });

  test('every limit has a test of both its edges', () => {
    const own = readFileSync(import.meta.filename, 'utf8');
    for (const name of Object.keys(limits) as LimitName[]) {
      const [file, told] = elsewhere[name] ?? [];
      if (file) assert.ok(textOf(file).includes(told as string), `${name}: ${told}`);
      else if (!isTime(name) && !advice.includes(name)) {
        assert.ok(name in counted || own.includes(`test('${name}: `), `no test of the limit ${name}`);
      }
    }
  });
});
