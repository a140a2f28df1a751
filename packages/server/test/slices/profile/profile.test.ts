import assert from 'node:assert/strict';
import { after, before, describe, test } from 'node:test';
import { profileAttributes as bits, limits } from '@sealpost/contract';
import { databases, startServer, type TestServer, type TestUser } from '@sealpost/dev-env/harness';
import { account, bare, failsWith, op } from '@sealpost/dev-env/people';
import { createRpcClient } from '@sealpost/sdk';

for (const database of databases) {
  describe(`profile on ${database}`, () => {
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
    type Values = Record<number, { value: string; meta?: Record<string, string> }>;
    const update = async (user: TestUser, profileAttributes: Values): Promise<number> => {
      const reqSeq = user.client.nextReqSeq();
      await user.client.TalkService.updateProfileAttributes(reqSeq, { profileAttributes });
      return reqSeq;
    };

    test('getProfile answers the own account', async () => {
      alice = await server.user('alice');
      const profile = await alice.client.TalkService.getProfile(2);
      assert.equal(profile.mid, alice.mid);
      assert.equal(profile.userid, alice.userid);
      assert.equal(profile.displayName, 'alice');
      assert.equal(profile.allowSearchByUserid, true);
      assert.match(profile.createdTimeMillis ?? '', /^\d{13}$/);
      assert.equal('picturePath' in profile, false, 'what is not set is left out');
    });

    test('every attribute can be changed, and the own sessions hear which', async () => {
      await pair();
      const avatar = { version: '1', updatedMillis: '5', thumbnail: '/a', usablePublicly: true };
      const reqSeq = await update(alice, {
        [bits.EMAIL]: { value: `${alice.userid}@Example.org` },
        [bits.DISPLAY_NAME]: { value: 'Алиса 🐈' },
        [bits.PHONETIC_NAME]: { value: 'alisa' },
        [bits.PICTURE]: { value: '' },
        [bits.STATUS_MESSAGE]: { value: 'out', meta: { k: 'v' } },
        [bits.ALLOW_SEARCH_BY_USERID]: { value: 'false' },
        [bits.ALLOW_SEARCH_BY_EMAIL]: { value: 'false' },
        [bits.BUDDY_STATUS]: { value: 'open' },
        [bits.MUSIC_PROFILE]: { value: '{"id":"1"}' },
        [bits.AVATAR_PROFILE]: { value: JSON.stringify(avatar) },
      });
      const profile = await alice.client.TalkService.getProfile();
      assert.equal(profile.email, `${alice.userid}@example.org`);
      assert.equal(profile.displayName, 'Алиса 🐈');
      assert.equal(profile.phoneticName, 'alisa');
      assert.equal('picturePath' in profile, false);
      assert.equal(profile.statusMessage, 'out');
      assert.deepEqual(profile.statusMessageContentMetadata, { k: 'v' });
      assert.equal(profile.allowSearchByUserid, false);
      assert.equal(profile.allowSearchByEmail, false);
      assert.equal(profile.musicProfile, '{"id":"1"}');
      assert.deepEqual(profile.avatarProfile, avatar);
      const [operation] = await alice.log();
      assert.equal(operation?.type, 1);
      assert.equal(operation?.reqSeq, reqSeq);
      assert.equal(operation?.param1, '1023');
      assert.equal(JSON.parse(operation?.param2 ?? '').displayName, 'Алиса 🐈');
      await assert.rejects(bob.client.TalkService.findContactByUserid(alice.userid), failsWith('NOT_FOUND'));
      assert.equal((await alice.client.TalkService.getSettings()).privacySearchByUserid, false, 'one fact, two views');
      const seen = await bob.client.TalkService.getContact(alice.mid);
      assert.equal(seen.statusMessage, 'out');
      assert.equal('email' in seen || 'buddyStatus' in seen, false);
    });

    test('users who have the account as a contact hear what they may see', async () => {
      await pair();
      const carol = await server.user('carol');
      await bob.client.TalkService.findAndAddContactsByMid(0, 0, [alice.mid]);
      const reqSeq = await update(alice, {
        [bits.STATUS_MESSAGE]: { value: 'hi' },
        [bits.EMAIL]: { value: `private-${alice.userid}@example.org` },
      });
      assert.deepEqual(
        bare(await bob.log()).at(-1),
        op('NOTIFIED_UPDATE_PROFILE', 0, alice.mid, '16', '{"statusMessage":"hi"}'),
      );
      assert.deepEqual(await carol.log(), []);
      assert.equal(bare(await alice.log()).at(-1)?.reqSeq, reqSeq);
      const before = (await bob.log()).length;
      await update(alice, { [bits.ALLOW_SEARCH_BY_USERID]: { value: 'false' } });
      assert.equal((await bob.log()).length, before, 'private attributes are told to nobody else');
    });

    test('a repeated update changes once, and an empty value removes', async () => {
      alice = await server.user('alice');
      const { TalkService } = alice.client;
      const profileAttributes = { [bits.PHONETIC_NAME]: { value: 'alisa' } };
      const call = () => TalkService.updateProfileAttributes(77, { profileAttributes });
      await call();
      await call();
      assert.equal((await alice.log()).length, 1);
      assert.equal((await TalkService.getProfile()).phoneticName, 'alisa');
      await update(alice, { [bits.PICTURE]: { value: '' }, [bits.PHONETIC_NAME]: { value: '' } });
      const profile = await TalkService.getProfile();
      assert.deepEqual(['picturePath' in profile, 'phoneticName' in profile], [false, false]);
    });

    test('bad attributes are refused and change nothing', async () => {
      await pair();
      const taken = `${bob.userid}@example.org`;
      await update(bob, { [bits.EMAIL]: { value: taken } });
      const cases: [Values, string][] = [
        [{}, 'ILLEGAL_ARGUMENT'],
        [{ [bits.ALL]: { value: 'x' } }, 'ILLEGAL_ARGUMENT'],
        [{ 3: { value: 'x' } }, 'ILLEGAL_ARGUMENT'],
        [{ [bits.DISPLAY_NAME]: { value: '  ' } }, 'ILLEGAL_ARGUMENT'],
        [{ [bits.DISPLAY_NAME]: { value: 'x'.repeat(limits.displayName.value + 1) } }, 'INVALID_LENGTH'],
        [{ [bits.STATUS_MESSAGE]: { value: 'x'.repeat(limits.statusMessage.value + 1) } }, 'INVALID_LENGTH'],
        [{ [bits.PICTURE]: { value: 'https://elsewhere.example/x.png' } }, 'ILLEGAL_ARGUMENT'],
        [{ [bits.PICTURE]: { value: '//elsewhere.example/x.png' } }, 'ILLEGAL_ARGUMENT'],
        [{ [bits.PICTURE]: { value: '/r/../x' } }, 'ILLEGAL_ARGUMENT'],
        [{ [bits.PICTURE]: { value: '/r/talk/p/another' } }, 'ILLEGAL_ARGUMENT'],
        [{ [bits.ALLOW_SEARCH_BY_USERID]: { value: 'maybe' } }, 'ILLEGAL_ARGUMENT'],
        [{ [bits.MUSIC_PROFILE]: { value: 'la la' } }, 'ILLEGAL_ARGUMENT'],
        [{ [bits.AVATAR_PROFILE]: { value: '[]' } }, 'ILLEGAL_ARGUMENT'],
        [{ [bits.AVATAR_PROFILE]: { value: '{"version":"\\ud800"}' } }, 'ILLEGAL_ARGUMENT'],
        [{ [bits.MUSIC_PROFILE]: { value: '{"id":"\\u0000"}' } }, 'ILLEGAL_ARGUMENT'],
        [{ [bits.EMAIL]: { value: 'nonsense' } }, 'ILLEGAL_ARGUMENT'],
        [{ [bits.EMAIL]: { value: taken } }, 'INVALID_STATE'],
        [{ [bits.STATUS_MESSAGE]: { value: 'fine' }, [bits.DISPLAY_NAME]: { value: '' } }, 'ILLEGAL_ARGUMENT'],
      ];
      for (const [values, error] of cases) await assert.rejects(update(alice, values), failsWith(error));
      assert.deepEqual(await alice.log(), []);
      assert.equal((await alice.client.TalkService.getProfile()).statusMessage, '');
      await update(alice, { [bits.DISPLAY_NAME]: { value: '🐈'.repeat(limits.displayName.value) } });
    });

    test('the new e-mail address is a way to log in', async () => {
      const user = await account(server, { email: 'old-name@example.org' });
      await user.client.TalkService.updateProfileAttributes(0, {
        profileAttributes: { [bits.EMAIL]: { value: 'new-name@example.org' } },
      });
      const { mid, password } = user;
      const other = createRpcClient({ url: server.url });
      assert.equal((await other.login({ identifier: 'New-Name@example.org', password })).mid, mid);
      await assert.rejects(other.login({ identifier: 'old-name@example.org', password }));
      other.close();
      user.close();
    });

    test('configurations tell the limits that the server enforces, and the time is that of the server', async () => {
      alice = await server.user('alice');
      const { configMap, revision } = await alice.client.TalkService.getConfigurations('', '', '', 'JP', '', 2);
      assert.match(revision, /^\d+$/);
      assert.equal(configMap['limit.sync.contacts'], String(limits.midsPerCall.value));
      assert.equal(configMap['limit.sync.groups'], String(limits.midsPerCall.value));
      assert.equal(configMap['limit.sync.messages'], String(limits.syncMessages.value));
      assert.equal(configMap['function.limit.sync.messageboxes'], String(limits.syncMessageBoxes.value));
      const before = Date.now();
      const time = Number(await alice.client.TalkService.getServerTime());
      assert.ok(time >= before && time <= Date.now());
    });

    test('the profile survives a restart', async () => {
      alice = await server.user('alice');
      await update(alice, {
        [bits.DISPLAY_NAME]: { value: 'Alicia' },
        [bits.STATUS_MESSAGE]: { value: 's', meta: { a: 'b' } },
        [bits.ALLOW_SEARCH_BY_USERID]: { value: 'false' },
      });
      const before = await alice.client.TalkService.getProfile();
      await server.restart();
      assert.deepEqual(await (await alice.session()).TalkService.getProfile(), before);
    });
  });
}
