// Groups and rooms of somebody whom a user blocked: others see the user there, and the user is told nothing.
import assert from 'node:assert/strict';
import { after, before, describe, test } from 'node:test';
import { chatTypes, settingsAttributes, updateChatAttributes } from '@sealpost/contract';
import { databases, startServer, type TestServer, type TestUser } from '@sealpost/dev-env/harness';
import { failsWith, operator } from '@sealpost/dev-env/people';
import { sealingUser } from '@sealpost/dev-env/sealing-user';

for (const database of databases) {
  describe(`blocked inviters on ${database}`, () => {
    let server: TestServer;
    before(async () => {
      server = await startServer({ database });
    });
    after(() => server.close());

    const talk = (user: TestUser) => user.client.TalkService;
    const seq = (user: TestUser) => user.client.nextReqSeq();
    const users = (...names: string[]) => Promise.all(names.map((name) => server.user(name)));
    const block = (user: TestUser, other: TestUser) => talk(user).blockContact(seq(user), other.mid);
    async function create(creator: TestUser, targets: readonly TestUser[], type: 0 | 1): Promise<string> {
      const targetUserMids = targets.map(({ mid }) => mid);
      return (await talk(creator).createChat({ reqSeq: seq(creator), type, targetUserMids })).chat.chatMid;
    }
    const createRoom = (creator: TestUser, ...targets: TestUser[]) => create(creator, targets, chatTypes.ROOM);
    const createGroup = (creator: TestUser, ...targets: TestUser[]) => create(creator, targets, chatTypes.GROUP);
    const invite = (user: TestUser, chatMid: string, ...targets: TestUser[]) =>
      talk(user).inviteIntoChat({ reqSeq: seq(user), chatMid, targetUserMids: targets.map(({ mid }) => mid) });
    const say = (user: TestUser, to: string, text: string) => talk(user).sendMessage(seq(user), { to, text });
    const shownTo = async (user: TestUser, chatMid: string) => {
      const { chats } = await talk(user).getChats({ chatMids: [chatMid], withMembers: true, withInvitees: true });
      const { memberMids = [], inviteeMids = [] } = chats[0]?.extra?.groupExtra ?? {};
      return { members: memberMids.toSorted(), invitees: inviteeMids };
    };
    const midsOf = (...all: TestUser[]) => all.map(({ mid }) => mid).sort();
    const texts = async (user: TestUser, chatMid: string) =>
      (await talk(user).getRecentMessagesV2(chatMid, 100)).flatMap(({ text }) => text ?? []);
    const told = async (user: TestUser, chatMid: string) =>
      (await user.log()).filter(({ param1, message }) => param1 === chatMid || message?.to === chatMid);

    /** Checks that nothing shows a chat to the user. */
    async function knowsNothing(user: TestUser, chatMid: string): Promise<void> {
      assert.deepEqual(await told(user, chatMid), []);
      const mids = await talk(user).getAllChatMids({ withMemberChats: true, withInvitedChats: true });
      assert.ok(![...mids.memberChatMids, ...mids.invitedChatMids].includes(chatMid));
      assert.deepEqual((await talk(user).getChats({ chatMids: [chatMid] })).chats, []);
      assert.deepEqual(await talk(user).getRoomsV2([chatMid]), []);
      const { messageBoxes } = await talk(user).getMessageBoxes({ lastMessagesPerMessageBoxCount: 1 });
      assert.ok(!messageBoxes.some(({ id }) => id === chatMid));
      const refused = failsWith('NOT_A_MEMBER');
      await assert.rejects(say(user, chatMid, 'let me in'), refused);
      await assert.rejects(talk(user).getRecentMessagesV2(chatMid, 10), refused);
      await assert.rejects(invite(user, chatMid, user), refused);
      await assert.rejects(talk(user).getLastE2EEPublicKeys(chatMid), refused);
      const accepting = talk(user).acceptChatInvitation({ reqSeq: seq(user), chatMid });
      await assert.rejects(accepting, failsWith('NOT_AN_INVITEE'));
    }

    test('a room does not reach who blocked its creator, and nobody else sees a difference', async () => {
      const [eve, ben, ann] = (await users('eve', 'ben', 'ann')) as [TestUser, TestUser, TestUser];
      await block(ben, eve);
      const room = await createRoom(eve, ben, ann);
      await say(eve, room, 'from the creator');
      await say(ann, room, 'from another member');
      const chat = { chatMid: room, type: chatTypes.ROOM, chatName: 'Tea' };
      await talk(ann).updateChat({ reqSeq: seq(ann), chat, updatedAttribute: updateChatAttributes.NAME });
      await knowsNothing(ben, room);
      for (const user of [eve, ann]) {
        assert.deepEqual((await shownTo(user, room)).members, midsOf(eve, ben, ann));
        const [shown] = await talk(user).getRoomsV2([room]);
        assert.deepEqual(shown?.memberMids.toSorted(), midsOf(eve, ben, ann));
        assert.deepEqual(await texts(user, room), ['from another member', 'from the creator']);
      }
      await talk(ann).deleteSelfFromChat({ reqSeq: seq(ann), chatMid: room });
      await knowsNothing(ben, room);
    });

    test('nor does a room of strangers reach who takes no messages from them', async () => {
      const [eve, ben] = (await users('eve', 'ben')) as [TestUser, TestUser];
      const setting = settingsAttributes.PRIVACY_RECV_MESSAGES_FROM_NOT_FRIEND;
      const values = { privacyReceiveMessagesFromNotFriend: false };
      await talk(ben).updateSettingsAttributes2(seq(ben), [setting], values);
      const room = await createRoom(eve, ben);
      await knowsNothing(ben, room);
      const group = await createGroup(eve, ben);
      const { invitedChatMids } = await talk(ben).getAllChatMids({ withInvitedChats: true });
      assert.deepEqual(invitedChatMids, [group], 'an invitation is no message');
      await talk(ben).findAndAddContactsByMid(seq(ben), 0, [eve.mid]);
      const known = await createRoom(eve, ben);
      assert.deepEqual((await shownTo(ben, known)).members, midsOf(eve, ben));
    });

    test('an invitation into a group does not reach who blocked the inviter, nor what becomes of it', async () => {
      const [eve, ben, ann] = (await users('eve', 'ben', 'ann')) as [TestUser, TestUser, TestUser];
      await block(ben, eve);
      const group = await createGroup(eve, ann);
      await talk(ann).acceptChatInvitation({ reqSeq: seq(ann), chatMid: group });
      await invite(eve, group, ben);
      await invite(eve, group, ben);
      assert.deepEqual(await shownTo(ann, group), { members: midsOf(eve, ann), invitees: [ben.mid] });
      const invitations = (await told(ann, group)).filter(({ param3 }) => param3 === ben.mid);
      assert.equal(invitations.length, 1, 'the second call changes nothing');
      const chat = { chatMid: group, type: chatTypes.GROUP, chatName: 'Tea' };
      await talk(eve).updateChat({ reqSeq: seq(eve), chat, updatedAttribute: updateChatAttributes.NAME });
      await knowsNothing(ben, group);
      const cancelled = { reqSeq: seq(eve), chatMid: group, targetUserMids: [ben.mid] };
      await talk(eve).cancelChatInvitation(cancelled);
      assert.deepEqual(await shownTo(ann, group), { members: midsOf(eve, ann), invitees: [] });
      await knowsNothing(ben, group);
    });

    test('an invitation by somebody else counts from then on', async () => {
      const [eve, ben, ann] = (await users('eve', 'ben', 'ann')) as [TestUser, TestUser, TestUser];
      await block(ben, eve);
      const room = await createRoom(eve, ben, ann);
      await say(eve, room, 'before');
      await talk(ann).inviteIntoRoom(seq(ann), room, [ben.mid]);
      await say(eve, room, 'after');
      assert.deepEqual(await texts(ben, room), ['after']);
      assert.deepEqual((await shownTo(ben, room)).members, midsOf(eve, ben, ann));
      const [entry] = await told(ben, room);
      assert.deepEqual(entry?.param3?.split('\x1e').toSorted(), midsOf(eve, ann), 'the others are named once');

      const group = await createGroup(eve, ben, ann);
      await talk(ann).acceptChatInvitation({ reqSeq: seq(ann), chatMid: group });
      await invite(ann, group, ben);
      await talk(ben).acceptChatInvitation({ reqSeq: seq(ben), chatMid: group });
      assert.deepEqual(await shownTo(ben, group), { members: midsOf(eve, ben, ann), invitees: [] });

      const later = await createGroup(eve, ben);
      await talk(ben).unblockContact(seq(ben), eve.mid);
      await knowsNothing(ben, later);
      await invite(eve, later, ben);
      assert.deepEqual((await shownTo(ben, later)).invitees, [ben.mid]);
    });

    test('who left a room stays away from it, if a blocked member brings them back', async () => {
      const [eve, ben, ann] = (await users('eve', 'ben', 'ann')) as [TestUser, TestUser, TestUser];
      const room = await createRoom(eve, ben, ann);
      await say(eve, room, 'early');
      await talk(ben).deleteSelfFromChat({ reqSeq: seq(ben), chatMid: room });
      await block(ben, eve);
      const earlier = (await told(ben, room)).length;
      await talk(eve).inviteIntoRoom(seq(eve), room, [ben.mid]);
      await say(eve, room, 'again');
      assert.equal((await told(ben, room)).length, earlier);
      const { messageBoxes } = await talk(ben).getMessageBoxes({ lastMessagesPerMessageBoxCount: 1 });
      assert.deepEqual(messageBoxes, []);
      await assert.rejects(texts(ben, room), failsWith('NOT_A_MEMBER'));
    });

    test('a room is sealed for all whom its members see', async () => {
      const [eve, ben, ann] = (await users('eve', 'ben', 'ann')) as [TestUser, TestUser, TestUser];
      const [sealingEve, sealingAnn] = [await sealingUser(eve), await sealingUser(ann)];
      const sealingBen = await sealingUser(ben);
      await block(ben, eve);
      const room = await createRoom(eve, ben, ann);
      assert.deepEqual(Object.keys(await talk(ann).getLastE2EEPublicKeys(room)).sort(), midsOf(eve, ben, ann));
      await sealingEve.makeGroupKey(room);
      const sent = await sealingEve.send(await sealingEve.sealInto(room, 'sealed'));
      assert.equal(await sealingAnn.open(sent), 'sealed');
      await sealingBen.renew();
      const late = await sealingAnn.sealInto(room, 'with a key that is too old').catch((error) => error);
      assert.equal(late.error, 'NOT_FOUND', 'a new key of a member makes the key of the room too old');
      await sealingAnn.makeGroupKey(room);
      await sealingAnn.send(await sealingAnn.sealInto(room, 'sealed again'));
      await knowsNothing(ben, room);
    });

    test('a reaction in a chat of two is not told to who blocked the reactor', async () => {
      const [eve, ben] = (await users('eve', 'ben')) as [TestUser, TestUser];
      const { id } = await say(ben, eve.mid, 'hello');
      await block(ben, eve);
      const before = (await ben.log()).length;
      const react = () =>
        talk(eve).react({ reqSeq: seq(eve), messageId: id, reactionType: { predefinedReactionType: 2 } });
      await react();
      await talk(eve).cancelReaction({ reqSeq: seq(eve), messageId: id });
      assert.equal((await ben.log()).length, before);
      await talk(ben).unblockContact(seq(ben), eve.mid);
      await react();
      assert.equal((await ben.log()).length, before + 2);
    });

    test('chats that a deleted account was told nothing of lose it too', async () => {
      const [eve, ann] = (await users('eve', 'ann')) as [TestUser, TestUser];
      const ben = await server.user('ben');
      await block(ben, eve);
      const [room, group] = [await createRoom(eve, ben, ann), await createGroup(eve, ben)];
      await operator(server).deleteAccount({ account: ben.mid });
      assert.deepEqual((await shownTo(ann, room)).members, midsOf(eve, ann));
      assert.deepEqual((await shownTo(eve, group)).invitees, []);
    });
  });
}
