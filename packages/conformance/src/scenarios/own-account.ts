import { scenarios } from '../check.ts';
import { expectEnded } from '../ended-session.ts';
import { expectEqual, expectThat } from '../mismatch.ts';
import type { Person } from '../person.ts';
import { randomBytes } from '../surroundings.ts';

const heading = 'none: an endpoint beyond the specification (extension)';
const SERVICE = 'PrimaryDeviceService';

const fresh = (): string => randomBytes(8).toString('hex');

const change = (person: Person, password: string, newPassword: string, endOtherSessions = false) =>
  [`${SERVICE}.changePassword`, { reqSeq: person.reqSeq(), password, newPassword, endOtherSessions }] as const;

export const ownAccount = scenarios('own-account', {
  password: {
    endpoint: `${SERVICE}.changePassword`,
    heading,
    expects: 'Only who knows the password changes it; the session goes on, and the others end if that is asked for',
    async run({ account, raw }) {
      const alice = await account();
      const other = await alice.session();
      const newPassword = fresh();
      await alice.refused('INVALID_IDENTITY_CREDENTIAL', ...change(alice, fresh(), newPassword));
      await alice.refused('ILLEGAL_ARGUMENT', ...change(alice, alice.password, 'short'));
      await alice.call(...change(alice, alice.password, newPassword));
      await other.call('TalkService.getProfile');
      await alice.refused('INVALID_IDENTITY_CREDENTIAL', ...change(alice, alice.password, fresh()));
      await alice.call(...change(alice, newPassword, fresh(), true));
      await alice.call('TalkService.getProfile');
      await expectEnded(raw, other.token);
    },
  },
  repeated: {
    endpoint: `${SERVICE}.changePassword`,
    heading,
    expects: 'A repeat of the call gets the first result, although the old password is no longer right',
    async run({ account }) {
      const alice = await account();
      const call = change(alice, alice.password, fresh());
      await alice.call(...call);
      await alice.call(...call);
    },
  },
  identifiers: {
    endpoint: `${SERVICE}.changeIdentifiers`,
    heading,
    expects: 'A user id that another account has is refused; a free one is stored, and the own log tells it',
    async run({ people }) {
      const [alice, bob] = await people('alice', 'bob');
      const before = await alice.revision();
      const { password } = alice;
      await alice.refused('INVALID_STATE', `${SERVICE}.changeIdentifiers`, {
        reqSeq: alice.reqSeq(),
        password,
        userid: bob.userid,
      });
      const userid = `c${fresh()}`;
      const request = { reqSeq: alice.reqSeq(), password, userid: ` ${userid.toUpperCase()} ` };
      expectEqual('the user id to be', (await alice.call(`${SERVICE}.changeIdentifiers`, request)).userid, userid);
      expectEqual('the user id to be', (await alice.call('TalkService.getProfile')).userid, userid);
      const told = (await alice.log(before)).some(({ param2 }) => param2 === JSON.stringify({ userid }));
      expectThat(told, 'an operation with the new user id', 'none');
    },
  },
  deleted: {
    endpoint: `${SERVICE}.deleteAccount`,
    heading,
    expects: 'A deleted account has no session any more, and its user id is free',
    async run({ account, people, raw }) {
      const [alice, bob] = await people('alice', 'bob');
      const carol = await account();
      await carol.refused('INVALID_IDENTITY_CREDENTIAL', `${SERVICE}.deleteAccount`, { password: fresh() });
      const other = await alice.session();
      const { token, userid, password } = alice;
      await alice.call(`${SERVICE}.deleteAccount`, { password });
      for (const ended of [token, other.token]) {
        const answer = await expectEnded(raw, ended);
        expectEqual('the cause to be', answer.body.data?.parameterMap?.cause, 'ACCOUNT_DELETED');
      }
      await bob.call(`${SERVICE}.changeIdentifiers`, { reqSeq: bob.reqSeq(), password: bob.password, userid });
    },
  },
});
