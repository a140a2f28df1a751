// hasContent is true only while the object of a message is complete: in the answer, in operations and in history.
import assert from 'node:assert/strict';
import { randomUUID } from 'node:crypto';
import { describe, test } from 'node:test';
import { chatTypes, contentTypes, type OutgoingMessage, operationTypes } from '@sealpost/contract';
import { readLog, startServer, type TestServer, type TestUser } from '@sealpost/dev-env/harness';
import { objectClient } from '@sealpost/dev-env/object-client';
import { places } from '@sealpost/dev-env/places';
import { type SealingUser, sealingUser } from '@sealpost/dev-env/sealing-user';

const DAY_MS = 86_400_000;
let reqSeq = 0;

const send = (from: TestUser, to: string, message: Partial<OutgoingMessage> = {}) => {
  reqSeq += 1;
  return from.client.TalkService.sendMessage(reqSeq, { to, contentType: contentTypes.FILE, ...message });
};

/** Returns hasContent of a message as an account sees it, in history and in the operation that delivered it. */
async function seen(user: TestUser, id: string): Promise<(boolean | undefined)[]> {
  const [inHistory] = await user.client.TalkService.getMessagesByIds([id]);
  const operation = (await user.log()).find(({ message }) => message?.id === id);
  return [inHistory?.hasContent, operation?.message?.hasContent];
}

/** Returns what operations told a user about a message whose object has since been uploaded. */
const toldOf = async (user: TestUser, id: string) =>
  (await user.log())
    .filter(({ type, param2 }) => type === operationTypes.NOTIFIED_UPDATE_MESSAGE && param2 === id)
    .map(({ param1, message }) => ({ param1, message }));

const there = [true, true];
const absent = [false, false];

for (const { database, objects: kind } of places) {
  describe(`hasContent on ${database} and ${kind}`, () => {
    const start = (days: () => number = () => 0) => {
      const clock = { now: () => Date.now() + days() * DAY_MS, monotonic: () => performance.now() };
      // The log is kept longer than the media. So the upkeep, which may run at any time, removes no operation that the
      // tests read.
      const flags = { 'media-days': '30', 'operation-days': '60' };
      return startServer({ database, objects: kind, flags, ports: { clock } });
    };
    async function sealSend(from: SealingUser, to: string, oid: string) {
      const message = await (to.startsWith('u') ? from.sealFor : from.sealInto)(to, 'the key of the object');
      const contentMetadata = { ...message.contentMetadata, OID: oid, SID: 'emi' };
      return from.send({ ...message, contentType: contentTypes.IMAGE, contentMetadata });
    }
    const upload = (server: TestServer, user: TestUser, oid: string, bytes = 'some bytes', headers = {}) =>
      objectClient(server).post(user, `/r/talk/${oid}`, bytes, headers);

    test('a plain message says no until its object is whole, whatever its sender claims, and its readers are told then', async (t) => {
      const server = await start();
      t.after(() => server.close());
      const [alice, bob] = [await server.user('alice'), await server.user('bob')];
      const { id, hasContent } = await send(alice, bob.mid, { hasContent: true, text: 'a caption' });
      assert.equal(hasContent, false);
      for (const user of [alice, bob]) assert.deepEqual(await seen(user, id), absent);
      const part = { Range: 'bytes 0-3/10' };
      assert.equal((await upload(server, alice, `m/${id}`, 'some', part)).status, 200);
      for (const user of [alice, bob]) assert.deepEqual(await seen(user, id), absent);
      assert.deepEqual(await toldOf(bob, id), []);
      const rest = { Range: 'bytes 4-9/10' };
      assert.equal((await upload(server, alice, `m/${id}`, ' bytes', rest)).status, 201);
      for (const user of [alice, bob]) assert.deepEqual(await seen(user, id), there);
      assert.deepEqual(await toldOf(alice, id), [{ param1: bob.mid, message: undefined }]);
      assert.deepEqual(await toldOf(bob, id), [{ param1: alice.mid, message: undefined }]);
      const [message] = await bob.client.TalkService.getMessagesByIds([id]);
      assert.equal(message?.text, 'a caption');
    });

    test('a sealed message says yes from the start if its object is whole, and else once it is', async (t) => {
      const server = await start();
      t.after(() => server.close());
      const [ann, ben] = [await sealingUser(await server.user('ann')), await sealingUser(await server.user('ben'))];
      const whole = await upload(server, ann.user, `emi/reqid-${randomUUID()}`);
      const message = await sealSend(ann, ben.user.mid, whole.headers.get('x-obs-oid') as string);
      assert.equal(message.hasContent, true);
      for (const { user } of [ann, ben]) {
        assert.deepEqual(await seen(user, message.id), there);
        assert.deepEqual(await toldOf(user, message.id), []);
      }

      const name = `emi/reqid-${randomUUID()}`;
      const begun = await upload(server, ann.user, name, 'some', { Range: 'bytes 0-3/10' });
      const early = await sealSend(ann, ben.user.mid, begun.headers.get('x-obs-oid') as string);
      assert.equal(early.hasContent, false);
      for (const { user } of [ann, ben]) assert.deepEqual(await seen(user, early.id), absent);
      await upload(server, ann.user, name, ' bytes', { Range: 'bytes 4-9/10' });
      for (const { user } of [ann, ben]) {
        assert.deepEqual(await seen(user, early.id), there);
        assert.equal((await toldOf(user, early.id)).length, 1);
      }

      const nothing = await sealSend(ann, ben.user.mid, 'A'.repeat(32));
      assert.equal(nothing.hasContent, false);
      const forwarded = await sealSend(ben, ann.user.mid, begun.headers.get('x-obs-oid') as string);
      assert.equal(forwarded.hasContent, true);
      const cat = await sealingUser(await server.user('cat'));
      const foreign = await sealSend(cat, ann.user.mid, begun.headers.get('x-obs-oid') as string);
      assert.equal(foreign.hasContent, false);
    });

    test('the readers are told although the sender has removed its history or left the group', async (t) => {
      const server = await start();
      t.after(() => server.close());
      const [ann, ben] = [await sealingUser(await server.user('ann')), await sealingUser(await server.user('ben'))];
      const { TalkService } = ann.user.client;
      const request = { reqSeq: ++reqSeq, type: chatTypes.ROOM, targetUserMids: [ben.mid] };
      const { chatMid } = (await TalkService.createChat(request)).chat;
      await ann.makeGroupKey(chatMid);
      for (const [to, shownTo, leave] of [
        [ben.mid, ann.mid, () => TalkService.sendChatRemoved(++reqSeq, ben.mid, '0', 0)],
        [chatMid, chatMid, () => TalkService.deleteSelfFromChat({ reqSeq: ++reqSeq, chatMid })],
      ] as const) {
        const name = `emi/reqid-${randomUUID()}`;
        const begun = await upload(server, ann.user, name, 'some', { Range: 'bytes 0-3/10' });
        const { id } = await sealSend(ann, to, begun.headers.get('x-obs-oid') as string);
        await leave();
        assert.equal((await upload(server, ann.user, name, ' bytes', { Range: 'bytes 4-9/10' })).status, 201);
        assert.deepEqual(await seen(ben.user, id), there);
        assert.deepEqual(await toldOf(ben.user, id), [{ param1: shownTo, message: undefined }]);
      }
    });

    test('a message that is not media has hasContent by its type', async (t) => {
      const server = await start();
      t.after(() => server.close());
      const alice = await server.user('alice');
      const text = await send(alice, alice.mid, { contentType: contentTypes.NONE, text: 'hi', hasContent: true });
      assert.equal(text.hasContent, false);
      const contact = await send(alice, alice.mid, { contentType: contentTypes.CONTACT, hasContent: false });
      assert.equal(contact.hasContent, true);
    });

    test('a forwarded object outlives the message that it came with, and goes with the last one', async (t) => {
      const server = await start();
      t.after(() => server.close());
      const objects = objectClient(server);
      const [alice, bob] = [await server.user('alice'), await server.user('bob')];
      const unsend = (id: string) => alice.client.TalkService.unsendMessage(++reqSeq, id);
      const first = await send(alice, bob.mid);
      await upload(server, alice, `m/${first.id}`);
      const forward = () => send(alice, bob.mid, { contentMetadata: { OID: first.id } });
      const [second, third] = [await forward(), await forward()];
      assert.deepEqual([second.hasContent, third.hasContent], there);
      await unsend(second.id);
      await unsend(third.id);
      assert.deepEqual(await seen(bob, first.id), there);
      assert.equal((await objects.get(bob, `/r/talk/m/${first.id}`)).status, 200);
      const last = await forward();
      await unsend(first.id);
      assert.deepEqual(await seen(bob, first.id), absent);
      assert.deepEqual(await seen(bob, last.id), there);
      assert.equal((await objects.get(bob, `/r/talk/m/${last.id}`)).status, 200);
      await unsend(last.id);
      // The server removes the bytes after its answer, so the test waits until they are gone.
      const bytes = await server.openObjects();
      while ((await bytes.page('published', '', 10)).length > 0) await new Promise(setImmediate);
      await bytes.close();
    });

    test('an object is forwarded by those who can read a message with it, and not by those who saw one that is unsent', async (t) => {
      const server = await start();
      t.after(() => server.close());
      const [alice, bob, carol] = [await server.user('alice'), await server.user('bob'), await server.user('carol')];
      const first = await send(alice, bob.mid);
      await upload(server, alice, `m/${first.id}`);
      const forward = (from: TestUser, to: TestUser) => send(from, to.mid, { contentMetadata: { OID: first.id } });
      assert.equal((await forward(carol, bob)).hasContent, false);
      assert.equal((await forward(alice, carol)).hasContent, true);
      await alice.client.TalkService.unsendMessage(++reqSeq, first.id);
      assert.equal((await forward(bob, carol)).hasContent, false);
      assert.equal((await forward(carol, bob)).hasContent, true);
    });

    test('a message says no again when its object is gone: by age, or with the account that had it', async (t) => {
      let days = 0;
      const server = await start(() => days);
      t.after(() => server.close());
      const [alice, bob] = [await server.user('alice'), await server.user('bob')];
      const old = await send(alice, bob.mid);
      await upload(server, alice, `m/${old.id}`);
      const passed = await send(bob, bob.mid, { contentMetadata: { OID: old.id } });
      assert.deepEqual(await seen(bob, passed.id), there);
      const { id } = (await server.server.slices.accounts.show(alice.mid)) as { id: number };
      days = 31;
      await server.server.slices.media.sweep.account(id);
      const later = { ...bob, client: await bob.session() };
      const logOf = { ...later, log: () => readLog(later.client) };
      assert.deepEqual(await seen(logOf, old.id), absent);
      assert.deepEqual(await seen(logOf, passed.id), absent);

      const again = { ...alice, client: await alice.session() };
      const fresh = await send(again, bob.mid);
      await upload(server, again, `m/${fresh.id}`);
      assert.deepEqual(await seen(logOf, fresh.id), there);
      await server.server.slices.accounts.remove(id);
      assert.deepEqual(await seen(logOf, fresh.id), absent);
    });
  });
}
