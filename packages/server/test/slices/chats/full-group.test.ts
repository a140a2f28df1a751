// Reads and changes in a group with as many members as the limit allows.
import assert from 'node:assert/strict';
import { after, before, describe, test } from 'node:test';
import { chatTypes, limits, operationTypes } from '@sealpost/contract';
import { databases, startServer, type TestServer, type TestUser } from '@sealpost/dev-env/harness';
import { sqlSet } from '../../../src/platform/store/sql.ts';

const OTHERS = limits.chatMembers.value - 3;

const ids = { id: 'bigint', mid: 'text' } as const;
const insertAccounts = sqlSet(
  ids,
  `insert into account (id, mid, kind, region_code, password_hash, created_time)
   select id, mid, 'user', '', '', 0 from {given}`,
);
const insertProfiles = sqlSet(ids, `insert into profile (account_id, display_name) select id, mid from {given}`);
const insertHeads = sqlSet(
  ids,
  'insert into operation_head (account_id, revision, first_revision, last_message_id) select id, 0, 1, 0 from {given}',
);
const insertMembers = sqlSet(
  { ...ids, chat_mid: 'text' },
  `insert into chat_member (chat_id, account_id, joined, since_time, inviter_id)
   select c.id, given.id, 1, 0, given.id from {given} join chat c on c.mid = given.chat_mid`,
);
/** Inserts a message box for each member, with a read mark. */
const insertBoxes = sqlSet(
  { ...ids, chat_mid: 'text', seen: 'bigint' },
  `insert into message_box (account_id, chat_mid, chat_id, seen_message_id)
   select given.id, given.chat_mid, c.id, given.seen from {given} join chat c on c.mid = given.chat_mid`,
);
const raiseVersion = sqlSet(
  { mid: 'text' },
  'update group_chat set version = version + 1 from {given} where chat_id = (select id from chat where mid = given.mid)',
);

for (const database of databases) {
  describe(`a group of ${limits.chatMembers.value} on ${database}`, () => {
    let server: TestServer;
    let members: [TestUser, TestUser, TestUser];
    let chatMid: string;
    let first: string;
    before(async () => {
      server = await startServer({ database });
      members = [await server.user('alice'), await server.user('bob'), await server.user('carol')];
      const [alice, bob, carol] = members;
      const request = { reqSeq: 0, type: chatTypes.ROOM, targetUserMids: [bob.mid, carol.mid] };
      chatMid = (await alice.client.TalkService.createChat(request)).chat.chatMid;
      first = (await alice.client.sendText(chatMid, 'welcome')).id;
      const others = Array.from({ length: OTHERS }, (_, i) => [i + 1, `u${String(i).padStart(32, '0')}`] as const);
      await server.server.store.transact(async (tx) => {
        for (const query of [insertAccounts, insertProfiles, insertHeads]) await tx.each(query, others);
        await tx.each(
          insertMembers,
          others.map((other) => [...other, chatMid]),
        );
        await tx.each(
          insertBoxes,
          others.map((other) => [...other, chatMid, Number(first)]),
        );
        await tx.each(raiseVersion, [[chatMid]]);
      });
    });
    after(() => server.close());

    const box = async (user: TestUser) => {
      const request = { messageBoxIds: [chatMid], withUnreadCount: true, lastMessagesCount: 1 };
      const found = await user.client.TalkService.getMessageBoxesByIds(request);
      return found.messageBoxesByIds[chatMid];
    };
    const logOf = (type: number, id: string) => async (user: TestUser) =>
      (await user.log()).filter((o) => o.type === type && [o.param1, o.param2, o.param3].includes(id)).length;

    test('the read range has everybody who read, the newest reader included', async () => {
      const [alice, bob] = members;
      const ranges = async () => (await alice.client.TalkService.getMessageReadRange([chatMid]))[0]?.ranges ?? {};
      assert.equal(Object.keys(await ranges()).length, OTHERS);
      await bob.client.TalkService.sendChatChecked(10, chatMid, first, 0);
      const now = await ranges();
      assert.equal(Object.keys(now).length, OTHERS + 1);
      assert.deepEqual([now[bob.mid]?.[0]?.startMessageId, now[bob.mid]?.[0]?.endMessageId], [first, first]);
    });

    test('unread counts, reactions and unsending reach all of them', async () => {
      const [alice, bob, carol] = members;
      const { id } = await alice.client.sendText(chatMid, 'to all of you');
      assert.equal((await box(bob))?.unreadCount, '1');
      assert.equal((await box(carol))?.unreadCount, '2');
      const reaction = { reqSeq: 20, messageId: id, reactionType: { predefinedReactionType: 2 } } as const;
      await bob.client.TalkService.react(reaction);
      assert.deepEqual(
        (await box(carol))?.lastMessages?.[0]?.reactions?.map(({ fromUserMid }) => fromUserMid),
        [bob.mid],
      );
      await alice.client.TalkService.unsendMessage(21, id);
      assert.equal((await box(carol))?.unreadCount, '1');
      assert.equal((await box(carol))?.lastMessages?.[0]?.text, undefined);
      const told = (name: 'NOTIFIED_SEND_REACTION' | 'NOTIFIED_DESTROY_MESSAGE') =>
        Promise.all([alice, bob, carol].map(logOf(operationTypes[name], id)));
      assert.deepEqual(await told('NOTIFIED_SEND_REACTION'), [1, 0, 1]);
      assert.deepEqual(await told('NOTIFIED_DESTROY_MESSAGE'), [0, 1, 1]);
      const heads = await server.server.store.read(async (reader) =>
        Promise.all(Array.from({ length: OTHERS }, (_, i) => server.server.log.head(reader, i + 1))),
      );
      // The four operations of each member are the message, the reaction, the unsending, and the read mark of the
      // previous test.
      assert.deepEqual(new Set(heads.map(({ revision }) => revision)), new Set([4]));
    });
  });
}
