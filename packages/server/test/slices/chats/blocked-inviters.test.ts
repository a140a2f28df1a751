// Groups and rooms of somebody whom a user blocked: others see the user there, and the user is told nothing.
import assert from 'node:assert/strict';
import { after, before, describe, test } from 'node:test';
import { chatTypes, operationTypes, settingsAttributes, updateChatAttributes } from '@sealpost/contract';
import { databases, startServer, type TestServer, type TestUser } from '@sealpost/dev-env/harness';
import { account, failsWith, operator } from '@sealpost/dev-env/people';
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
      const [chat] = await listed(user, chatMid);
      const { memberMids = [], inviteeMids = [] } = chat?.extra?.groupExtra ?? {};
      return { members: memberMids.toSorted(), invitees: inviteeMids };
    };
    const listed = async (user: TestUser, chatMid: string) =>
      (await talk(user).getChats({ chatMids: [chatMid], withMembers: true, withInvitees: true })).chats;
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

    test('an invitation by somebody else counts from then on, and nobody else sees a change', async () => {
      const [eve, ben, ann] = (await users('eve', 'ben', 'ann')) as [TestUser, TestUser, TestUser];
      const [sealingEve, sealingAnn] = [await sealingUser(eve), await sealingUser(ann)];
      const sealingBen = await sealingUser(ben);
      await block(ben, eve);
      const room = await createRoom(eve, ben, ann);
      await sealingEve.makeGroupKey(room);
      await sealingEve.send(await sealingEve.sealInto(room, 'before'));
      const prepared = await sealingAnn.sealInto(room, 'after');
      const unseen = async () => [await eve.log(), await ann.log(), await listed(eve, room), await listed(ann, room)];
      const earlier = await unseen();
      await talk(ann).inviteIntoRoom(seq(ann), room, [ben.mid]);
      assert.deepEqual(await unseen(), earlier);
      const [entry] = await told(ben, room);
      assert.deepEqual(entry?.param3?.split('\x1e').toSorted(), midsOf(eve, ann));
      const sent = await sealingAnn.send(prepared);
      assert.equal(await sealingBen.open(sent), 'after');
      assert.equal((await talk(ben).getRecentMessagesV2(room, 10)).length, 1, 'what came before stays away');
      assert.deepEqual((await shownTo(ben, room)).members, midsOf(eve, ben, ann));

      const group = await createGroup(eve, ben, ann);
      await talk(ann).acceptChatInvitation({ reqSeq: seq(ann), chatMid: group });
      const before = [await eve.log(), await ann.log(), await listed(eve, group)];
      await invite(ann, group, ben);
      assert.deepEqual([await eve.log(), await ann.log(), await listed(eve, group)], before);
      await talk(ben).acceptChatInvitation({ reqSeq: seq(ben), chatMid: group });
      assert.deepEqual(await shownTo(ben, group), { members: midsOf(eve, ben, ann), invitees: [] });
    });

    test('an invitation by the same person counts once the block is gone, together with others', async () => {
      const [eve, ben, ann] = (await users('eve', 'ben', 'ann')) as [TestUser, TestUser, TestUser];
      await block(ben, eve);
      const [group, room] = [await createGroup(eve, ben), await createRoom(eve, ben)];
      await talk(ben).unblockContact(seq(ben), eve.mid);
      await knowsNothing(ben, group);
      await knowsNothing(ben, room);
      await invite(eve, group, ben, ann);
      await invite(eve, room, ben, ann);
      assert.deepEqual((await shownTo(ben, group)).invitees.toSorted(), midsOf(ben, ann));
      assert.deepEqual((await shownTo(ben, room)).members, midsOf(eve, ben, ann));
      const [own] = (await told(eve, room)).slice(-1);
      assert.equal(own?.param2, ann.mid, 'the inviter is told of the newcomer alone');
    });

    test('news of keys go to those who see the account, and not from those it does not see', async () => {
      const [eve, ben, ann] = (await users('eve', 'ben', 'ann')) as [TestUser, TestUser, TestUser];
      await block(ben, eve);
      await createRoom(eve, ben, ann);
      const keyNews = async (user: TestUser, of: TestUser) =>
        (await user.log()).filter(
          ({ type, param1 }) => type === operationTypes.NOTIFIED_E2EE_KEY_UPDATE && param1 === of.mid,
        ).length;
      await sealingUser(ann);
      await sealingUser(ben);
      assert.deepEqual([await keyNews(ben, ann), await keyNews(eve, ann)], [0, 1]);
      assert.deepEqual([await keyNews(eve, ben), await keyNews(ann, ben)], [1, 1]);
    });

    test('read ranges and buttons of official accounts do not show a block', async () => {
      const [eve, ben] = (await users('eve', 'ben')) as [TestUser, TestUser];
      const room = await createRoom(eve, ben);
      const { id } = await say(eve, room, 'hello');
      await talk(ben).sendChatChecked(seq(ben), room, id, 0);
      await talk(ben).deleteSelfFromChat({ reqSeq: seq(ben), chatMid: room });
      await block(ben, eve);
      await talk(eve).inviteIntoRoom(seq(eve), room, [ben.mid]);
      const [ranges] = await talk(eve).getMessageReadRange([room]);
      assert.deepEqual(
        ranges?.ranges[ben.mid]?.map(({ startMessageId, endMessageId }) => [startMessageId, endMessageId]),
        [[id, id]],
      );

      const shop = await account(server, { kind: 'official' });
      await shop.client.TalkService.blockContact(2, eve.mid);
      const { chat } = await talk(eve).createChat({
        reqSeq: seq(eve),
        type: chatTypes.ROOM,
        targetUserMids: [shop.mid],
      });
      const button = { messageId: '0', url: 'post:1', chatMID: chat.chatMid, originMID: shop.mid };
      assert.equal(await talk(eve).sendPostback(button), null);
      assert.deepEqual(
        (await shop.client.TalkService.fetchOps(0, 100)).filter(
          ({ type }) => type === operationTypes.NOTIFIED_POSTBACK,
        ),
        [],
      );
      shop.close();
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

    test('a reaction in a chat of two is withheld from who blocked the reactor', async () => {
      const [eve, ben] = (await users('eve', 'ben')) as [TestUser, TestUser];
      const { id } = await say(ben, eve.mid, 'hello');
      const react = (reaction: 2 | 3) =>
        talk(eve).react({ reqSeq: seq(eve), messageId: id, reactionType: { predefinedReactionType: reaction } });
      const cancel = () => talk(eve).cancelReaction({ reqSeq: seq(eve), messageId: id });
      const shown = async (user: TestUser) =>
        (await talk(user).getMessagesByIds([id]))[0]?.reactions?.map((r) => r.reactionType.predefinedReactionType);
      const heard = async () =>
        (await ben.log())
          .filter(({ type }) => type === operationTypes.NOTIFIED_SEND_REACTION)
          .map(({ param2 }) => JSON.parse(param2 ?? '{}').curr?.predefinedReactionType);

      await block(ben, eve);
      await react(2);
      assert.deepEqual([await shown(eve), await shown(ben), await heard()], [[2], undefined, []]);
      await cancel();
      assert.deepEqual([await shown(eve), await heard()], [undefined, []]);

      await talk(ben).unblockContact(seq(ben), eve.mid);
      await react(2);
      assert.deepEqual([await shown(ben), await heard()], [[2], [2]]);
      await block(ben, eve);
      await react(3);
      assert.deepEqual([await shown(eve), await shown(ben)], [[3], undefined]);
      assert.deepEqual(await heard(), [2, undefined], 'what was told before is taken back');
      await react(2);
      assert.equal((await heard()).length, 2);

      await talk(ben).unblockContact(seq(ben), eve.mid);
      await react(2);
      await block(ben, eve);
      await cancel();
      assert.deepEqual([await shown(ben), await heard()], [undefined, [2, undefined, 2, undefined]]);
    });

    test('a reaction is not told after the block', async () => {
      const [eve, ben] = (await users('eve', 'ben')) as [TestUser, TestUser];
      const { id } = await say(ben, eve.mid, 'hello');
      for (let round = 0; round < 15; round++) {
        const react = talk(eve).react({
          reqSeq: seq(eve),
          messageId: id,
          reactionType: { predefinedReactionType: 2 },
        });
        await Promise.all([react, block(ben, eve)]);
        const log = await ben.log();
        const later = log.slice(log.findLastIndex(({ type }) => type === operationTypes.BLOCK_CONTACT));
        // The reaction of the round before may be taken back.
        assert.deepEqual(
          later.filter(({ param2 }) => param2?.includes('curr')),
          [],
        );
        await talk(ben).unblockContact(seq(ben), eve.mid);
      }
    });

    test('a button in a chat of two is withheld from an official account that blocked who pressed it', async () => {
      const [eve] = (await users('eve')) as [TestUser];
      const shop = await server.user('shop', 'official');
      const { id } = await say(shop, eve.mid, 'press a button');
      const press = (url: string, messageId: string) =>
        talk(eve).sendPostback({ messageId, url, chatMID: shop.mid, originMID: shop.mid });
      const heard = async () =>
        (await shop.log())
          .filter(({ type }) => type === operationTypes.NOTIFIED_POSTBACK)
          .map(({ param1, param2 }) => [param1, param2]);

      await block(shop, eve);
      assert.equal(await press('post:withheld', '0'), null);
      assert.equal(await press('post:withheld, of a message', id), null);
      assert.deepEqual(await heard(), []);
      await talk(shop).unblockContact(seq(shop), eve.mid);
      assert.equal(await press('post:told', id), null);
      assert.deepEqual(await heard(), [[eve.mid, 'post:told']]);
    });

    test('a button is not told after the block', async () => {
      const [eve] = (await users('eve')) as [TestUser];
      const shop = await server.user('shop', 'official');
      const { id } = await say(shop, eve.mid, 'press a button');
      for (let round = 0; round < 15; round++) {
        const press = talk(eve).sendPostback({ messageId: id, url: 'post:1', chatMID: shop.mid, originMID: shop.mid });
        await Promise.all([press, block(shop, eve)]);
        const log = await shop.log();
        const later = log.slice(log.findLastIndex(({ type }) => type === operationTypes.BLOCK_CONTACT));
        assert.ok(!later.some(({ type }) => type === operationTypes.NOTIFIED_POSTBACK));
        await talk(shop).unblockContact(seq(shop), eve.mid);
      }
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
