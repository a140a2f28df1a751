// Messages that carry one object, and are sent and taken back at the same time. SQLite has one writer at a time, so only
// PostgreSQL is tested.
import assert from 'node:assert/strict';
import { after, before, describe, test } from 'node:test';
import { contentTypes, type OutgoingMessage } from '@sealpost/contract';
import { createDatabase, databases, startServer, type TestServer, type TestUser } from '@sealpost/dev-env/harness';
import { type LogHolder, openLogHolder } from '@sealpost/dev-env/held-log';
import { objectClient } from '@sealpost/dev-env/object-client';

for (const kind of databases.filter((name) => name === 'postgres')) {
  describe(`objects of several messages at once on ${kind}`, () => {
    let database: Awaited<ReturnType<typeof createDatabase>>;
    let server: TestServer;
    let holder: LogHolder;
    let reqSeq = 10;
    before(async () => {
      database = await createDatabase();
      server = await startServer({ flags: { 'database-url': database.url } });
      holder = await openLogHolder(database.url);
    });
    after(async () => {
      await holder?.close();
      await server?.close();
      await database?.drop();
    });

    const send = (from: TestUser, to: TestUser, message: Partial<OutgoingMessage> = {}) =>
      from.client.TalkService.sendMessage(++reqSeq, { to: to.mid, contentType: contentTypes.FILE, ...message });
    const people = async () => [await server.user(), await server.user(), await server.user()] as const;
    const fileOf = async (owner: TestUser, to: TestUser): Promise<string> => {
      const { id } = await send(owner, to);
      await objectClient(server).post(owner, `/r/talk/m/${id}`, 'some bytes');
      return id;
    };

    test('an object that is forwarded while its message is taken back stays', async () => {
      const [alice, bob, carol] = await people();
      await bob.client.sendText(carol.mid, 'the chat exists');
      const first = await fileOf(alice, bob);
      const [forwarded] = await holder.atOnce<unknown>(
        carol,
        () => send(bob, carol, { contentMetadata: { OID: first } }),
        () => alice.client.TalkService.unsendMessage(++reqSeq, first),
      );
      const { id, hasContent } = forwarded as { id: string; hasContent: boolean };
      assert.equal(hasContent, true);
      const [later] = await carol.client.TalkService.getMessagesByIds([id]);
      assert.equal(later?.hasContent, true);
      const { status, body } = await objectClient(server).get(carol, `/r/talk/m/${id}`);
      assert.deepEqual([status, body.toString()], [200, 'some bytes']);
    });

    test('an object whose two messages are taken back at once is removed', async () => {
      const [alice, bob, carol] = await people();
      const first = await fileOf(alice, bob);
      const { id: second } = await send(alice, carol, { contentMetadata: { OID: first } });
      const unsend = (id: string) => () => alice.client.TalkService.unsendMessage(++reqSeq, id);
      await holder.atOnce<unknown>(alice, unsend(first), unsend(second));
      const owned = `account_id = (select id from account where mid = '${alice.mid}')`;
      assert.deepEqual(await holder.rows(`select oid from media_object where ${owned}`), []);
      assert.deepEqual(await holder.rows(`select objects from media_usage where ${owned}`), [{ objects: '0' }]);
    });
  });
}
