import { scenarios } from '../check.ts';
import { expectEnded } from '../ended-session.ts';
import { expectEqual } from '../mismatch.ts';

const heading = 'none: an endpoint beyond the specification (extension)';

export const devices = scenarios('devices', {
  rename: {
    endpoint: 'PrimaryDeviceService.renameSession',
    heading,
    expects: 'A session keeps the name that it is given, and the list marks the session of the call',
    async run({ account }) {
      const alice = await account();
      const loginSessionId = alice.client.session?.tokens.loginSessionId ?? '';
      await alice.call('PrimaryDeviceService.renameSession', { loginSessionId, name: 'desk' });
      const seen = (await alice.call('PrimaryDeviceService.getSessions')).map(({ name, current }) => [name, current]);
      expectEqual('the sessions to be', seen, [['desk', true]]);
    },
  },
  revoke: {
    endpoint: 'PrimaryDeviceService.revokeOtherSessions',
    heading,
    expects: 'Revoking the other sessions ends them at once and leaves the session of the call',
    async run({ account, raw }) {
      const alice = await account();
      const other = await alice.session();
      await alice.call('PrimaryDeviceService.revokeOtherSessions');
      await expectEnded(raw, other.token);
      await alice.call('TalkService.getProfile');
    },
  },
});
