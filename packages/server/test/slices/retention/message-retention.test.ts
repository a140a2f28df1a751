// Messages that are older than message-days, or than the operator ordered: what goes with them, what stays, and what
// clients see afterwards.
import assert from 'node:assert/strict';
import { describe, type TestContext, test } from 'node:test';
import { contentTypes, operationTypes } from '@sealpost/contract';
import { databases, startServer, type TestServer, type TestUser } from '@sealpost/dev-env/harness';
import { objectClient } from '@sealpost/dev-env/object-client';
import { failsWith, operator } from '@sealpost/dev-env/people';
import { until } from '@sealpost/dev-env/until';
import { virtualTime } from '@sealpost/dev-env/virtual-time';
import { watchedTimers } from '@sealpost/dev-env/watched-timers';
import { timeOfId } from '../../../src/platform/kernel/ids.ts';
import { sql } from '../../../src/platform/store/sql.ts';
import type { Store, Tx } from '../../../src/platform/store/store.ts';
import { createRetention } from '../../../src/slices/retention/index.ts';

const DAY_MS = 86_400_000;
const SWEEP_MS = 5_000;
const FOREVER = { 'access-token-hours': '8000' };

const countRows = sql<{ count: number }>(
  `select (select count(*) from message) + (select count(*) from message_location) + (select count(*) from reaction)
     + (select count(*) from media_carrier) as count`,
);
const countMessages = sql<{ count: number }>('select count(*) as count from message_location');
const countOperations = sql<{ count: number }>('select count(*) as count from operation');
const usage = sql<{ objects: number; bytes: number }>(
  'select coalesce(sum(objects), 0) as objects, coalesce(sum(bytes), 0) as bytes from media_usage',
);

for (const database of databases) {
  describe(`message retention on ${database}`, () => {
    async function started(t: TestContext, flags: Readonly<Record<string, string>> = {}, servers = 1) {
      const clock = virtualTime(Date.now() - DAY_MS);
      const { timers, hold, fire } = watchedTimers();
      hold(SWEEP_MS);
      const server = await startServer({
        database,
        servers,
        flags: { ...FOREVER, ...flags },
        ports: { clock, timers },
      });
      t.after(() => server.close());
      const read = <R>(query: Parameters<Store['read']>[0] extends never ? never : ReturnType<typeof sql<R>>) =>
        server.server.store.read(async (reader) => (await reader.one(query)) as R);
      return {
        server,
        clock,
        /** Lets the server do its regular work once. */
        upkeep: () => fire(SWEEP_MS),
        sweep: () => server.server.slices.retention.sweep(),
        count: async () => Number((await read(countMessages)).count),
        operations: async () => Number((await read(countOperations)).count),
        rows: async () => Number((await read(countRows)).count),
        used: async () => {
          const { objects, bytes } = await read(usage);
          return { objects: Number(objects), bytes: Number(bytes) };
        },
        to: (time: number) => clock.move(time - clock.now()),
        alice: await server.user('alice'),
        bob: await server.user('bob'),
      };
    }

    const say = (from: TestUser, to: string, text: string) =>
      from.client.TalkService.sendMessage(from.client.nextReqSeq(), { to, text });
    const texts = async (user: TestUser, chatMid: string) =>
      (await user.client.TalkService.getRecentMessagesV2(chatMid, 50)).map((message) => message.text).reverse();
    const boxOf = async (user: TestUser, chatMid: string) =>
      (
        await user.client.TalkService.getMessageBoxesByIds({
          messageBoxIds: [chatMid],
          withUnreadCount: true,
          lastMessagesCount: 5,
        })
      ).messageBoxesByIds[chatMid];
    const react = (user: TestUser, messageId: string) =>
      user.client.TalkService.react({
        reqSeq: user.client.nextReqSeq(),
        messageId,
        reactionType: { predefinedReactionType: 2 },
      });

    async function sendFile(server: TestServer, from: TestUser, to: string, bytes: string) {
      const reqSeq = from.client.nextReqSeq();
      const message = await from.client.TalkService.sendMessage(reqSeq, { to, contentType: contentTypes.FILE });
      assert.equal((await objectClient(server).post(from, `/r/talk/m/${message.id}`, bytes)).status, 201);
      return message;
    }

    test('a message goes when it is older than message-days, not earlier', async (t) => {
      const { alice, bob, sweep, to } = await started(t, { 'message-days': '30' });
      const old = await say(alice, bob.mid, 'old');
      const newer = await say(alice, bob.mid, 'newer');
      const end = timeOfId(Number(old.id)) + 30 * DAY_MS;
      to(end);
      await sweep();
      assert.deepEqual(await texts(bob, alice.mid), ['old', 'newer']);
      to(Math.max(end, timeOfId(Number(newer.id)) + 30 * DAY_MS - 1) + 1);
      await sweep();
      assert.equal((await texts(bob, alice.mid)).includes('old'), false);
    });

    test('with message-days 0 messages stay for ever', async (t) => {
      const { alice, bob, sweep, clock } = await started(t);
      await say(alice, bob.mid, 'kept');
      clock.move(300 * DAY_MS);
      await sweep();
      assert.deepEqual(await texts(bob, alice.mid), ['kept']);
    });

    test('reactions, places and media go with their message, and nothing of newer messages', async (t) => {
      const { server, alice, bob, sweep, clock, rows, used } = await started(t, { 'message-days': '10' });
      const objects = objectClient(server);
      const [one, file] = [await say(alice, bob.mid, 'one'), await sendFile(server, alice, bob.mid, 'bytes')];
      await react(bob, one.id);
      await react(bob, file.id);
      clock.move(5 * DAY_MS);
      const [two, picture] = [await say(bob, alice.mid, 'two'), await sendFile(server, bob, alice.mid, 'more bytes')];
      await react(alice, two.id);
      const before = await rows();
      clock.move(6 * DAY_MS);
      await sweep();
      // Two messages, two places and two reactions.
      assert.equal(await rows(), before - 6);
      assert.deepEqual(await used(), { objects: 1, bytes: 10 });
      assert.equal((await objects.get(alice, `/r/talk/m/${file.id}`)).status, 404);
      assert.equal((await objects.get(alice, `/r/talk/m/${picture.id}`)).body.toString(), 'more bytes');
      const [left] = (await alice.client.TalkService.getRecentMessagesV2(bob.mid, 10)).slice(-1);
      assert.deepEqual([left?.id, left?.reactions?.length], [two.id, 1]);
    });

    test('an object that a newer message carries stays until that message goes', async (t) => {
      const { server, alice, bob, sweep, clock, used } = await started(t, { 'message-days': '10' });
      const first = await sendFile(server, alice, bob.mid, 'forwarded');
      const forward = () =>
        bob.client.TalkService.sendMessage(bob.client.nextReqSeq(), {
          to: alice.mid,
          contentType: contentTypes.FILE,
          contentMetadata: { OID: first.id },
        });
      const goes = async () => (await operator(server).retentionPreview({})).objects;
      clock.move(5 * DAY_MS);
      await forward();
      clock.move(5 * DAY_MS);
      await forward();
      // The message that the object is named after goes, and two that carry it stay.
      clock.move(DAY_MS);
      assert.equal(await goes(), 0);
      await sweep();
      assert.deepEqual(await used(), { objects: 1, bytes: 9 });
      // One of those that carry it goes, and the other stays.
      clock.move(5 * DAY_MS);
      assert.equal(await goes(), 0);
      await sweep();
      assert.deepEqual(await used(), { objects: 1, bytes: 9 });
      clock.move(5 * DAY_MS);
      assert.equal(await goes(), 1);
      await sweep();
      assert.deepEqual(await used(), { objects: 0, bytes: 0 });
    });

    test('clients see removed messages as messages of the time before they joined', async (t) => {
      const { alice, bob, sweep, clock } = await started(t, { 'message-days': '10' });
      const { TalkService } = bob.client;
      const [first, second] = [await say(alice, bob.mid, 'first'), await say(alice, bob.mid, 'second')];
      await TalkService.sendChatChecked(bob.client.nextReqSeq(), alice.mid, first.id);
      clock.move(9 * DAY_MS);
      const relation = { messageRelationType: 3, relatedMessageServiceCode: 1 } as const;
      const answer = { to: alice.mid, text: 'third', relatedMessageId: second.id, ...relation };
      const third = await TalkService.sendMessage(bob.client.nextReqSeq(), answer);
      await say(alice, bob.mid, 'fourth');
      assert.equal((await boxOf(bob, alice.mid))?.unreadCount, '2');
      clock.move(2 * DAY_MS);
      await sweep();
      assert.deepEqual(await texts(bob, alice.mid), ['third', 'fourth']);
      const box = await boxOf(bob, alice.mid);
      assert.deepEqual([box?.unreadCount, box?.lastSeenMessageId], ['1', first.id]);
      assert.deepEqual(
        (await TalkService.getMessagesByIds([first.id, second.id, third.id])).map((message) => message.text),
        ['third'],
      );
      assert.equal((await TalkService.getMessagesByIds([third.id]))[0]?.relatedMessageId, second.id);
      const late = { ...answer, text: 'late' };
      await assert.rejects(TalkService.sendMessage(bob.client.nextReqSeq(), late), failsWith('MESSAGE_NOT_FOUND'));
      await assert.rejects(react(bob, second.id), failsWith('MESSAGE_NOT_FOUND'));
      await assert.rejects(
        alice.client.TalkService.unsendMessage(alice.client.nextReqSeq(), first.id),
        failsWith('MESSAGE_NOT_FOUND'),
      );
      // The mark of a removed message moves nothing, and what was read stays read.
      await TalkService.sendChatChecked(bob.client.nextReqSeq(), alice.mid, second.id);
      const [range] = await alice.client.TalkService.getMessageReadRange([bob.mid]);
      assert.equal(range?.ranges[bob.mid], undefined);
    });

    test('a chat of two people without messages leaves the list, and a group stays', async (t) => {
      const { alice, bob, sweep, clock } = await started(t, { 'message-days': '10' });
      const request = { reqSeq: alice.client.nextReqSeq(), type: 0 as const, name: 'Tea', targetUserMids: [bob.mid] };
      const { chatMid } = (await alice.client.TalkService.createChat(request)).chat;
      await say(alice, bob.mid, 'to one');
      await say(alice, chatMid, 'to all');
      const list = async () =>
        (await alice.client.TalkService.getMessageBoxes({})).messageBoxes.map(({ id }) => id).sort();
      assert.deepEqual(await list(), [bob.mid, chatMid].sort());
      clock.move(11 * DAY_MS);
      await sweep();
      assert.deepEqual(await list(), [chatMid]);
      await say(bob, alice.mid, 'again');
      assert.deepEqual(await list(), [bob.mid, chatMid].sort());
    });

    test('an operation whose message was removed is a DUMMY, so no revision is missing', async (t) => {
      const { alice, bob, sweep, clock, server } = await started(t);
      const before = (await bob.log()).length;
      await say(alice, bob.mid, 'gone');
      clock.move(3 * DAY_MS);
      await say(alice, bob.mid, 'here');
      await operator(server).runRetention({ days: 2 });
      await sweep();
      assert.deepEqual(
        (await bob.log()).slice(before).map(({ type, message }) => [type, message?.text]),
        [
          [operationTypes.DUMMY, undefined],
          [operationTypes.RECEIVE_MESSAGE, 'here'],
        ],
      );
    });

    test('the preview counts exactly what the order removes, and the order is in the audit log', async (t) => {
      const { server, alice, bob, sweep, clock, count, used } = await started(t);
      const admin = operator(server);
      const request = { reqSeq: alice.client.nextReqSeq(), type: 0 as const, name: 'Tea', targetUserMids: [bob.mid] };
      const { chatMid } = (await alice.client.TalkService.createChat(request)).chat;
      await sendFile(server, alice, chatMid, 'in the group');
      clock.move(40 * DAY_MS);
      await say(alice, bob.mid, 'small');
      clock.move(20 * DAY_MS);
      await say(alice, bob.mid, 'stays');
      const preview = await admin.retentionPreview({ days: 15 });
      const messages = await count();
      // The group has a message of the system about the invitation too.
      assert.deepEqual(
        [preview.messages, preview.objects, preview.bytes, preview.messageDays],
        [messages - 1, 1, 12, 0],
      );
      assert.deepEqual(preview.olderMedia, { objects: 1, bytes: 12 });
      assert.deepEqual(
        preview.byAge
          .filter((age) => age.messages > 0)
          .map(({ fromDays, messages: some, bytes }) => [fromDays, some, bytes]),
        [
          [15, 1, 0],
          [30, messages - 2, 12],
        ],
      );
      assert.deepEqual(
        preview.largestChats.map(({ chatMids, bytes }) => [[...chatMids], bytes]),
        [
          [[chatMid], 12],
          [[alice.mid, bob.mid].sort(), 0],
        ],
      );
      assert.equal(await count(), messages);
      const { before } = await admin.runRetention({ days: 15 });
      assert.equal(Date.parse(before), clock.now() - 15 * DAY_MS);
      await sweep();
      assert.deepEqual([await count(), await used()], [1, { objects: 0, bytes: 0 }]);
      const after = await admin.retentionPreview({ days: 15 });
      assert.deepEqual([after.messages, after.bytes, after.ordered.messages], [0, 0, before]);
      const [entry] = (await admin.listAudit({ limit: 1 })).entries;
      assert.deepEqual(
        [entry?.action, entry?.subject, entry?.detail],
        ['retention.run', 'messages', { days: 15, before }],
      );
    });

    test('a later order with more days takes nothing back, and removes nothing more', async (t) => {
      const { server, alice, bob, clock } = await started(t);
      await say(alice, bob.mid, 'one');
      clock.move(20 * DAY_MS);
      const { before } = await operator(server).runRetention({ days: 5 });
      await operator(server).runRetention({ days: 50 });
      assert.equal((await operator(server).retentionPreview({})).ordered.messages, before);
    });

    test('an order for media leaves the messages', async (t) => {
      const { server, alice, bob, clock, count, used } = await started(t);
      const file = await sendFile(server, alice, bob.mid, 'bytes');
      clock.move(20 * DAY_MS + 1);
      await operator(server).runRetention({ days: 10, what: 'media' });
      const { id } = (await server.server.slices.accounts.show(alice.mid)) as { id: number };
      await server.server.slices.media.sweep.account(id);
      assert.deepEqual([await count(), await used()], [1, { objects: 0, bytes: 0 }]);
      assert.equal((await bob.client.TalkService.getMessagesByIds([file.id]))[0]?.hasContent, false);
    });

    test('messages go in small transactions, and one that fails is done again', async (t) => {
      const { server, alice, bob, clock, count } = await started(t);
      for (let n = 0; n < 250; n += 50) {
        await Promise.all(Array.from({ length: 50 }, (_, i) => say(alice, bob.mid, `message ${n + i}`)));
      }
      await sendFile(server, alice, bob.mid, 'bytes');
      const removed: number[] = [];
      let fails = true;
      const store: Store = {
        ...server.server.store,
        read: (work) => server.server.store.read(work),
        transact: async <R>(work: (tx: Tx) => Promise<R>): Promise<R> => {
          const before = await count();
          const result = await server.server.store.transact(async (tx) => {
            const made = await work(tx);
            if (removed.length === 1 && fails) throw new Error('the process was killed');
            return made;
          });
          removed.push(before - (await count()));
          return result;
        },
      };
      const { carriers } = server.server.slices.media;
      const retention = createRetention({ store, clock, messageDays: 1, dropMedia: carriers.drop });
      clock.move(2 * DAY_MS);
      await assert.rejects(retention.sweep(), /killed/);
      assert.equal(await count(), 151);
      fails = false;
      await retention.sweep();
      assert.deepEqual(removed, [100, 100, 51]);
      assert.equal(await count(), 0);
    });

    test('several servers that sweep at the same time remove every message once', async (t) => {
      const { server, alice, bob, clock, count } = await started(t);
      await Promise.all(Array.from({ length: 230 }, (_, i) => say(alice, bob.mid, `message ${i}`)));
      clock.move(2 * DAY_MS);
      const { store, slices } = server.server;
      const dropMedia = slices.media.carriers.drop;
      const servers = Array.from({ length: 3 }, () => createRetention({ store, clock, messageDays: 1, dropMedia }));
      for (let round = 0; round < 3; round += 1) await Promise.all(servers.map((retention) => retention.sweep()));
      assert.equal(await count(), 0);
    });

    test('the regular work of a server removes messages, and operations that are as old', async (t) => {
      const { alice, bob, clock, count, operations, upkeep } = await started(t, { 'message-days': '3' });
      await say(alice, bob.mid, 'one');
      clock.move(3 * DAY_MS + 1);
      upkeep();
      await until(async () => (await count()) === 0, 'the message was not removed');
      await until(async () => (await operations()) === 0, 'the operations were not removed');
    });

    test('a sweep that comes while another runs does nothing', async (t) => {
      const { server, alice, bob, clock } = await started(t);
      await say(alice, bob.mid, 'one');
      clock.move(2 * DAY_MS);
      let calls = 0;
      const { store } = server.server;
      const counting: Store = {
        ...store,
        read: (work) => store.read(work),
        transact: (work) => {
          calls += 1;
          return store.transact(work);
        },
      };
      const dropMedia = server.server.slices.media.carriers.drop;
      const retention = createRetention({ store: counting, clock, messageDays: 1, dropMedia });
      await Promise.all([retention.sweep(), retention.sweep()]);
      assert.equal(calls, 1);
    });
  });
}
