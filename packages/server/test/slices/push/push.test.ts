import assert from 'node:assert/strict';
import { after, before, describe, test } from 'node:test';
import { chatTypes, contactSettings, contactTypes, settingsAttributes, updateChatAttributes } from '@sealpost/contract';
import { databases, startServer, type TestServer, type TestUser } from '@sealpost/dev-env/harness';
import { failsWith, operator } from '@sealpost/dev-env/people';
import { startPushService, type TestBrowser, type TestPushService } from '@sealpost/dev-env/push-service';
import { until } from '@sealpost/dev-env/until';
import type { RpcClient } from '@sealpost/sdk';
import { sql } from '../../../src/platform/store/sql.ts';

const subscriptions = sql<{ session_id: number; owed_time: number | null }>(
  'select session_id, owed_time from push_subscription order by session_id',
);
const hurry = sql('update push_subscription set owed_time = 0 where owed_time is not null');

const [DAY, MUTED_FOR_EVER] = [{ from: '00:00', to: '23:59', timeZone: 'UTC' }, '9999999999999'];

for (const database of databases) {
  describe(`web push on ${database}`, { timeout: 240_000 }, () => {
    let service: TestPushService;
    let server: TestServer;
    let alice: TestUser;
    let sentinel: TestBrowser;
    let sentinelMid: string;
    before(async () => {
      service = await startPushService();
      server = await startServer({ database, servers: 1, flags: { 'outbound-networks': '127.0.0.0/8' } });
      alice = await server.user('alice');
      const user = await server.user('sentinel');
      sentinelMid = user.mid;
      sentinel = await subscribed(user.client);
    });
    after(async () => {
      await server.close();
      await service.close();
    });

    async function subscribed(client: RpcClient, more: { quietHours?: typeof DAY } = {}): Promise<TestBrowser> {
      const { publicKey } = await client.PushService.getPushKey();
      const browser = await service.browser(publicKey);
      await client.PushService.subscribe({ ...browser.subscription, ...more });
      return browser;
    }
    const stored = () => server.server.store.read((reader) => reader.all(subscriptions));

    /** Waits until the subscriber has handled all that was appended before this call. */
    async function settle(): Promise<void> {
      const before = sentinel.pushes.length;
      const chatMid = await newGroup(sentinelMid);
      await until(() => sentinel.pushes.length > before, 'the sentinel gets its push');
      assert.deepEqual(sentinel.pushes.at(-1)?.message, { kind: 'new', chat: chatMid });
      await until(async () => lagOf(await metrics()) === 0, 'nothing waits');
    }
    /** Creates a group with one invitee. A reqSeq below 2 marks no repeat. */
    async function newGroup(invitee: string): Promise<string> {
      const request = { reqSeq: 0, type: chatTypes.GROUP, name: 'a group', targetUserMids: [invitee] };
      return (await alice.client.TalkService.createChat(request)).chat.chatMid;
    }
    const metrics = () => server.metrics();
    const lagOf = (text: string) =>
      Number(/sealpost_subscriber_lag_seconds\{subscriber="push"\} (\S+)/.exec(text)?.[1]);

    test('a message to an account without a stream sends a push that names the chat, and nothing else', async () => {
      const bob = await server.user('bob');
      const browser = await subscribed(bob.client);
      await alice.client.sendText(bob.mid, 'a secret text');
      await until(() => browser.pushes.length > 0, 'the push comes');
      const [{ headers, message }] = browser.pushes as [TestBrowser['pushes'][number]];
      assert.deepEqual(message, { kind: 'new', chat: alice.mid });
      assert.equal(headers.urgency, 'high');
      const all = JSON.stringify(headers) + browser.seen.map((bytes) => bytes.toString('latin1')).join();
      for (const secret of [alice.mid, bob.mid, 'secret text', 'alice']) assert.equal(all.includes(secret), false);
    });

    test('pushes of one chat have one topic, those of another chat another', async () => {
      const bob = await server.user('bob');
      const browser = await subscribed(bob.client);
      const carol = await server.user('carol');
      await alice.client.sendText(bob.mid, '1');
      await until(() => browser.pushes.length === 1, 'the first push comes');
      await carol.client.sendText(bob.mid, '2');
      await alice.client.sendText(bob.mid, '3');
      await until(() => browser.pushes.length === 3, 'the other pushes come');
      const topics = new Map<unknown, Set<unknown>>();
      for (const { message, headers } of browser.pushes) {
        const { chat } = message as { chat: string };
        topics.set(chat, (topics.get(chat) ?? new Set()).add(headers.topic));
      }
      assert.deepEqual([...topics.keys()].sort(), [alice.mid, carol.mid].sort());
      assert.equal(new Set([...topics.values()].flatMap((some) => [...some])).size, 2);
    });

    test('many messages of one chat in a moment are few pushes', async () => {
      const bob = await server.user('bob');
      const browser = await subscribed(bob.client);
      await alice.client.sendText(bob.mid, 'first');
      await until(() => browser.pushes.length === 1, 'the first push comes');
      for (let i = 0; i < 20; i++) await alice.client.sendText(bob.mid, `message ${i}`);
      await settle();
      // Those that the server read while the first push was under way may take another.
      assert.equal(browser.pushes.length <= 3, true, `${browser.pushes.length} pushes`);
    });

    test('an account with an open stream gets no push', async () => {
      const bob = await server.user('bob');
      const browser = await subscribed(bob.client);
      const stop = new AbortController();
      const events = bob.client.operations({ signal: stop.signal });
      const next = events.next();
      await until(() => server.server.openStreams.size > 0, 'the stream is open');
      await alice.client.sendText(bob.mid, 'hello');
      await next;
      await settle();
      assert.deepEqual(browser.pushes, []);
      stop.abort();
      await until(() => server.server.openStreams.size === 0, 'the stream has ended');
      await alice.client.sendText(bob.mid, 'and later');
      await until(() => browser.pushes.length > 0, 'a push comes without the stream');
    });

    test('an invitation is told to those who are invited, and only to them', async () => {
      const [bob, carol] = [await server.user('bob'), await server.user('carol')];
      const chatMid = await newGroup(bob.mid);
      await bob.client.TalkService.acceptChatInvitation({ reqSeq: 0, chatMid });
      const [ofBob, ofCarol] = [await subscribed(bob.client), await subscribed(carol.client)];
      await alice.client.TalkService.inviteIntoChat({ reqSeq: 0, chatMid, targetUserMids: [carol.mid] });
      await until(() => ofCarol.pushes.length > 0, 'the push comes');
      assert.deepEqual(ofCarol.pushes[0]?.message, { kind: 'new', chat: chatMid });
      await settle();
      assert.deepEqual(ofBob.pushes, []);
    });

    test('a user who is invited into a room gets a push', async () => {
      const [bob, carol] = [await server.user('bob'), await server.user('carol')];
      const request = { reqSeq: 0, type: chatTypes.ROOM, name: '', targetUserMids: [bob.mid] };
      const { chatMid } = (await alice.client.TalkService.createChat(request)).chat;
      const [ofBob, ofCarol] = [await subscribed(bob.client), await subscribed(carol.client)];
      await alice.client.TalkService.inviteIntoRoom(0, chatMid, [carol.mid]);
      await settle();
      assert.deepEqual(
        ofCarol.pushes.map(({ message }) => message),
        [{ kind: 'new', chat: chatMid }],
      );
      assert.deepEqual(ofBob.pushes, []);
    });

    const mutes: Record<string, (client: RpcClient) => Promise<unknown>> = {
      'a muted contact': async ({ TalkService }) => {
        await TalkService.findAndAddContactsByMid(0, contactTypes.MID, [alice.mid]);
        await TalkService.updateContactSetting(
          0,
          alice.mid,
          contactSettings.CONTACT_SETTING_NOTIFICATION_DISABLE,
          'true',
        );
      },
      'notifications turned off': ({ TalkService }) =>
        TalkService.updateSettingsAttributes2(0, [settingsAttributes.NOTIFICATION_ENABLE], {
          notificationEnable: false,
        }),
      'notifications of messages turned off': ({ TalkService }) =>
        TalkService.updateSettingsAttributes2(0, [settingsAttributes.NOTIFICATION_NEW_MESSAGE], {
          notificationNewMessage: false,
        }),
      'a pause of all notifications': ({ TalkService }) =>
        TalkService.updateSettingsAttributes2(0, [settingsAttributes.NOTIFICATION_MUTE_EXPIRATION], {
          notificationMuteExpiration: MUTED_FOR_EVER,
        }),
    };
    for (const [what, mute] of Object.entries(mutes)) {
      test(`${what} is honoured`, async () => {
        const bob = await server.user('bob');
        const browser = await subscribed(bob.client);
        await mute(bob.client);
        await alice.client.sendText(bob.mid, 'hello');
        await settle();
        assert.deepEqual(browser.pushes, []);
      });
    }

    test('a muted group is honoured', async () => {
      const bob = await server.user('bob');
      const browser = await subscribed(bob.client);
      const chatMid = await newGroup(bob.mid);
      await until(() => browser.pushes.length > 0, 'the invitation is told');
      await bob.client.TalkService.acceptChatInvitation({ reqSeq: 0, chatMid });
      await bob.client.TalkService.updateChat({
        reqSeq: 0,
        chat: { chatMid, notificationDisabled: true },
        updatedAttribute: updateChatAttributes.NOTIFICATION_SETTING,
      });
      await alice.client.sendText(chatMid, 'hello');
      await settle();
      assert.equal(browser.pushes.length, 1);
    });

    test('quiet hours of one session keep only this session quiet', async () => {
      const bob = await server.user('bob');
      const hours = new Date().getUTCHours();
      const around = { from: hourText(hours - 1), to: hourText(hours + 2), timeZone: 'UTC' };
      const quiet = await subscribed(bob.client, { quietHours: around });
      const loud = await subscribed(await bob.session());
      await alice.client.sendText(bob.mid, 'hello');
      await until(() => loud.pushes.length > 0, 'the other session gets the push');
      await settle();
      assert.deepEqual(quiet.pushes, []);
    });

    test('a subscription ends with its session, however it ends, and with its account', async () => {
      const bob = await server.user('bob');
      const [second, third, fourth] = [await bob.session(), await bob.session(), await bob.session()];
      const browsers: TestBrowser[] = [];
      for (const client of [bob.client, second, third, fourth]) browsers.push(await subscribed(client));
      const before = (await stored()).length;
      await fourth.PushService.unsubscribe();
      await third.logout();
      await until(async () => (await stored()).length === before - 2, 'they are gone');
      const loginSessionId = second.session?.tokens.loginSessionId as string;
      await bob.client.PrimaryDeviceService.revokeSession({ loginSessionId });
      await until(async () => (await stored()).length === before - 3, 'that of the revoked session is gone');
      await alice.client.sendText(bob.mid, 'hello');
      await until(() => browsers[0]?.pushes.length === 1, 'the first session gets the push');
      await settle();
      assert.deepEqual(
        browsers.map(({ pushes }) => pushes.length),
        [1, 0, 0, 0],
      );
      await operator(server).deleteAccount({ account: bob.mid });
      assert.equal((await stored()).length, before - 4);
    });

    test('a browser that the push service no longer knows is forgotten', async () => {
      for (const status of [404, 410]) {
        const bob = await server.user('bob');
        const browser = await subscribed(bob.client);
        const before = (await stored()).length;
        browser.refuse([status]);
        await alice.client.sendText(bob.mid, 'hello');
        await until(async () => (await stored()).length === before - 1, 'the subscription is gone');
        assert.equal(browser.requests, 1);
      }
    });

    test('a browser has one subscription, whichever session it came with last', async () => {
      const [bob, carol] = [await server.user('bob'), await server.user('carol')];
      const browser = await subscribed(bob.client);
      await carol.client.PushService.subscribe(browser.subscription);
      await alice.client.sendText(bob.mid, 'not for carol');
      await alice.client.sendText(carol.mid, 'for carol');
      await until(() => browser.pushes.length > 0, 'the push for carol comes');
      await settle();
      assert.equal(browser.pushes.length, 1);
    });

    test('a subscription that cannot work is refused, with the reason', async () => {
      const { client } = await server.user('bob');
      const { subscription } = await service.browser((await client.PushService.getPushKey()).publicKey);
      const refused = (changed: object, reason: RegExp) =>
        assert.rejects(
          client.PushService.subscribe({ ...subscription, ...changed }),
          failsWith('ILLEGAL_ARGUMENT', reason),
        );
      await refused({ endpoint: 'https://10.0.0.1/push' }, /10\.0\.0\.1 is not a public address/);
      await refused({ endpoint: 'nonsense' }, /not an address/);
      await refused({ p256dh: Buffer.alloc(65, 4).toString('base64url') }, /p256dh is not a point/);
      await refused({ auth: 'AAAA' }, /auth has 3 bytes/);
      await refused({ quietHours: { ...DAY, from: '24:00' } }, /a time like 22:30/);
      await refused({ quietHours: { ...DAY, timeZone: 'Mars/Olympus' } }, /not a known time zone/);
    });

    test('a push that the push service cannot take is owed, and sent later', async () => {
      const bob = await server.user('bob');
      const browser = await subscribed(bob.client);
      const other = await service.browser((await bob.client.PushService.getPushKey()).publicKey);
      browser.refuse([503]);
      await alice.client.sendText(bob.mid, 'hello');
      const owed = async () => (await stored()).filter(({ owed_time }) => owed_time !== null).length;
      await until(async () => (await owed()) === 1, 'the push is owed');
      assert.deepEqual([browser.requests, browser.pushes.length, other.requests], [1, 0, 0]);
      await server.restart();
      await server.server.store.transact((tx) => tx.run(hurry));
      await until(() => browser.pushes.length > 0, 'it comes after all');
      assert.deepEqual(browser.pushes[0]?.message, { kind: 'new', chat: alice.mid });
      await until(async () => (await owed()) === 0, 'nothing is owed');
    });
  });
}

const hourText = (hour: number): string => `${String((hour + 24) % 24).padStart(2, '0')}:00`;

test('a server without a setting calls no private address, and refuses to subscribe one', async () => {
  const server = await startServer();
  const service = await startPushService();
  try {
    const { client } = await server.user('bob');
    const { publicKey } = await client.PushService.getPushKey();
    const { subscription } = await service.browser(publicKey);
    await assert.rejects(client.PushService.subscribe(subscription), failsWith('ILLEGAL_ARGUMENT', /not https/));
    await assert.rejects(
      client.PushService.subscribe({ ...subscription, endpoint: subscription.endpoint.replace('http:', 'https:') }),
      failsWith('ILLEGAL_ARGUMENT', /127\.0\.0\.1 is not a public address/),
    );
  } finally {
    await server.close();
    await service.close();
  }
});
