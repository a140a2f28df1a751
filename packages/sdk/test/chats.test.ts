import assert from 'node:assert/strict';
import { after, before, describe, test } from 'node:test';
import { updateChatAttributes } from '@sealpost/contract';
import { databases, startServer, type TestServer, type TestUser } from '@sealpost/dev-env/harness';
import { pngOf } from '@sealpost/dev-env/packs';
import { type Client, GatewayError } from '@sealpost/sdk';
import { opened } from './opened.ts';
import { changed, recordedFetch } from './recorded-fetch.ts';

for (const database of databases) {
  describe(`chats on ${database}`, () => {
    let server: TestServer;
    let [alice, bob, carol]: TestUser[] = [];
    let ann: Client;
    let ben: Client;
    let cid: Client;
    before(async () => {
      server = await startServer({ database });
      [alice, bob, carol] = [await server.user('alice'), await server.user('bob'), await server.user('carol')];
      [ann, ben, cid] = [await opened(server, alice), await opened(server, bob), await opened(server, carol)];
    });
    after(() => server.close());

    const mid = (user: TestUser | undefined): string => user?.mid ?? '';
    const synced = () => Promise.all([ann.synced(), ben.synced(), cid.synced()]);
    /** Returns a group of Ann and Ben. */
    async function group(name = 'Tea'): Promise<string> {
      const chat = await ann.chats.createGroup({ name, members: [mid(bob)] });
      await ben.chats.accept(chat);
      await synced();
      return chat;
    }

    test('a group is created, and its invitations are accepted, declined and withdrawn', async () => {
      const chat = await ann.chats.createGroup({ name: 'Tea', members: [mid(bob), mid(carol)] });
      await synced();
      assert.equal(ann.replica.chat(chat)?.name, 'Tea');
      assert.deepEqual(ann.replica.chat(chat)?.members, [mid(alice)]);
      assert.equal(ben.replica.chat(chat)?.invited, true);
      await ben.chats.accept(chat);
      await cid.chats.reject(chat);
      await synced();
      assert.equal(ben.replica.chat(chat)?.invited, false);
      assert.deepEqual(new Set(ann.replica.chat(chat)?.members), new Set([mid(alice), mid(bob)]));
      assert.equal(cid.replica.chat(chat), undefined);
      await ben.chats.invite(chat, [mid(carol)]);
      await synced();
      assert.deepEqual(ann.replica.chat(chat)?.invitees, [mid(carol)]);
      await ann.chats.cancelInvitation(chat, [mid(carol)]);
      await synced();
      assert.deepEqual(ann.replica.chat(chat)?.invitees, []);
      assert.equal(cid.replica.chat(chat), undefined);
    });

    test('members are removed from a group, and leave it', async () => {
      const chat = await group();
      await ann.chats.removeMembers(chat, [mid(bob)]);
      await synced();
      assert.deepEqual(ann.replica.chat(chat)?.members, [mid(alice)]);
      await ann.chats.invite(chat, [mid(bob)]);
      await ben.chats.accept(chat);
      await ann.chats.leave(chat);
      await synced();
      assert.deepEqual(ben.replica.chat(chat)?.members, [mid(bob)]);
      assert.ok(!(await ann.chats.mids()).joined.includes(chat));
    });

    test('a room has its members at once, takes further ones, and is left', async () => {
      const room = await ann.chats.createRoom([mid(bob)]);
      await synced();
      assert.deepEqual([ben.replica.chat(room)?.kind, ben.replica.chat(room)?.invited], ['room', false]);
      await ben.chats.invite(room, [mid(carol)]);
      await synced();
      assert.equal(cid.replica.chat(room)?.members.length, 3);
      const read = await cid.chats.rooms([room]);
      assert.deepEqual(new Set(read.get(room)?.memberMids), new Set([mid(alice), mid(bob), mid(carol)]));
      await ann.chats.leave(room);
      await synced();
      assert.equal(cid.replica.chat(room)?.members.length, 2);
    });

    test('name, picture, notifications and favourites change, and the replica shows it', async () => {
      const chat = await group();
      await ben.chats.rename(chat, 'Coffee');
      const path = await ann.chats.setPicture(chat, new Uint8Array(pngOf('a group', { comment: 'made at home' })));
      await ann.chats.setMuted(chat, true);
      await ann.chats.setFavorite(chat, true);
      await synced();
      const view = ann.replica.chat(chat);
      assert.deepEqual([view?.name, view?.picturePath, view?.muted, view?.favorite], ['Coffee', path, true, true]);
      assert.deepEqual([ben.replica.chat(chat)?.muted, ben.replica.chat(chat)?.favorite], [false, false]);
      assert.equal(ben.replica.chat(chat)?.picturePath, path);
      await ann.chats.setMuted(chat, false);
      await ann.chats.setFavorite(chat, false);
      await ben.chats.removePicture(chat);
      await synced();
      const later = ann.replica.chat(chat);
      assert.deepEqual([later?.picturePath, later?.muted, later?.favorite], [undefined, false, false]);
    });

    test('a group is created with a picture', async () => {
      const picture = new Uint8Array(pngOf('at once'));
      const chat = await ann.chats.createGroup({ members: [mid(bob)], picture });
      await ann.synced();
      assert.match(ann.replica.chat(chat)?.picturePath ?? '', /^\/r\/talk\/p\//);
    });

    test('joining by ticket is prevented and allowed', async () => {
      const chat = await group();
      const ticket = async () => (await ann.chats.get([chat])).get(chat)?.extra?.groupExtra;
      await ann.chats.setTicket(chat, 'ticket-1');
      await ann.chats.setJoiningByTicket(chat, false);
      assert.deepEqual(
        [(await ticket())?.preventedJoinByTicket, (await ticket())?.invitationTicket],
        [true, 'ticket-1'],
      );
      await ann.chats.setJoiningByTicket(chat, true);
      assert.equal((await ticket())?.preventedJoinByTicket, false);
    });

    test('a change is sent with the whole chat, and a bit that says what changed', async () => {
      const chat = await group('Whole');
      const recorded = recordedFetch();
      const client = await opened(server, alice as TestUser, { fetch: recorded.fetch });
      const before = (await client.chats.get([chat])).get(chat);
      const group0 = before?.extra?.groupExtra;
      assert.equal(group0?.memberMids?.length, 2);
      await client.chats.rename(chat, 'New');
      await client.chats.setTicket(chat, 'ticket-2');
      const sent = recorded.to('/updateChat').map(({ body }) => {
        const [{ reqSeq: _, ...request }] = body as [{ reqSeq: number }];
        return request;
      });
      const extra = { ...before?.extra, groupExtra: { ...group0, invitationTicket: 'ticket-2' } };
      assert.deepEqual(sent, [
        { chat: { ...before, chatName: 'New' }, updatedAttribute: updateChatAttributes.NAME },
        { chat: { ...before, chatName: 'New', extra }, updatedAttribute: updateChatAttributes.INVITATION_TICKET },
      ]);
    });

    test('in a one-to-one chat, notifications and favourites are settings of the contact', async () => {
      await ann.contacts.add(mid(bob));
      await ann.messaging.sendText(mid(bob), 'hello');
      await ann.chats.setMuted(mid(bob), true);
      await ann.chats.setFavorite(mid(bob), true);
      await ann.synced();
      const view = ann.replica.chat(mid(bob));
      assert.deepEqual([view?.muted, view?.favorite], [true, true]);
    });

    test('many chats are read in pages of the size that the server tells', async () => {
      const limits = { 'limit.sync.contacts': '2', 'limit.sync.groups': '2' };
      const recorded = recordedFetch(
        changed('getConfigurations', (data: { configMap: object }) => ({
          ...data,
          configMap: { ...data.configMap, ...limits },
        })),
      );
      const client = await opened(server, alice as TestUser, { fetch: recorded.fetch });
      const chats = [await group('1'), await group('2'), await group('3')];
      // The replica of this client reads new groups by itself.
      await client.synced();
      const before = recorded.to('/getChats').length;
      const members = await client.chats.members([...chats, ...chats]);
      assert.equal(recorded.to('/getChats').length - before, 2);
      assert.deepEqual([...members.keys()].sort(), chats.toSorted());
      for (const chat of chats) {
        assert.deepEqual(new Set(members.get(chat)?.members), new Set([mid(alice), mid(bob)]));
      }
      assert.deepEqual([...(await client.chats.get([])).keys()], []);
    });

    test('what the server refuses is refused', async () => {
      const chat = await group();
      const refused = (error: unknown) => error instanceof GatewayError && error.error === 'NOT_AN_INVITEE';
      await assert.rejects(ben.chats.accept(chat), refused);
    });
  });
}
