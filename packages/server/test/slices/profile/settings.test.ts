import assert from 'node:assert/strict';
import { after, before, describe, test } from 'node:test';
import { type SettingsFieldName, type SettingsUpdate, settingsAttributes, settingsFields } from '@sealpost/contract';
import { databases, startServer, type TestServer, type TestUser } from '@sealpost/dev-env/harness';
import { account, bare, failsWith, op } from '@sealpost/dev-env/people';

/** A value that differs from the default, for each kind of setting. */
const samples = { flag: undefined, time: '1700000000000', text: 'text', number: 1, map: { a: 'b' }, flagOrTime: true };

for (const database of databases) {
  describe(`settings on ${database}`, () => {
    let server: TestServer;
    let alice: TestUser;
    before(async () => {
      server = await startServer({ database });
    });
    after(() => server.close());

    const update = async (attributes: number[], settings: SettingsUpdate): Promise<number> => {
      const reqSeq = alice.client.nextReqSeq();
      await alice.client.TalkService.updateSettingsAttributes2(reqSeq, attributes, settings);
      return reqSeq;
    };
    const get = (...attributes: number[]) => alice.client.TalkService.getSettingsAttributes2(attributes);

    test('a new account has every setting with its default', async () => {
      alice = await server.user('alice');
      const settings = await alice.client.TalkService.getSettings(2);
      assert.equal(settings.e2eeEnable, true);
      assert.equal(settings.privacyReceiveMessagesFromNotFriend, true);
      assert.equal(settings.privacySearchByUserid, true);
      assert.equal(settings.privacyAgeResult, 3);
      assert.equal(settings.notificationMuteExpiration, '0');
      assert.equal(settings.phoneRegistration, false);
      for (const [name, { kind }] of Object.entries(settingsFields)) {
        if (kind === 'flag') assert.equal(typeof settings[name as SettingsFieldName], 'boolean', name);
      }
    });

    test('every setting that is not a fact of the account can be changed and read by its number', async () => {
      alice = await server.user('alice');
      const facts = ['identityProvider', 'identityIdentifier', 'phoneRegistration', 'emailConfirmationStatus'];
      const defaults = await alice.client.TalkService.getSettings();
      for (const [name, { attribute, kind }] of Object.entries(settingsFields)) {
        const number = settingsAttributes[attribute];
        const value = samples[kind] ?? !defaults[name as SettingsFieldName];
        const change = update([number], { [name]: value });
        if (facts.includes(name)) {
          await assert.rejects(change, failsWith('FEATURE_RESTRICTED'), name);
          continue;
        }
        const expected = op('UPDATE_SETTINGS', await change, String(number));
        assert.deepEqual(await get(number), { [name]: value }, name);
        const told = typeof value === 'boolean' ? { ...expected, param2: value ? 'bT' : 'bF' } : expected;
        const head = Number(await alice.client.TalkService.getLastOpRevision());
        assert.deepEqual(bare(await alice.log(head - 1)), [told], name);
      }
    });

    test('only the listed attributes change, one operation each', async () => {
      alice = await server.user('alice');
      const { NOTIFICATION_ENABLE, NOTIFICATION_DISABLED_WITH_SUB, E2EE_ENABLE } = settingsAttributes;
      const reqSeq = await update([NOTIFICATION_ENABLE, NOTIFICATION_DISABLED_WITH_SUB, NOTIFICATION_ENABLE], {
        notificationEnable: false,
        notificationDisabledWithSub: Number.MAX_SAFE_INTEGER,
        e2eeEnable: false,
      });
      assert.deepEqual(bare(await alice.log()), [
        op('UPDATE_SETTINGS', reqSeq, '0', 'bF'),
        op('UPDATE_SETTINGS', reqSeq, '16'),
      ]);
      assert.deepEqual(await get(NOTIFICATION_ENABLE, NOTIFICATION_DISABLED_WITH_SUB, E2EE_ENABLE), {
        notificationEnable: false,
        notificationDisabledWithSub: Number.MAX_SAFE_INTEGER,
        e2eeEnable: true,
      });
    });

    test('settings that are unknown, without a value or out of range are refused and change nothing', async () => {
      alice = await server.user('alice');
      const { NOTIFICATION_ENABLE, PRIVACY_AGE_RESULT, SNS_ACCOUNT } = settingsAttributes;
      await assert.rejects(update([9999], {}), failsWith('ILLEGAL_ARGUMENT', /9999/));
      await assert.rejects(update([-1], {}), failsWith('ILLEGAL_ARGUMENT'));
      await assert.rejects(get(9999), failsWith('ILLEGAL_ARGUMENT'));
      await assert.rejects(update([NOTIFICATION_ENABLE], {}), failsWith('ILLEGAL_ARGUMENT', /notificationEnable/));
      await assert.rejects(update([PRIVACY_AGE_RESULT], { privacyAgeResult: 9 }), failsWith('ILLEGAL_ARGUMENT'));
      const many = Object.fromEntries(Array.from({ length: 40 }, (_, i) => [String(i), 'x']));
      await assert.rejects(update([SNS_ACCOUNT], { snsAccounts: many }), failsWith('INVALID_LENGTH'));
      await assert.rejects(
        update([NOTIFICATION_ENABLE, PRIVACY_AGE_RESULT], { notificationEnable: false, privacyAgeResult: 9 }),
        failsWith('ILLEGAL_ARGUMENT'),
      );
      const fact = settingsAttributes[settingsFields.identityIdentifier.attribute];
      await assert.rejects(update([fact], { identityIdentifier: 'x' }), failsWith('FEATURE_RESTRICTED'));
      assert.deepEqual(await alice.log(), []);
      assert.deepEqual(await get(NOTIFICATION_ENABLE), { notificationEnable: true });
    });

    test('settings show whether the account has a phone number and an e-mail address', async () => {
      const user = await account(server, { phone: '+81311112222', email: 'facts@example.org' });
      const settings = await user.client.TalkService.getSettings();
      assert.equal(settings.phoneRegistration, true);
      assert.equal(settings.emailConfirmationStatus, 3);
      assert.equal(settings.identityIdentifier, 'facts@example.org');
      user.close();
    });

    test('changed settings survive a restart', async () => {
      alice = await server.user('alice');
      const { PRIVACY_AGE_RESULT, PRIVACY_SEARCH_BY_EMAIL, AGREEMENT_GDPR } = settingsAttributes;
      await update([PRIVACY_AGE_RESULT, PRIVACY_SEARCH_BY_EMAIL, AGREEMENT_GDPR], {
        privacyAgeResult: 1,
        privacySearchByEmail: false,
        agreementGdpr: 1700000000000,
      });
      const before = await alice.client.TalkService.getSettings();
      assert.equal(before.agreementGdpr, '1700000000000');
      await server.restart();
      assert.deepEqual(await (await alice.session()).TalkService.getSettings(), before);
    });

    test('settings changed at the same moment by two sessions are both kept', async () => {
      alice = await server.user('alice');
      const other = await alice.session();
      await Promise.all([
        update([0], { notificationEnable: false }),
        other.TalkService.updateSettingsAttributes2(0, [2], { notificationNewMessage: false }),
        other.TalkService.updateSettingsAttributes2(0, [25], { privacyReceiveMessagesFromNotFriend: false }),
      ]);
      assert.deepEqual(await get(0, 2, 25), {
        notificationEnable: false,
        notificationNewMessage: false,
        privacyReceiveMessagesFromNotFriend: false,
      });
    });
  });
}
