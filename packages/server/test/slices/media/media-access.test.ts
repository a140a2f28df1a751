// Tests every request for an object by users with every relation to its message. Also tests paths that no client
// library would send.
import assert from 'node:assert/strict';
import { randomBytes, randomUUID } from 'node:crypto';
import { globSync } from 'node:fs';
import { after, before, describe, test } from 'node:test';
import { setTimeout as pause } from 'node:timers/promises';
import { chatTypes, contentTypes } from '@sealpost/contract';
import { fc } from '@sealpost/dev-env/chance';
import { databases, startServer, type TestServer, type TestUser } from '@sealpost/dev-env/harness';
import { accessToken, objectClient, talkMeta } from '@sealpost/dev-env/object-client';
import { exchange } from '@sealpost/dev-env/raw-socket';
import type { Store } from '../../../src/platform/store/store.ts';

const relations = ['sender', 'member', 'ex-member', 'invitee', 'rejected', 'blocked', 'stranger'] as const;
type Relation = (typeof relations)[number];

/** Endings of an object's path, with the status for users who may read it. */
const asked: readonly (readonly [ending: string, status: number])[] = [
  ['', 200],
  ['/original', 200],
  ['/preview', 200],
  ['__ud-preview', 200],
  ['/info.obs', 200],
  ['/object_info.obs', 200],
  ['/playback.obs?modelName=x&networkType=WiFi&lang=en', 200],
];

for (const database of databases) {
  describe(`access to objects on ${database}`, () => {
    let server: TestServer;
    let objects: ReturnType<typeof objectClient>;
    const users = {} as Record<Relation, TestUser>;
    let reqSeq = 100;

    before(async () => {
      server = await startServer({ database, servers: 1 });
      objects = objectClient(server);
      for (const relation of relations) users[relation] = await server.user(relation);
    });
    after(() => server.close());

    /**
     * Sends a message with an object in a group, then changes the membership, so that each user has the relation to the
     * message that the test needs.
     */
    async function objectInGroup(): Promise<string> {
      const { sender, member, rejected, 'ex-member': former } = users;
      const targetUserMids = [member.mid, former.mid, users.invitee.mid, rejected.mid];
      const group = { reqSeq: ++reqSeq, type: chatTypes.GROUP, name: 'group', targetUserMids };
      const { chatMid } = (await sender.client.TalkService.createChat(group)).chat;
      const request = () => ({ reqSeq: ++reqSeq, chatMid });
      for (const { client } of [member, former]) await client.TalkService.acceptChatInvitation(request());
      const message = { to: chatMid, contentType: contentTypes.IMAGE };
      const { id } = await sender.client.TalkService.sendMessage(++reqSeq, message);
      await former.client.TalkService.deleteSelfFromChat(request());
      await rejected.client.TalkService.rejectChatInvitation(request());
      return `/r/talk/m/${id}`;
    }

    /** Returns an answer without the parts that differ between objects. */
    const neutral = (text: string): string => text.replaceAll(/\d{10,}/g, 'id');

    test('an object that is taken back between the looks at its row and its bytes is not there', async () => {
      const { sender } = users;
      const message = { to: sender.mid, contentType: contentTypes.IMAGE };
      const { id } = await sender.client.TalkService.sendMessage(++reqSeq, message);
      const path = `/r/talk/m/${id}`;
      await objects.post(sender, path, 'for a moment');
      const { store } = server.server as { store: { read: Store['read'] } };
      const { read } = store;
      let taken = false;
      store.read = async (work) => {
        const found = await read(work);
        if (taken || (found as { row?: { oid: string } } | undefined)?.row?.oid !== id) return found;
        taken = true;
        await sender.client.TalkService.unsendMessage(++reqSeq, id);
        while (globSync('objects/published/*/*', { cwd: server.dataDir }).length > 0) await pause(5);
        return found;
      };
      const answer = await objects.get(sender, path);
      store.read = read;
      assert.deepEqual([answer.status, taken], [404, true]);
    });

    test('members of the chat read it in every form; for all others it looks as if it did not exist', async () => {
      const path = await objectInGroup();
      await objects.post(users.sender, path, randomBytes(1000));
      await objects.post(users.sender, `${path}__ud-preview`, randomBytes(100));
      for (const [ending, status] of asked) {
        for (const relation of relations) {
          const answer = await objects.get(users[relation], path + ending);
          if (relation === 'sender' || relation === 'member')
            assert.equal(answer.status, status, `${relation} ${ending}`);
          else {
            const nothing = await objects.get(users[relation], `/r/talk/m/999999999999999${ending}`);
            const told = [answer.status, neutral(answer.body.toString())];
            assert.deepEqual(told, [404, neutral(nothing.body.toString())], `${relation} ${ending}`);
          }
        }
        assert.equal((await objects.get(undefined, path + ending)).status, 401, ending);
      }
    });

    test('its sender alone writes it', async () => {
      for (const ending of ['', '__ud-preview']) {
        for (const relation of relations.filter((name) => name !== 'sender')) {
          const path = await objectInGroup();
          const { status } = await objects.post(users[relation], path + ending, 'foreign');
          assert.equal(status, relation === 'member' ? 403 : 404, `${relation} ${ending}`);
          assert.equal((await objects.get(users.sender, path)).status, 202);
        }
      }
    });

    test('media from a blocked sender to the blocker are read by the sender alone', async () => {
      const { sender, blocked } = users;
      await sender.client.TalkService.blockContact(++reqSeq, blocked.mid);
      const message = { to: sender.mid, contentType: contentTypes.IMAGE };
      const { id } = await blocked.client.TalkService.sendMessage(++reqSeq, message);
      const path = `/r/talk/m/${id}`;
      assert.equal((await objects.post(blocked, path, 'unwanted')).status, 201);
      assert.equal((await objects.get(blocked, path)).status, 200);
      assert.equal((await objects.get(sender, path)).status, 404);
    });

    test('the name of an upload is known to its uploader alone, and a forged X-Talk-Meta opens nothing', async () => {
      const { sender, member, stranger } = users;
      const name = `/r/talk/emi/reqid-${randomUUID()}`;
      const uploaded = await objects.post(sender, name, 'sealed');
      const path = `/r/talk/emi/${uploaded.headers.get('x-obs-oid')}`;
      const own = await objects.get(sender, `${name}/info.obs`);
      assert.equal(own.json().status, 'exist');
      const { id } = await stranger.client.sendText(member.mid, 'no object');
      for (const meta of [talkMeta(id), talkMeta('1'), talkMeta('99999999999999999999')]) {
        for (const at of [path, `${path}/info.obs`, `${path}/playback.obs`, `${name}/info.obs`]) {
          const { status } = await objects.get(stranger, at, { 'X-Talk-Meta': meta });
          assert.ok(status === 404 || status === 400, `${at}: ${status}`);
        }
      }
    });

    test('each language and any other value of a playback request is answered alike', async () => {
      const path = await objectInGroup();
      await objects.post(users.sender, path, randomBytes(100));
      const answers = new Set<string>();
      for (const lang of ['en', 'ja', 'ko', 'zh-Hans', 'zh-Hant', '', 'x'.repeat(500), '%00', '../..']) {
        const query = `modelName=${lang}&networkType=WiFi&lang=${lang}`;
        const { status, body } = await objects.get(users.member, `${path}/playback.obs?${query}`);
        assert.equal(status, 200, lang);
        answers.add(body.toString());
      }
      assert.equal(answers.size, 1);
    });
  });
}

describe('paths of objects', () => {
  test('whatever bytes a path has, it is refused and makes no file', async () => {
    const server = await startServer();
    const user = await server.user('alice');
    const files = () => globSync('**', { cwd: server.dataDir }).filter((name) => !name.startsWith('sealpost.db'));
    const before = files();
    const nasty = fc.constantFrom(
      '..',
      '.',
      '%2e%2e',
      '%2f',
      '%252e',
      '\\',
      '%00',
      '/',
      'talk',
      'm',
      'emi',
      '__ud-hash',
      '~',
    );
    // Characters for a path: printable bytes except the space, which would end the path.
    const visible = fc.integer({ min: 0x21, max: 0xff }).map((byte) => String.fromCharCode(byte));
    const segment = fc.array(fc.oneof(nasty, visible), { maxLength: 12 }).map((parts) => parts.join(''));
    await fc.assert(
      fc.asyncProperty(fc.constantFrom('GET', 'POST'), fc.array(segment, { maxLength: 5 }), async (verb, segments) => {
        const head = `${verb} /r/${segments.join('/')} HTTP/1.1\r\nHost: x\r\nX-Svc-Access: ${accessToken(user)}\r\n`;
        const { status } = await exchange(server.url, Buffer.from(`${head}Content-Length: 1\r\n\r\nx`, 'latin1'));
        assert.ok(status >= 400 && status < 500, `${verb} ${segments.join('/')}: ${status}`);
      }),
      { numRuns: 500 },
    );
    assert.deepEqual(files(), before);
    await server.close();
  });
});
