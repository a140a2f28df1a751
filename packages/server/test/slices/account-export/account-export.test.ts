// The archive that an administrator gets: who may have it, what is in it, what stays sealed, and what it leaves out.
import assert from 'node:assert/strict';
import { randomBytes } from 'node:crypto';
import { buffer } from 'node:stream/consumers';
import { after, before, describe, test } from 'node:test';
import { type AccountExport, chatTypes, contentTypes, type ExportedMessages } from '@sealpost/contract';
import { AccountExport as AccountSchema, ExportedMessages as MessagesSchema } from '@sealpost/contract/schemas';
import { logInAdministrator } from '@sealpost/dev-env/administrators';
import { databases, startServer, type TestServer, type TestUser } from '@sealpost/dev-env/harness';
import { pngOf } from '@sealpost/dev-env/packs';
import { operator } from '@sealpost/dev-env/people';
import { filesOfZip } from '@sealpost/dev-env/zip-files';
import { createSealingClient, createVerbs } from '@sealpost/sdk';
import { createAdminClient } from '@sealpost/sdk/admin';
import { Compile } from 'typebox/compile';

const isAccount = Compile(AccountSchema);
const isMessages = Compile(MessagesSchema);

for (const database of databases) {
  describe(`the archive of an administrator on ${database}`, () => {
    let server: TestServer;
    before(async () => {
      server = await startServer({ database });
    });
    after(() => server.close());

    async function archiveOf(account: string) {
      const files = await filesOfZip(await buffer(await operator(server).exportAccount({ account })));
      const json = (path: string) => JSON.parse(files.get(path)?.toString() ?? 'null');
      const told: AccountExport = json('account.json');
      assert.deepEqual([...isAccount.Errors(told)], []);
      const messagesIn = (chatMid: string): ExportedMessages['messages'] =>
        (told.chats.find((chat) => chat.chatMid === chatMid)?.files ?? []).flatMap((path) => {
          const read: ExportedMessages = json(path);
          assert.deepEqual([...isMessages.Errors(read)], []);
          return read.messages;
        });
      return { files, account: told, messagesIn };
    }

    const media = (bytes: Uint8Array<ArrayBuffer>, name: string) => ({
      ...({ kind: 'file', bytes: new Blob([bytes]), name } as const),
    });
    const say = (from: TestUser, to: string, text: string) =>
      from.client.TalkService.sendMessage(from.client.nextReqSeq(), { to, text });

    test('has the records, the chats and the plain messages and media of the account', async () => {
      const [ann, ben] = [await server.user('ann'), await server.user('ben')];
      const verbs = createVerbs(ann.client);
      await verbs.contacts.add(ben.mid);
      await verbs.profile.setPicture(new Blob([new Uint8Array(pngOf('ann'))]));
      await verbs.profile.setCover(new Blob([new Uint8Array(pngOf('cover'))]));
      const request = { reqSeq: 5, type: chatTypes.ROOM, targetUserMids: [ben.mid] };
      const { chat } = await ann.client.TalkService.createChat(request);
      await say(ben, ann.mid, 'hello');
      await say(ann, chat.chatMid, 'to the room');
      const bytes = new Uint8Array(randomBytes(400_000));
      const { id } = await ben.client.media().send(ann.mid, media(bytes, 'notes.txt'));
      const empty = await ben.client.media().send(ann.mid, media(new Uint8Array(), 'empty.txt'));
      const never = await ben.client.TalkService.sendMessage(ben.client.nextReqSeq(), {
        to: ann.mid,
        contentType: contentTypes.FILE,
      });
      // Messages between others are not the account's.
      const cleo = await server.user('cleo');
      await say(cleo, ben.mid, 'not for Ann');

      const { files, account, messagesIn } = await archiveOf(ann.userid);
      assert.deepEqual([account.by, account.mid, account.profile.userid], ['administrator', ann.mid, ann.userid]);
      assert.deepEqual(account.contactMids, [ben.mid]);
      assert.equal(account.devices.length, 1);
      assert.deepEqual(
        account.pictures.map(({ what }) => what),
        ['profile', 'cover'],
      );
      assert.ok(files.get('pictures/cover.jpg')?.length);
      const messages = messagesIn(ben.mid);
      assert.deepEqual(
        messages.map(({ text, sealing }) => [text, sealing.state]),
        [
          ['hello', 'plain'],
          [undefined, 'plain'],
          [undefined, 'plain'],
          [undefined, 'plain'],
        ],
      );
      assert.deepEqual(messages[1]?.media, { path: `media/${id}.txt`, bytes: 400_000, name: 'notes.txt' });
      assert.deepEqual(files.get(`media/${id}.txt`), Buffer.from(bytes));
      assert.equal(files.get(`media/${empty.id}.txt`)?.length, 0);
      assert.equal(messages.find((message) => message.id === never.id)?.media?.missing?.reason, 'no-object');
      assert.ok(messagesIn(chat.chatMid).some(({ text }) => text === 'to the room'));
      for (const content of files.values()) assert.doesNotMatch(content.toString('latin1'), /not for Ann/);
      assert.deepEqual([account.counts.media, account.counts.missingMedia], [2, 1]);
    });

    test('keeps what is sealed as it is stored', async () => {
      const [from, to] = [await server.user('from'), await server.user('to')];
      const [sealing, other] = [createSealingClient(from.client), createSealingClient(to.client)];
      await other.ownKey();
      await sealing.sendText(to.mid, 'nobody else reads this');
      const bytes = new Uint8Array(randomBytes(1000));
      const { id } = await from.client.media(sealing).send(to.mid, media(bytes, 'secret.txt'));
      const { files, account, messagesIn } = await archiveOf(to.mid);
      const [text, file] = messagesIn(from.mid);
      assert.deepEqual([text?.sealing, text?.chunks?.length, text?.text], [{ state: 'sealed' }, 5, undefined]);
      assert.deepEqual(file?.media, { path: `media/${id}.sealed`, bytes: 1032, sealed: true });
      assert.notDeepEqual(files.get(`media/${id}.sealed`)?.subarray(0, 1000), Buffer.from(bytes));
      assert.equal(account.counts.sealedMessages, 2);
      assert.equal(account.publicKeys.length, 1);
    });

    test('leaves out what the account removed, and works for a disabled account', async () => {
      const [from, to] = [await server.user('writer'), await server.user('reader')];
      const removed = await say(from, to.mid, 'removed');
      await to.client.TalkService.sendChatRemoved(to.client.nextReqSeq(), from.mid, removed.id);
      await say(from, to.mid, 'kept');
      await operator(server).disableAccount({ account: to.mid });
      const { messagesIn } = await archiveOf(to.mid);
      assert.deepEqual(
        messagesIn(from.mid).map(({ text }) => text),
        ['kept'],
      );
    });

    test('a long chat has several files', async () => {
      const [from, to] = [await server.user('talker'), await server.user('listener')];
      for (let at = 0; at < 1050; at += 50) {
        await Promise.all(Array.from({ length: 50 }, (_, i) => say(from, to.mid, `text ${at + i}`)));
      }
      const { account, messagesIn } = await archiveOf(to.mid);
      assert.equal(account.chats[0]?.files.length, 2);
      const ids = messagesIn(from.mid).map(({ id }) => Number(id));
      assert.equal(ids.length, 1050);
      assert.deepEqual(
        ids,
        ids.toSorted((a, b) => a - b),
      );
    });

    test('is for administrators and the admin token, and each call is in the audit log', async () => {
      const { mid } = await server.user('watched');
      const entries = async () =>
        (await operator(server).listAudit({ action: 'account.export', subject: mid })).entries.map(
          ({ actor }) => actor,
        );
      await assert.rejects(createAdminClient({ url: server.url }).exportAccount({ account: mid }), { status: 401 });
      const administrator = await logInAdministrator(server);
      const scopes = ['read', 'accounts', 'moderation'] as const;
      const { token } = await administrator.client.createToken({ name: 'program', scopes: [...scopes], days: 1 });
      const program = createAdminClient({ url: server.url, token });
      await assert.rejects(program.exportAccount({ account: mid }), { status: 403 });
      await assert.rejects(operator(server).exportAccount({ account: 'nobody' }), { status: 404 });
      assert.deepEqual(await entries(), []);
      await archiveOf(mid);
      await buffer(await administrator.client.exportAccount({ account: mid }));
      assert.equal((await entries()).length, 2);
      assert.ok((await entries()).includes('admin-token'));
    });
  });
}
