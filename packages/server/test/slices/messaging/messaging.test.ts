import assert from 'node:assert/strict';
import { after, before, describe, test } from 'node:test';
import { operationTypes } from '@sealpost/contract';
import { databases, startServer, type TestServer, type TestUser } from '@sealpost/dev-env/harness';
import type { GatewayError } from '@sealpost/sdk';

const failsWith = (error: string, reason?: RegExp) => (thrown: unknown) => {
  assert.equal((thrown as GatewayError).error, error);
  if (reason) assert.match((thrown as GatewayError).message, reason);
  return true;
};

for (const database of databases) {
  describe(`messaging on ${database}`, () => {
    let server: TestServer;
    let alice: TestUser;
    let bob: TestUser;
    before(async () => {
      server = await startServer({ database });
    });
    after(() => server.close());
    const pair = async () => {
      alice = await server.user('alice');
      bob = await server.user('bob');
    };
    const send = (from: TestUser, to: TestUser, text: string) => from.client.sendText(to.mid, text);
    const history = (user: TestUser, chat: string, count = 50) =>
      user.client.TalkService.getRecentMessagesV2(chat, count);

    test('a sent message comes back as stored and reaches both logs once', async () => {
      await pair();
      const reqSeq = alice.client.nextReqSeq();
      const message = await alice.client.TalkService.sendMessage(reqSeq, { to: bob.mid, text: 'hello' });
      assert.equal(message.from, alice.mid);
      assert.equal(message.to, bob.mid);
      assert.equal(message.text, 'hello');
      assert.match(message.id, /^\d{1,19}$/);
      const [own] = await alice.log();
      const [theirs] = await bob.log();
      assert.deepEqual(own, {
        revision: '1',
        createdTime: own?.createdTime,
        type: operationTypes.SEND_MESSAGE,
        reqSeq,
        message,
      });
      assert.deepEqual(theirs, {
        revision: '1',
        createdTime: own?.createdTime,
        type: operationTypes.RECEIVE_MESSAGE,
        reqSeq: 0,
        message,
      });
    });

    test('a message to oneself lands in the chat with oneself, once', async () => {
      await pair();
      const message = await send(alice, alice, 'note');
      assert.deepEqual(
        (await alice.log()).map((o) => o.type),
        [operationTypes.SEND_MESSAGE],
      );
      assert.deepEqual(await history(alice, alice.mid), [message]);
    });

    test('the same reqSeq with the same content is sent once, with other content twice', async () => {
      await pair();
      const twice = { to: bob.mid, text: 'once' };
      const first = await alice.client.TalkService.sendMessage(77, twice);
      assert.deepEqual(await alice.client.TalkService.sendMessage(77, twice), first);
      const other = await alice.client.TalkService.sendMessage(77, { to: bob.mid, text: 'other' });
      assert.notEqual(other.id, first.id);
      const copies = await Promise.all(
        Array.from({ length: 64 }, () => alice.client.TalkService.sendMessage(78, twice)),
      );
      assert.equal(new Set(copies.map((m) => m.id)).size, 1);
      assert.equal((await history(bob, alice.mid)).length, 3);
      assert.equal((await bob.log()).length, 3);
    });

    test('a reqSeq below 2 identifies no request', async () => {
      await pair();
      const message = { to: bob.mid, text: 'again' };
      const ids = [];
      for (const reqSeq of [0, 1, 0, 1]) ids.push((await alice.client.TalkService.sendMessage(reqSeq, message)).id);
      assert.equal(new Set(ids).size, 4);
    });

    test('parallel sends of both sides keep one order for everybody and dense revisions', async () => {
      await pair();
      await Promise.all(
        Array.from({ length: 100 }, (_, i) => (i % 2 ? send(alice, bob, `a${i}`) : send(bob, alice, `b${i}`))),
      );
      const [ofAlice, ofBob] = [await alice.log(), await bob.log()];
      for (const log of [ofAlice, ofBob])
        assert.deepEqual(
          log.map((o) => o.revision),
          log.map((_, i) => String(i + 1)),
        );
      const order = ofAlice.map((o) => o.message?.id);
      assert.deepEqual(
        ofBob.map((o) => o.message?.id),
        order,
      );
      const page = await history(alice, bob.mid, 100);
      assert.deepEqual(page.map((m) => m.id).reverse(), order);
    });

    test('history pages exclude their boundary and go back to the first message', async () => {
      await pair();
      const sent = [];
      for (let i = 0; i < 7; i++) sent.push((await send(alice, bob, `m${i}`)).id);
      const seen: string[] = [];
      let boundary: { messageId: string; deliveredTime: string } | undefined;
      for (;;) {
        const page = await bob.client.TalkService.getPreviousMessagesV2WithRequest({
          messageBoxId: alice.mid,
          messagesCount: 3,
          ...(boundary && { endMessageId: boundary }),
        });
        if (page.length === 0) break;
        seen.push(...page.map((m) => m.id));
        const last = page.at(-1);
        assert.ok(last);
        boundary = { messageId: last.id, deliveredTime: last.deliveredTime };
      }
      assert.deepEqual(seen.reverse(), sent);
    });

    test('unsending leaves a tombstone everywhere and erases the text', async () => {
      await pair();
      const message = await send(alice, bob, 'secret-text');
      await assert.rejects(bob.client.TalkService.unsendMessage(5, message.id), failsWith('MESSAGE_NOT_DESTRUCTIBLE'));
      await alice.client.TalkService.unsendMessage(6, message.id);
      for (const [user, chat] of [
        [alice, bob.mid],
        [bob, alice.mid],
      ] as const) {
        const text = JSON.stringify([
          await history(user, chat),
          await user.log(),
          await user.client.TalkService.getMessagesByIds([message.id]),
          await user.client.TalkService.getMessageBoxes({ withUnreadCount: true }),
        ]);
        assert.ok(!text.includes('secret-text'));
        assert.equal((await history(user, chat))[0]?.contentMetadata.UNSENT, 'true');
      }
      const last = (await bob.log()).at(-1);
      assert.equal(last?.type, operationTypes.NOTIFIED_DESTROY_MESSAGE);
      assert.deepEqual([last?.param1, last?.param2, last?.param3], [alice.mid, message.id, '0']);
      await assert.rejects(alice.client.TalkService.unsendMessage(7, message.id), failsWith('MESSAGE_NOT_FOUND'));
      await assert.rejects(alice.client.TalkService.unsendMessage(8, '999'), failsWith('MESSAGE_NOT_FOUND'));
    });

    test('an unsent message keeps neither metadata nor reactions, and takes no new ones', async () => {
      await pair();
      const content = { to: bob.mid, text: 'secret', contentMetadata: { secret: 'metadata' } };
      const message = await alice.client.TalkService.sendMessage(90, content);
      const react = (reqSeq: number) =>
        bob.client.TalkService.react({
          reqSeq,
          messageId: message.id,
          reactionType: { predefinedReactionType: 2 },
        });
      await react(91);
      await alice.client.TalkService.unsendMessage(92, message.id);
      const [left] = await history(bob, alice.mid);
      const { from, to, toType, id, createdTime, deliveredTime } = message;
      assert.deepEqual(left, {
        ...{ from, to, toType, id, createdTime, deliveredTime, hasContent: false, contentType: 0, sessionId: 0 },
        contentMetadata: { UNSENT: 'true', UPDATED_TIME: left?.contentMetadata.UPDATED_TIME },
      });
      await assert.rejects(react(93), failsWith('MESSAGE_NOT_FOUND'));
      assert.equal((await history(bob, alice.mid))[0]?.reactions, undefined);
    });

    test('a read mark beyond the newest message stops there, and so does a removal beyond it', async () => {
      await pair();
      const newest = await send(alice, bob, 'newest');
      const beyond = String(Number.MAX_SAFE_INTEGER);
      await bob.client.TalkService.sendChatChecked(95, alice.mid, beyond, 0);
      await bob.client.TalkService.sendChatRemoved(96, alice.mid, beyond, 0);
      const told = (await bob.log()).slice(1).map((o) => [o.type, o.param2]);
      assert.deepEqual(told, [
        [operationTypes.SEND_CHAT_CHECKED, newest.id],
        [operationTypes.SEND_CHAT_REMOVED, newest.id],
      ]);
      const next = await send(alice, bob, 'next');
      assert.deepEqual(
        (await history(bob, alice.mid)).map((m) => m.id),
        [next.id],
      );
    });

    test('messages that the reader removed from its view can still be read up to', async () => {
      await pair();
      const [first, second] = [await send(alice, bob, '1'), await send(alice, bob, '2')];
      const { TalkService } = bob.client;
      await TalkService.sendChatRemoved(102, alice.mid, '0', 0);
      await TalkService.sendChatChecked(103, alice.mid, first.id, 0);
      await TalkService.sendChatChecked(104, alice.mid, String(Number.MAX_SAFE_INTEGER), 0);
      const own = (await bob.log()).filter(({ type }) => type === operationTypes.SEND_CHAT_CHECKED);
      assert.deepEqual(
        own.map(({ param2 }) => param2),
        [first.id, second.id],
      );
      const told = (await alice.log()).filter(({ type }) => type === operationTypes.NOTIFIED_READ_MESSAGE);
      assert.deepEqual(
        told.map(({ param3 }) => param3),
        [first.id, second.id],
      );
      const [range] = await alice.client.TalkService.getMessageReadRange([bob.mid]);
      assert.equal(range?.ranges[bob.mid]?.[0]?.endMessageId, second.id);
    });

    test('cancelling a reaction that is not there tells nobody', async () => {
      await pair();
      const message = await send(alice, bob, 'nothing to say');
      await bob.client.TalkService.cancelReaction({ reqSeq: 97, messageId: message.id });
      assert.deepEqual([(await alice.log()).length, (await bob.log()).length], [1, 1]);
    });

    test('read marks move forward only and clear the unread count', async () => {
      await pair();
      const first = await send(alice, bob, '1');
      const second = await send(alice, bob, '2');
      await send(bob, alice, 'own');
      const box = async () =>
        (
          await bob.client.TalkService.getMessageBoxesByIds({
            messageBoxIds: [alice.mid],
            withUnreadCount: true,
            lastMessagesCount: 1,
          })
        ).messageBoxesByIds[alice.mid];
      assert.equal((await box())?.unreadCount, '2');
      await bob.client.TalkService.sendChatChecked(11, alice.mid, second.id, 0);
      await bob.client.TalkService.sendChatChecked(12, alice.mid, first.id, 0);
      assert.equal((await box())?.unreadCount, '0');
      assert.equal((await box())?.lastSeenMessageId, second.id);
      const read = (await alice.log()).filter((o) => o.type === operationTypes.NOTIFIED_READ_MESSAGE);
      assert.deepEqual(
        read.map((o) => [o.param1, o.param2, o.param3]),
        [[bob.mid, bob.mid, second.id]],
      );
      const [range] = await alice.client.TalkService.getMessageReadRange([bob.mid]);
      assert.equal(range?.ranges[bob.mid]?.[0]?.endMessageId, second.id);
    });

    test('removing history hides it from the caller alone', async () => {
      await pair();
      const first = await send(alice, bob, '1');
      const second = await send(alice, bob, '2');
      await bob.client.TalkService.sendChatRemoved(21, alice.mid, first.id, 0);
      assert.deepEqual(
        (await history(bob, alice.mid)).map((m) => m.id),
        [second.id],
      );
      await bob.client.TalkService.sendChatRemoved(22, alice.mid, '0', 0);
      assert.deepEqual(await history(bob, alice.mid), []);
      assert.equal((await history(alice, bob.mid)).length, 2);
      assert.deepEqual((await bob.client.TalkService.getMessageBoxes({})).messageBoxes, []);
    });

    test('a chat hidden up to a message comes back with a newer one', async () => {
      await pair();
      const first = await send(alice, bob, '1');
      const active = async () =>
        (await bob.client.TalkService.getMessageBoxes({ activeOnly: true })).messageBoxes.map((b) => b.id);
      const hide = (reqSeq: number, lastMessageId: string) =>
        bob.client.TalkService.setChatHiddenStatus({ reqSeq, chatMid: alice.mid, lastMessageId, hidden: true });
      await hide(31, first.id);
      assert.deepEqual(await active(), []);
      const second = await send(alice, bob, '2');
      assert.deepEqual(await active(), [alice.mid]);
      // This device has not seen the second message. It hides the chat up to the first message only, so the chat stays
      // visible.
      await hide(32, first.id);
      assert.deepEqual(await active(), [alice.mid]);
      await hide(33, second.id);
      assert.deepEqual(await active(), []);
    });

    test('a chat without a message is read, removed and hidden without a word, a foreign group is refused', async () => {
      await pair();
      const stranger = await server.user('stranger');
      const request = { reqSeq: 0, type: 0 as const, name: 'Tea', targetUserMids: [] };
      const { chatMid: foreign } = (await stranger.client.TalkService.createChat(request)).chat;
      const { TalkService } = bob.client;
      const changes: ((chatMid: string) => Promise<unknown>)[] = [
        (chatMid) => TalkService.sendChatChecked(34, chatMid, '1', 0),
        (chatMid) => TalkService.sendChatRemoved(35, chatMid, '0', 0),
        (chatMid) => TalkService.setChatHiddenStatus({ reqSeq: 36, chatMid, hidden: true }),
      ];
      for (const change of changes) {
        await change(alice.mid);
        await assert.rejects(change(foreign), failsWith('NOT_A_MEMBER'));
        await assert.rejects(change('nonsense'), failsWith('INVALID_MID'));
      }
      assert.deepEqual(await bob.log(), []);
    });

    test('hiding takes no message beyond the newest, never goes back, and is told with its message', async () => {
      await pair();
      const hide = (reqSeq: number, lastMessageId: string | undefined, hidden = true) =>
        bob.client.TalkService.setChatHiddenStatus({
          reqSeq,
          chatMid: alice.mid,
          ...(lastMessageId !== undefined && { lastMessageId }),
          hidden,
        });
      const box = async () =>
        (await bob.client.TalkService.getMessageBoxesByIds({ messageBoxIds: [alice.mid] })).messageBoxesByIds[
          alice.mid
        ];
      const [first, second] = [await send(alice, bob, '1'), await send(alice, bob, '2')];
      await hide(41, String(Number.MAX_SAFE_INTEGER));
      assert.equal((await box())?.hiddenAtMessageId, second.id);
      await hide(42, first.id);
      assert.equal((await box())?.hiddenAtMessageId, second.id);
      const third = await send(alice, bob, '3');
      assert.equal((await box())?.hiddenAtMessageId, undefined);
      for (const [reqSeq, none] of [
        [43, undefined],
        [44, '0'],
        [45, '-1'],
      ] as const) {
        await hide(reqSeq, none);
        assert.equal((await box())?.hiddenAtMessageId, third.id);
        await hide(reqSeq + 10, none, false);
        assert.equal((await box())?.hiddenAtMessageId, undefined);
      }
      const told = (await bob.log()).filter((o) => o.type === operationTypes.SEND_CHAT_HIDDEN);
      const again = Array.from({ length: 3 }, () => [
        [third.id, 'true'],
        [third.id, 'false'],
      ]).flat();
      assert.deepEqual(
        told.map((o) => [o.param2, o.param3]),
        [[second.id, 'true'], [first.id, 'true'], ...again],
      );
    });

    test('unreadOnly and activeOnly find what a look at every box finds, in pages of any size', async () => {
      const owner = await server.user('owner');
      const talk = owner.client.TalkService;
      const peers = await Promise.all(Array.from({ length: 7 }, (_, i) => server.user(`peer${i}`)));
      const [read, unread, hidden, removed, own, unsent, gone] = peers as [TestUser, ...TestUser[]] & TestUser[];
      for (const peer of peers.slice(0, 4)) await send(peer as TestUser, owner, 'hello');
      await talk.sendChatChecked(50, (read as TestUser).mid, String(Number.MAX_SAFE_INTEGER), 0);
      await talk.setChatHiddenStatus({ reqSeq: 51, chatMid: (hidden as TestUser).mid, hidden: true });
      await talk.sendChatRemoved(52, (removed as TestUser).mid, '0', 0);
      await send(owner, own as TestUser, 'to you');
      const mistake = await send(unsent as TestUser, owner, 'oops');
      await (unsent as TestUser).client.TalkService.unsendMessage(53, mistake.id);
      const { chatMid } = (
        await (gone as TestUser).client.TalkService.createChat({ reqSeq: 0, type: 1, targetUserMids: [owner.mid] })
      ).chat;
      await (gone as TestUser).client.sendText(chatMid, 'to all');
      await talk.leaveRoom(54, chatMid);

      const all = async (limit: number, flags: object) => {
        const found: { id: string; unreadCount?: string }[] = [];
        for (let minChatId = '', more = true; more; minChatId = found.at(-1)?.id ?? '') {
          const page = await talk.getMessageBoxes({
            ...flags,
            minChatId,
            messageBoxCountLimit: limit,
            withUnreadCount: true,
          });
          found.push(...page.messageBoxes);
          more = page.hasNext;
        }
        return found;
      };
      const ids = (boxes: readonly { id: string }[]) => boxes.map((box) => box.id);
      const every = await all(100, {});
      const inOrder = (...users: TestUser[]) => users.map((user) => user.mid).sort();
      assert.deepEqual(ids(every), inOrder(...([read, unread, hidden, own, unsent] as TestUser[])));
      const unreadIds = ids(every.filter((box) => box.unreadCount !== '0'));
      assert.deepEqual(unreadIds, inOrder(...([unread, hidden] as TestUser[])));
      for (const limit of [1, 2, 100]) {
        assert.deepEqual(ids(await all(limit, {})), ids(every));
        assert.deepEqual(ids(await all(limit, { unreadOnly: true })), unreadIds);
        const active = inOrder(...([read, unread, own, unsent] as TestUser[]));
        assert.deepEqual(ids(await all(limit, { activeOnly: true })), active);
        const both = ids(await all(limit, { activeOnly: true, unreadOnly: true }));
        assert.deepEqual(both, [(unread as TestUser).mid]);
      }
    });

    test('a reaction replaces the earlier one and shows in history until it is cancelled', async () => {
      await pair();
      const message = await send(alice, bob, 'nice?');
      const react = (type: 2 | 3) =>
        bob.client.TalkService.react({
          reqSeq: 40 + type,
          messageId: message.id,
          reactionType: { predefinedReactionType: type },
        });
      await react(2);
      await react(3);
      const [seen] = await history(alice, bob.mid);
      assert.deepEqual(
        seen?.reactions?.map((r) => [r.fromUserMid, r.reactionType]),
        [[bob.mid, { predefinedReactionType: 3 }]],
      );
      await bob.client.TalkService.cancelReaction({ reqSeq: 49, messageId: message.id });
      assert.equal((await history(alice, bob.mid))[0]?.reactions, undefined);
      const told = (await alice.log()).filter((o) => o.type === operationTypes.NOTIFIED_SEND_REACTION);
      assert.deepEqual(
        told.map((o) => JSON.parse(o.param2 as string)),
        [
          { chatMid: bob.mid, curr: { predefinedReactionType: 2 } },
          { chatMid: bob.mid, curr: { predefinedReactionType: 3 } },
          { chatMid: bob.mid },
        ],
      );
      await assert.rejects(
        bob.client.TalkService.react({ reqSeq: 50, messageId: message.id, reactionType: {} }),
        failsWith('ILLEGAL_ARGUMENT'),
      );
      const paid = { productId: '1', emojiId: '2', resourceType: 1, version: 1 };
      for (const wrong of [{ productId: '' }, { emojiId: '' }, { resourceType: 4711 }]) {
        await assert.rejects(
          bob.client.TalkService.react({
            reqSeq: 51,
            messageId: message.id,
            reactionType: { paidReactionType: { ...paid, ...wrong } },
          }),
          /invalid paidReactionType in reactionType/,
        );
      }
      await bob.client.TalkService.react({
        reqSeq: 52,
        messageId: message.id,
        reactionType: { paidReactionType: paid },
      });
    });

    test('a reply carries its relation and must answer a message of the chat', async () => {
      await pair();
      const carol = await server.user('carol');
      const message = await send(alice, bob, 'question');
      const reply = await bob.client.TalkService.sendMessage(61, {
        to: alice.mid,
        text: 'answer',
        relatedMessageId: message.id,
        messageRelationType: 3,
        relatedMessageServiceCode: 1,
      });
      assert.equal(reply.relatedMessageId, message.id);
      const elsewhere = { to: carol.mid, text: 'x', relatedMessageId: message.id, messageRelationType: 3 } as const;
      await assert.rejects(bob.client.TalkService.sendMessage(62, elsewhere), failsWith('MESSAGE_NOT_FOUND'));
      const untyped = { to: alice.mid, text: 'x', relatedMessageId: message.id };
      const unrelated = await bob.client.TalkService.sendMessage(63, untyped);
      assert.equal(unrelated.relatedMessageId, undefined, 'an id without its relation means nothing');
      await assert.rejects(
        bob.client.TalkService.unsendMessage(65, message.id),
        failsWith(
          'MESSAGE_NOT_DESTRUCTIBLE',
          new RegExp(` not your message: only its sender can unsend messageId ${message.id} `),
        ),
      );
      const nobody = `u${'0'.repeat(32)}`;
      await assert.rejects(
        bob.client.sendText(nobody, 'x'),
        failsWith('NOT_FOUND', new RegExp(` message.to: there is no user ${nobody} `)),
      );
    });

    test('strangers read nothing, and absent chats look like forbidden ones', async () => {
      await pair();
      const eve = await server.user('eve');
      const message = await send(alice, bob, 'private');
      assert.deepEqual(await eve.client.TalkService.getMessagesByIds([message.id]), []);
      assert.deepEqual(await history(eve, alice.mid), []);
      await assert.rejects(
        eve.client.TalkService.react({
          reqSeq: 70,
          messageId: message.id,
          reactionType: { predefinedReactionType: 2 },
        }),
        failsWith('MESSAGE_NOT_FOUND'),
      );
      await assert.rejects(eve.client.TalkService.unsendMessage(71, message.id), failsWith('MESSAGE_NOT_FOUND'));
    });

    test('refused sends name the field and change nothing', async () => {
      await pair();
      const refused: [Parameters<typeof alice.client.TalkService.sendMessage>[1], string, RegExp][] = [
        [{ to: bob.mid, text: '' }, 'ILLEGAL_ARGUMENT', /text/],
        [{ to: `u${'0'.repeat(32)}`, text: 'x' }, 'NOT_FOUND', /to/],
        [{ to: 'nobody', text: 'x' }, 'INVALID_MID', /nobody/],
        [{ to: `c${'0'.repeat(32)}`, text: 'x' }, 'NOT_A_MEMBER', /member/],
        [{ to: bob.mid, text: 'x', from: bob.mid }, 'ILLEGAL_ARGUMENT', /from/],
        [{ to: bob.mid, text: 'x', contentType: 18 }, 'ILLEGAL_ARGUMENT', /contentType/],
        [{ to: bob.mid, text: 'x', contentType: 22 }, 'INCOMPATIBLE_APP_VERSION', /official/],
        [{ to: bob.mid, contentType: 7 }, 'ILLEGAL_ARGUMENT', /STKID/],
        [{ to: bob.mid, contentType: 15 }, 'ILLEGAL_ARGUMENT', /location/],
        [{ to: bob.mid, text: 'x'.repeat(10_001) }, 'INVALID_LENGTH', /text/],
      ];
      for (const [message, error, reason] of refused) {
        await assert.rejects(alice.client.TalkService.sendMessage(80, message), failsWith(error, reason));
      }
      assert.equal(await alice.client.TalkService.getLastOpRevision(), '0');
      assert.equal(await bob.client.TalkService.getLastOpRevision(), '0');
    });

    test('message boxes page by chat id', async () => {
      await pair();
      const friends = await Promise.all(Array.from({ length: 5 }, (_, i) => server.user(`friend${i}`)));
      for (const friend of friends) await send(friend, alice, `from ${friend.userid}`);
      const page = async () => {
        const ids: string[] = [];
        let minChatId: string | undefined;
        for (;;) {
          const answer = await alice.client.TalkService.getMessageBoxes({
            messageBoxCountLimit: 2,
            ...(minChatId && { minChatId }),
          });
          ids.push(...answer.messageBoxes.map((b) => b.id));
          if (!answer.hasNext) return ids;
          minChatId = ids.at(-1);
        }
      };
      const before = await page();
      assert.deepEqual(before, friends.map((f) => f.mid).sort());
    });
  });
}
