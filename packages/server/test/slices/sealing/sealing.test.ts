import assert from 'node:assert/strict';
import { createPublicKey, diffieHellman, generateKeyPairSync, randomBytes } from 'node:crypto';
import { after, before, describe, test } from 'node:test';
import { newDevice } from '@sealpost/conformance/testing';
import {
  chatTypes,
  type E2EEPublicKey,
  limits,
  mediaMessageFlows,
  operationTypes,
  settingsAttributes,
} from '@sealpost/contract';
import { databases, startServer, type TestServer, type TestUser } from '@sealpost/dev-env/harness';
import { bare, failsWith, nobody, op, operator } from '@sealpost/dev-env/people';
import { createRpcClient } from '@sealpost/sdk';
import { sql } from '../../../src/platform/store/sql.ts';

const { REGISTER_E2EE_PUBLICKEY, NOTIFIED_E2EE_KEY_UPDATE } = operationTypes;
const KEY_OPERATIONS: readonly number[] = [REGISTER_E2EE_PUBLICKEY, NOTIFIED_E2EE_KEY_UPDATE];
const TYPES = [0, 1, 2, 3, 14, 15];

const insertMember = sql(
  'insert into chat_member (chat_id, account_id, joined, since_time, inviter_id) select id, ?, 1, 0, 0 from chat where mid = ?',
);
const insertAccount = sql(
  `insert into account (id, mid, kind, region_code, password_hash, created_time) values (?, ?, 'user', '', '', 0)`,
);

const keyData = () => randomBytes(32).toString('base64');
const wrap = () => randomBytes(48).toString('base64');

for (const database of databases) {
  describe(`keys on ${database}`, () => {
    let server: TestServer;
    before(async () => {
      server = await startServer({ database });
    });
    after(() => server.close());

    const talk = (user: TestUser) => user.client.TalkService;
    const register = (user: TestUser, data = keyData(), more: object = {}, reqSeq = user.client.nextReqSeq()) =>
      talk(user).registerE2EEPublicKey(reqSeq, { version: 1, keyId: 0, keyData: data, createdTime: '0', ...more });
    const lookUp = (user: TestUser, mid: string, keyId: number) => talk(user).getE2EEPublicKey(mid, 1, keyId);
    const setSealing = (user: TestUser, e2eeEnable: boolean) =>
      talk(user).updateSettingsAttributes2(user.client.nextReqSeq(), [settingsAttributes.E2EE_ENABLE], { e2eeEnable });
    const keyNews = async (user: TestUser) =>
      bare((await user.log()).filter((operation) => KEY_OPERATIONS.includes(operation.type)));
    const flowTo = async (user: TestUser, chatMid: string) =>
      (await talk(user).determineMediaMessageFlow({ chatMid })).flowMap.IMAGE;

    async function withKey(name = 'user'): Promise<TestUser> {
      const user = await server.user(name);
      await register(user);
      return user;
    }
    /** Creates a room. Its members join without an invitation. */
    async function room(creator: TestUser, ...members: TestUser[]): Promise<string> {
      const targetUserMids = members.map((member) => member.mid);
      const { chat } = await talk(creator).createChat({ reqSeq: 0, type: chatTypes.ROOM, targetUserMids });
      return chat.chatMid;
    }
    const sharesFor = (keys: Readonly<Record<string, E2EEPublicKey>>) =>
      [Object.keys(keys), Object.values(keys).map((key) => key.keyId), Object.keys(keys).map(wrap)] as const;
    /** Registers a group key as a client does: it asks for the members' keys first. */
    async function registerGroupKey(user: TestUser, chatMid: string) {
      const [members, keyIds, wraps] = sharesFor(await talk(user).getLastE2EEPublicKeys(chatMid));
      return {
        answer: await talk(user).registerE2EEGroupKey(1, chatMid, [...members], [...keyIds], [...wraps]),
        shareOf: (mid: string) => wraps[members.indexOf(mid)],
      };
    }
    const last = (user: TestUser, chatMid: string) => talk(user).getLastE2EEGroupSharedKey(1, chatMid);

    describe('of users', () => {
      test('a registered key gets an id and a time of the server, and everybody can look it up', async () => {
        const [owner, other] = [await server.user(), await server.user()];
        const data = keyData();
        const before = Date.now();
        const key = await register(owner, data, { createdTime: '12345' });
        assert.equal(key.version, 1);
        assert.equal(key.keyData, data);
        assert.ok(key.keyId > 0 && key.keyId < 2 ** 31);
        assert.ok(Number(key.createdTime) >= before);
        assert.deepEqual(await lookUp(other, owner.mid, key.keyId), key);
        assert.deepEqual(await talk(owner).getE2EEPublicKeys(), [key]);
        assert.deepEqual(await talk(owner).getE2EEPublicKeysEx(false, 1), [key]);
        assert.deepEqual(await talk(other).getE2EEPublicKeys(), []);
      });

      test('a new key leaves the earlier ones where they are, also after a restart', async () => {
        const [owner, other] = [await server.user(), await server.user()];
        const keys = [await register(owner), await register(owner), await register(owner)];
        await server.restart();
        const [again, reader] = [createRpcClient({ url: server.url }), createRpcClient({ url: server.url })];
        await again.login({ identifier: owner.userid, password: owner.password });
        await reader.login({ identifier: other.userid, password: other.password });
        try {
          assert.deepEqual(await again.TalkService.getE2EEPublicKeys(), keys);
          for (const key of keys)
            assert.deepEqual(await reader.TalkService.getE2EEPublicKey(owner.mid, 1, key.keyId), key);
          const { publicKey } = await reader.TalkService.negotiateE2EEPublicKey(owner.mid);
          assert.deepEqual(publicKey, keys[2]);
          const times = keys.map((key) => Number(key.createdTime));
          assert.deepEqual(
            times,
            [...new Set(times)].sort((a, b) => a - b),
          );
        } finally {
          again.close();
          reader.close();
        }
      });

      test('keys registered at the same moment get different ids', async () => {
        const users = await Promise.all(Array.from({ length: 8 }, () => server.user()));
        const keys = await Promise.all(users.flatMap((user) => [register(user), register(user)]));
        assert.equal(new Set(keys.map((key) => key.keyId)).size, 16);
      });

      test('the same key again is the same record, from whatever session and however often at once', async () => {
        const owner = await server.user();
        const data = keyData();
        const answers = await Promise.all(Array.from({ length: 4 }, () => register(owner, data)));
        const second = await owner.session();
        answers.push(await second.TalkService.registerE2EEPublicKey(7, { keyData: data }));
        for (const answer of answers) assert.deepEqual(answer, answers[0]);
        assert.equal((await talk(owner).getE2EEPublicKeys()).length, 1);
        assert.equal((await keyNews(owner)).length, 1);
      });

      test('a repeated call with its reqSeq answers the first result', async () => {
        const owner = await server.user();
        const data = keyData();
        const first = await register(owner, data, {}, 100);
        await register(owner);
        assert.deepEqual(await register(owner, data, {}, 100), first);
      });

      test('nobody can put another key under an id that is taken', async () => {
        const [owner, thief] = [await server.user(), await server.user()];
        const key = await register(owner);
        for (const user of [owner, thief]) {
          const attempt = register(user, keyData(), { keyId: key.keyId });
          await assert.rejects(attempt, failsWith('E2EE_INVALID_ARGUMENT', /keyId/));
        }
        assert.deepEqual(await register(owner, key.keyData, { keyId: key.keyId }), key);
        assert.deepEqual(await lookUp(thief, owner.mid, key.keyId), key);
      });

      test('a text that is not a key of 32 bytes is refused with the name of the field', async () => {
        const owner = await server.user();
        const wrong = ['', 'AAAA', `${keyData()}\n`, keyData().replace('=', '')];
        for (const data of wrong) {
          await assert.rejects(register(owner, data), failsWith('E2EE_INVALID_ARGUMENT', /keyData/));
        }
        const newer = register(owner, keyData(), { version: 2 });
        await assert.rejects(newer, failsWith('E2EE_INVALID_VERSION', /version is 2/));
        assert.deepEqual(await talk(owner).getE2EEPublicKeys(), []);
      });

      test('points with which every secret is zero are refused as keys', async () => {
        const owner = await server.user();
        const { privateKey } = generateKeyPairSync('x25519');
        const points = [
          '00'.repeat(32),
          `01${'00'.repeat(31)}`,
          'e0eb7a7c3b41b8ae1656e3faf19fc46ada098deb9c32b1fd866205165f49b800',
          '5f9c95bca3508c24b1d0b1559c83ef5b04445cc4581c8e86d8224eddd09f1157',
          ...['ec', 'ed', 'ee'].map((low) => `${low}${'ff'.repeat(30)}7f`),
        ].map((hex) => Buffer.from(hex, 'hex'));
        const highBitSet = points.map((point) => Buffer.concat([point.subarray(0, 31), Buffer.of(point[31]! | 0x80)]));
        for (const point of [...points, ...highBitSet]) {
          const x = point.toString('base64url');
          const publicKey = createPublicKey({ key: { kty: 'OKP', crv: 'X25519', x }, format: 'jwk' });
          assert.throws(() => diffieHellman({ privateKey, publicKey }), point.toString('hex'));
          const attempt = register(owner, point.toString('base64'));
          await assert.rejects(attempt, failsWith('E2EE_INVALID_ARGUMENT', /every secret is zero/));
        }
      });

      test('own sessions and chat partners are told of a new key, nobody else', async () => {
        const [owner, peer, member, contact] = await Promise.all(
          ['owner', 'peer', 'member', 'contact'].map((name) => server.user(name)),
        );
        assert.ok(owner && peer && member && contact);
        await peer.client.sendText(owner.mid, 'hello');
        await owner.client.sendText(owner.mid, 'note');
        await room(member, owner, peer);
        await talk(contact).findAndAddContactsByMid(2, 0, [owner.mid]);
        const { keyId } = await register(owner, keyData(), {}, 50);
        assert.deepEqual(await keyNews(owner), [op('REGISTER_E2EE_PUBLICKEY', 50, String(keyId))]);
        for (const told of [peer, member]) {
          assert.deepEqual(await keyNews(told), [op('NOTIFIED_E2EE_KEY_UPDATE', 0, owner.mid, String(keyId))]);
        }
        assert.deepEqual(await keyNews(contact), []);
      });

      test('a lookup of an absent key answers NOT_FOUND', async () => {
        const [owner, other] = [await withKey(), await server.user()];
        const [key] = await talk(owner).getE2EEPublicKeys();
        assert.ok(key);
        for (const [mid, keyId] of [
          [owner.mid, key.keyId + 1_000_000],
          [other.mid, key.keyId],
          [nobody, key.keyId],
        ] as const) {
          await assert.rejects(lookUp(other, mid, keyId), failsWith('NOT_FOUND', /not found/));
        }
        await assert.rejects(lookUp(other, 'x', 1), failsWith('INVALID_MID'));
        await assert.rejects(talk(other).negotiateE2EEPublicKey(nobody), failsWith('NOT_FOUND', /not found/));
        await assert.rejects(talk(other).negotiateE2EEPublicKey('x'), failsWith('INVALID_MID'));
      });

      test('negotiation answers the newest key while sealing is on, and its own form while it is off', async () => {
        const [owner, other] = [await server.user(), await server.user()];
        const negotiate = () => talk(other).negotiateE2EEPublicKey(owner.mid);
        const off = { allowedTypes: [], specVersion: -1 };
        assert.deepEqual(await negotiate(), off);
        const key = await register(owner);
        assert.deepEqual(await negotiate(), { allowedTypes: TYPES, publicKey: key, specVersion: 2 });
        await setSealing(owner, false);
        assert.deepEqual(await negotiate(), off);
        assert.equal((await talk(owner).getSettings()).e2eeEnable, false);
        await setSealing(owner, true);
        assert.deepEqual((await negotiate()).publicKey, key);
        assert.equal((await talk(owner).getSettings()).e2eeEnable, true);
      });

      test('the keys of a deleted account stay, for the history of others', async () => {
        const [owner, other] = [await server.user(), await server.user()];
        const key = await register(owner);
        await operator(server).deleteAccount({ account: owner.mid });
        assert.deepEqual(await lookUp(other, owner.mid, key.keyId), key);
        await assert.rejects(talk(other).negotiateE2EEPublicKey(owner.mid), failsWith('NOT_FOUND'));
      });

      test('media between two goes sealed when both have sealing on and a key', async () => {
        const [one, two] = [await withKey(), await server.user()];
        const flows = async () => [await flowTo(one, two.mid), await flowTo(two, one.mid)];
        const { V1, V2 } = mediaMessageFlows;
        assert.deepEqual(await flows(), [V1, V1]);
        await register(two);
        assert.deepEqual(await flows(), [V2, V2]);
        await setSealing(one, false);
        assert.deepEqual(await flows(), [V1, V1]);
        assert.equal(await flowTo(two, two.mid), V2);
        assert.equal(await flowTo(two, nobody), V1);
      });

      test('an account with keys logs in with type 2, one without is told to use type 0', async () => {
        const [owner, without] = [await withKey(), await server.user()];
        const device = newDevice(server);
        try {
          const sealed = { type: 2, secret: keyData(), e2eeVersion: 1 };
          const { data } = await device.login(owner.userid, owner.password, sealed);
          assert.ok(data.tokenV3IssueResult?.accessToken);
          const refused = await device.login(without.userid, without.password, sealed);
          assert.match(JSON.stringify(refused), /not supported/);
        } finally {
          device.close();
        }
      });
    });

    describe('of groups', () => {
      test('a key is registered for all members, and each reads its own share of it', async () => {
        const [creator, second, third] = [await withKey(), await withKey(), await withKey()];
        const chatMid = await room(creator, second, third);
        await assert.rejects(last(creator, chatMid), failsWith('NOT_FOUND', /^.*not found/));
        const keys = await talk(second).getLastE2EEPublicKeys(chatMid);
        assert.deepEqual(Object.keys(keys).sort(), [creator.mid, second.mid, third.mid].sort());
        const { answer, shareOf } = await registerGroupKey(creator, chatMid);
        const { groupKeyId } = answer;
        for (const member of [creator, second, third]) {
          const share = await last(member, chatMid);
          assert.deepEqual(share, {
            keyVersion: 1,
            groupKeyId,
            creator: creator.mid,
            creatorKeyId: keys[creator.mid]?.keyId,
            receiver: member.mid,
            receiverKeyId: keys[member.mid]?.keyId,
            encryptedSharedKey: shareOf(member.mid),
            allowedTypes: TYPES,
            specVersion: 2,
          });
          assert.deepEqual(await talk(member).getE2EEGroupSharedKey(1, chatMid, groupKeyId), share);
        }
        assert.deepEqual(await last(creator, chatMid), answer);
        const absent = talk(second).getE2EEGroupSharedKey(1, chatMid, groupKeyId + 1);
        await assert.rejects(absent, failsWith('NOT_FOUND'));
      });

      test('ids grow in each chat, and the same registration again is the same key', async () => {
        const [creator, second] = [await withKey(), await withKey()];
        const chatMid = await room(creator, second);
        const [members, keyIds, wraps] = sharesFor(await talk(creator).getLastE2EEPublicKeys(chatMid));
        const send = (user: TestUser) =>
          talk(user).registerE2EEGroupKey(1, chatMid, [...members], [...keyIds], [...wraps]);
        const first = await send(creator);
        assert.deepEqual(await send(creator), first);
        const next = await send(second);
        assert.ok(next.groupKeyId > first.groupKeyId);
        const raced = await Promise.all([creator, second, creator].map((user) => registerGroupKey(user, chatMid)));
        const ids = raced.map(({ answer }) => answer.groupKeyId).sort((a, b) => a - b);
        assert.equal(new Set([next.groupKeyId, ...ids]).size, 4);
        assert.ok((ids[0] as number) > next.groupKeyId);
        assert.equal((await talk(creator).getE2EEGroupSharedKey(1, chatMid, first.groupKeyId)).creator, creator.mid);
        assert.equal((await last(creator, chatMid)).groupKeyId, ids[2]);
      });

      test('the lists must be for exactly the members with their current keys', async () => {
        const [creator, second, invitee, stranger] = [
          await withKey(),
          await withKey(),
          await withKey(),
          await withKey(),
        ];
        const { chat } = await talk(creator).createChat({
          reqSeq: 0,
          type: chatTypes.GROUP,
          name: 'group',
          targetUserMids: [second.mid, invitee.mid],
        });
        const { chatMid } = chat;
        await talk(second).acceptChatInvitation({ reqSeq: 0, chatMid });
        const idOf = async (user: TestUser) => (await talk(user).getE2EEPublicKeys()).at(-1)?.keyId as number;
        const attempt = async (users: readonly TestUser[], keyIds?: readonly number[]) =>
          talk(creator).registerE2EEGroupKey(
            1,
            chatMid,
            users.map((user) => user.mid),
            keyIds ? [...keyIds] : await Promise.all(users.map(idOf)),
            users.map(wrap),
          );
        const mismatch = failsWith('E2EE_RECREATE_GROUP_KEY', /member count mismatch/);
        for (const users of [
          [],
          [creator],
          [second],
          [creator, second, invitee],
          [creator, second, stranger],
          [creator, stranger],
        ]) {
          await assert.rejects(attempt(users), mismatch);
        }
        const [own, old] = [await idOf(creator), await idOf(second)];
        await register(second);
        await assert.rejects(attempt([creator, second], [own, old]), mismatch);
        await assert.rejects(attempt([creator, second], [own, own]), mismatch);
        assert.equal((await attempt([creator, second])).creator, creator.mid);
      });

      test('lists that are not parallel, name a member twice or hold no wraps are refused', async () => {
        const [creator, second] = [await withKey(), await withKey()];
        const chatMid = await room(creator, second);
        const [members, keyIds, wraps] = sharesFor(await talk(creator).getLastE2EEPublicKeys(chatMid));
        const [first] = members as [string];
        const wrong: readonly [readonly string[], readonly number[], readonly string[]][] = [
          [members, keyIds.slice(1), wraps],
          [members, keyIds, wraps.slice(1)],
          [members.slice(1), keyIds, wraps],
          [[first, first], keyIds, wraps],
          [members, keyIds, [wrap(), 'AA==']],
          [members, keyIds, [wrap(), '']],
        ];
        for (const [mids, ids, shares] of wrong) {
          const attempt = talk(creator).registerE2EEGroupKey(1, chatMid, [...mids], [...ids], [...shares]);
          await assert.rejects(attempt, failsWith('E2EE_INVALID_ARGUMENT'));
        }
      });

      test('a member without keys or with sealing off makes the group plain', async () => {
        const [creator, second, third] = [await withKey(), await withKey(), await server.user()];
        const chatMid = await room(creator, second, third);
        const off = failsWith('E2EE_RETRY_PLAIN', /member settings off/);
        const { V1, V2 } = mediaMessageFlows;
        const isPlain = async () => {
          await assert.rejects(talk(creator).getLastE2EEPublicKeys(chatMid), off);
          await assert.rejects(last(creator, chatMid), off);
          await assert.rejects(talk(creator).registerE2EEGroupKey(1, chatMid, [], [], []), off);
          assert.equal(await flowTo(creator, chatMid), V1);
        };
        await isPlain();
        await register(third);
        const { groupKeyId } = (await registerGroupKey(creator, chatMid)).answer;
        assert.equal(await flowTo(creator, chatMid), V2);
        await setSealing(second, false);
        await isPlain();
        assert.equal((await talk(second).getE2EEGroupSharedKey(1, chatMid, groupKeyId)).receiver, second.mid);
        await setSealing(second, true);
        assert.equal((await last(creator, chatMid)).groupKeyId, groupKeyId);
      });

      test('after a member left, joined or changed its key the chat wants a new key', async () => {
        const [creator, second, third] = [await withKey(), await withKey(), await withKey()];
        const chatMid = await room(creator, second);
        const isMissing = async () => assert.rejects(last(creator, chatMid), failsWith('NOT_FOUND', /not found/));
        const made: number[] = [];
        const make = async (maker: TestUser) => made.push((await registerGroupKey(maker, chatMid)).answer.groupKeyId);
        await make(creator);
        const first = made[0] as number;
        await talk(creator).inviteIntoRoom(0, chatMid, [third.mid]);
        await isMissing();
        await assert.rejects(talk(third).getE2EEGroupSharedKey(1, chatMid, first), failsWith('NOT_FOUND'));
        await make(third);
        await register(second);
        await isMissing();
        await make(creator);
        await talk(second).leaveRoom(0, chatMid);
        await isMissing();
        await make(creator);
        assert.ok(
          made.every((id, i) => i === 0 || id > (made[i - 1] as number)),
          made.join(),
        );
        assert.equal((await talk(creator).getE2EEGroupSharedKey(1, chatMid, first)).groupKeyId, first);
      });

      test('a user who left, or was never a member, gets no keys and can register none', async () => {
        const [creator, second, leaver, stranger] = [
          await withKey(),
          await withKey(),
          await withKey(),
          await withKey(),
        ];
        const chatMid = await room(creator, second, leaver);
        const first = (await registerGroupKey(creator, chatMid)).answer.groupKeyId;
        const before = await talk(leaver).getLastE2EEPublicKeys(chatMid);
        await talk(leaver).leaveRoom(0, chatMid);
        const next = (await registerGroupKey(creator, chatMid)).answer.groupKeyId;
        const [members, keyIds, wraps] = sharesFor(before);
        for (const outsider of [leaver, stranger]) {
          const service = talk(outsider);
          for (const attempt of [
            () => last(outsider, chatMid),
            () => service.getE2EEGroupSharedKey(1, chatMid, first),
            () => service.getE2EEGroupSharedKey(1, chatMid, next),
            () => service.getLastE2EEPublicKeys(chatMid),
            () => service.registerE2EEGroupKey(1, chatMid, [...members], [...keyIds], [...wraps]),
          ]) {
            await assert.rejects(attempt(), failsWith('NOT_A_MEMBER'));
          }
        }
        await assert.rejects(last(creator, 'x'), failsWith('INVALID_MID'));
        await assert.rejects(last(creator, second.mid), failsWith('NOT_FOUND'));
        assert.equal((await last(second, chatMid)).groupKeyId, next);
      });

      test('a key registered while a member leaves is for the members before or after, never for a mixture', async () => {
        for (let round = 0; round < 5; round += 1) {
          const [creator, second, leaver] = [await withKey(), await withKey(), await withKey()];
          const chatMid = await room(creator, second, leaver);
          const [members, keyIds, wraps] = sharesFor(await talk(creator).getLastE2EEPublicKeys(chatMid));
          const [registered] = await Promise.allSettled([
            talk(creator).registerE2EEGroupKey(1, chatMid, [...members], [...keyIds], [...wraps]),
            talk(leaver).leaveRoom(0, chatMid),
          ]);
          if (registered.status === 'rejected') {
            failsWith('E2EE_RECREATE_GROUP_KEY', /member count mismatch/)(registered.reason);
          }
          await assert.rejects(last(creator, chatMid), failsWith('NOT_FOUND'));
        }
      });

      test('a chat with more members than a key can have is told so', async () => {
        const creator = await withKey();
        const chatMid = await room(creator, await withKey());
        await server.server.store.transact(async (tx) => {
          for (let i = 1; i <= limits.chatMembers.value; i += 1) {
            await tx.run(insertAccount, i, `u${String(i).padStart(32, '0')}`);
            await tx.run(insertMember, i, chatMid);
          }
        });
        const tooMany = failsWith('E2EE_GROUP_TOO_MANY_MEMBERS', /exceed max member/);
        await assert.rejects(talk(creator).getLastE2EEPublicKeys(chatMid), tooMany);
        await assert.rejects(talk(creator).registerE2EEGroupKey(1, chatMid, [], [], []), tooMany);
      });
    });
  });
}
