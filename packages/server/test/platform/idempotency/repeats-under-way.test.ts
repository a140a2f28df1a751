// Repeats that arrive while the first call is still under way. The repeat waits for the first call, and then meets what
// it changed. SQLite has one writer at a time, so only PostgreSQL is tested.
import assert from 'node:assert/strict';
import { after, before, describe, test } from 'node:test';
import { chatTypes } from '@sealpost/contract';
import { createDatabase, databases, startServer, type TestServer, type TestUser } from '@sealpost/dev-env/harness';
import { logOf, openRowHolder, type RowHolder } from '@sealpost/dev-env/held-row';
import { GatewayError } from '@sealpost/sdk';

const KEY = 4711;

for (const kind of databases.filter((name) => name === 'postgres')) {
  describe(`repeats of calls that are under way on ${kind}`, () => {
    let database: Awaited<ReturnType<typeof createDatabase>>;
    let server: TestServer;
    let holder: RowHolder;
    let alice: TestUser;
    let bob: TestUser;
    let chatMid: string;
    let message: string;
    before(async () => {
      database = await createDatabase();
      server = await startServer({ flags: { 'database-url': database.url } });
      holder = await openRowHolder(database.url);
      [alice, bob] = [await server.user('alice'), await server.user('bob')];
      const targetUserMids = [bob.mid];
      const request = { reqSeq: 2, type: chatTypes.GROUP, name: 'Tea', targetUserMids };
      chatMid = (await alice.client.TalkService.createChat(request)).chat.chatMid;
      message = (await alice.client.sendText(bob.mid, 'hello')).id;
    });
    after(async () => {
      await holder?.close();
      await server?.close();
      await database?.drop();
    });

    const groupRow = () => `select 1 from group_chat where chat_id = (select id from chat where mid = '${chatMid}')`;
    /** In this order, each call can be made. */
    const calls: readonly (readonly [name: string, row: () => string, call: () => Promise<unknown>])[] = [
      ['acceptChatInvitation', groupRow, () => bob.client.TalkService.acceptChatInvitation({ reqSeq: KEY, chatMid })],
      ['deleteSelfFromChat', groupRow, () => bob.client.TalkService.deleteSelfFromChat({ reqSeq: KEY, chatMid })],
      ['unsendMessage', () => logOf(bob), () => alice.client.TalkService.unsendMessage(KEY, message)],
    ];
    for (const [name, row, call] of calls) {
      test(`${name}: the repeat gets the first result`, async () => {
        const head = async () => Number(await alice.client.TalkService.getLastOpRevision());
        const earlier = await head();
        const [first, again] = await holder.holding(row(), [call, call]);
        assert.deepEqual(again, first);
        const later = await head();
        assert.ok(later > earlier, 'the change was told');
        assert.deepEqual(await call(), first);
        assert.equal(await head(), later);
      });
    }

    test('another call that meets the change is refused as before', async () => {
      await assert.rejects(
        bob.client.TalkService.deleteSelfFromChat({ reqSeq: KEY + 1, chatMid }),
        (error) => error instanceof GatewayError && error.error === 'NOT_A_MEMBER',
      );
    });
  });
}
