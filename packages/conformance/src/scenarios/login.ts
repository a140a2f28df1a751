import { brandHeader, httpPaths, loginResultTypes } from '@sealpost/contract';
import { TokenV3IssueResult } from '@sealpost/contract/schemas';
import { expectError, expectResult, expectSchema, expectSuccess } from '../answers.ts';
import { scenarios } from '../check.ts';
import { expectEnded } from '../ended-session.ts';
import { expectEqual, expectThat } from '../mismatch.ts';
import { newDevice } from '../new-device.ts';
import type { Loose } from '../raw-client.ts';
import type { World } from '../world.ts';

const heading = 'Login and identity';
const COLUMN = '\u001f';
const ROW = '\u001e';

const refresh = ({ raw }: World, token: string | undefined, body: unknown) =>
  raw.send(httpPaths.tokenRefresh, { body: JSON.stringify(body), token });

export const login = scenarios('login', {
  key: {
    endpoint: 'TalkService.getRSAKeyInfo',
    heading,
    expects: 'A key for a credential is hex with a session key, and each call returns another name',
    async run({ raw }) {
      const ask = async () =>
        expectResult('TalkService.getRSAKeyInfo', await raw.call('TalkService.getRSAKeyInfo', [1]));
      const [one, two] = [await ask(), await ask()];
      expectThat(/^[0-9a-f]{256,}$/.test(one.nvalue), 'a modulus in lower-case hex', one.nvalue);
      expectThat(/^[0-9a-f]+$/.test(one.evalue), 'an exponent in lower-case hex', one.evalue);
      expectThat(one.keynm !== two.keynm, 'another key each time', one.keynm);
    },
  },
  credential: {
    endpoint: 'AuthService.loginV2',
    heading,
    expects: 'The first login of an account with its password returns tokens, a certificate and the mid',
    async run({ target, admin, account, onEnd }) {
      const { userid, password, mid } = await account();
      await admin.endSessions({ account: mid });
      const device = newDevice(target);
      onEnd(async () => device.close());
      const answer = await device.login(userid, password);
      const result = expectResult('AuthService.loginV2', answer);
      expectEqual('the result to be of the type SUCCESS', result.type, loginResultTypes.SUCCESS);
      expectEqual('the mid to be', result.mid, mid);
      expectThat(/^[0-9a-f]{64}$/.test(result.certificate ?? ''), 'a certificate of 64 hex digits', answer.text);
      expectThat(result.tokenV3IssueResult !== undefined, 'tokens', answer.text);
    },
  },
  'wrong-credential': {
    endpoint: 'AuthService.loginV2',
    heading: 'Errors',
    expects: 'A wrong password and an unknown user are refused alike',
    async run({ target, account, onEnd }) {
      const { userid } = await account();
      const device = newDevice(target);
      onEnd(async () => device.close());
      const wrong = await device.login(userid, 'not the password');
      const unknown = await device.login(`${userid}-nobody`, 'not the password');
      expectError('a wrong password', wrong, 'INVALID_IDENTITY_CREDENTIAL');
      expectEqual('the refusal of an unknown user to be', unknown.text, wrong.text);
    },
  },
  'second-device': {
    endpoint: 'AuthService.loginV2',
    heading: 'States and transitions',
    expects: 'A login on a second device either succeeds, or asks for a confirmation that the first device can give',
    async run({ account }) {
      const first = await account();
      const second = await first.session();
      expectEqual('the mid to be', (await second.call('TalkService.getProfile')).mid, first.mid);
      const sessions = await first.call('PrimaryDeviceService.getSessions');
      expectEqual('sessions of the account', sessions.length, 2);
    },
  },
  'login-with-keys': {
    endpoint: 'AuthService.confirmE2EELogin',
    heading: 'Login and identity',
    expects: 'confirmE2EELogin with a verifier that the server never issued is refused as a talk exception',
    async run({ raw }) {
      const answer = await raw.call('AuthService.confirmE2EELogin', ['no-such-verifier', 'AAAAAAAAAAAAAAAAAAAAAA==']);
      expectError('confirmE2EELogin', answer, 'AUTHENTICATION_FAILED');
    },
  },
  'unknown-verifier': {
    endpoint: 'AuthService.loginV2',
    heading: 'Errors',
    expects: 'The last step of a login with an unknown verifier is refused as a talk exception',
    async run({ raw }) {
      const answer = await raw.call('AuthService.loginV2', [{ type: 1, verifier: 'no-such-verifier' }]);
      expectError('loginV2', answer, 'AUTHENTICATION_FAILED');
    },
  },
  refresh: {
    endpoint: 'tokenRefresh',
    heading: 'Authentication',
    expects: 'tokenRefresh returns new tokens, both in data and at the top, and the new access token works',
    async run(world) {
      const alice = await world.account();
      const before = alice.client.session?.tokens;
      const answer = await refresh(world, alice.token, { refreshToken: before?.refreshToken });
      const data = expectSuccess('tokenRefresh', answer);
      expectSchema('the tokens', TokenV3IssueResult, data);
      const tokens = data as TokenV3IssueResult;
      const top = answer.body as unknown as Loose;
      expectEqual('accessToken at the top to be', top.accessToken, tokens.accessToken);
      expectThat(tokens.accessToken !== before?.accessToken, 'a new access token', answer.text);
      const profile = await world.raw.call('TalkService.getProfile', [], tokens.accessToken);
      expectEqual('the owner of the new token to be', expectResult('TalkService.getProfile', profile).mid, alice.mid);
    },
  },
  'refresh-refused': {
    endpoint: 'tokenRefresh',
    heading: 'Authentication',
    expects: 'A bad refresh token is refused with code 10201, a body without one with code 10003',
    async run(world) {
      const alice = await world.account();
      const junk = await refresh(world, alice.token, { refreshToken: 'junk' });
      expectError('tokenRefresh with junk', junk, 'AUTH_INVALID_REQUEST');
      expectError('tokenRefresh of nothing', await refresh(world, alice.token, {}), 'REQUEST_SCHEMA');
      expectError('tokenRefresh of a list', await refresh(world, alice.token, []), 'REQUEST_SCHEMA');
    },
  },
  logout: {
    endpoint: 'AuthService.logoutV2',
    heading,
    expects: 'A logout ends its session, whose calls then get talk code 8, and leaves the others alone',
    async run({ account, raw }) {
      const alice = await account();
      const other = await alice.session();
      const { token } = other;
      await other.call('AuthService.logoutV2');
      await expectEnded(raw, token);
      await alice.call('TalkService.getProfile');
    },
  },
  'stored-identity': {
    endpoint: 'TalkService.getEncryptedIdentityV3',
    heading,
    expects: 'The values that a client derives its storage key from are the same in every session of the account',
    async run({ account }) {
      const alice = await account();
      const values = await alice.call('TalkService.getEncryptedIdentityV3');
      const other = await alice.session();
      expectEqual('the values to be', await other.call('TalkService.getEncryptedIdentityV3'), values);
    },
  },
  'object-token': {
    endpoint: 'TalkService.acquireEncryptedAccessToken',
    heading,
    expects: 'The object storage token is row 1, column 0 of a text with separators 0x1e and 0x1f',
    async run({ account }) {
      const alice = await account();
      const text = await alice.call('TalkService.acquireEncryptedAccessToken', 2);
      const token = text.split(ROW)[1]?.split(COLUMN)[0];
      expectThat(Boolean(token), 'a token in row 1, column 0', JSON.stringify(text));
    },
  },
  'poll-lf1': {
    endpoint: 'longPollLF1',
    heading: 'Limits',
    expects: 'The poll of a sealed login with an unknown verifier ends with HTTP 410 and a body that says so',
    run: ({ raw }) => pollOfNothing(raw, httpPaths.longPollLF1),
  },
  'poll-jq': {
    endpoint: 'longPollJQ',
    heading: 'Limits',
    expects: 'The poll of a plain login with an unknown verifier ends with HTTP 410 and a body that says so',
    run: ({ raw }) => pollOfNothing(raw, httpPaths.longPollJQ),
  },
});

async function pollOfNothing(raw: World['raw'], path: string): Promise<void> {
  const headers = { [brandHeader(raw.brand, 'sessionId')]: 'no-such-verifier', 'X-LST': '1000' };
  const answer = await raw.send(path, { verb: 'GET', headers });
  expectError(path, answer, 'POLL_GONE');
  expectEqual('statusCode in data to be', answer.body.data?.statusCode, 410);
}
