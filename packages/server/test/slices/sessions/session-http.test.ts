// Accounts, login and sessions over HTTP, as operators and clients use them.
import assert from 'node:assert/strict';
import { after, before, describe, test } from 'node:test';
import { createRawClient, type RawAnswer } from '@sealpost/conformance/testing';
import { httpPaths, pathOf, type RSAKeyInfo, type TokenV3IssueResult } from '@sealpost/contract';
import { databases, startServer, type TestServer } from '@sealpost/dev-env/harness';
import { operator } from '@sealpost/dev-env/people';
import { createRpcClient, GatewayError } from '@sealpost/sdk';
import { encryptCredential } from '@sealpost/sdk/credential';

const LOGIN = pathOf('AuthService.loginV2');
const RSA = pathOf('TalkService.getRSAKeyInfo');
const tokensOf = ({ body }: RawAnswer) => body.data?.tokenV3IssueResult as unknown as TokenV3IssueResult;

for (const database of databases) {
  describe(`accounts and sessions over HTTP on ${database}`, () => {
    let server: TestServer;
    before(async () => {
      server = await startServer({ database });
    });
    after(() => server.close());

    let users = 0;
    async function account() {
      const userid = `person${users++}`;
      const password = `password of ${userid}`;
      const { mid } = await operator(server).createAccount({ userid, password, displayName: userid });
      return { userid, password, mid };
    }

    async function rawLogin(identifier: string, password: string) {
      const raw = createRawClient({ url: server.url });
      const key = (await raw.send(RSA, { body: '[1]' })).body.data as unknown as RSAKeyInfo;
      const request = {
        type: 0,
        identityProvider: 1,
        identifier: key.keynm,
        password: encryptCredential(key, identifier, password),
      };
      return { raw, answer: await raw.send(LOGIN, { body: JSON.stringify([request]) }) };
    }

    test('an account made by the operator logs in through the SDK, and the login shows among its sessions', async () => {
      const { userid, password, mid } = await account();
      const client = createRpcClient({ url: server.url });
      const session = await client.login({ identifier: userid, password });
      assert.equal(session.mid, mid);
      assert.equal((await client.TalkService.getProfile(2)).mid, mid);
      const { sessions } = await operator(server).listSessions({ account: mid });
      assert.deepEqual(
        sessions.map(({ loginSessionId }) => loginSessionId),
        [session.tokens.loginSessionId],
      );
      await client.logout();
      assert.deepEqual(await operator(server).listSessions({ account: mid }), { sessions: [] });
      client.close();
    });

    test('a login answers the cookie lct beside the tokens', async () => {
      const { userid, password } = await account();
      const { answer } = await rawLogin(userid, password);
      assert.equal(answer.status, 200);
      const { accessToken } = tokensOf(answer);
      assert.deepEqual(answer.headers['set-cookie'], [
        `lct=${accessToken}; Path=/; Max-Age=604800; HttpOnly; SameSite=Strict`,
      ]);
    });

    test('a wrong password and an unknown user get the same bytes, and too many tries say when to come back', async () => {
      const { userid } = await account();
      const known = (await rawLogin(userid, 'wrong')).answer;
      const unknown = (await rawLogin(`${userid}x`, 'wrong')).answer;
      assert.equal(known.status, 400);
      assert.equal(known.text, unknown.text);
      assert.match(known.text, /Account ID or password is invalid/);
      for (let n = 0; n < 9; n++) await rawLogin(userid, 'wrong');
      const { answer } = await rawLogin(userid, 'wrong');
      assert.match(answer.text, /Too many login attempts/);
      assert.ok(Number(answer.headers['retry-after']) > 0);
    });

    test('tokenRefresh works with the refresh token alone and survives a restart of the server', async () => {
      const { userid, password } = await account();
      const { answer } = await rawLogin(userid, password);
      const { refreshToken } = tokensOf(answer);
      await server.restart();
      const raw = createRawClient({ url: server.url });
      const refresh = () => raw.send(httpPaths.tokenRefresh, { body: JSON.stringify({ refreshToken }) });
      const [first, second] = await Promise.all([refresh(), refresh()]);
      assert.equal(first.status, 200, first.text);
      assert.equal(first.text, second.text);
      assert.equal(JSON.parse(first.text).accessToken, first.body.data?.accessToken);
      assert.match(String(first.headers['set-cookie']), /^lct=/);
    });

    test('disabling an account closes its open streams and refuses its token', async () => {
      const { userid, password, mid } = await account();
      const client = createRpcClient({ url: server.url });
      await client.login({ identifier: userid, password });
      const { accessToken } = client.session?.tokens ?? {};
      const stream = await fetch(`${server.url}${httpPaths.operationReceive}?localRev=0`, {
        headers: { 'x-svc-access': accessToken ?? '' },
      });
      assert.equal(stream.status, 200);
      const rest = stream.text();
      await operator(server).disableAccount({ account: mid });
      assert.match(await rest, /V3_TOKEN_CLIENT_LOGGED_OUT/);
      await assert.rejects(client.TalkService.getProfile(2), (error: GatewayError) => error instanceof GatewayError);
      client.close();
    });
  });
}
