// Both sides of every rule about who sees a message, through every access to it: pages, ids, boxes, reactions and
// replies.
import assert from 'node:assert/strict';
import { after, before, describe, test } from 'node:test';
import { chatTypes, type Message, operationTypes } from '@sealpost/contract';
import { databases, startServer, type TestServer, type TestUser } from '@sealpost/dev-env/harness';
import { GatewayError } from '@sealpost/sdk';

const REFUSALS = new Set(['NOT_A_MEMBER', 'NOT_FOUND', 'MESSAGE_NOT_FOUND']);
const EVERY_WAY = ['recent', 'previous', 'by id', 'boxes', 'boxes by id', 'react', 'reply'];

/** Returns false if the call gets the refusal of an absent message. */
async function passes(call: Promise<unknown>): Promise<boolean> {
  try {
    await call;
    return true;
  } catch (error) {
    if (error instanceof GatewayError && REFUSALS.has(error.error ?? '')) return false;
    throw error;
  }
}

for (const database of databases) {
  describe(`who sees a message on ${database}`, () => {
    let server: TestServer;
    before(async () => {
      server = await startServer({ database });
    });
    after(() => server.close());

    const talk = (user: TestUser) => user.client.TalkService;
    const seq = (user: TestUser) => user.client.nextReqSeq();
    const users = (...names: string[]) => Promise.all(names.map((name) => server.user(name)));
    const create = async (creator: TestUser, targets: readonly TestUser[], type: 0 | 1 = chatTypes.GROUP) => {
      const targetUserMids = targets.map(({ mid }) => mid);
      const { chat } = await talk(creator).createChat({ reqSeq: seq(creator), type, name: 'Tea', targetUserMids });
      return chat.chatMid;
    };
    const accept = (user: TestUser, chatMid: string) => talk(user).acceptChatInvitation({ reqSeq: seq(user), chatMid });
    const invite = (user: TestUser, chatMid: string, ...targets: TestUser[]) =>
      talk(user).inviteIntoChat({ reqSeq: seq(user), chatMid, targetUserMids: targets.map(({ mid }) => mid) });
    const leave = (user: TestUser, chatMid: string) => talk(user).deleteSelfFromChat({ reqSeq: seq(user), chatMid });

    /** Returns the kinds of access to a message that a user has. A successful reaction is removed again. */
    async function ways(user: TestUser, chatMid: string, { id }: Message): Promise<string[]> {
      const shows = (messages: readonly Message[]) => messages.some((message) => message.id === id);
      const page = (call: Promise<Message[]>) => call.catch((error) => refused(error)).then(shows);
      const messageId = id;
      const reactionType = { predefinedReactionType: 2 } as const;
      const relation = { relatedMessageId: id, messageRelationType: 3, relatedMessageServiceCode: 1 } as const;
      const tries: Record<string, () => Promise<boolean>> = {
        recent: () => page(talk(user).getRecentMessagesV2(chatMid, 100)),
        previous: () =>
          page(talk(user).getPreviousMessagesV2WithRequest({ messageBoxId: chatMid, messagesCount: 100 })),
        'by id': () => page(talk(user).getMessagesByIds([id])),
        boxes: async () =>
          (await talk(user).getMessageBoxes({ lastMessagesPerMessageBoxCount: 100 })).messageBoxes.some((box) =>
            shows(box.lastMessages ?? []),
          ),
        'boxes by id': async () => {
          const request = { messageBoxIds: [chatMid], lastMessagesCount: 100 };
          return shows((await talk(user).getMessageBoxesByIds(request)).messageBoxesByIds[chatMid]?.lastMessages ?? []);
        },
        react: async () => {
          const reacted = await passes(talk(user).react({ reqSeq: seq(user), messageId, reactionType }));
          const cancelled = await passes(talk(user).cancelReaction({ reqSeq: seq(user), messageId }));
          assert.equal(cancelled, reacted);
          return reacted;
        },
        reply: () => passes(talk(user).sendMessage(seq(user), { to: chatMid, text: 'reply', ...relation })),
      };
      const open: string[] = [];
      for (const [name, attempt] of Object.entries(tries)) if (await attempt()) open.push(name);
      return open;
    }
    const refused = (error: unknown): Message[] => {
      if (error instanceof GatewayError && REFUSALS.has(error.error ?? '')) return [];
      throw error;
    };

    test('an invitee sees nothing of the group, neither messages nor how far others read, and is told of none', async () => {
      const [alice, bob, carol] = (await users('alice', 'bob', 'carol')) as [TestUser, TestUser, TestUser];
      const chatMid = await create(alice, [bob, carol]);
      await accept(carol, chatMid);
      const head = Number(await talk(bob).getLastOpRevision());
      const message = await alice.client.sendText(chatMid, 'for members');
      await talk(carol).sendChatChecked(seq(carol), chatMid, message.id, 0);
      assert.deepEqual(await ways(bob, chatMid, message), []);
      assert.deepEqual(await talk(bob).getMessageReadRange([chatMid]), []);
      assert.deepEqual((await talk(bob).getMessageBoxes({})).messageBoxes, []);
      assert.deepEqual(await bob.log(head), []);
      assert.deepEqual(await ways(carol, chatMid, message), EVERY_WAY);
      assert.equal((await talk(carol).getMessageReadRange([chatMid])).length, 1);
    });

    test('a member that came later, into a group or a room, sees what came after and nothing from before', async () => {
      for (const type of [chatTypes.GROUP, chatTypes.ROOM]) {
        const [alice, bob, carol] = (await users('alice', 'bob', 'carol')) as [TestUser, TestUser, TestUser];
        const chatMid = await create(alice, [carol], type);
        const earlier = await alice.client.sendText(chatMid, 'before');
        await invite(alice, chatMid, bob);
        if (type === chatTypes.GROUP) await accept(bob, chatMid);
        const later = await alice.client.sendText(chatMid, 'after');
        assert.deepEqual(await ways(bob, chatMid, earlier), [], `${type}`);
        assert.deepEqual(await ways(bob, chatMid, later), EVERY_WAY, `${type}`);
        await talk(alice).unsendMessage(seq(alice), earlier.id);
      }
    });

    test('a member who left and came back sees both stays and nothing between, in pages of the requested size', async () => {
      const [alice, bob] = (await users('alice', 'bob')) as [TestUser, TestUser];
      const chatMid = await create(alice, [bob]);
      await accept(bob, chatMid);
      const [first, second] = [await alice.client.sendText(chatMid, '1'), await alice.client.sendText(chatMid, '2')];
      await leave(bob, chatMid);
      const between = await alice.client.sendText(chatMid, 'away');
      assert.deepEqual(await ways(bob, chatMid, first), [], 'away, it sees nothing');
      await invite(alice, chatMid, bob);
      assert.deepEqual(await ways(bob, chatMid, first), [], 'invited again, it sees nothing yet');
      await accept(bob, chatMid);
      const third = await alice.client.sendText(chatMid, '3');
      const pageOf = async (messagesCount: number, messageId?: string) => {
        const end = messageId === undefined ? {} : { endMessageId: { messageId } };
        const request = { messageBoxId: chatMid, messagesCount, ...end };
        return (await talk(bob).getPreviousMessagesV2WithRequest(request)).map(({ id }) => id);
      };
      // Newest first: the third message, bob's second joining, the second message, the first message, bob's first
      // joining.
      assert.equal((await pageOf(100)).length, 5);
      assert.deepEqual([(await pageOf(1)).length, (await pageOf(3)).length], [1, 3]);
      assert.deepEqual((await pageOf(3))[0], third.id);
      assert.deepEqual((await pageOf(3))[2], second.id);
      assert.deepEqual(await pageOf(1, second.id), [first.id], 'the boundary itself is not in the page');
      assert.deepEqual(await ways(bob, chatMid, first), EVERY_WAY);
      assert.deepEqual(await ways(bob, chatMid, between), []);
    });

    test('a member that was removed from a group sees no earlier and no later message of it', async () => {
      const [alice, bob, carol] = (await users('alice', 'bob', 'carol')) as [TestUser, TestUser, TestUser];
      const chatMid = await create(alice, [bob, carol]);
      for (const user of [bob, carol]) await accept(user, chatMid);
      const message = await alice.client.sendText(chatMid, 'while it was in');
      assert.deepEqual(await ways(bob, chatMid, message), EVERY_WAY);
      await talk(alice).deleteOtherFromChat({ reqSeq: seq(alice), chatMid, targetUserMids: [bob.mid] });
      const head = Number(await talk(bob).getLastOpRevision());
      const later = await alice.client.sendText(chatMid, 'without it');
      for (const gone of [message, later]) assert.deepEqual(await ways(bob, chatMid, gone), []);
      assert.deepEqual(await talk(bob).getMessageReadRange([chatMid]), []);
      assert.deepEqual(await bob.log(head), []);
      assert.deepEqual(await ways(carol, chatMid, later), EVERY_WAY);
    });

    test('a user who removed the history sees only later messages by every access; the others see all', async () => {
      const [alice, bob] = (await users('alice', 'bob')) as [TestUser, TestUser];
      const chatMid = await create(alice, [bob]);
      await accept(bob, chatMid);
      for (const [ofBob, ofAlice] of [
        [chatMid, chatMid],
        [alice.mid, bob.mid],
      ] as const) {
        const sent: Message[] = [];
        for (const text of ['1', '2', '3']) sent.push(await alice.client.sendText(ofAlice, text));
        const [first, cut, last] = sent as [Message, Message, Message];
        await talk(bob).sendChatRemoved(seq(bob), ofBob, cut.id, 0);
        for (const removed of [first, cut]) {
          assert.deepEqual(await ways(bob, ofBob, removed), []);
          assert.deepEqual(await ways(alice, ofAlice, removed), EVERY_WAY);
        }
        assert.deepEqual(await ways(bob, ofBob, last), EVERY_WAY);
      }
    });

    test('a message from a blocked sender is seen by its sender, and by no access by the blocker', async () => {
      const [alice, bob] = (await users('alice', 'bob')) as [TestUser, TestUser];
      await bob.client.sendText(alice.mid, 'so that there is a chat');
      await talk(bob).blockContact(seq(bob), alice.mid);
      const message = await alice.client.sendText(bob.mid, 'into the void');
      assert.deepEqual(await ways(alice, bob.mid, message), EVERY_WAY);
      assert.deepEqual(
        (await ways(bob, alice.mid, message)).filter((way) => way !== 'reply'),
        [],
      );
      await talk(alice).unsendMessage(seq(alice), message.id);
      const told = (await bob.log()).filter(({ param2 }) => param2 === message.id);
      assert.deepEqual(told, [], 'nor is it told that the message was taken back');
    });

    test('a read mark names no message that was kept from the other side, and its reader sees no difference', async () => {
      const [alice, bob] = (await users('alice', 'bob')) as [TestUser, TestUser];
      const read = (user: TestUser, chat: TestUser, { id }: Message) =>
        talk(user).sendChatChecked(seq(user), chat.mid, id, 0);
      const marks = async (user: TestUser) =>
        (await user.log())
          .filter(({ type }) => type === operationTypes.NOTIFIED_READ_MESSAGE)
          .map(({ param3 }) => param3);
      const range = async (viewer: TestUser, other: TestUser, reader: TestUser) => {
        const [found] = await talk(viewer).getMessageReadRange([other.mid]);
        return found?.ranges[reader.mid]?.map(({ startMessageId, endMessageId }) => [startMessageId, endMessageId]);
      };
      await talk(bob).blockContact(seq(bob), alice.mid);
      const first = await alice.client.sendText(bob.mid, 'kept');
      await read(alice, bob, first);
      assert.deepEqual(await marks(bob), []);
      assert.equal(await range(bob, alice, alice), undefined);
      assert.deepEqual(await range(alice, bob, alice), [[first.id, first.id]], 'the block does not show');

      const shared = await bob.client.sendText(alice.mid, 'for both');
      const second = await alice.client.sendText(bob.mid, 'kept too');
      await read(alice, bob, second);
      assert.deepEqual(await marks(bob), [shared.id]);
      assert.deepEqual(await range(bob, alice, alice), [[shared.id, shared.id]]);
      const third = await alice.client.sendText(bob.mid, 'kept again');
      await read(alice, bob, third);
      assert.deepEqual(await marks(bob), [shared.id], 'nothing that both have was read');
      assert.deepEqual(await range(alice, bob, alice), [[first.id, third.id]]);
      const own = (await alice.log()).filter(({ type }) => type === operationTypes.SEND_CHAT_CHECKED);
      assert.deepEqual(
        own.map(({ param2 }) => param2),
        [first.id, second.id, third.id],
      );

      await talk(bob).unblockContact(seq(bob), alice.mid);
      const last = await alice.client.sendText(bob.mid, 'delivered');
      await read(alice, bob, last);
      assert.deepEqual(await marks(bob), [shared.id, last.id]);
      assert.deepEqual(await range(bob, alice, alice), [[shared.id, last.id]]);
    });

    test('a stranger sees nothing of a chat between two', async () => {
      const [alice, bob, eve] = (await users('alice', 'bob', 'eve')) as [TestUser, TestUser, TestUser];
      const message = await alice.client.sendText(bob.mid, 'private');
      for (const chatMid of [alice.mid, bob.mid]) {
        const open = await ways(eve, chatMid, message);
        assert.deepEqual(open, []);
      }
      assert.deepEqual(await ways(bob, alice.mid, message), EVERY_WAY);
    });
  });
}
