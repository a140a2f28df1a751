// Messages that carry one object, and are sent and taken back at the same time. SQLite has one writer at a time, so only
// PostgreSQL is tested.
import assert from 'node:assert/strict';
import { after, before, describe, test } from 'node:test';
import { contentTypes, type OutgoingMessage } from '@sealpost/contract';
import { createDatabase, databases, startServer, type TestServer, type TestUser } from '@sealpost/dev-env/harness';
import { objectClient } from '@sealpost/dev-env/object-client';
import { until } from '@sealpost/dev-env/until';
import pg from 'pg';

for (const kind of databases.filter((name) => name === 'postgres')) {
  describe(`objects of several messages at once on ${kind}`, () => {
    let database: Awaited<ReturnType<typeof createDatabase>>;
    let server: TestServer;
    let holder: pg.Client;
    let reqSeq = 10;
    before(async () => {
      database = await createDatabase();
      server = await startServer({ flags: { 'database-url': database.url } });
      holder = new pg.Client({ connectionString: database.url });
      await holder.connect();
    });
    after(async () => {
      await holder?.end();
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
    const rows = async (query: string): Promise<readonly unknown[]> => (await holder.query(query)).rows;
    /** Holds the log of an account while the calls begin, so that they are all under way at once. */
    async function atOnce<T>({ mid }: TestUser, ...calls: readonly (() => Promise<T>)[]): Promise<T[]> {
      await holder.query('begin');
      await holder.query(
        'select 1 from operation_head where account_id = (select id from account where mid = $1) for update',
        [mid],
      );
      const running: Promise<T>[] = [];
      for (const call of calls) {
        running.push(call());
        const waiting = `select 1 from pg_locks where not granted
          and pid in (select pid from pg_stat_activity where datname = current_database())`;
        await until(async () => (await rows(waiting)).length === running.length, 'the call waits');
      }
      await holder.query('commit');
      return Promise.all(running);
    }

    test('an object that is forwarded while its message is taken back stays', async () => {
      const [alice, bob, carol] = await people();
      await bob.client.sendText(carol.mid, 'the chat exists');
      const first = await fileOf(alice, bob);
      const [forwarded] = await atOnce<unknown>(
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
      await atOnce<unknown>(alice, unsend(first), unsend(second));
      const owned = `account_id = (select id from account where mid = '${alice.mid}')`;
      assert.deepEqual(await rows(`select oid from media_object where ${owned}`), []);
      assert.deepEqual(await rows(`select objects from media_usage where ${owned}`), [{ objects: '0' }]);
    });
  });
}
