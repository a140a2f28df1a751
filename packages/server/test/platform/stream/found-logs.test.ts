// Changes that are told to accounts, while others begin or cease to be among them. SQLite has one writer at a time, so
// only PostgreSQL is tested.
import assert from 'node:assert/strict';
import { randomBytes } from 'node:crypto';
import { once } from 'node:events';
import { request } from 'node:http';
import { after, before, describe, test } from 'node:test';
import { chatTypes, contentTypes, operationTypes, profileAttributes } from '@sealpost/contract';
import { createDatabase, databases, startServer, type TestServer, type TestUser } from '@sealpost/dev-env/harness';
import { logOf, openRowHolder, type RowHolder } from '@sealpost/dev-env/held-row';
import { accessToken } from '@sealpost/dev-env/object-client';
import { until } from '@sealpost/dev-env/until';
import sharp from 'sharp';

const picture = sharp({ create: { width: 9, height: 9, channels: 3, background: 'red' } })
  .png()
  .toBuffer();

for (const kind of databases.filter((name) => name === 'postgres')) {
  describe(`who is told of a change on ${kind}`, () => {
    let database: Awaited<ReturnType<typeof createDatabase>>;
    let server: TestServer;
    let holder: RowHolder;
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

    const people = async () => [await server.user('ann'), await server.user('bob'), await server.user('cat')] as const;
    const typesIn = async (user: TestUser) => (await user.log()).map(({ type }) => type);

    const changes: Readonly<Record<string, (user: TestUser) => Promise<unknown>>> = {
      name: ({ client }) =>
        client.TalkService.updateProfileAttributes(client.nextReqSeq(), {
          profileAttributes: { [profileAttributes.DISPLAY_NAME]: { value: 'Ann' } },
        }),
      picture: async ({ client, mid }) => client.http.uploadProfile({ mid }, await picture, 'image/png'),
    };
    for (const [what, change] of Object.entries(changes)) {
      test(`who adds a contact while its ${what} changes is told of it`, async () => {
        const [ann, bob] = await people();
        await holder.holding<unknown>(logOf(ann), [
          () => bob.client.TalkService.findAndAddContactsByMid(bob.client.nextReqSeq(), 0, [ann.mid]),
          () => change(ann),
        ]);
        assert.deepEqual(await typesIn(bob), [operationTypes.ADD_CONTACT, operationTypes.NOTIFIED_UPDATE_PROFILE]);
      });
    }

    test('who is removed from a group while an upload to it ends is not told of the upload', async () => {
      const [ann, bob, cat] = await people();
      const targetUserMids = [bob.mid, cat.mid];
      const group = { reqSeq: 1, type: chatTypes.GROUP, name: 'tea', targetUserMids };
      const { chatMid } = (await ann.client.TalkService.createChat(group)).chat;
      for (const { client } of [bob, cat]) await client.TalkService.acceptChatInvitation({ reqSeq: 1, chatMid });
      const { id } = await ann.client.TalkService.sendMessage(2, { to: chatMid, contentType: contentTypes.FILE });
      const upload = request(`${server.url}/r/talk/m/${id}`, {
        method: 'POST',
        headers: { 'X-Svc-Access': accessToken(ann), 'Content-Type': 'application/octet-stream', 'Content-Length': 10 },
      });
      const answer = once(upload, 'response');
      upload.write('some ');
      const objects = `select 1 from media_object where oid = '${id}'`;
      await until(async () => (await holder.rows(objects)).length > 0, 'the upload has begun');
      const [, answers] = await holder.holding<unknown>(logOf(cat), [
        () => bob.client.TalkService.deleteOtherFromChat({ reqSeq: 2, chatMid, targetUserMids: [cat.mid] }),
        () => {
          upload.end('bytes');
          return answer;
        },
      ]);
      assert.partialDeepStrictEqual(answers, [{ statusCode: 201 }]);
      assert.equal((await typesIn(bob)).at(-1), operationTypes.NOTIFIED_UPDATE_MESSAGE);
      assert.equal((await typesIn(cat)).at(-1), operationTypes.NOTIFIED_DELETE_OTHER_FROM_CHAT);
    });

    test('who comes into a room while one of its members registers a key is told of the key', async () => {
      const [ann, bob, cat] = await people();
      const { TalkService } = cat.client;
      const room = { reqSeq: 1, type: chatTypes.ROOM, targetUserMids: [ann.mid] };
      const { chatMid } = (await TalkService.createChat(room)).chat;
      await holder.holding<unknown>(logOf(ann), [
        () => TalkService.inviteIntoChat({ reqSeq: 2, chatMid, targetUserMids: [bob.mid] }),
        () => ann.client.TalkService.registerE2EEPublicKey(1, { keyData: randomBytes(32).toString('base64') }),
      ]);
      assert.equal((await typesIn(bob)).at(-1), operationTypes.NOTIFIED_E2EE_KEY_UPDATE);
    });
  });
}
