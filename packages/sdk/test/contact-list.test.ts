import assert from 'node:assert/strict';
import { after, before, describe, test } from 'node:test';
import { contactSettings, contactStatus } from '@sealpost/contract';
import { databases, startServer, type TestServer, type TestUser } from '@sealpost/dev-env/harness';
import { nobody, operator } from '@sealpost/dev-env/people';
import type { Client } from '@sealpost/sdk';
import { opened } from './opened.ts';
import { changed, recordedFetch } from './recorded-fetch.ts';

for (const database of databases) {
  describe(`contacts on ${database}`, () => {
    let server: TestServer;
    let alice: TestUser;
    let bob: TestUser;
    let ann: Client;
    before(async () => {
      server = await startServer({ database });
      [alice, bob] = [await server.user('alice'), await server.user('bob')];
      ann = await opened(server, alice);
    });
    after(() => server.close());

    async function contact(): Promise<TestUser> {
      const user = await server.user('contact');
      await ann.contacts.add(user.mid);
      return user;
    }

    test('a user is found by id, and nobody is nobody', async () => {
      assert.equal((await ann.contacts.findByUserid(bob.userid))?.mid, bob.mid);
      assert.equal(await ann.contacts.findByUserid('no-such-user'), undefined);
    });

    test('users are found by phone number', async () => {
      const phone = '+81 90-1234-5678';
      const { mid } = await operator(server).createAccount({
        userid: `phone-${database}`,
        password: 'a password of enough letters',
        displayName: 'Phone',
        phone,
      });
      const found = await ann.contacts.findByPhone([phone, '+81 3']);
      assert.deepEqual(
        [...found].map(([number, { mid: one }]) => [number, one]),
        [[phone, mid]],
      );
    });

    test('a contact is added, renamed, favoured, muted, hidden and removed, and the replica shows it', async () => {
      const { mid } = await contact();
      await ann.contacts.rename(mid, 'Benny');
      await ann.contacts.setFavorite(mid, true);
      await ann.contacts.setMuted(mid, true);
      await ann.contacts.setHidden(mid, true);
      await ann.synced();
      const record = ann.replica.contact(mid);
      const { CONTACT_SETTING_NOTIFICATION_DISABLE: muted, CONTACT_SETTING_CONTACT_HIDE: hidden } = contactSettings;
      assert.equal(record?.status, contactStatus.FRIEND);
      assert.equal(Number(record?.settings) & (muted | hidden), muted | hidden);
      assert.ok(Number(record?.favoriteTime) > 0);
      assert.equal(ann.replica.nameOf(mid), 'Benny');
      assert.ok((await ann.contacts.favorites()).includes(mid));
      assert.ok((await ann.contacts.mids()).includes(mid));
      await ann.contacts.rename(mid, '');
      await ann.contacts.setFavorite(mid, false);
      await ann.contacts.setMuted(mid, false);
      await ann.contacts.setHidden(mid, false);
      await ann.synced();
      const later = ann.replica.contact(mid);
      assert.deepEqual([ann.replica.nameOf(mid), later?.favoriteTime], ['contact', '0']);
      assert.equal(Number(later?.settings) & (muted | hidden), 0);
      await ann.contacts.remove(mid);
      await ann.synced();
      assert.notEqual(ann.replica.contact(mid)?.status, contactStatus.FRIEND);
    });

    test('a user is blocked and unblocked', async () => {
      const { mid } = await contact();
      await ann.contacts.block(mid);
      await ann.synced();
      assert.equal(ann.replica.contact(mid)?.status, contactStatus.FRIEND_BLOCKED);
      assert.deepEqual(await ann.contacts.blocked(), [mid]);
      await ann.contacts.unblock(mid);
      await ann.synced();
      assert.equal(ann.replica.contact(mid)?.status, contactStatus.FRIEND);
      assert.deepEqual(await ann.contacts.blocked(), []);
    });

    test('recommendations are listed, accepted and removed', async () => {
      const [one, other] = [await server.user('one'), await server.user('other')];
      for (const user of [one, other]) await (await opened(server, user)).contacts.add(alice.mid);
      const recommended = async () => (await ann.contacts.recommendations()).map(({ mid }) => mid).sort();
      assert.deepEqual(await recommended(), [one.mid, other.mid].sort());
      await ann.contacts.acceptRecommendation(one.mid);
      await ann.contacts.blockRecommendation(other.mid);
      assert.deepEqual(await recommended(), []);
      assert.deepEqual(
        (await ann.contacts.blockedRecommendations()).map(({ mid }) => mid),
        [other.mid],
      );
      await ann.synced();
      assert.equal(ann.replica.contact(one.mid)?.status, contactStatus.FRIEND);
    });

    test('many users are read and added in pages of the size that the server tells', async () => {
      const recorded = recordedFetch(
        changed('getConfigurations', (data: { configMap: object }) => ({
          ...data,
          configMap: { ...data.configMap, 'limit.sync.contacts': '2', 'limit.sync.groups': '2' },
        })),
      );
      const client = await opened(server, alice, { fetch: recorded.fetch });
      const users = [];
      for (let n = 0; n < 5; n++) users.push((await server.user('many')).mid);
      const before = recorded.to('/getContactsV2').length;
      const found = await client.contacts.get([...users, nobody]);
      assert.deepEqual([...found.keys()].sort(), users.toSorted());
      assert.equal(recorded.to('/getContactsV2').length - before, 3);
      const added = await client.contacts.addAll(users);
      assert.deepEqual([...added.keys()].sort(), users.toSorted());
      assert.equal(recorded.to('/findAndAddContactsByMid').length, 3);
      await client.synced();
      for (const mid of users) assert.equal(client.replica.contact(mid)?.status, contactStatus.FRIEND);
    });

    test('an official account shows its details and its profile', async () => {
      const shop = await server.user('shop', 'official');
      assert.equal((await ann.contacts.official(shop.mid)).mid, shop.mid);
      assert.equal((await ann.contacts.officialProfile(shop.mid)).displayName, 'shop');
      const notice = await ann.contacts.profileNotice(bob.mid);
      assert.notEqual(notice?.noticeAntiFraudDifferentRegion, true);
    });
  });
}
