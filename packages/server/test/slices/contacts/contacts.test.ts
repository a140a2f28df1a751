import assert from 'node:assert/strict';
import { after, before, describe, test } from 'node:test';
import {
  contactRelations,
  contactSettings,
  contactStatus,
  contactTypes,
  limits,
  settingsAttributes,
  updateChatAttributes,
} from '@sealpost/contract';
import { databases, readLog, startServer, type TestServer, type TestUser } from '@sealpost/dev-env/harness';
import { account, bare, failsWith, nobody, op, operator } from '@sealpost/dev-env/people';

for (const database of databases) {
  describe(`contacts on ${database}`, () => {
    let server: TestServer;
    let alice: TestUser;
    let bob: TestUser;
    before(async () => {
      server = await startServer({ database });
    });
    after(() => server.close());

    const pair = async () => {
      alice = await server.user('alice');
      bob = await server.user('bob');
    };
    const add = async (from: TestUser, to: TestUser): Promise<number> => {
      const reqSeq = from.client.nextReqSeq();
      await from.client.TalkService.findAndAddContactsByMid(reqSeq, contactTypes.MID, [to.mid]);
      return reqSeq;
    };
    const set = async (user: TestUser, mid: string, flag: number, value: string): Promise<number> => {
      const reqSeq = user.client.nextReqSeq();
      await user.client.TalkService.updateContactSetting(reqSeq, mid, flag, value);
      return reqSeq;
    };
    const seen = (viewer: TestUser, user: { mid: string }) => viewer.client.TalkService.getContact(user.mid);

    test('adding a contact answers it, and tells both sides once', async () => {
      await pair();
      const reqSeq = alice.client.nextReqSeq();
      const call = () => alice.client.TalkService.findAndAddContactsByMid(reqSeq, contactTypes.USERID, [bob.mid]);
      const added = await call();
      assert.deepEqual(await call(), added, 'a repeat answers the first result');
      const contact = added[bob.mid];
      assert.equal(contact?.displayName, 'bob');
      assert.equal(contact?.status, contactStatus.FRIEND);
      assert.equal(contact?.relation, contactRelations.ONEWAY);
      assert.equal(contact?.type, contactTypes.USERID);
      assert.ok(Number(contact?.createdTime) > 0);
      assert.deepEqual(bare(await alice.log()), [op('ADD_CONTACT', reqSeq, bob.mid, '0')]);
      assert.deepEqual(bare(await bob.log()), [
        op('NOTIFIED_ADD_CONTACT', 0, alice.mid),
        op('NOTIFIED_RECOMMEND_CONTACT', 0, alice.mid),
      ]);
      await add(alice, bob);
      assert.equal((await alice.log()).length, 1, 'an addition that changes nothing tells nobody');
    });

    test('relation and status follow what both sides did', async () => {
      await pair();
      await add(alice, bob);
      assert.equal((await seen(bob, alice)).status, contactStatus.RECOMMEND);
      assert.deepEqual(await bob.client.TalkService.getRecommendationIds(), [alice.mid]);
      await add(bob, alice);
      assert.equal((await seen(alice, bob)).relation, contactRelations.BOTH);
      assert.equal((await seen(bob, alice)).relation, contactRelations.BOTH);
      assert.deepEqual(await bob.client.TalkService.getRecommendationIds(), []);
      assert.deepEqual(bare(await alice.log()).at(-1), op('NOTIFIED_ADD_CONTACT', 0, bob.mid));
      await set(alice, bob.mid, contactSettings.CONTACT_SETTING_DELETE, 'true');
      assert.equal((await seen(alice, bob)).status, contactStatus.DELETED);
      assert.equal((await seen(bob, alice)).status, contactStatus.FRIEND);
      assert.equal((await seen(bob, alice)).relation, contactRelations.ONEWAY);
      assert.deepEqual(await alice.client.TalkService.getAllContactIds(), []);
    });

    test('addFriendByMid adds, and refuses the caller and strangers to the server', async () => {
      await pair();
      const { RelationService } = alice.client;
      const reqSeq = alice.client.nextReqSeq();
      const tracking = { reference: '', trackingMetaV2: { groupMemberList: { chatMid: 'c' } } };
      assert.deepEqual(await RelationService.addFriendByMid({ reqSeq, userMid: bob.mid, tracking }), {});
      assert.equal((await seen(alice, bob)).type, contactTypes.GROUP);
      assert.deepEqual(bare(await alice.log()), [op('ADD_CONTACT', reqSeq, bob.mid, '0')]);
      for (const userMid of [alice.mid, nobody, 'x', `c${bob.mid.slice(1)}`]) {
        await assert.rejects(RelationService.addFriendByMid({ reqSeq: 0, userMid }), failsWith('REJECTED_TARGET_USER'));
      }
    });

    test('one unknown mid adds nobody', async () => {
      await pair();
      const { TalkService } = alice.client;
      await assert.rejects(TalkService.findAndAddContactsByMid(0, 0, [bob.mid, nobody]), failsWith('NOT_FOUND'));
      await assert.rejects(TalkService.findAndAddContactsByMid(0, 0, [bob.mid, 'u1']), failsWith('INVALID_MID'));
      await assert.rejects(
        TalkService.findAndAddContactsByMid(0, 0, [bob.mid, alice.mid]),
        failsWith('NOT_ALLOWED_ADD_CONTACT'),
      );
      assert.deepEqual(await TalkService.getAllContactIds(), []);
      assert.deepEqual(await alice.log(), []);
    });

    test('getContactsV2 answers friends and strangers, leaves unknown mids out, and takes 100 mids', async () => {
      await pair();
      await add(alice, bob);
      const targetUserMids = [bob.mid, alice.mid, nobody, 'not a mid', bob.mid];
      const { contacts } = await alice.client.TalkService.getContactsV2({ targetUserMids });
      assert.deepEqual(Object.keys(contacts), [bob.mid, alice.mid]);
      assert.equal(contacts[bob.mid]?.userStatus, 0);
      assert.equal(contacts[bob.mid]?.contact?.mid, bob.mid);
      const many = Array.from({ length: limits.midsPerCall.value + 1 }, () => bob.mid);
      await assert.rejects(
        alice.client.TalkService.getContactsV2({ targetUserMids: many }),
        failsWith('INVALID_LENGTH'),
      );
      assert.deepEqual(
        (await alice.client.TalkService.getContacts([nobody, bob.mid])).map(({ mid }) => mid),
        [bob.mid],
      );
      await assert.rejects(alice.client.TalkService.getContact(nobody), failsWith('NOT_FOUND'));
    });

    test('a block keeps messages away, is told to the own sessions only, and can be taken back', async () => {
      await pair();
      await add(alice, bob);
      const { TalkService } = alice.client;
      const reqSeq = alice.client.nextReqSeq();
      const bobs = (await bob.log()).length;
      await TalkService.blockContact(reqSeq, bob.mid);
      assert.deepEqual(await TalkService.getBlockedContactIds(), [bob.mid]);
      assert.deepEqual(await TalkService.getAllContactIds(), []);
      assert.equal((await seen(alice, bob)).status, contactStatus.FRIEND_BLOCKED);
      assert.deepEqual(bare(await alice.log()).at(-1), op('BLOCK_CONTACT', reqSeq, bob.mid, 'NORMAL'));
      assert.equal((await bob.log()).length, bobs, 'the blocked user hears nothing');
      const before = (await alice.log()).length;
      await bob.client.sendText(alice.mid, 'are you there?');
      await add(bob, alice);
      assert.equal((await alice.log()).length, before);
      assert.equal((await seen(bob, alice)).status, contactStatus.FRIEND, 'the block does not show');
      const back = alice.client.nextReqSeq();
      await TalkService.unblockContact(back, bob.mid, '');
      await TalkService.unblockContact(alice.client.nextReqSeq(), bob.mid);
      assert.deepEqual(bare(await alice.log()).slice(before), [op('UNBLOCK_CONTACT', back, bob.mid, 'NORMAL')]);
      await bob.client.sendText(alice.mid, 'now?');
      assert.equal((await alice.log()).at(-1)?.message?.text, 'now?');
    });

    test('a stranger can be blocked too, nobody itself', async () => {
      await pair();
      const { TalkService } = alice.client;
      await TalkService.blockContact(0, bob.mid);
      assert.equal((await seen(alice, bob)).status, contactStatus.DELETED_BLOCKED);
      await assert.rejects(TalkService.blockContact(0, alice.mid), failsWith('ILLEGAL_ARGUMENT'));
      await assert.rejects(TalkService.blockContact(0, nobody), failsWith('NOT_FOUND'));
      await assert.rejects(TalkService.unblockContact(0, 'bob'), failsWith('INVALID_MID'));
    });

    test('an account that takes no messages from strangers gets those of contacts only', async () => {
      await pair();
      await bob.client.TalkService.updateSettingsAttributes2(
        0,
        [settingsAttributes.PRIVACY_RECV_MESSAGES_FROM_NOT_FRIEND],
        { privacyReceiveMessagesFromNotFriend: false },
      );
      const before = (await bob.log()).length;
      await alice.client.sendText(bob.mid, 'from a stranger');
      assert.equal((await bob.log()).length, before);
      const kept = await alice.client.TalkService.getRecentMessagesV2(bob.mid, 5);
      assert.equal(kept[0]?.text, 'from a stranger', 'the sender keeps it');
      await add(bob, alice);
      await alice.client.sendText(bob.mid, 'from a friend');
      assert.equal((await bob.log()).at(-1)?.message?.text, 'from a friend');
    });

    test('each contact setting changes its field and is told by its flag', async () => {
      await pair();
      await add(alice, bob);
      const flags = contactSettings;
      const expected = [];
      for (const [flag, value] of [
        [flags.CONTACT_SETTING_FAVORITE, 'true'],
        [flags.CONTACT_SETTING_CONTACT_HIDE, 'true'],
        [flags.CONTACT_SETTING_NOTIFICATION_DISABLE, 'true'],
        [flags.CONTACT_SETTING_DISPLAY_NAME_OVERRIDE, 'Bobby'],
        [flags.CONTACT_SETTING_FRIEND_RINGTONE, 'bell'],
      ] as const) {
        expected.push(op('UPDATE_CONTACT', await set(alice, bob.mid, flag, value), bob.mid, String(flag)));
      }
      assert.deepEqual(bare(await alice.log()).slice(1), expected);
      const contact = await seen(alice, bob);
      assert.equal(contact.displayNameOverridden, 'Bobby');
      assert.equal(contact.displayName, 'bob');
      assert.ok(Number(contact.favoriteTime) > 0);
      assert.equal(contact.settings, String(1 | 2 | 4 | 8 | 32));
      assert.deepEqual(await alice.client.TalkService.getFavoriteMids(), [bob.mid]);
      assert.deepEqual(await alice.client.TalkService.getAllContactIds(), [bob.mid], 'hidden contacts stay contacts');
      await set(alice, bob.mid, flags.CONTACT_SETTING_FAVORITE, 'false');
      await set(alice, bob.mid, flags.CONTACT_SETTING_DISPLAY_NAME_OVERRIDE, '');
      const after = await seen(alice, bob);
      assert.equal(after.displayNameOverridden, undefined);
      assert.equal(after.favoriteTime, '0');
    });

    test('a deleted contact that is added again has none of its settings', async () => {
      await pair();
      await add(alice, bob);
      const flags = contactSettings;
      await set(alice, bob.mid, flags.CONTACT_SETTING_FAVORITE, 'true');
      await set(alice, bob.mid, flags.CONTACT_SETTING_CONTACT_HIDE, 'true');
      await set(alice, bob.mid, flags.CONTACT_SETTING_NOTIFICATION_DISABLE, 'true');
      await set(alice, bob.mid, flags.CONTACT_SETTING_DISPLAY_NAME_OVERRIDE, 'Bobby');
      await set(alice, bob.mid, flags.CONTACT_SETTING_DELETE, 'true');
      await add(alice, bob);
      const { settings, favoriteTime, displayNameOverridden } = await seen(alice, bob);
      assert.deepEqual([settings, favoriteTime, displayNameOverridden], ['0', '0', undefined]);
    });

    test('contact settings of the wrong form are refused and change nothing', async () => {
      await pair();
      await assert.rejects(set(alice, bob.mid, 8, 'true'), failsWith('NOT_FOUND'), 'no contact yet');
      await add(alice, bob);
      for (const [mid, flag, value, error] of [
        [bob.mid, 8, 'yes', 'ILLEGAL_ARGUMENT'],
        [bob.mid, 12, 'true', 'ILLEGAL_ARGUMENT'],
        [bob.mid, 0, 'true', 'ILLEGAL_ARGUMENT'],
        [bob.mid, 16, 'false', 'ILLEGAL_ARGUMENT'],
        [bob.mid, 2, 'x'.repeat(21), 'INVALID_LENGTH'],
        [alice.mid, 8, 'true', 'ILLEGAL_ARGUMENT'],
        [nobody, 8, 'true', 'NOT_FOUND'],
        ['bob', 8, 'true', 'INVALID_MID'],
      ] as const) {
        await assert.rejects(set(alice, mid, flag, value), failsWith(error));
      }
      assert.equal((await alice.log()).length, 1);
      assert.equal((await seen(alice, bob)).settings, '0');
    });

    test('recommendations are those who added the caller and members of shared rooms, less the blocked', async () => {
      await pair();
      const carol = await server.user('carol');
      await add(bob, alice);
      await carol.client.TalkService.createChat({ reqSeq: 2, type: 1, name: 'room', targetUserMids: [alice.mid] });
      const { TalkService } = alice.client;
      assert.deepEqual(await TalkService.getRecommendationIds(), [bob.mid, carol.mid]);
      await TalkService.blockContact(0, bob.mid);
      assert.deepEqual(await TalkService.getRecommendationIds(), [carol.mid]);
      await TalkService.unblockContact(0, bob.mid);
      const reqSeq = alice.client.nextReqSeq();
      await TalkService.blockRecommendation(reqSeq, bob.mid);
      assert.deepEqual(bare(await alice.log()).at(-1), op('UPDATE_CONTACT', reqSeq, bob.mid));
      assert.deepEqual(await TalkService.getRecommendationIds(), [carol.mid]);
      assert.deepEqual(await TalkService.getBlockedRecommendationIds(), [bob.mid]);
      assert.equal((await seen(alice, bob)).status, contactStatus.RECOMMEND_BLOCKED);
      await add(alice, bob);
      assert.deepEqual(await TalkService.getBlockedRecommendationIds(), []);
      await TalkService.blockRecommendation(alice.client.nextReqSeq(), bob.mid);
      assert.deepEqual(await TalkService.getBlockedRecommendationIds(), [], 'a contact is no recommendation');
      await set(alice, bob.mid, contactSettings.CONTACT_SETTING_DELETE, 'true');
      assert.deepEqual(await TalkService.getRecommendationIds(), [carol.mid]);
      assert.deepEqual(await TalkService.getBlockedRecommendationIds(), [bob.mid]);
    });

    test('look-ups need an exact match and the consent of the user', async () => {
      alice = await server.user('alice');
      const found = await account(server, { phone: '+81 90-1234-5678' });
      const { TalkService } = alice.client;
      assert.equal((await TalkService.findContactByUserid(found.userid)).mid, found.mid);
      await assert.rejects(TalkService.findContactByUserid(found.userid.slice(0, -1)), failsWith('NOT_FOUND'));
      const byPhone = await TalkService.findContactsByPhone(['+81 9012345678', '+81 9012345679']);
      assert.deepEqual(
        Object.entries(byPhone).map(([phone, { mid }]) => [phone, mid]),
        [['+81 9012345678', found.mid]],
      );
      const { PRIVACY_SEARCH_BY_PHONE_NUMBER: phone, PRIVACY_SEARCH_BY_USERID: userid } = settingsAttributes;
      await found.client.TalkService.updateSettingsAttributes2(0, [phone, userid], {
        privacySearchByPhoneNumber: false,
        privacySearchByUserid: false,
      });
      await assert.rejects(TalkService.findContactByUserid(found.userid), failsWith('NOT_FOUND'));
      assert.deepEqual(await TalkService.findContactsByPhone(['+81 9012345678']), {});
      found.close();
    });

    test('an official account has a detail, a profile and hears of blocks; people have none', async () => {
      await pair();
      const shop = await account(server, { kind: 'official' });
      await alice.client.TalkService.findAndAddContactsByMid(0, 0, [shop.mid]);
      const detail = await alice.client.BuddyService.getBuddyDetail(shop.mid);
      assert.equal(detail.memberCount, '1');
      assert.equal(detail.searchId, shop.userid);
      assert.deepEqual(detail.acceptableContentTypes, [0, 1, 2, 3, 7, 13, 14, 15]);
      const buddy = await alice.client.BuddyService.getBuddyProfile(shop.mid);
      assert.deepEqual(buddy, { buddyMid: shop.mid, displayName: shop.userid });
      const contact = await seen(alice, shop);
      assert.equal(contact.capableBuddy, true);
      assert.equal(contact.attributes, 32);
      await alice.client.TalkService.blockContact(0, shop.mid);
      await alice.client.TalkService.unblockContact(0, shop.mid, '');
      assert.deepEqual(bare(await readLog(shop.client, 2)), [
        op('NOTIFIED_BLOCK_CONTACT', 0, alice.mid),
        op('NOTIFIED_UNBLOCK_CONTACT', 0, alice.mid),
      ]);
      await assert.rejects(alice.client.BuddyService.getBuddyDetail(bob.mid), failsWith('NOT_FOUND'));
      await assert.rejects(alice.client.BuddyService.getBuddyProfile(nobody), failsWith('NOT_FOUND'));
      await assert.rejects(alice.client.BuddyService.getBuddyDetail('x'), failsWith('INVALID_MID'));
      shop.close();
    });

    test('a profile notice warns of strangers from another region', async () => {
      alice = await server.user('alice');
      const far = await account(server, { regionCode: 'TH' });
      const notice = async () => {
        const answer = await alice.client.RelationService.getTargetProfileNotice({ targetUserMid: far.mid });
        return answer.notice?.noticeAntiFraudDifferentRegion;
      };
      assert.equal(await notice(), true);
      await alice.client.TalkService.findAndAddContactsByMid(0, 0, [far.mid]);
      assert.equal(await notice(), false);
      await assert.rejects(
        alice.client.RelationService.getTargetProfileNotice({ targetUserMid: nobody }),
        failsWith('REJECTED_TARGET_USER'),
      );
      far.close();
    });

    test('favourite chats stand beside favourite contacts', async () => {
      await pair();
      const { TalkService } = alice.client;
      const { chat } = await TalkService.createChat({ reqSeq: 2, type: 1, name: 'r', targetUserMids: [bob.mid] });
      await add(alice, bob);
      await set(alice, bob.mid, contactSettings.CONTACT_SETTING_FAVORITE, 'true');
      await TalkService.updateChat({
        reqSeq: 3,
        chat: { chatMid: chat.chatMid, favoriteTimestamp: '1700000000000' },
        updatedAttribute: updateChatAttributes.FAVORITE_TIMESTAMP,
      });
      assert.deepEqual(await TalkService.getFavoriteMids(), [bob.mid, chat.chatMid]);
      assert.deepEqual(await bob.client.TalkService.getFavoriteMids(), []);
      await TalkService.blockContact(4, bob.mid);
      assert.deepEqual(await TalkService.getFavoriteMids(), [chat.chatMid], 'a blocked user is in no list of contacts');
      await TalkService.unblockContact(5, bob.mid);
      assert.deepEqual(await TalkService.getFavoriteMids(), [bob.mid, chat.chatMid]);
    });

    test('a deleted account leaves every contact list, and the owners of these lists are told', async () => {
      await pair();
      await add(alice, bob);
      await add(bob, alice);
      const before = (await alice.log()).length;
      await operator(server).deleteAccount({ account: bob.mid });
      assert.deepEqual(bare(await alice.log()).slice(before), [op('NOTIFIED_UNREGISTER_USER', 0, bob.mid)]);
      const { TalkService } = alice.client;
      assert.deepEqual(await TalkService.getAllContactIds(), []);
      assert.deepEqual(await TalkService.getRecommendationIds(), []);
      assert.deepEqual(await TalkService.getContactsV2({ targetUserMids: [bob.mid] }), { contacts: {} });
      await assert.rejects(add(alice, bob), failsWith('NOT_FOUND'));
    });

    test('contacts, blocks, favourites and names survive a restart', async () => {
      await pair();
      const carol = await server.user('carol');
      await add(alice, bob);
      await set(alice, bob.mid, contactSettings.CONTACT_SETTING_FAVORITE, 'true');
      await set(alice, bob.mid, contactSettings.CONTACT_SETTING_DISPLAY_NAME_OVERRIDE, 'Bobby');
      await alice.client.TalkService.blockContact(0, carol.mid);
      await alice.client.TalkService.blockRecommendation(0, carol.mid);
      const before = await seen(alice, bob);
      await server.restart();
      const { TalkService } = await alice.session();
      assert.deepEqual(await TalkService.getAllContactIds(), [bob.mid]);
      assert.deepEqual(await TalkService.getFavoriteMids(), [bob.mid]);
      assert.deepEqual(await TalkService.getBlockedContactIds(), [carol.mid]);
      assert.deepEqual(await TalkService.getBlockedRecommendationIds(), [carol.mid]);
      assert.deepEqual(await TalkService.getContact(bob.mid), before);
    });

    test('two users who add each other at the same moment end as friends of each other', async () => {
      await pair();
      await Promise.all([add(alice, bob), add(bob, alice)]);
      assert.equal((await seen(alice, bob)).relation, contactRelations.BOTH);
      assert.equal((await seen(bob, alice)).relation, contactRelations.BOTH);
    });

    test('after many changes at the same moment, both sides of every relation agree', async () => {
      const users = await Promise.all(Array.from({ length: 6 }, () => server.user('crowd')));
      const random = seeded(7);
      const pick = () => users[random(users.length)] as TestUser;
      const once = async () => {
        const [self, other] = [pick(), pick()];
        if (self === other) return;
        const { TalkService } = self.client;
        const kind = random(5);
        const reqSeq = self.client.nextReqSeq();
        if (kind < 2) await TalkService.findAndAddContactsByMid(reqSeq, 0, [other.mid]);
        else if (kind === 2) await TalkService.blockContact(reqSeq, other.mid);
        else if (kind === 3) await TalkService.unblockContact(reqSeq, other.mid);
        else await set(self, other.mid, contactSettings.CONTACT_SETTING_DELETE, 'true').catch(failsWith('NOT_FOUND'));
      };
      for (let round = 0; round < 15; round++) await Promise.all(Array.from({ length: 20 }, once));
      const added = new Map<string, Set<string>>();
      for (const { client, mid } of users) {
        const { contacts } = await client.TalkService.getContactsV2({ targetUserMids: users.map((u) => u.mid) });
        const friends = Object.values(contacts).filter(({ contact }) => contact?.status === 1 || contact?.status === 2);
        added.set(mid, new Set(friends.map(({ contact }) => contact?.mid ?? '')));
      }
      for (const viewer of users) {
        for (const user of users.filter((u) => u !== viewer)) {
          const both = added.get(viewer.mid)?.has(user.mid) && added.get(user.mid)?.has(viewer.mid);
          const { relation } = await seen(viewer, user);
          assert.equal(relation, both ? contactRelations.BOTH : contactRelations.ONEWAY);
        }
        const log = await viewer.log();
        assert.deepEqual(
          log.map(({ revision }) => Number(revision)),
          log.map((_, i) => i + 1),
        );
      }
    });
  });
}

/** Returns a source of pseudorandom whole numbers. The numbers are the same in every run. */
function seeded(seed: number): (below: number) => number {
  let state = seed;
  return (below) => {
    state = (state * 1103515245 + 12345) % 2147483648;
    return Math.floor((state / 2147483648) * below);
  };
}

test('each phone number asked for counts as one look-up of a stranger', async () => {
  const server = await startServer({ servers: 1, flags: { 'rate-lookup': '5+0.001' } });
  const alice = await server.user('alice');
  const find = (count: number) =>
    alice.client.TalkService.findContactsByPhone(Array.from({ length: count }, (_, i) => `+8190000000${i}`));
  await find(3);
  await assert.rejects(find(3), failsWith('EXCESSIVE_ACCESS'));
  await find(1);
  await server.close();
});
