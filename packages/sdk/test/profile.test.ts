import assert from 'node:assert/strict';
import { after, before, describe, test } from 'node:test';
import { type SettingsUpdate, settingsFields } from '@sealpost/contract';
import { databases, startServer, type TestServer, type TestUser } from '@sealpost/dev-env/harness';
import { pngOf } from '@sealpost/dev-env/packs';
import { type Client, MediaError } from '@sealpost/sdk';
import { opened } from './opened.ts';

for (const database of databases) {
  describe(`the profile on ${database}`, () => {
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

    test('name and status message change, for this account and for its contacts', async () => {
      const ben = await opened(server, bob);
      await ben.contacts.add(alice.mid);
      await ann.profile.setDisplayName('Alice A.');
      await ann.profile.setStatusMessage('at home');
      await Promise.all([ann.synced(), ben.synced()]);
      const { profile } = ann.replica;
      assert.deepEqual([profile?.displayName, profile?.statusMessage], ['Alice A.', 'at home']);
      assert.equal(ben.replica.nameOf(alice.mid), 'Alice A.');
      assert.equal(ben.replica.contact(alice.mid)?.statusMessage, 'at home');
      await ann.profile.setStatusMessage({ text: '(smile)', metadata: { REPLACE: '{}' } });
      await ann.synced();
      assert.deepEqual(ann.replica.profile?.statusMessageContentMetadata, { REPLACE: '{}' });
    });

    test('every attribute of a profile changes, many at once', async () => {
      const avatar = { version: '1', updatedMillis: '1700000000000', thumbnail: '/a', usablePublicly: true };
      await ann.profile.update({
        phoneticName: 'alis',
        email: `alice@${database}.example`,
        allowSearchByUserid: false,
        allowSearchByEmail: false,
        musicProfile: { title: 'A song' },
        avatarProfile: avatar,
        buddyStatus: 'open',
      });
      await ann.synced();
      const profile = await ann.profile.get();
      assert.deepEqual(ann.replica.profile, profile);
      assert.deepEqual(
        [profile.phoneticName, profile.email, profile.allowSearchByUserid, profile.allowSearchByEmail],
        ['alis', `alice@${database}.example`, false, false],
      );
      assert.deepEqual(JSON.parse(profile.musicProfile ?? ''), { title: 'A song' });
      assert.deepEqual(profile.avatarProfile, avatar);
      await ann.profile.update({ musicProfile: '', avatarProfile: '', phoneticName: '' });
      const later = await ann.profile.get();
      assert.deepEqual(
        [later.musicProfile, later.avatarProfile, later.phoneticName],
        [undefined, undefined, undefined],
      );
      const before = await ann.rpc.TalkService.getLastOpRevision();
      await ann.profile.update({});
      assert.equal(await ann.rpc.TalkService.getLastOpRevision(), before);
    });

    test('a picture is uploaded, shown and removed', async () => {
      const path = await ann.profile.setPicture(new Blob([new Uint8Array(pngOf('alice', { comment: 'at home' }))]));
      await ann.synced();
      assert.equal(ann.replica.profile?.picturePath, path);
      assert.equal((await fetch(server.url + path)).status, 200);
      await ann.profile.removePicture();
      await ann.synced();
      assert.equal(ann.replica.profile?.picturePath, undefined);
      const heif = new Uint8Array(Buffer.from('\0\0\0\x18ftypheic and more', 'latin1'));
      await assert.rejects(
        ann.profile.setPicture(heif),
        (error) => error instanceof MediaError && error.reason === 'metadata',
      );
    });

    test('a cover is uploaded, read by others, and removed', async () => {
      const ben = await opened(server, bob);
      assert.equal((await ben.profile.cover(alice.mid)).objectId, undefined);
      assert.equal(await ben.profile.coverPicture(alice.mid), undefined);
      const bytes = new Uint8Array(pngOf('a cover'));
      const { objectId } = await ann.profile.setCover(bytes);
      assert.equal((await ann.profile.cover()).objectId, objectId);
      assert.equal((await ben.profile.cover(alice.mid)).objectId, objectId);
      assert.deepEqual(await ben.profile.coverPicture(alice.mid), bytes);
      await ann.profile.removeCover();
      assert.equal((await ben.profile.cover(alice.mid)).objectId, undefined);
    });

    test('settings are read and changed by their names', async () => {
      const { settings } = ann.profile;
      await settings.set({ notificationEnable: false, privacyStatusMessageHistory: 2, notificationMention: false });
      await ann.synced();
      const { replica } = ann;
      assert.deepEqual(
        [replica.settings?.notificationEnable, replica.settings?.privacyStatusMessageHistory],
        [false, 2],
      );
      assert.deepEqual(await settings.get('notificationEnable', 'notificationMention'), {
        notificationEnable: false,
        notificationMention: false,
      });
      assert.deepEqual(await settings.all(), replica.settings);
      const before = await ann.rpc.TalkService.getLastOpRevision();
      await settings.set({});
      assert.equal(await ann.rpc.TalkService.getLastOpRevision(), before);
    });

    test('every setting that an account may change is stored under its own name', async () => {
      const values = {
        time: '1700000000000',
        text: 'text',
        number: 1,
        map: { key: 'value' },
        flagOrTime: true,
      } as const;
      const fixed = ['identityProvider', 'identityIdentifier', 'phoneRegistration', 'emailConfirmationStatus'];
      const all = await ann.profile.settings.all();
      for (const [name, { kind }] of Object.entries(settingsFields)) {
        if (fixed.includes(name) || name === 'e2eeEnable') continue;
        const value = kind === 'flag' ? !(all as Record<string, unknown>)[name] : values[kind];
        await ann.profile.settings.set({ [name]: value } as SettingsUpdate);
        const read = await ann.profile.settings.get(name as keyof typeof settingsFields);
        assert.deepEqual(read, { [name]: value }, name);
      }
    });
  });
}
