// Messages that carry one object, and are sent and taken back at the same time. Every transaction locks groups first,
// then messages, objects and logs. SQLite has one writer at a time, so only PostgreSQL is tested.
import assert from 'node:assert/strict';
import { randomUUID } from 'node:crypto';
import { after, before, describe, test } from 'node:test';
import { createRawClient } from '@sealpost/conformance/testing';
import { chatTypes, contentTypes, httpPaths, type OutgoingMessage } from '@sealpost/contract';
import { createDatabase, databases, startServer, type TestServer, type TestUser } from '@sealpost/dev-env/harness';
import { logOf, openRowHolder, type RowHolder } from '@sealpost/dev-env/held-row';
import { accessToken, objectClient } from '@sealpost/dev-env/object-client';

for (const kind of databases.filter((name) => name === 'postgres')) {
  describe(`objects of several messages at once on ${kind}`, () => {
    let database: Awaited<ReturnType<typeof createDatabase>>;
    let server: TestServer;
    let holder: RowHolder;
    let reqSeq = 10;
    before(async () => {
      database = await createDatabase();
      server = await startServer({ flags: { 'database-url': database.url } });
      holder = await openRowHolder(database.url);
    });
    after(async () => {
      await holder?.close();
      await server?.close();
      await database?.drop();
    });

    const send = (from: TestUser, to: Pick<TestUser, 'mid'>, message: Partial<OutgoingMessage> = {}) =>
      from.client.TalkService.sendMessage(++reqSeq, { to: to.mid, contentType: contentTypes.FILE, ...message });
    const people = async () => [await server.user(), await server.user(), await server.user()] as const;
    const fileOf = async (owner: TestUser, to: Pick<TestUser, 'mid'>): Promise<string> => {
      const { id } = await send(owner, to);
      await objectClient(server).post(owner, `/r/talk/m/${id}`, 'some bytes');
      return id;
    };
    const groupRow = (mid: string) =>
      `select 1 from group_chat where chat_id = (select id from chat where mid = '${mid}')`;
    const objectRow = (oid: string) => `select 1 from media_object where oid = '${oid}'`;
    const messageRow = (id: string) => `select 1 from message where id = ${id}`;
    const groupOf = async (owner: TestUser, ...members: TestUser[]): Promise<string> => {
      const targetUserMids = members.map(({ mid }) => mid);
      const request = { reqSeq: ++reqSeq, type: chatTypes.ROOM, targetUserMids };
      return (await owner.client.TalkService.createChat(request)).chat.chatMid;
    };

    test('an object that is forwarded while its message is taken back stays', async () => {
      const [alice, bob, carol] = await people();
      await bob.client.sendText(carol.mid, 'the chat exists');
      const first = await fileOf(alice, bob);
      const [forwarded] = await holder.holding<unknown>(logOf(carol), [
        () => send(bob, carol, { contentMetadata: { OID: first } }),
        () => alice.client.TalkService.unsendMessage(++reqSeq, first),
      ]);
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
      await holder.holding<unknown>(logOf(alice), [unsend(first), unsend(second)]);
      const owned = `account_id = (select id from account where mid = '${alice.mid}')`;
      assert.deepEqual(await holder.rows(`select oid from media_object where ${owned}`), []);
      assert.deepEqual(await holder.rows(`select objects from media_usage where ${owned}`), [{ objects: '0' }]);
    });

    test('a forward waits for all its groups, in the order of their ids, before it locks the object', async () => {
      const [alice, bob, carol] = await people();
      const [first, second] = [await groupOf(alice, bob, carol), await groupOf(alice, bob, carol)];
      const file = await fileOf(alice, { mid: second });
      const forward = (to: string) => () => send(bob, { mid: to }, { contentMetadata: { OID: file } });
      const free = () => holder.areFree(groupRow(second), objectRow(file));
      const [sent] = await holder.holding(groupRow(first), [forward(first)], free);
      assert.equal(sent?.hasContent, true);
      const [told] = await holder.holding(groupRow(second), [forward(carol.mid)], () =>
        holder.areFree(objectRow(file)),
      );
      assert.equal(told?.hasContent, true);
    });

    test('who is removed from a group while a forward waits does not forward its object', async () => {
      const [alice, bob, carol] = await people();
      const group = await groupOf(alice, bob, carol);
      await bob.client.sendText(carol.mid, 'the chat exists');
      const file = await fileOf(alice, { mid: group });
      const [, sent] = await holder.holding<unknown>(groupRow(group), [
        () => bob.client.TalkService.deleteSelfFromChat({ reqSeq: ++reqSeq, chatMid: group }),
        () => send(bob, carol, { contentMetadata: { OID: file } }),
      ]);
      assert.equal((sent as { hasContent: boolean }).hasContent, false);
    });

    test('a copy waits for all its groups and its message before it locks the source', async () => {
      const [alice, bob] = await people();
      const [first, second] = [await groupOf(alice, bob), await groupOf(alice, bob)];
      const file = await fileOf(alice, { mid: first });
      const ids = [(await send(bob, { mid: second })).id, (await send(bob, { mid: second })).id] as const;
      const raw = createRawClient({ url: server.url });
      const path = (oid: string) => ({ service: 'talk', sid: 'm', oid });
      const copyTo = (id: string) => async () => {
        const body = JSON.stringify({ toMid: second, srcPath: path(file), dstPath: path(id), reqSeq: ++reqSeq });
        return (await raw.send(httpPaths.copyForMessage, { body, token: accessToken(bob) })).status;
      };
      const free = [groupRow(second), objectRow(file)];
      assert.deepEqual(await holder.holding(groupRow(first), [copyTo(ids[0])], () => holder.areFree(...free)), [200]);
      assert.deepEqual(
        await holder.holding(messageRow(ids[1]), [copyTo(ids[1])], () => holder.areFree(objectRow(file))),
        [200],
      );
      raw.close();
    });

    test('the end of an upload waits for its message before it locks the object', async () => {
      const [alice, bob] = await people();
      const { id } = await send(alice, bob);
      const upload = () => objectClient(server).post(alice, `/r/talk/m/${id}`, 'some bytes');
      const [{ status } = assert.fail('no answer')] = await holder.holding(messageRow(id), [upload], () =>
        holder.areFree(objectRow(id)),
      );
      assert.equal(status, 201);
    });

    /** Begins two uploads, and makes them old enough for the sweep. Returns the sweep and the names, in their order. */
    async function abandoned(alice: TestUser, paths: readonly string[]) {
      const part = { Range: 'bytes 0-4/10' };
      for (const path of paths) await objectClient(server).post(alice, path, '12345', part);
      const owned = `account_id = (select id from account where mid = '${alice.mid}')`;
      await holder.rows(`update media_object set changed_time = 1 where ${owned}`);
      const found = await holder.rows<{ oid: string; owner: string }>(
        `select oid, account_id as owner from media_object where ${owned} order by oid`,
      );
      const owner = Number(found[0]?.owner ?? assert.fail('nothing was uploaded'));
      const left = async () => holder.rows(`select oid, whole::int from media_object where ${owned}`);
      return { oids: found.map(({ oid }) => oid), sweep: () => server.server.slices.media.sweep.account(owner), left };
    }

    test('the sweep waits for the message of an upload before it locks the object', async () => {
      const [alice, bob] = await people();
      const { id } = await send(alice, bob);
      const { sweep, left } = await abandoned(alice, [`/r/talk/m/${id}`]);
      await holder.holding(messageRow(id), [sweep], () => holder.areFree(objectRow(id)));
      assert.deepEqual(await left(), []);
    });

    test('an upload that ends while the sweep waits for another object keeps its own', async () => {
      const [alice] = await people();
      const paths = [randomUUID(), randomUUID()].map((name) => `/r/talk/emf/reqid-${name}`);
      const { oids, sweep, left } = await abandoned(alice, paths);
      const [first = '', second = ''] = oids;
      await holder.holding(objectRow(first), [sweep], async () => {
        const rest = { Range: 'bytes 5-9/10' };
        const { status } = await objectClient(server).post(alice, `/r/talk/emf/${second}`, '67890', rest);
        assert.equal(status, 201);
      });
      assert.deepEqual(await left(), [{ oid: second, whole: 1 }]);
    });
  });
}
