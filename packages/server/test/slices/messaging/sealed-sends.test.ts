import assert from 'node:assert/strict';
import { after, before, describe, test } from 'node:test';
import {
  chatTypes,
  contentTypes,
  type ErrorName,
  limits,
  type Message,
  type OutgoingMessage,
  operationTypes,
  settingsAttributes,
} from '@sealpost/contract';
import { databases, startServer, type TestServer, type TestUser } from '@sealpost/dev-env/harness';
import { account, failsWith, operator } from '@sealpost/dev-env/people';
import { type SealingUser, sealingUser } from '@sealpost/dev-env/sealing-user';
import { storedText } from '@sealpost/dev-env/workload/stored-text';
import { pino } from 'pino';
import { sql } from '../../../src/platform/store/sql.ts';

const { SEND_MESSAGE, RECEIVE_MESSAGE } = operationTypes;
const insertMember = sql(
  'insert into chat_member (chat_id, account_id, joined, since_time, inviter_id) select id, ?, 1, 0, 0 from chat where mid = ?',
);
const insertAccount = sql(
  `insert into account (id, mid, kind, region_code, password_hash, created_time) values (?, ?, 'user', '', '', 0)`,
);
const raiseVersion = sql(
  'update group_chat set version = version + 1 where chat_id = (select id from chat where mid = ?)',
);
const allBodies = sql<{ body: string }>('select body from message');

for (const database of databases) {
  describe(`sealed sends on ${database}`, () => {
    let server: TestServer;
    before(async () => {
      server = await startServer({ database });
    });
    after(() => server.close());

    const sealing = async (name = 'sealing') => sealingUser(await server.user(name));
    const pair = async () => [await sealing('alice'), await sealing('bob')] as const;
    const talk = ({ user }: { user: TestUser }) => user.client.TalkService;
    const setSealing = (who: { user: TestUser }, e2eeEnable: boolean) =>
      talk(who).updateSettingsAttributes2(who.user.client.nextReqSeq(), [settingsAttributes.E2EE_ENABLE], {
        e2eeEnable,
      });
    const plain = (to: string, more: object = {}): OutgoingMessage => ({ to, text: 'in the clear', ...more });
    const isRefused = (attempt: Promise<unknown>, error: ErrorName, reason?: RegExp) =>
      assert.rejects(attempt, failsWith(error, reason));
    async function room(creator: SealingUser, ...members: { mid: string }[]): Promise<string> {
      const targetUserMids = members.map((member) => member.mid);
      const { chat } = await talk(creator).createChat({ reqSeq: 0, type: chatTypes.ROOM, targetUserMids });
      return chat.chatMid;
    }
    const received = async (user: TestUser): Promise<Message[]> =>
      (await user.log()).flatMap((operation) =>
        operation.type === RECEIVE_MESSAGE && operation.message?.contentType !== contentTypes.CHATEVENT
          ? (operation.message ?? [])
          : [],
      );

    describe('between two', () => {
      test('a sealed message arrives byte for byte, and both sides open it on the stream and in history', async () => {
        const [alice, bob] = await pair();
        for (const version of [1, 2] as const) {
          const message = {
            ...(await alice.sealFor(bob.mid, `tea at ${version}`, version)),
            contentMetadata: { e2eeVersion: String(version), MENTION: '{"MENTIONEES":[]}', unknown: ' kept ' },
          };
          const sent = await alice.send(message);
          const { to, chunks, contentMetadata, contentType } = message;
          for (const seen of [
            sent,
            (await received(bob.user)).at(-1),
            (await alice.user.log()).findLast((operation) => operation.type === SEND_MESSAGE)?.message,
            (await talk(bob).getRecentMessagesV2(alice.mid, 1))[0],
            (await talk(alice).getRecentMessagesV2(bob.mid, 1))[0],
          ]) {
            assert.ok(seen);
            const { id, toType, createdTime, deliveredTime, hasContent, sessionId, ...rest } = seen;
            assert.deepEqual(rest, { from: alice.mid, to, chunks, contentMetadata, contentType });
            assert.equal(await alice.open(seen), `tea at ${version}`);
            assert.equal(await bob.open(seen), `tea at ${version}`);
          }
        }
      });

      test('a plain text, place or picture is refused if it could be sealed for the recipient', async () => {
        const [alice, bob] = await pair();
        const location = { title: 'here', latitude: 1, longitude: 2 };
        for (const more of [
          {},
          { contentType: contentTypes.LOCATION, location, text: undefined },
          { contentType: contentTypes.IMAGE, text: undefined },
          { contentType: contentTypes.FILE, text: undefined },
        ]) {
          const message = JSON.parse(JSON.stringify(plain(bob.mid, more))) as OutgoingMessage;
          await isRefused(alice.send(message), 'E2EE_RETRY_ENCRYPT', /can not send using plain mode/);
        }
        await isRefused(alice.send(plain(alice.mid)), 'E2EE_RETRY_ENCRYPT');
        assert.deepEqual(await received(bob.user), []);
      });

      test('messages without a sealed form are sent as plain messages', async () => {
        const [alice, bob] = await pair();
        const sticker = { STKID: '1', STKPKGID: '1', STKVER: '1' };
        await alice.send({ to: bob.mid, contentType: contentTypes.STICKER, contentMetadata: sticker });
        await alice.send({ to: bob.mid, contentType: contentTypes.CONTACT, contentMetadata: { mid: bob.mid } });
        await alice.send({ to: bob.mid, contentType: 0, contentMetadata: { ORGCONTP: 'CONTACT', vCard: 'x' } });
        assert.equal((await received(bob.user)).length, 3);
      });

      test("with sealing off or no key on one side, plain messages pass, and a sealed one's error names the side", async () => {
        const [alice, bob] = await pair();
        const without = await server.user();
        const message = await alice.sealFor(bob.mid, 'secret');
        await isRefused(alice.send({ ...message, to: without.mid }), 'E2EE_RECEIVER_DISABLED');
        await alice.send(plain(without.mid));
        await without.client.sendText(alice.mid, 'in the clear');
        await isRefused(without.client.send({ ...message, to: alice.mid }), 'E2EE_SENDER_DISABLED');
        await setSealing(bob, false);
        await isRefused(alice.send(message), 'E2EE_RECEIVER_DISABLED');
        await alice.send(plain(bob.mid));
        await setSealing(alice, false);
        await isRefused(alice.send(message), 'E2EE_SENDER_DISABLED');
        await setSealing(alice, true);
        await setSealing(bob, true);
        await isRefused(alice.send(plain(bob.mid)), 'E2EE_RETRY_ENCRYPT');
        await alice.send(message);
        assert.equal((await received(bob.user)).length, 2);
      });

      test('the keys must be the current ones of sender and receiver', async () => {
        const [alice, bob] = await pair();
        const other = await sealing('other');
        const early = await alice.sealFor(bob.mid, 'early');
        const [salt, cipher, nonce, sender, receiver] = early.chunks as [string, string, string, string, string];
        const named = (senderKey: string, receiverKey: string) =>
          alice.send({ ...early, chunks: [salt, cipher, nonce, senderKey, receiverKey] });
        const [, , , stranger] = (await other.sealFor(bob.mid, 'x')).chunks as string[];
        await isRefused(named(receiver, receiver), 'E2EE_UPDATE_SENDER_KEY', /invalid sender key/);
        await isRefused(named(stranger as string, receiver), 'E2EE_UPDATE_SENDER_KEY');
        await isRefused(named(sender, sender), 'E2EE_UPDATE_RECEIVER_KEY');
        await isRefused(named(sender, stranger as string), 'E2EE_UPDATE_RECEIVER_KEY');
        await bob.renew();
        await isRefused(alice.send(early), 'E2EE_UPDATE_RECEIVER_KEY');
        const later = await alice.sealFor(bob.mid, 'later');
        await alice.renew();
        await isRefused(alice.send(later), 'E2EE_UPDATE_SENDER_KEY');
        const sent = await alice.send(await alice.sealFor(bob.mid, 'now'));
        assert.equal(await bob.open(sent), 'now');
        assert.equal((await received(bob.user)).length, 1);
      });

      test('messages to oneself are sealed for the own key', async () => {
        const [alice, bob] = await pair();
        const sent = await alice.send(await alice.sealFor(alice.mid, 'a note'));
        assert.equal(await alice.open(sent), 'a note');
        const { chunks } = await alice.sealFor(bob.mid, 'x');
        await isRefused(
          alice.send({ to: alice.mid, contentMetadata: { e2eeVersion: '2' }, chunks: chunks as string[] }),
          'E2EE_UPDATE_RECEIVER_KEY',
        );
      });

      test('a sealed message that no receiver could open is refused with its fault', async () => {
        const [alice, bob] = await pair();
        const message = await alice.sealFor(bob.mid, 'x');
        const chunks = message.chunks as string[];
        const metadata = (contentMetadata: Record<string, string>) => ({ ...message, contentMetadata });
        const table: readonly (readonly [OutgoingMessage, ErrorName, RegExp?])[] = [
          [{ ...message, text: 'x' }, 'E2EE_INVALID_PROTOCOL', /text/],
          [{ ...message, location: { title: 'x' } }, 'E2EE_INVALID_PROTOCOL', /location/],
          [plain(bob.mid, { contentMetadata: { e2eeVersion: '2' } }), 'E2EE_INVALID_PROTOCOL', /without chunks/],
          [metadata({}), 'E2EE_INVALID_VERSION', /missing/],
          [metadata({ e2eeVersion: '3' }), 'E2EE_INVALID_VERSION', /3/],
          [metadata({ e2eeVersion: '1' }), 'E2EE_RETRY_ENCRYPT', /types mismatch/],
          [metadata({ e2eeVersion: '2', contentType: '1' }), 'E2EE_RETRY_ENCRYPT', /types mismatch/],
          [{ ...message, chunks: chunks.slice(1) }, 'E2EE_INVALID_ARGUMENT', /chunks/],
          [{ ...message, chunks: [...chunks, 'AA=='] }, 'E2EE_INVALID_ARGUMENT', /chunks/],
          [{ ...message, chunks: chunks.with(3, 'AA==') }, 'E2EE_INVALID_ARGUMENT', /ids of keys/],
          [{ ...message, chunks: chunks.with(0, 'AA==') }, 'E2EE_INVALID_ARGUMENT', /lengths/],
          [{ ...message, chunks: chunks.with(1, 'not base64') }, 'E2EE_INVALID_ARGUMENT', /base64/],
          [{ ...message, contentType: contentTypes.CONTACT }, 'E2EE_RECEIVER_NOT_ALLOWED', /contentType 13/],
        ];
        for (const [wrong, error, reason] of table) await isRefused(alice.send(wrong), error, reason);
        await alice.send(metadata({ e2eeVersion: '2', contentType: '0' }));
        assert.equal((await received(bob.user)).length, 1);
      });

      test('a chat takes the same ciphertext once, and a retry of the send is not refused', async () => {
        const [alice, bob] = await pair();
        const message = await alice.sealFor(bob.mid, 'once');
        const sent = await alice.send(message, 500);
        assert.deepEqual(await alice.send(message, 500), sent);
        const anew = { ...message, chunks: (await alice.sealFor(bob.mid, 'once')).chunks as string[] };
        assert.deepEqual(await alice.send(anew, 500), sent);
        await isRefused(alice.send(message, 501), 'DUPLICATED');
        await isRefused(alice.send(message, 0), 'DUPLICATED');
        const [salt, cipher, nonce, ...keys] = message.chunks as [string, string, string, ...string[]];
        const otherNonce = [salt, cipher, anew.chunks[2] as string, ...keys];
        assert.notEqual(nonce, otherNonce[2]);
        await isRefused(alice.send({ ...message, chunks: otherNonce }), 'DUPLICATED');
        await talk(alice).unsendMessage(502, sent.id);
        await isRefused(alice.send(message, 503), 'DUPLICATED');
        assert.equal((await received(bob.user)).length, 1);
        const many = await bob.sealFor(alice.mid, 'at once');
        const outcomes = await Promise.allSettled(Array.from({ length: 6 }, () => bob.send(many)));
        assert.equal(outcomes.filter((outcome) => outcome.status === 'fulfilled').length, 1);
        assert.equal((await received(alice.user)).length, 1);
      });

      test('a sealed message that was taken back is gone from the store', async () => {
        const [alice, bob] = await pair();
        const sent = await alice.send(await alice.sealFor(bob.mid, 'gone'));
        await talk(alice).unsendMessage(2, sent.id);
        const [cipher] = (sent.chunks as string[]).slice(1);
        const stored = await server.server.store.read((reader) => reader.all(allBodies));
        assert.ok(stored.some(({ body }) => body.includes(sent.id)));
        assert.ok(!stored.some(({ body }) => body.includes(cipher as string)));
      });

      test('an official account gets plain messages, a deleted account none', async () => {
        const [alice, bob] = await pair();
        const official = await account(server, { kind: 'official' });
        await alice.send(plain(official.mid));
        official.close();
        const sealed = await alice.sealFor(bob.mid, 'x');
        await alice.send(await alice.sealFor(bob.mid, 'before'));
        await operator(server).deleteAccount({ account: bob.mid });
        await isRefused(alice.send(sealed), 'NOT_FOUND');
        await isRefused(alice.send(plain(bob.mid)), 'NOT_FOUND');
      });
    });

    describe('in groups and rooms', () => {
      test('all members open what one of them sealed with the key of the chat', async () => {
        const [alice, bob] = await pair();
        const carol = await sealing('carol');
        const chatMid = await room(alice, bob, carol);
        await isRefused(alice.send(plain(chatMid)), 'E2EE_RECREATE_GROUP_KEY', /group key is not registered/);
        await alice.makeGroupKey(chatMid);
        await isRefused(alice.send(plain(chatMid)), 'E2EE_RETRY_ENCRYPT', /can not send using plain mode/);
        const sent = await bob.send(await bob.sealInto(chatMid, 'for all'));
        for (const member of [alice, bob, carol]) assert.equal(await member.open(sent), 'for all');
        assert.deepEqual((await received(carol.user)).at(-1)?.chunks, sent.chunks);
        assert.equal(sent.to, chatMid);
      });

      test('after somebody joined, left or has a new key the old group key is refused until a new one is there', async () => {
        const [alice, bob] = await pair();
        const carol = await sealing('carol');
        const chatMid = await room(alice, bob);
        let newest = await alice.makeGroupKey(chatMid);
        const changes: readonly (() => Promise<unknown>)[] = [
          () => talk(alice).inviteIntoRoom(0, chatMid, [carol.mid]),
          () => carol.renew(),
          () => alice.renew(),
          () => talk(carol).leaveRoom(0, chatMid),
        ];
        for (const change of changes) {
          const early = await bob.sealInto(chatMid, 'early');
          await change();
          await isRefused(bob.send(early), 'E2EE_RECREATE_GROUP_KEY', /group key is not registered/);
          await isRefused(bob.send(plain(chatMid)), 'E2EE_RECREATE_GROUP_KEY');
          await isRefused(talk(bob).getLastE2EEGroupSharedKey(1, chatMid), 'NOT_FOUND');
          const next = await bob.makeGroupKey(chatMid);
          assert.ok(next > newest, `${next} follows ${newest}`);
          newest = next;
          await isRefused(bob.send(early), 'E2EE_RECREATE_GROUP_KEY');
          const sent = await bob.send(await bob.sealInto(chatMid, 'now'));
          assert.equal(await alice.open(sent), 'now');
        }
        await isRefused(alice.send({ ...(await alice.sealFor(bob.mid, 'x')), to: chatMid }), 'E2EE_RECREATE_GROUP_KEY');
      });

      test('after a member came back the chat has no key, and the same registration restores it', async () => {
        const [alice, bob] = await pair();
        const chatMid = await room(alice, bob);
        const keys = Object.entries(await talk(alice).getLastE2EEPublicKeys(chatMid));
        const wraps = keys.map(() => Buffer.alloc(48, 7).toString('base64'));
        const register = () =>
          talk(alice).registerE2EEGroupKey(
            1,
            chatMid,
            keys.map(([mid]) => mid),
            keys.map(([, key]) => key.keyId),
            wraps,
          );
        const { groupKeyId } = await register();
        await talk(bob).leaveRoom(0, chatMid);
        await talk(alice).inviteIntoRoom(0, chatMid, [bob.mid]);
        await isRefused(alice.send(plain(chatMid)), 'E2EE_RECREATE_GROUP_KEY');
        assert.equal((await register()).groupKeyId, groupKeyId);
        await isRefused(alice.send(plain(chatMid)), 'E2EE_RETRY_ENCRYPT');
      });

      test('the sender key must be the sender’s, even in a message from another member', async () => {
        const [alice, bob] = await pair();
        const chatMid = await room(alice, bob);
        await alice.makeGroupKey(chatMid);
        const forged = await alice.sealInto(chatMid, 'as if by alice');
        await isRefused(bob.send(forged), 'E2EE_UPDATE_SENDER_KEY');
        await alice.send(forged);
        await isRefused(alice.send(forged), 'DUPLICATED');
      });

      test('a member that messages cannot be sealed for makes the chat plain', async () => {
        const [alice, bob] = await pair();
        const without = await server.user();
        const chatMid = await room(alice, bob);
        await alice.makeGroupKey(chatMid);
        const message = await alice.sealInto(chatMid, 'x');
        const isPlain = async () => {
          await isRefused(alice.send(message), 'E2EE_RETRY_PLAIN', /member settings off/);
          assert.equal((await alice.send(plain(chatMid))).text, 'in the clear');
        };
        for (const who of [alice, bob]) {
          await setSealing(who, false);
          await isPlain();
          await setSealing(who, true);
        }
        await alice.send(message);
        await talk(alice).inviteIntoRoom(0, chatMid, [without.mid]);
        await isPlain();
      });

      test('a member who is alone in a chat may write in the clear, until a second one can be sealed for', async () => {
        const [alice, bob] = await pair();
        const { chat } = await talk(alice).createChat({
          reqSeq: 0,
          type: chatTypes.GROUP,
          name: 'alone',
          targetUserMids: [bob.mid],
        });
        const { chatMid } = chat;
        const flowOfPictures = async () => {
          const { flowMap } = await talk(alice).determineMediaMessageFlow({ chatMid });
          return flowMap.IMAGE;
        };
        const picture = JSON.parse(
          JSON.stringify(plain(chatMid, { contentType: contentTypes.IMAGE, text: undefined })),
        ) as OutgoingMessage;
        assert.equal(await flowOfPictures(), 1);
        assert.equal((await alice.send(plain(chatMid))).text, 'in the clear');
        await alice.send(picture);
        await alice.makeGroupKey(chatMid);
        const sealed = await alice.send(await alice.sealInto(chatMid, 'for myself'));
        assert.equal(await alice.open(sealed), 'for myself');
        assert.equal((await alice.send(plain(chatMid))).text, 'in the clear');
        await talk(bob).acceptChatInvitation({ reqSeq: 0, chatMid });
        assert.equal(await flowOfPictures(), 2);
        await isRefused(alice.send(plain(chatMid)), 'E2EE_RECREATE_GROUP_KEY', /group key is not registered/);
        await isRefused(alice.send(picture), 'E2EE_RECREATE_GROUP_KEY');
        await alice.makeGroupKey(chatMid);
        await isRefused(alice.send(plain(chatMid)), 'E2EE_RETRY_ENCRYPT');
        await talk(bob).deleteSelfFromChat({ reqSeq: 0, chatMid });
        assert.equal(await flowOfPictures(), 1);
        assert.equal((await alice.send(plain(chatMid))).text, 'in the clear');
      });

      test('more members than a key can have make it plain', async () => {
        const [alice, bob] = await pair();
        const chatMid = await room(alice, bob);
        await alice.makeGroupKey(chatMid);
        const message = await alice.sealInto(chatMid, 'x');
        await server.server.store.transact(async (tx) => {
          for (let i = 1; i <= limits.chatMembers.value; i += 1) {
            await tx.run(insertAccount, i, `u${String(i).padStart(32, '0')}`);
            await tx.run(insertMember, i, chatMid);
          }
          await tx.run(raiseVersion, chatMid);
        });
        await isRefused(alice.send(message), 'E2EE_GROUP_TOO_MANY_MEMBERS', /exceed max member/);
        assert.equal((await alice.send(plain(chatMid))).text, 'in the clear');
      });

      test('a stranger learns nothing of how a chat is sealed', async () => {
        const [alice, bob] = await pair();
        const stranger = await sealing('stranger');
        const chatMid = await room(alice, bob);
        await alice.makeGroupKey(chatMid);
        await isRefused(stranger.send(plain(chatMid)), 'NOT_A_MEMBER');
        await isRefused(stranger.send(await alice.sealInto(chatMid, 'x')), 'NOT_A_MEMBER');
      });
    });

    test('sends and new keys at once: what was taken is sealed for the keys of its moment', async () => {
      const [alice, bob] = await pair();
      const outcomes = await Promise.all(
        Array.from({ length: 20 }, async (_, i) => {
          if (i % 5 === 4) return void (await bob.renew());
          const message = await alice.sealFor(bob.mid, `text ${i}`);
          return alice.send(message).catch(failsWith('E2EE_UPDATE_RECEIVER_KEY'));
        }),
      );
      assert.equal(outcomes.length, 20);
      for (const message of await received(bob.user)) assert.match(await bob.open(message), /^text/);
      const sent = await alice.send(await alice.sealFor(bob.mid, 'last'));
      assert.equal(await bob.open(sent), 'last');
    });
  });
}

test('the store has the chunks of a sealed message once and the log has none, whether the message is taken or refused', async () => {
  const lines: string[] = [];
  const logger = pino({ level: 'debug' }, { write: (line) => lines.push(line) });
  const server = await startServer({ logger, servers: 1 });
  try {
    const [alice, bob] = [await sealingUser(await server.user()), await sealingUser(await server.user())];
    const message = await alice.sealFor(bob.mid, 'the secret text');
    await bob.renew();
    await assert.rejects(alice.send(message), failsWith('E2EE_UPDATE_RECEIVER_KEY'));
    const again = await alice.sealFor(bob.mid, 'the secret text');
    await alice.send(again);
    await assert.rejects(alice.send(again), failsWith('DUPLICATED'));
    const stored = await storedText(server.dataDir, undefined);
    const countOf = (word: string | undefined) => stored.split(String(word)).length - 1;
    const [refused, taken] = [message.chunks, again.chunks] as [string[], string[]];
    assert.deepEqual([countOf(taken[1]), countOf(refused[1]), countOf('the secret text')], [1, 0, 0]);
    assert.ok(lines.some((line) => line.includes('listening')));
    const log = lines.join('');
    for (const word of [...refused.slice(0, 3), ...taken.slice(0, 3), 'secret text']) assert.ok(!log.includes(word));
  } finally {
    await server.close();
  }
});
