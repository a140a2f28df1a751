import { limits, profileAttributes, settingsAttributes } from '@sealpost/contract';
import { scenarios } from '../check.ts';
import { expectEqual, expectThat } from '../mismatch.ts';
import { expectTold } from '../told.ts';

const heading = 'Profile, settings, configuration';
const [E2EE, STRANGERS, MUTED] = [
  settingsAttributes.E2EE_ENABLE,
  settingsAttributes.PRIVACY_RECV_MESSAGES_FROM_NOT_FRIEND,
  settingsAttributes.NOTIFICATION_DISABLED_WITH_SUB,
];

export const profile = scenarios('profile', {
  own: {
    endpoint: 'TalkService.getProfile',
    heading: 'Profile',
    expects: 'The profile is that of the caller; fields that are not set are left out',
    async run({ account }) {
      const alice = await account();
      const seen = await alice.call('TalkService.getProfile', 2);
      expectEqual('mid and userid to be', [seen.mid, seen.userid], [alice.mid, alice.userid]);
      expectThat(!('picturePath' in seen), 'no picturePath', seen);
    },
  },
  update: {
    endpoint: 'TalkService.updateProfileAttributes',
    heading,
    expects:
      "Changed attributes show at once; the caller's sessions are told, and those who have the account as a contact",
    async run({ people }) {
      const [alice, bob] = await people('alice', 'bob');
      await bob.call('TalkService.findAndAddContactsByMid', 2, 0, [alice.mid]);
      const bit = profileAttributes.STATUS_MESSAGE;
      const request = { profileAttributes: { [bit]: { value: 'out' } } };
      const json = '{"statusMessage":"out"}';
      await expectTold(
        () => alice.call('TalkService.updateProfileAttributes', alice.reqSeq(), request),
        [
          [alice, [`UPDATE_PROFILE ${bit} ${json}`]],
          [bob, [`NOTIFIED_UPDATE_PROFILE ${alice.mid} ${bit} ${json}`]],
        ],
      );
      expectEqual('the status message to be', (await alice.call('TalkService.getProfile')).statusMessage, 'out');
      expectEqual('the contact to have it', (await bob.call('TalkService.getContact', alice.mid)).statusMessage, 'out');
    },
  },
  'update-refused': {
    endpoint: 'TalkService.updateProfileAttributes',
    heading: 'Limits',
    expects: `A display name of more than ${limits.displayName.value} characters is refused and changes nothing`,
    async run({ account }) {
      const alice = await account();
      const value = 'x'.repeat(limits.displayName.value + 1);
      const attributes = {
        [profileAttributes.STATUS_MESSAGE]: { value: 'new' },
        [profileAttributes.DISPLAY_NAME]: { value },
      };
      const attempt = () =>
        alice.refused('INVALID_LENGTH', 'TalkService.updateProfileAttributes', 2, { profileAttributes: attributes });
      await expectTold(attempt, [[alice, []]]);
      expectThat((await alice.call('TalkService.getProfile')).statusMessage !== 'new', 'nothing changed', attributes);
    },
  },
  settings: {
    endpoint: 'TalkService.updateSettingsAttributes2',
    heading,
    expects: 'Only the listed settings change, and each has its own operation',
    async run({ account }) {
      const alice = await account();
      const before = await alice.call('TalkService.getSettings');
      const values = {
        privacyReceiveMessagesFromNotFriend: false,
        notificationDisabledWithSub: Number.MAX_SAFE_INTEGER,
        e2eeEnable: !before.e2eeEnable,
      };
      const listed = [STRANGERS, MUTED];
      const from = await alice.revision();
      await alice.call('TalkService.updateSettingsAttributes2', alice.reqSeq(), listed, values);
      const told = (await alice.log(from)).map(({ param1 }) => param1);
      expectEqual('the attributes told to be', told, listed.map(String));
      const after = await alice.call('TalkService.getSettings');
      expectEqual('privacyReceiveMessagesFromNotFriend to be', after.privacyReceiveMessagesFromNotFriend, false);
      expectEqual('e2eeEnable, which was not listed, to stay', after.e2eeEnable, before.e2eeEnable);
      const subset = await alice.call('TalkService.getSettingsAttributes2', [E2EE]);
      expectEqual('the subset to be', subset, { e2eeEnable: before.e2eeEnable });
    },
  },
  configurations: {
    endpoint: 'TalkService.getConfigurations',
    heading: 'Limits',
    expects: 'The configuration has the limits that clients read from it',
    async run({ account }) {
      const alice = await account();
      const { configMap } = await alice.call('TalkService.getConfigurations', '', '', '', 'JP', '', 2);
      const keys = [
        'function.limit.sync.messageboxes',
        'limit.sync.messages',
        'limit.sync.contacts',
        'limit.sync.groups',
      ];
      for (const key of keys) expectThat(Number(configMap[key]) > 0, `a number for ${key}`, configMap);
    },
  },
  'report-abuse': {
    endpoint: 'TalkService.reportAbuseEx',
    heading,
    expects: 'A report of a message is accepted, and nobody is told',
    async run({ people }) {
      const [alice, bob] = await people('alice', 'bob');
      await bob.say(alice.mid, 'buy this');
      const message = {
        reportSource: 2,
        applicationType: 368,
        spammerReasons: [1 as const],
        abuseMessages: [],
        metadata: { userMid: bob.mid, displayName: 'conformance' },
      } as const;
      const report = () =>
        alice.call('TalkService.reportAbuseEx', {
          abuseReportEntry: { message: { ...message, spammerReasons: [1], abuseMessages: [] } },
        });
      await expectTold(report, [
        [alice, []],
        [bob, []],
      ]);
    },
  },
});
