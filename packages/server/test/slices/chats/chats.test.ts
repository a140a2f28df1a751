import assert from 'node:assert/strict';
import { after, before, describe, test } from 'node:test';
import {
  updateChatAttributes as bits,
  chatTypes,
  contentTypes,
  type Operation,
  operationTypes,
} from '@sealpost/contract';
import { databases, startServer, type TestServer, type TestUser } from '@sealpost/dev-env/harness';
import { operator } from '@sealpost/dev-env/people';
import type { GatewayError } from '@sealpost/sdk';

const RS = '\x1e';

const failsWith = (error: string, reason?: RegExp) => (thrown: unknown) => {
  assert.equal((thrown as GatewayError).error, error);
  if (reason) assert.match((thrown as GatewayError).message, reason);
  return true;
};

const nameOfType = new Map<number, string>(Object.entries(operationTypes).map(([name, type]) => [type, name]));

/**
 * Returns a short text: `NAME param1 param2 param3` for an operation, `NAME key args` for a system message, `NAME text`
 * for a message.
 */
function briefly({ type, param1, param2, param3, message }: Operation): string {
  const parts: (string | undefined)[] = [nameOfType.get(type)];
  if (message?.contentType === contentTypes.CHATEVENT) {
    parts.push(message.contentMetadata.LOC_KEY, message.contentMetadata.LOC_ARGS);
  } else parts.push(message?.text, param1, param2, param3);
  return parts.filter((part) => part !== undefined).join(' ');
}

for (const database of databases) {
  describe(`groups and rooms on ${database}`, () => {
    let server: TestServer;
    before(async () => {
      server = await startServer({ database });
    });
    after(() => server.close());

    const users = (...names: string[]) => Promise.all(names.map((name) => server.user(name)));
    const talk = (user: TestUser) => user.client.TalkService;
    const reqSeq = (user: TestUser) => user.client.nextReqSeq();
    const midsOf = (members: readonly TestUser[]) => members.map((member) => member.mid);

    async function create(
      creator: TestUser,
      targets: readonly TestUser[],
      type: 0 | 1 = chatTypes.GROUP,
      name = 'Tea',
    ) {
      const request = { reqSeq: reqSeq(creator), type, name, targetUserMids: midsOf(targets) };
      return (await talk(creator).createChat(request)).chat;
    }
    const accept = (user: TestUser, chatMid: string) =>
      talk(user).acceptChatInvitation({ reqSeq: reqSeq(user), chatMid });
    const reject = (user: TestUser, chatMid: string) =>
      talk(user).rejectChatInvitation({ reqSeq: reqSeq(user), chatMid });
    const leave = (user: TestUser, chatMid: string) => talk(user).deleteSelfFromChat({ reqSeq: reqSeq(user), chatMid });
    const targeted = (user: TestUser, chatMid: string, targets: readonly TestUser[]) => ({
      reqSeq: reqSeq(user),
      chatMid,
      targetUserMids: midsOf(targets),
    });
    const invite = (user: TestUser, chatMid: string, targets: readonly TestUser[]) =>
      talk(user).inviteIntoChat(targeted(user, chatMid, targets));
    const remove = (user: TestUser, chatMid: string, targets: readonly TestUser[]) =>
      talk(user).deleteOtherFromChat(targeted(user, chatMid, targets));
    const cancel = (user: TestUser, chatMid: string, targets: readonly TestUser[]) =>
      talk(user).cancelChatInvitation(targeted(user, chatMid, targets));

    /** Creates a group in which all users are members. */
    async function group(creator: TestUser, ...members: TestUser[]): Promise<string> {
      const { chatMid } = await create(creator, members);
      for (const member of members) await accept(member, chatMid);
      return chatMid;
    }
    const chatOf = async (user: TestUser, chatMid: string) =>
      (await talk(user).getChats({ chatMids: [chatMid], withMembers: true, withInvitees: true })).chats[0];
    const membersOf = async (user: TestUser, chatMid: string) =>
      (await chatOf(user, chatMid))?.extra?.groupExtra?.memberMids;
    const inviteesOf = async (user: TestUser, chatMid: string) =>
      (await chatOf(user, chatMid))?.extra?.groupExtra?.inviteeMids;
    const texts = async (user: TestUser, chatMid: string) =>
      (await talk(user).getRecentMessagesV2(chatMid, 100))
        .map((message) => message.text ?? message.contentMetadata.LOC_KEY)
        .reverse();

    /** Runs a step and returns the operations that each watching user got because of it. */
    async function got(step: () => Promise<unknown>, ...watchers: TestUser[]): Promise<string[][]> {
      const heads = await Promise.all(watchers.map((user) => talk(user).getLastOpRevision()));
      await step();
      const logs = await Promise.all(watchers.map((user, i) => user.log(Number(heads[i]))));
      return logs.map((log) => log.map(briefly));
    }

    test('createChat makes a group with the creator as member and the targets as invitees, and tells them', async () => {
      const [alice, bob, carol, dave] = (await users('alice', 'bob', 'carol', 'dave')) as [
        TestUser,
        TestUser,
        TestUser,
        TestUser,
      ];
      let chatMid = '';
      const [toAlice, toBob, toCarol, toDave] = await got(
        async () => {
          const chat = await create(alice, [bob, carol, bob, alice]);
          chatMid = chat.chatMid;
          assert.match(chatMid, /^c[0-9a-f]{32}$/);
          assert.equal(chat.type, chatTypes.GROUP);
          assert.equal(chat.chatName, 'Tea');
          assert.deepEqual(chat.extra?.groupExtra, {
            creator: alice.mid,
            creatorMid: alice.mid,
            preventedJoinByTicket: true,
            invitationTicket: '',
            memberMids: [alice.mid],
            inviteeMids: chat.extra?.groupExtra?.inviteeMids,
            addFriendDisabled: false,
            ticketDisabled: false,
            autoName: false,
          });
          assert.deepEqual(new Set(chat.extra?.groupExtra?.inviteeMids), new Set(midsOf([bob, carol])));
        },
        alice,
        bob,
        carol,
        dave,
      );
      const invited = `NOTIFIED_INVITE_INTO_CHAT ${chatMid} ${alice.mid} ${bob.mid}${RS}${carol.mid}`;
      assert.deepEqual(toAlice, [
        `CREATE_CHAT ${chatMid}`,
        `INVITE_INTO_CHAT ${chatMid} ${bob.mid}${RS}${carol.mid}`,
        `SEND_MESSAGE C_GI ${alice.mid}${RS}${bob.mid}`,
        `SEND_MESSAGE C_GI ${alice.mid}${RS}${carol.mid}`,
      ]);
      assert.deepEqual(toBob, [invited]);
      assert.deepEqual(toCarol, [invited]);
      assert.deepEqual(toDave, []);
    });

    test('the operations of a call carry its reqSeq on the own log and 0 on the others', async () => {
      const [alice, bob] = (await users('alice', 'bob')) as [TestUser, TestUser];
      await talk(alice).createChat({ reqSeq: 4711, type: chatTypes.GROUP, name: '', targetUserMids: [bob.mid] });
      assert.deepEqual(new Set((await alice.log()).map((operation) => operation.reqSeq)), new Set([4711]));
      assert.deepEqual(new Set((await bob.log()).map((operation) => operation.reqSeq)), new Set([0]));
    });

    test('a repeated createChat with the same reqSeq answers the same chat; with reqSeq 1 it makes another', async () => {
      const [alice, bob] = (await users('alice', 'bob')) as [TestUser, TestUser];
      const request = { type: chatTypes.GROUP, name: 'Once', targetUserMids: [bob.mid] };
      const copies = await Promise.all(
        Array.from({ length: 8 }, () => talk(alice).createChat({ reqSeq: 500, ...request })),
      );
      assert.equal(new Set(copies.map((copy) => copy.chat.chatMid)).size, 1);
      const careless = [
        await talk(alice).createChat({ reqSeq: 1, ...request }),
        await talk(alice).createChat({ reqSeq: 1, ...request }),
      ];
      assert.equal(new Set(careless.map((copy) => copy.chat.chatMid)).size, 2);
    });

    test('createChat makes the targets of a room members at once, and tells each of every other', async () => {
      const [alice, bob, carol] = (await users('alice', 'bob', 'carol')) as [TestUser, TestUser, TestUser];
      let roomMid = '';
      const [toAlice, toBob, toCarol] = await got(
        async () => {
          const chat = await create(alice, [bob, carol], chatTypes.ROOM, '');
          roomMid = chat.chatMid;
          assert.match(roomMid, /^r[0-9a-f]{32}$/);
          assert.equal(chat.extra?.groupExtra?.autoName, true);
          assert.deepEqual(new Set(chat.extra?.groupExtra?.memberMids), new Set(midsOf([alice, bob, carol])));
        },
        alice,
        bob,
        carol,
      );
      assert.deepEqual(toAlice, [`CREATE_CHAT ${roomMid}`]);
      const joins = [`NOTIFIED_JOIN_CHAT ${roomMid} ${bob.mid}`, `NOTIFIED_JOIN_CHAT ${roomMid} ${carol.mid}`];
      assert.deepEqual(toBob, joins);
      assert.deepEqual(toCarol, joins);
      await carol.client.sendText(roomMid, 'all here');
      assert.deepEqual(await texts(bob, roomMid), ['all here']);
    });

    test('acceptChatInvitation makes the invitee a member and tells members', async () => {
      const [alice, bob, carol] = (await users('alice', 'bob', 'carol')) as [TestUser, TestUser, TestUser];
      const { chatMid } = await create(alice, [bob, carol]);
      const [toAlice, toBob, toCarol] = await got(() => accept(bob, chatMid), alice, bob, carol);
      assert.deepEqual(toAlice, [
        `NOTIFIED_ACCEPT_CHAT_INVITATION ${chatMid} ${bob.mid}`,
        `NOTIFIED_JOIN_CHAT ${chatMid} ${bob.mid}`,
        `RECEIVE_MESSAGE C_MJ ${bob.mid}`,
      ]);
      assert.deepEqual(toBob, [`ACCEPT_CHAT_INVITATION ${chatMid}`, `SEND_MESSAGE C_MJ ${bob.mid}`]);
      assert.deepEqual(toCarol, [], 'another invitee is told nothing');
      assert.deepEqual(await membersOf(alice, chatMid), [alice.mid, bob.mid]);
      assert.deepEqual(await inviteesOf(carol, chatMid), [carol.mid]);
    });

    test('rejectChatInvitation ends the invitation, and only the own sessions are told', async () => {
      const [alice, bob] = (await users('alice', 'bob')) as [TestUser, TestUser];
      const { chatMid } = await create(alice, [bob]);
      const [toAlice, toBob] = await got(() => reject(bob, chatMid), alice, bob);
      assert.deepEqual(toAlice, []);
      assert.deepEqual(toBob, [`REJECT_CHAT_INVITATION ${chatMid}`]);
      assert.deepEqual(await inviteesOf(alice, chatMid), []);
      const told = new RegExp(` not an invitee: request.chatMid: the caller has no invitation to ${chatMid} `);
      await assert.rejects(accept(bob, chatMid), failsWith('NOT_AN_INVITEE', told));
      assert.equal(await chatOf(bob, chatMid), undefined);
    });

    test('inviteIntoChat tells the invitees and the members, with one system message for each invitee', async () => {
      const [alice, bob, carol, dave] = (await users('alice', 'bob', 'carol', 'dave')) as [
        TestUser,
        TestUser,
        TestUser,
        TestUser,
      ];
      const chatMid = await group(alice, bob);
      const [toAlice, toBob, toCarol] = await got(() => invite(bob, chatMid, [carol, dave]), alice, bob, carol);
      const list = `${carol.mid}${RS}${dave.mid}`;
      const invited = `NOTIFIED_INVITE_INTO_CHAT ${chatMid} ${bob.mid} ${list}`;
      assert.deepEqual(toAlice, [
        invited,
        `RECEIVE_MESSAGE C_MI ${bob.mid}${RS}${carol.mid}`,
        `RECEIVE_MESSAGE C_MI ${bob.mid}${RS}${dave.mid}`,
      ]);
      assert.deepEqual(toBob, [
        `INVITE_INTO_CHAT ${chatMid} ${list}`,
        `SEND_MESSAGE C_MI ${bob.mid}${RS}${carol.mid}`,
        `SEND_MESSAGE C_MI ${bob.mid}${RS}${dave.mid}`,
      ]);
      assert.deepEqual(toCarol, [invited]);
      const [silent] = await got(() => invite(alice, chatMid, [bob, carol, alice]), bob);
      assert.deepEqual(silent, [], 'members and invitees are not invited again');
    });

    test('cancelChatInvitation is open to every member and tells the invitee', async () => {
      const [alice, bob, carol] = (await users('alice', 'bob', 'carol')) as [TestUser, TestUser, TestUser];
      const chatMid = await group(alice, bob);
      await invite(alice, chatMid, [carol]);
      const [toAlice, toBob, toCarol] = await got(() => cancel(bob, chatMid, [carol]), alice, bob, carol);
      const told = `NOTIFIED_CANCEL_CHAT_INVITATION ${chatMid} ${bob.mid} ${carol.mid}`;
      assert.deepEqual(toAlice, [told, `RECEIVE_MESSAGE C_IC ${bob.mid}${RS}${carol.mid}`]);
      assert.deepEqual(toBob, [
        `CANCEL_CHAT_INVITATION ${chatMid} ${carol.mid} ${carol.mid}`,
        `SEND_MESSAGE C_IC ${bob.mid}${RS}${carol.mid}`,
      ]);
      assert.deepEqual(toCarol, [told]);
      await assert.rejects(accept(carol, chatMid), failsWith('NOT_AN_INVITEE'));
      await assert.rejects(cancel(bob, chatMid, [carol]), failsWith('NOT_AN_INVITEE', /is not invited/));
    });

    test('deleteOtherFromChat tells the removed member and the others, and nothing later reaches the removed member', async () => {
      const [alice, bob, carol] = (await users('alice', 'bob', 'carol')) as [TestUser, TestUser, TestUser];
      const chatMid = await group(alice, bob, carol);
      await alice.client.sendText(chatMid, 'before');
      const [toAlice, toBob, toCarol] = await got(() => remove(bob, chatMid, [carol]), alice, bob, carol);
      const told = `NOTIFIED_DELETE_OTHER_FROM_CHAT ${chatMid} ${bob.mid} ${carol.mid}`;
      assert.deepEqual(toAlice, [
        told,
        `NOTIFIED_LEAVE_CHAT ${chatMid} ${carol.mid}`,
        `RECEIVE_MESSAGE C_MR ${bob.mid}${RS}${carol.mid}`,
      ]);
      assert.deepEqual(toBob, [
        `DELETE_OTHER_FROM_CHAT ${chatMid} ${carol.mid}`,
        `SEND_MESSAGE C_MR ${bob.mid}${RS}${carol.mid}`,
      ]);
      assert.deepEqual(toCarol, [told]);
      const [later] = await got(async () => {
        const message = await alice.client.sendText(chatMid, 'after');
        await talk(bob).sendChatChecked(reqSeq(bob), chatMid, message.id, 0);
        await talk(bob).react({
          reqSeq: reqSeq(bob),
          messageId: message.id,
          reactionType: { predefinedReactionType: 2 },
        });
        await talk(alice).unsendMessage(reqSeq(alice), message.id);
        await talk(alice).updateChat({
          reqSeq: reqSeq(alice),
          chat: { chatMid, chatName: 'Gone' },
          updatedAttribute: bits.NAME,
        });
      }, carol);
      assert.deepEqual(later, []);
      await assert.rejects(texts(carol, chatMid), failsWith('NOT_A_MEMBER'));
      await assert.rejects(carol.client.sendText(chatMid, 'still here'), failsWith('NOT_A_MEMBER', /not a member/));
      assert.equal(await chatOf(carol, chatMid), undefined);
      const boxes = await talk(carol).getMessageBoxesByIds({
        messageBoxIds: [chatMid],
        withUnreadCount: true,
        lastMessagesCount: 1,
      });
      assert.deepEqual(boxes.messageBoxesByIds, {});
    });

    test('deleteSelfFromChat tells the members; the leaver gets no message about it', async () => {
      const [alice, bob] = (await users('alice', 'bob')) as [TestUser, TestUser];
      const chatMid = await group(alice, bob);
      const [toAlice, toBob] = await got(() => leave(bob, chatMid), alice, bob);
      assert.deepEqual(toAlice, [
        `NOTIFIED_DELETE_SELF_FROM_CHAT ${chatMid} ${bob.mid}`,
        `NOTIFIED_LEAVE_CHAT ${chatMid} ${bob.mid} 0`,
        `RECEIVE_MESSAGE C_ML ${bob.mid}`,
      ]);
      assert.deepEqual(toBob, [`DELETE_SELF_FROM_CHAT ${chatMid}`]);
      await assert.rejects(leave(bob, chatMid), failsWith('NOT_A_MEMBER'));
    });

    test('each member reads what was written while it was a member, in every time of membership', async () => {
      const [alice, bob] = (await users('alice', 'bob')) as [TestUser, TestUser];
      const { chatMid } = await create(alice, [bob]);
      const say = (text: string) => alice.client.sendText(chatMid, text);
      const missed = await say('while invited');
      await assert.rejects(texts(bob, chatMid), failsWith('NOT_A_MEMBER'), 'invitees do not read');
      assert.deepEqual(await talk(bob).getMessagesByIds([missed.id]), []);
      await accept(bob, chatMid);
      await say('first stay');
      assert.deepEqual(await texts(bob, chatMid), ['C_MJ', 'first stay']);
      await leave(bob, chatMid);
      const away = await say('while away');
      await invite(alice, chatMid, [bob]);
      await accept(bob, chatMid);
      await say('second stay');
      assert.deepEqual(await texts(bob, chatMid), ['C_MJ', 'first stay', 'C_MJ', 'second stay']);
      assert.deepEqual(await texts(alice, chatMid), [
        'C_GI',
        'while invited',
        'C_MJ',
        'first stay',
        'C_ML',
        'while away',
        'C_MI',
        'C_MJ',
        'second stay',
      ]);
      assert.deepEqual(await talk(bob).getMessagesByIds([missed.id, away.id]), []);
      await assert.rejects(
        talk(bob).react({ reqSeq: reqSeq(bob), messageId: away.id, reactionType: { predefinedReactionType: 2 } }),
        failsWith('MESSAGE_NOT_FOUND'),
      );
      const page = await talk(bob).getPreviousMessagesV2WithRequest({
        messageBoxId: chatMid,
        endMessageId: { messageId: away.id },
        messagesCount: 10,
      });
      assert.deepEqual(
        page.map((message) => message.text ?? message.contentMetadata.LOC_KEY),
        ['first stay', 'C_MJ'],
      );
    });

    test('a member who leaves a room removes its history, also for a later return', async () => {
      const [alice, bob] = (await users('alice', 'bob')) as [TestUser, TestUser];
      const { chatMid } = await create(alice, [bob], chatTypes.ROOM, '');
      await alice.client.sendText(chatMid, 'first stay');
      const last = await alice.client.sendText(chatMid, 'last of the first stay');
      await talk(bob).leaveRoom(reqSeq(bob), chatMid);
      await alice.client.sendText(chatMid, 'while away');
      await talk(alice).inviteIntoRoom(reqSeq(alice), chatMid, [bob.mid]);
      const box = async () =>
        (await talk(bob).getMessageBoxesByIds({ messageBoxIds: [chatMid], withUnreadCount: true })).messageBoxesByIds[
          chatMid
        ];
      assert.deepEqual(await texts(bob, chatMid), []);
      assert.deepEqual(await talk(bob).getMessagesByIds([last.id]), []);
      const back = await box();
      assert.deepEqual([back?.unreadCount, back?.lastRemovedMessageId], ['0', last.id]);
      await alice.client.sendText(chatMid, 'second stay');
      assert.deepEqual(await texts(bob, chatMid), ['second stay']);
      assert.equal((await box())?.unreadCount, '1');
      assert.equal((await texts(alice, chatMid)).length, 4, 'the others keep everything');
    });

    test('unread counts in a group leave out own and system messages and what came before joining', async () => {
      const [alice, bob] = (await users('alice', 'bob')) as [TestUser, TestUser];
      const { chatMid } = await create(alice, [bob]);
      await alice.client.sendText(chatMid, 'before');
      await accept(bob, chatMid);
      const unread = async (user: TestUser) => {
        const request = { messageBoxIds: [chatMid], withUnreadCount: true, lastMessagesCount: 1 };
        return (await talk(user).getMessageBoxesByIds(request)).messageBoxesByIds[chatMid]?.unreadCount;
      };
      assert.equal(await unread(bob), '0');
      const first = await alice.client.sendText(chatMid, 'one');
      await alice.client.sendText(chatMid, 'two');
      await bob.client.sendText(chatMid, 'mine');
      assert.equal(await unread(bob), '2');
      const [toAlice] = await got(() => talk(bob).sendChatChecked(reqSeq(bob), chatMid, first.id, 0), alice);
      assert.deepEqual(toAlice, [`NOTIFIED_READ_MESSAGE ${chatMid} ${bob.mid} ${first.id}`]);
      assert.equal(await unread(bob), '1');
      assert.equal(await unread(alice), '1');
      const [range] = await talk(alice).getMessageReadRange([chatMid]);
      assert.equal(range?.ranges[bob.mid]?.[0]?.endMessageId, first.id);
      assert.equal(range?.ranges[alice.mid], undefined);
    });

    test('a message to a group is one message for all, with one operation each', async () => {
      const [alice, bob, carol, dave] = (await users('alice', 'bob', 'carol', 'dave')) as [
        TestUser,
        TestUser,
        TestUser,
        TestUser,
      ];
      const chatMid = await group(alice, bob, carol);
      await invite(alice, chatMid, [dave]);
      const [toAlice, toBob, toCarol, toDave] = await got(
        () => alice.client.sendText(chatMid, 'hello'),
        alice,
        bob,
        carol,
        dave,
      );
      assert.deepEqual(toAlice, ['SEND_MESSAGE hello']);
      assert.deepEqual(toBob, ['RECEIVE_MESSAGE hello']);
      assert.deepEqual(toCarol, ['RECEIVE_MESSAGE hello']);
      assert.deepEqual(toDave, [], 'invitees get no messages');
      const [last] = await talk(carol).getRecentMessagesV2(chatMid, 1);
      assert.equal(last?.to, chatMid);
      assert.equal(last?.from, alice.mid);
    });

    test('updateChat moves exactly the attributes of the mask and tells whom they concern', async () => {
      const [alice, bob, carol] = (await users('alice', 'bob', 'carol')) as [TestUser, TestUser, TestUser];
      const chatMid = await group(alice, bob);
      await invite(alice, chatMid, [carol]);
      const everything = {
        chatMid,
        chatName: 'Coffee',
        picturePath: '',
        notificationDisabled: true,
        favoriteTimestamp: '1700000000000',
        extra: { groupExtra: { preventedJoinByTicket: false, invitationTicket: 'ticket' } },
      };
      const set = (
        updatedAttribute: number,
        chat: Parameters<ReturnType<typeof talk>['updateChat']>[0]['chat'] = everything,
      ) => talk(alice).updateChat({ reqSeq: reqSeq(alice), chat, updatedAttribute });
      const view = async (user: TestUser) => {
        const chat = await chatOf(user, chatMid);
        return [
          chat?.chatName,
          chat?.picturePath,
          chat?.extra?.groupExtra?.preventedJoinByTicket,
          chat?.notificationDisabled,
          chat?.extra?.groupExtra?.invitationTicket,
          chat?.favoriteTimestamp,
        ];
      };
      const watch = (step: () => Promise<unknown>) => got(step, alice, bob, carol);
      const told = (value: number) => `${chatMid} ${alice.mid} ${value}`;

      const named = await watch(() => set(bits.NAME));
      assert.deepEqual(named, [
        [`UPDATE_CHAT ${told(1)}`, `SEND_MESSAGE C_PN ${alice.mid}${RS}Coffee`],
        [`NOTIFIED_UPDATE_CHAT ${told(1)}`, `RECEIVE_MESSAGE C_PN ${alice.mid}${RS}Coffee`],
        [`NOTIFIED_UPDATE_CHAT ${told(1)}`],
      ]);
      assert.deepEqual(await view(bob), ['Coffee', undefined, true, false, '', '0']);

      for (const bit of [bits.PICTURE_STATUS, bits.PREVENTED_JOIN_BY_TICKET, bits.INVITATION_TICKET]) {
        const shared = await watch(() => set(bit));
        assert.deepEqual(shared, [
          [`UPDATE_CHAT ${told(bit)}`],
          [`NOTIFIED_UPDATE_CHAT ${told(bit)}`],
          [`NOTIFIED_UPDATE_CHAT ${told(bit)}`],
        ]);
      }
      assert.deepEqual(await view(bob), ['Coffee', undefined, false, false, 'ticket', '0']);

      for (const bit of [bits.NOTIFICATION_SETTING, bits.FAVORITE_TIMESTAMP]) {
        const personal = await watch(() => set(bit));
        assert.deepEqual(personal, [[`UPDATE_CHAT ${told(bit)}`], [], []]);
      }
      assert.deepEqual(await view(alice), ['Coffee', undefined, false, true, 'ticket', '1700000000000']);
      assert.deepEqual(await view(bob), ['Coffee', undefined, false, false, 'ticket', '0']);

      await set(bits.PICTURE_STATUS, { chatMid });
      assert.equal((await chatOf(bob, chatMid))?.picturePath, undefined);
      await set(bits.CHAT_TYPE, { chatMid, type: chatTypes.GROUP });
      await assert.rejects(set(bits.CHAT_TYPE, { chatMid, type: chatTypes.ROOM }), failsWith('ILLEGAL_ARGUMENT'));
      const mixed = await watch(() => set(bits.FAVORITE_TIMESTAMP | bits.INVITATION_TICKET));
      assert.deepEqual(mixed, [
        [`UPDATE_CHAT ${told(48)}`],
        [`NOTIFIED_UPDATE_CHAT ${told(16)}`],
        [`NOTIFIED_UPDATE_CHAT ${told(16)}`],
      ]);
    });

    test('fields of the struct beyond the mask change nothing', async () => {
      const [alice] = (await users('alice')) as [TestUser];
      const chatMid = await group(alice);
      const { chatName } = (await chatOf(alice, chatMid)) ?? {};
      const chat = { chatMid, chatName: 'Coffee', extra: { groupExtra: { invitationTicket: 'ticket' } } };
      const updatedAttribute = bits.INVITATION_TICKET;
      await talk(alice).updateChat({ reqSeq: reqSeq(alice), chat, updatedAttribute });
      assert.equal((await chatOf(alice, chatMid))?.chatName, chatName);
    });

    test('updateChat refuses names that are too long, missing fields and unknown bits', async () => {
      const [alice] = (await users('alice')) as [TestUser];
      const { chatMid } = await create(alice, []);
      const set = (updatedAttribute: number, fields: object = {}) =>
        talk(alice).updateChat({ reqSeq: reqSeq(alice), chat: { chatMid, ...fields }, updatedAttribute });
      await assert.rejects(set(bits.NAME, { chatName: 'x'.repeat(51) }), failsWith('INVALID_LENGTH', /51 characters/));
      await set(bits.NAME, { chatName: '\u{1F375}'.repeat(50) });
      await assert.rejects(set(bits.NAME), failsWith('ILLEGAL_ARGUMENT', /chatName is missing/));
      await assert.rejects(set(0), failsWith('ILLEGAL_ARGUMENT'));
      await assert.rejects(set(-1), failsWith('ILLEGAL_ARGUMENT'));
      await assert.rejects(set(1024), failsWith('ILLEGAL_ARGUMENT'));
      for (const picturePath of ['https://elsewhere/', '/r/talk/p/another']) {
        const refused = failsWith('ILLEGAL_ARGUMENT', /not that of the present picture; upload the picture/);
        await assert.rejects(set(bits.PICTURE_STATUS, { picturePath }), refused);
      }
      await assert.rejects(set(bits.FAVORITE_TIMESTAMP, { favoriteTimestamp: '-5' }), failsWith('ILLEGAL_ARGUMENT'));
    });

    test('getChats leaves out the lists that are not asked for and the chats that the caller is not in', async () => {
      const [alice, bob, eve] = (await users('alice', 'bob', 'eve')) as [TestUser, TestUser, TestUser];
      const one = await create(alice, [bob]);
      const two = await create(eve, []);
      const { chats } = await talk(alice).getChats({
        chatMids: [one.chatMid, two.chatMid, one.chatMid, bob.mid, 'nonsense'],
      });
      assert.deepEqual(
        chats.map((chat) => chat.chatMid),
        [one.chatMid],
      );
      assert.equal(chats[0]?.extra?.groupExtra?.memberMids, undefined);
      assert.equal(chats[0]?.extra?.groupExtra?.inviteeMids, undefined);
      const { chats: seen } = await talk(bob).getChats({ chatMids: [one.chatMid], withInvitees: true }, 2);
      assert.deepEqual(seen[0]?.extra?.groupExtra?.inviteeMids, [bob.mid]);
      assert.equal(seen[0]?.extra?.groupExtra?.memberMids, undefined);
      const many = Array.from({ length: 101 }, () => one.chatMid);
      await assert.rejects(talk(alice).getChats({ chatMids: many }), failsWith('INVALID_LENGTH'));
      assert.equal((await talk(alice).getChats({ chatMids: many.slice(1) })).chats.length, 1);
    });

    test('getAllChatMids lists joined chats and invitations separately, each only if asked for', async () => {
      const [alice, bob] = (await users('alice', 'bob')) as [TestUser, TestUser];
      const joined = await group(alice, bob);
      const { chatMid: invited } = await create(alice, [bob]);
      const { chatMid: room } = await create(alice, [bob], chatTypes.ROOM);
      assert.deepEqual(await talk(bob).getAllChatMids({ withMemberChats: true, withInvitedChats: true }), {
        memberChatMids: [joined, room],
        invitedChatMids: [invited],
      });
      assert.deepEqual(await talk(bob).getAllChatMids({ withMemberChats: true }), {
        memberChatMids: [joined, room],
        invitedChatMids: [],
      });
      assert.deepEqual(await talk(bob).getAllChatMids({}), { memberChatMids: [], invitedChatMids: [] });
    });

    test('a room is known to the methods of chats and to those of rooms', async () => {
      const [alice, bob, carol, dave] = (await users('alice', 'bob', 'carol', 'dave')) as [
        TestUser,
        TestUser,
        TestUser,
        TestUser,
      ];
      const { chatMid: roomMid } = await create(alice, [bob], chatTypes.ROOM, '');
      const joined = await got(
        () => talk(alice).inviteIntoRoom(reqSeq(alice), roomMid, [carol.mid, bob.mid]),
        alice,
        bob,
        carol,
      );
      const others = [alice.mid, bob.mid];
      const [, , toCarol] = joined;
      assert.deepEqual(joined[0], [`INVITE_INTO_ROOM ${roomMid} ${carol.mid}`]);
      assert.deepEqual(joined[1], [`NOTIFIED_JOIN_CHAT ${roomMid} ${carol.mid}`]);
      assert.equal(toCarol?.length, 1);
      const [name, mid, inviter, list] = (toCarol?.[0] ?? '').split(' ');
      assert.deepEqual([name, mid, inviter], ['NOTIFIED_INVITE_INTO_ROOM', roomMid, alice.mid]);
      assert.deepEqual(new Set(list?.split(RS)), new Set(others));

      const added = await got(() => invite(bob, roomMid, [dave]), alice, bob, dave);
      const invited = `NOTIFIED_INVITE_INTO_CHAT ${roomMid} ${bob.mid} ${dave.mid}`;
      assert.deepEqual(added, [
        [invited, `NOTIFIED_JOIN_CHAT ${roomMid} ${dave.mid}`],
        [`INVITE_INTO_CHAT ${roomMid} ${dave.mid}`],
        [invited],
      ]);
      const [room] = await talk(dave).getRoomsV2([roomMid, alice.mid, 'nonsense']);
      assert.equal(room?.mid, roomMid);
      assert.deepEqual(new Set(room?.memberMids), new Set(midsOf([alice, bob, carol, dave])));
      assert.deepEqual(new Set(room?.contacts.map((contact) => contact.mid)), new Set(midsOf([alice, bob, carol])));
      assert.equal((await chatOf(dave, roomMid))?.type, chatTypes.ROOM);

      await assert.rejects(remove(alice, roomMid, [bob]), failsWith('INVALID_STATE'));
      const said = await bob.client.sendText(roomMid, 'bye');
      const left = await got(() => talk(bob).leaveRoom(reqSeq(bob), roomMid), alice, bob);
      assert.deepEqual(left, [
        [`NOTIFIED_LEAVE_ROOM ${roomMid} ${bob.mid}`, `NOTIFIED_LEAVE_CHAT ${roomMid} ${bob.mid} 0`],
        [`LEAVE_ROOM ${roomMid}`, `SEND_CHAT_REMOVED ${roomMid} ${said.id}`],
      ]);
      assert.deepEqual(await talk(bob).getRoomsV2([roomMid]), []);
      await leave(carol, roomMid);
      assert.deepEqual(new Set(await membersOf(dave, roomMid)), new Set(midsOf([alice, dave])));
    });

    test('absent chats and those of others are refused alike', async () => {
      const [alice, eve] = (await users('alice', 'eve')) as [TestUser, TestUser];
      const { chatMid } = await create(alice, []);
      const { chatMid: roomMid } = await create(alice, [], chatTypes.ROOM);
      const absent = `c${'0'.repeat(32)}`;
      const absentRoom = `r${'0'.repeat(32)}`;
      const refusals = async (mid: string, room: string) => {
        const calls: (() => Promise<unknown>)[] = [
          () => invite(eve, mid, [alice]),
          () => remove(eve, mid, [alice]),
          () => cancel(eve, mid, [alice]),
          () => leave(eve, mid),
          () => accept(eve, mid),
          () => reject(eve, mid),
          () =>
            talk(eve).updateChat({ reqSeq: reqSeq(eve), chat: { chatMid: mid, chatName: 'x' }, updatedAttribute: 1 }),
          () => talk(eve).inviteIntoRoom(reqSeq(eve), room, [alice.mid]),
          () => talk(eve).leaveRoom(reqSeq(eve), room),
          () => eve.client.sendText(mid, 'x'),
          () => talk(eve).getRecentMessagesV2(mid, 1),
        ];
        const found: string[] = [];
        for (const call of calls)
          found.push(
            await call().then(
              String,
              ({ error, reason }: GatewayError) => `${error} ${reason.replace(mid, 'the mid')}`,
            ),
          );
        return found;
      };
      const known = await refusals(chatMid, roomMid);
      assert.deepEqual(known, await refusals(absent, absentRoom));
      assert.ok(
        known.every((refusal) => refusal.startsWith('NOT_A')),
        known.join(', '),
      );
    });

    test('a member has no invitation to accept or decline', async () => {
      const [alice, bob] = (await users('alice', 'bob')) as [TestUser, TestUser];
      const chatMid = await group(alice, bob);
      for (const answer of [accept, reject]) await assert.rejects(answer(bob, chatMid), failsWith('NOT_AN_INVITEE'));
      assert.deepEqual(new Set(await membersOf(alice, chatMid)), new Set(midsOf([alice, bob])));
    });

    test('an invitee may only accept or decline', async () => {
      const [alice, bob, carol] = (await users('alice', 'bob', 'carol')) as [TestUser, TestUser, TestUser];
      const { chatMid } = await create(alice, [bob, carol]);
      const refused: (() => Promise<unknown>)[] = [
        () => invite(bob, chatMid, [carol]),
        () => remove(bob, chatMid, [alice]),
        () => cancel(bob, chatMid, [carol]),
        () => leave(bob, chatMid),
        () => talk(bob).updateChat({ reqSeq: reqSeq(bob), chat: { chatMid, chatName: 'x' }, updatedAttribute: 1 }),
        () =>
          talk(bob).updateChat({
            reqSeq: reqSeq(bob),
            chat: { chatMid, favoriteTimestamp: '1' },
            updatedAttribute: 32,
          }),
        () => bob.client.sendText(chatMid, 'x'),
        () => texts(bob, chatMid),
      ];
      for (const call of refused) await assert.rejects(call(), failsWith('NOT_A_MEMBER'));
      await assert.rejects(accept(alice, chatMid), failsWith('NOT_AN_INVITEE'), 'a member has nothing to accept');
    });

    test('targets that make no sense are refused by name, and nothing changes', async () => {
      const [alice, bob] = (await users('alice', 'bob')) as [TestUser, TestUser];
      const chatMid = await group(alice, bob);
      const nobody = `u${'0'.repeat(32)}`;
      const base = { type: chatTypes.GROUP, name: '' };
      const create_ = (targetUserMids: string[], fields: object = {}) =>
        talk(alice).createChat({ reqSeq: reqSeq(alice), ...base, targetUserMids, ...fields });
      await assert.rejects(create_([bob.mid, nobody]), failsWith('NOT_FOUND', new RegExp(nobody)));
      await assert.rejects(create_(['nonsense']), failsWith('INVALID_MID'));
      await assert.rejects(create_([chatMid]), failsWith('INVALID_MID'));
      await assert.rejects(create_([], { type: chatTypes.PEER }), failsWith('ILLEGAL_ARGUMENT'));
      await assert.rejects(create_([], { name: 'x'.repeat(51) }), failsWith('INVALID_LENGTH'));
      const request = { reqSeq: reqSeq(alice), chatMid };
      await assert.rejects(
        talk(alice).inviteIntoChat({ ...request, targetUserMids: [nobody] }),
        failsWith('NOT_FOUND'),
      );
      await assert.rejects(
        talk(alice).deleteOtherFromChat({ ...request, targetUserMids: [nobody] }),
        failsWith('NOT_FOUND'),
      );
      await assert.rejects(
        talk(alice).deleteOtherFromChat({ ...request, targetUserMids: [bob.mid, nobody] }),
        failsWith('NOT_FOUND'),
      );
      await assert.rejects(
        talk(alice).deleteOtherFromChat({ ...request, targetUserMids: [alice.mid] }),
        failsWith('ILLEGAL_ARGUMENT'),
      );
      await assert.rejects(talk(alice).leaveRoom(reqSeq(alice), chatMid), failsWith('INVALID_MID'));
      await assert.rejects(leave(alice, 'nonsense'), failsWith('INVALID_MID'));
      const noChat = new RegExp(` not found: request.chatMid: the caller has no chat ${bob.mid} `);
      await assert.rejects(leave(alice, bob.mid), failsWith('NOT_FOUND', noChat));
      assert.deepEqual(await membersOf(alice, chatMid), [alice.mid, bob.mid]);
    });

    test('a repeated send answers the first result, though the sender left in between', async () => {
      const [alice, bob] = (await users('alice', 'bob')) as [TestUser, TestUser];
      const { chatMid } = await create(alice, [bob]);
      await accept(bob, chatMid);
      const send = () => talk(bob).sendMessage(77, { to: chatMid, text: 'bye' });
      const first = await send();
      await leave(bob, chatMid);
      assert.deepEqual(await send(), first);
      await assert.rejects(talk(bob).sendMessage(78, { to: chatMid, text: 'bye' }), failsWith('NOT_A_MEMBER'));
    });

    test('a chat holds 500 members and invitees, and not one more', async () => {
      const [alice] = (await users('alice')) as [TestUser];
      const many: TestUser[] = [];
      for (let i = 0; i < 25; i++) many.push(...(await users(...Array.from({ length: 20 }, () => 'many'))));
      await assert.rejects(create(alice, many), failsWith('INVALID_LENGTH', /501 members/));
      const { chatMid } = await create(alice, many.slice(0, 499), chatTypes.ROOM);
      assert.equal((await membersOf(alice, chatMid))?.length, 500);
      await assert.rejects(invite(alice, chatMid, many.slice(499)), failsWith('INVALID_LENGTH'));
      await assert.rejects(
        talk(alice).inviteIntoRoom(reqSeq(alice), chatMid, midsOf(many.slice(499))),
        failsWith('INVALID_LENGTH'),
      );
      await alice.client.sendText(chatMid, 'to all');
      const last = many[498] as TestUser;
      assert.deepEqual((await last.log()).map(briefly), [
        `NOTIFIED_JOIN_CHAT ${chatMid} ${last.mid}`,
        'RECEIVE_MESSAGE to all',
      ]);
    });

    test('a user who accepts while others send sees every later message; a removed user sees none', async () => {
      const [alice, bob, carol] = (await users('alice', 'bob', 'carol')) as [TestUser, TestUser, TestUser];
      for (let round = 0; round < 5; round++) {
        const chatMid = await group(alice, bob);
        await invite(alice, chatMid, [carol]);
        const sends = (n: number) =>
          Array.from({ length: n }, (_, i) => (i % 2 ? bob : alice).client.sendText(chatMid, `${i}`));
        await Promise.all([...sends(10), accept(carol, chatMid), ...sends(10)]);
        const before = Number(await talk(carol).getLastOpRevision());
        const received = (await carol.log()).filter((o) => o.message?.to === chatMid).map((o) => o.message?.id);
        const read = (await talk(carol).getRecentMessagesV2(chatMid, 100)).map((message) => message.id).reverse();
        assert.deepEqual(received, read, 'what carol reads is what was delivered to it');
        await Promise.all([...sends(10), remove(alice, chatMid, [carol]), ...sends(10)]);
        const later = (await carol.log(before)).map(briefly);
        assert.equal(
          later.findIndex((line) => line.startsWith('NOTIFIED_DELETE_OTHER')),
          later.length - 1,
        );
        const [toCarol] = await got(() => Promise.all(sends(4)), carol);
        assert.deepEqual(toCarol, []);
        await invite(bob, chatMid, [carol]);
        await accept(carol, chatMid);
        const all = (await carol.log()).filter((o) => o.message?.to === chatMid).map((o) => o.message?.id);
        const readAgain = (await talk(carol).getRecentMessagesV2(chatMid, 100)).map((message) => message.id).reverse();
        assert.deepEqual(all, readAgain);
      }
    });

    test('members who all change one group at once leave it as their operations say', async () => {
      const [alice, bob, carol, dave] = (await users('alice', 'bob', 'carol', 'dave')) as [
        TestUser,
        TestUser,
        TestUser,
        TestUser,
      ];
      const chatMid = await group(alice, bob);
      for (let round = 0; round < 5; round++) {
        await Promise.allSettled([
          invite(alice, chatMid, [carol]),
          invite(bob, chatMid, [carol, dave]),
          accept(carol, chatMid),
          accept(dave, chatMid),
          cancel(alice, chatMid, [dave]),
          remove(bob, chatMid, [carol]),
          leave(dave, chatMid),
        ]);
        const members = new Set<string>([alice.mid]);
        for (const { type, param1, param2 } of await alice.log()) {
          if (param1 !== chatMid || param2 === undefined) continue;
          if (type === operationTypes.NOTIFIED_JOIN_CHAT) members.add(param2);
          if (type === operationTypes.NOTIFIED_LEAVE_CHAT || type === operationTypes.DELETE_OTHER_FROM_CHAT)
            members.delete(param2);
        }
        assert.deepEqual(new Set(await membersOf(alice, chatMid)), members);
      }
    });

    test('a group whose last member left lives on for its invitees', async () => {
      const [alice, bob] = (await users('alice', 'bob')) as [TestUser, TestUser];
      const { chatMid } = await create(alice, [bob]);
      await alice.client.sendText(chatMid, 'last words');
      await leave(alice, chatMid);
      await accept(bob, chatMid);
      assert.deepEqual(await membersOf(bob, chatMid), [bob.mid]);
      assert.deepEqual(await texts(bob, chatMid), ['C_MJ']);
      await bob.client.sendText(chatMid, 'hello?');
      assert.deepEqual(await texts(bob, chatMid), ['C_MJ', 'hello?']);
    });

    test('a deleted account leaves its chats, and its invitations end', async () => {
      const [alice, bob] = (await users('alice', 'bob')) as [TestUser, TestUser];
      const chatMid = await group(alice, bob);
      const { chatMid: other } = await create(alice, [bob]);
      const [toAlice] = await got(() => operator(server).deleteAccount({ account: bob.mid }), alice);
      assert.deepEqual(toAlice, [
        `NOTIFIED_DELETE_SELF_FROM_CHAT ${chatMid} ${bob.mid}`,
        `NOTIFIED_LEAVE_CHAT ${chatMid} ${bob.mid} 0`,
        `RECEIVE_MESSAGE C_ML ${bob.mid}`,
      ]);
      assert.deepEqual(await membersOf(alice, chatMid), [alice.mid]);
      assert.deepEqual(await inviteesOf(alice, other), []);
      await assert.rejects(invite(alice, chatMid, [bob]), failsWith('NOT_FOUND'));
    });

    test('groups, rooms, memberships and favourites survive a restart', async () => {
      const own = await startServer({ database });
      try {
        const alice = await own.user('alice');
        const bob = await own.user('bob');
        const { chatMid } = await create(alice, [bob]);
        await accept(bob, chatMid);
        await talk(bob).updateChat({
          reqSeq: 99,
          chat: { chatMid, favoriteTimestamp: '7' },
          updatedAttribute: bits.FAVORITE_TIMESTAMP,
        });
        await own.restart();
        const again = { ...bob, client: await bob.session() };
        const chat = await chatOf(again, chatMid);
        assert.equal(chat?.favoriteTimestamp, '7');
        assert.deepEqual(chat?.extra?.groupExtra?.memberMids, midsOf([alice, bob]));
        assert.deepEqual(await texts(again, chatMid), ['C_MJ']);
      } finally {
        await own.close();
      }
    });
  });
}
