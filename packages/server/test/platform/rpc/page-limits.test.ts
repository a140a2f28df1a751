// A page contains what the client asks for, up to a limit that real clients do not reach. Above the limit, the request
// is refused and the error names the limit. A shortened page instead would look like the end of the chat.
import assert from 'node:assert/strict';
import { after, before, describe, test } from 'node:test';
import { profileAttributes as attributes, chatTypes, type LimitName, limits } from '@sealpost/contract';
import { databases, startServer, type TestServer, type TestUser } from '@sealpost/dev-env/harness';
import { GatewayError } from '@sealpost/sdk';

const MESSAGES = limits.messagesPerPage.value + 5;
const ROOMS = 150;
const SENDS_AT_ONCE = 100;

const refusedBy =
  (limit: LimitName, error = 'INVALID_LENGTH') =>
  (refusal: unknown) => {
    assert.ok(refusal instanceof GatewayError, String(refusal));
    assert.equal(refusal.error, error);
    assert.match(refusal.message, new RegExp(`\\b${limit}\\b.*${limits[limit].value}`));
    return true;
  };

/** Returns the ids of the messages. */
async function sendMany(sender: TestUser, recipient: TestUser, count: number): Promise<string[]> {
  const found: string[] = [];
  while (found.length < count) {
    const next = Array.from({ length: Math.min(SENDS_AT_ONCE, count - found.length) }, () => 'hello');
    const some = await Promise.all(next.map((text) => sender.client.sendText(recipient.mid, text)));
    found.push(...some.map(({ id }) => id));
  }
  return found;
}

for (const database of databases) {
  describe(`pages on ${database}`, () => {
    let server: TestServer;
    let alice: TestUser;
    let bob: TestUser;
    const sent: string[] = [];
    before(async () => {
      server = await startServer({ database });
      alice = await server.user('alice');
      bob = await server.user('bob');
      sent.push(...(await sendMany(alice, bob, MESSAGES)));
      sent.sort((a, b) => Number(b) - Number(a));
    });
    after(() => server.close());
    const ids = (messages: readonly { id: string }[]) => messages.map(({ id }) => id);

    test('history gives as many messages as are asked for', async () => {
      const { TalkService } = bob.client;
      for (const count of [200, limits.messagesPerPage.value]) {
        assert.deepEqual(ids(await TalkService.getRecentMessagesV2(alice.mid, count)), sent.slice(0, count));
        const previous = await TalkService.getPreviousMessagesV2WithRequest({
          messageBoxId: alice.mid,
          endMessageId: { messageId: sent[0] as string },
          messagesCount: count,
        });
        assert.deepEqual(ids(previous), sent.slice(1, count + 1));
        const { messageBoxesByIds } = await TalkService.getMessageBoxesByIds({
          messageBoxIds: [alice.mid],
          lastMessagesCount: count,
        });
        assert.deepEqual(ids(messageBoxesByIds[alice.mid]?.lastMessages ?? []), sent.slice(0, count));
        assert.deepEqual(ids(await TalkService.getMessagesByIds(sent.slice(0, count))), sent.slice(0, count));
      }
    });

    test('a poll answers as many operations as are asked for', async () => {
      const found = await bob.client.TalkService.fetchOps('0', limits.operationsPerPoll.value);
      assert.deepEqual(
        found.map(({ revision }) => Number(revision)),
        Array.from({ length: limits.operationsPerPoll.value }, (_, i) => i + 1),
      );
    });

    test('a page of boxes has as many as are asked for', async () => {
      const carol = await server.user('carol');
      const create = () =>
        carol.client.TalkService.createChat({ reqSeq: 0, type: 1, targetUserMids: [alice.mid, bob.mid] });
      for (let i = 0; i < ROOMS; i++) await create();
      const page = (messageBoxCountLimit: number) =>
        carol.client.TalkService.getMessageBoxes({ messageBoxCountLimit, lastMessagesPerMessageBoxCount: 1 });
      const most = await page(ROOMS - 1);
      assert.deepEqual([most.messageBoxes.length, most.hasNext], [ROOMS - 1, true]);
      const all = await page(limits.messageBoxesPerPage.value);
      assert.deepEqual([all.messageBoxes.length, all.hasNext], [ROOMS, false]);
      assert.deepEqual(ids(all.messageBoxes.slice(0, -1)), ids(most.messageBoxes));
    });

    test('a count beyond the limit is refused by the name of the limit, in every paged read', async () => {
      const { TalkService, ShopService, KeyTransparencyService } = bob.client;
      const most = (limit: LimitName) => limits[limit].value + 1;
      const messages = refusedBy('messagesPerPage');
      const boxes = refusedBy('messageBoxesPerPage');
      const mid = alice.mid;
      const many = most('messagesPerPage');
      await assert.rejects(TalkService.getRecentMessagesV2(mid, many), messages);
      await assert.rejects(
        TalkService.getPreviousMessagesV2WithRequest({ messageBoxId: mid, messagesCount: many }),
        (error: Error) => messages(error) && /request\.messagesCount is 1001;/.test(error.message),
      );
      await assert.rejects(
        TalkService.getMessageBoxesByIds({ messageBoxIds: [mid], lastMessagesCount: many }),
        messages,
      );
      await assert.rejects(TalkService.getMessageBoxes({ lastMessagesPerMessageBoxCount: many }), messages);
      await assert.rejects(
        TalkService.getMessagesByIds(Array.from({ length: many }, () => '1')),
        (error: Error) => messages(error) && /messageIds has 1001 items;/.test(error.message),
      );
      const manyBoxes = most('messageBoxesPerPage');
      await assert.rejects(TalkService.getMessageBoxes({ messageBoxCountLimit: manyBoxes }), boxes);
      const messageBoxIds = Array.from({ length: manyBoxes }, () => mid);
      await assert.rejects(TalkService.getMessageBoxesByIds({ messageBoxIds }), boxes);
      await assert.rejects(TalkService.fetchOps('0', most('operationsPerPoll')), refusedBy('operationsPerPoll'));
      await assert.rejects(
        TalkService.getContactsV2({ targetUserMids: Array.from({ length: most('midsPerCall') }, () => mid) }),
        refusedBy('midsPerCall'),
      );
      await assert.rejects(
        ShopService.getOwnedProductSummaries('stickershop', 0, most('productsPerPage')),
        refusedBy('productsPerPage', 'SHOP_ILLEGAL_ARGUMENT'),
      );
      await assert.rejects(
        KeyTransparencyService.getEntries({ after: 0, count: most('keyLogPage') }),
        refusedBy('keyLogPage'),
      );
    });

    test('unread messages are counted among the newest', async () => {
      const most = limits.unreadCounted.value;
      const boxOf = async (unreadOnly: boolean) => {
        const request = { unreadOnly, withUnreadCount: true, lastMessagesPerMessageBoxCount: 1 };
        const messageBoxCountLimit = limits.messageBoxesPerPage.value;
        const page = await bob.client.TalkService.getMessageBoxes({ ...request, messageBoxCountLimit });
        return page.messageBoxes.find(({ id }) => id === alice.mid);
      };
      assert.equal((await boxOf(true))?.unreadCount, String(most));
      // The own messages are among the newest, but do not count.
      await sendMany(bob, alice, 3);
      assert.equal((await boxOf(true))?.unreadCount, String(most - 3));
      await sendMany(bob, alice, most - 3);
      assert.equal((await boxOf(false))?.unreadCount, '0');
      assert.equal(await boxOf(true), undefined);
    });
  });
}

test('an answer holds no more bytes of messages than its limit: it is refused, or ends with hasNext', async () => {
  const size = 250_000;
  const server = await startServer();
  try {
    const [alice, bob, carol] = [await server.user('alice'), await server.user('bob'), await server.user('carol')];
    const count = Math.ceil(limits.pageBytes.value / size) + 1;
    const { TalkService } = alice.client;
    const send = (to: string, i: number) =>
      TalkService.sendMessage(i + 2, { to, text: 'large', contentType: 0, contentMetadata: { X: 'x'.repeat(size) } });
    const half = Math.ceil(count / 2);
    for (const [to, from, end] of [
      [bob.mid, 0, count],
      [carol.mid, count, count + half],
    ] as const)
      for (let i = from; i < end; i++) await send(to, i);
    const refused = refusedBy('pageBytes');
    await assert.rejects(TalkService.getRecentMessagesV2(bob.mid, count), refused);
    assert.equal((await TalkService.getRecentMessagesV2(bob.mid, count - 2)).length, count - 2);
    const byIds = (lastMessagesCount: number) =>
      TalkService.getMessageBoxesByIds({ messageBoxIds: [bob.mid, carol.mid], lastMessagesCount });
    await assert.rejects(byIds(half + 1), refused);
    const page = (minChatId: string) =>
      TalkService.getMessageBoxes({ minChatId, lastMessagesPerMessageBoxCount: half + 1 });
    const [first, second] = [bob.mid, carol.mid].sort() as [string, string];
    const pages = [await page(''), await page(first)].map(({ messageBoxes, hasNext }) => [
      messageBoxes.map(({ id }) => id),
      hasNext,
    ]);
    assert.deepEqual(pages, [
      [[first], true],
      [[second], false],
    ]);
    await assert.rejects(TalkService.getMessageBoxes({ lastMessagesPerMessageBoxCount: count }), refused);
    const polled = await TalkService.fetchOps('0', limits.operationsPerPoll.value);
    assert.ok(polled.length > 0 && polled.length < count + half, `${polled.length} operations`);
  } finally {
    await server.close();
  }
});

test('an answer with rooms holds no more bytes of their members than its limit', async () => {
  const server = await startServer();
  try {
    const { TalkService } = (await server.user('alice')).client;
    const value = JSON.stringify({ song: '\u754c'.repeat(9_900) });
    const targetUserMids: string[] = [];
    for (let i = 0; i < 12; i++) {
      const { client, mid } = await server.user(`member ${i}`);
      await client.TalkService.updateProfileAttributes(2, {
        profileAttributes: { [attributes.MUSIC_PROFILE]: { value } },
      });
      targetUserMids.push(mid);
    }
    const rooms: string[] = [];
    for (let i = 0; i < limits.midsPerCall.value; i++) {
      const request = { reqSeq: i + 2, type: chatTypes.ROOM, targetUserMids };
      rooms.push((await TalkService.createChat(request)).chat.chatMid);
    }
    await assert.rejects(TalkService.getRoomsV2(rooms), refusedBy('pageBytes'));
    const some = await TalkService.getRoomsV2(rooms.slice(0, 50));
    assert.equal(some.length, 50);
    for (const { contacts } of some) {
      assert.deepEqual(contacts.map(({ mid }) => mid).sort(), targetUserMids.toSorted());
      assert.ok(contacts.every(({ musicProfile }) => musicProfile === value));
    }
  } finally {
    await server.close();
  }
});
