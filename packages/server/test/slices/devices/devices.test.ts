import assert from 'node:assert/strict';
import { after, before, describe, test } from 'node:test';
import {
  createRawClient,
  type NewDevice,
  newDevice,
  outcomeOf,
  refusalOf,
  sampleHandover,
} from '@sealpost/conformance/testing';
import { errors, failureLimits, httpPaths, loginTypes } from '@sealpost/contract';
import { databases, readLog, startServer, type TestServer, type TestUser } from '@sealpost/dev-env/harness';
import type { RpcClient } from '@sealpost/sdk';
import { createRpcClient, deviceNewsOf } from '@sealpost/sdk';
import { createAdminClient } from '@sealpost/sdk/admin';

for (const database of databases) {
  describe(`sessions of an account on ${database}`, () => {
    let server: TestServer;
    let device: NewDevice;
    before(async () => {
      server = await startServer({ database, flags: { 'login-confirmation': 'new-device' } });
      device = newDevice(server);
    });
    after(async () => {
      device.close();
      await server.close();
    });

    const idOf = (client: RpcClient) => client.session?.tokens.loginSessionId ?? '';
    const isDead = (client: RpcClient) => refusalOf(client.TalkService.getProfile());
    const news = async (user: TestUser, after = 0) =>
      (await user.log(after)).flatMap((operation) => deviceNewsOf(operation) ?? []);
    const headOf = async (user: TestUser) => Number(await user.client.TalkService.getLastOpRevision());

    /** Approves a QR login with all its steps. Returns the id with which the new device may enter. */
    async function approved(by: RpcClient): Promise<string> {
      const { id, loginId, pinCode } = await device.showPin(by);
      await by.PrimaryDeviceService.submitPinCode({ loginId, pinCode });
      await device.checkPin(id);
      return id;
    }

    /** Approves a login with a password. Returns the verifier with which the new device may enter. */
    async function confirmed(user: TestUser, by: RpcClient): Promise<string> {
      const { verifier, pinCode } = (await device.login(user.userid, user.password)).data;
      const logins = await by.PrimaryDeviceService.getPendingLogins();
      const login = logins.find(({ state }) => state === 'waiting');
      await by.PrimaryDeviceService.approveLogin({ loginId: login?.loginId ?? '', pinCode });
      return verifier;
    }

    /** Opens a session with a QR login. Returns the session and its certificate. */
    async function letIn(user: TestUser) {
      const id = await approved(user.client);
      const { tokenV3IssueResult: tokens, certificate } = (await device.qrLogin(id)).data;
      const client = createRpcClient({ url: server.url, session: { mid: user.mid, tokens } });
      client.close();
      return { client, certificate };
    }

    test('the list shows every session, says which one asks, and shows names that were given', async () => {
      const user = await server.user('lister');
      const second = await user.session();
      await second.PrimaryDeviceService.renameSession({ loginSessionId: idOf(user.client), name: '  kitchen ' });
      const sessions = await user.client.PrimaryDeviceService.getSessions();
      assert.deepEqual(
        sessions.map(({ loginSessionId, name, current }) => ({ loginSessionId, name, current })),
        [
          { loginSessionId: idOf(user.client), name: 'kitchen', current: true },
          { loginSessionId: idOf(second), name: '', current: false },
        ],
      );
      assert.equal(sessions[0]?.remoteAddress, '127.0.0.1');
      assert.ok(Math.abs(Number(sessions[0]?.createdTime) - Date.now()) < 60_000);
    });

    test('a session is ended at once, its stream too, and the others are told', async () => {
      const user = await server.user('ender');
      const second = await user.session();
      const [secondId, token] = [idOf(second), second.session?.tokens.accessToken];
      const reading = (async () => {
        for await (const _ of second.operations({ from: '0' }));
      })().catch(() => {});
      await second.TalkService.getProfile();
      const { client } = user;
      await client.PrimaryDeviceService.revokeSession({ loginSessionId: secondId });
      await reading;
      assert.equal(outcomeOf(await device.raw.call('TalkService.getProfile', [], token)), 'SESSION_LOGGED_OUT');
      second.close();
      const [told] = await news(user);
      assert.deepEqual([told?.kind, told?.id, told?.about.loginSessionId], ['revoked', secondId, secondId]);
      const { PrimaryDeviceService } = client;
      assert.equal(await refusalOf(PrimaryDeviceService.revokeSession({ loginSessionId: secondId })), 'NOT_FOUND');
      assert.equal((await PrimaryDeviceService.getSessions()).length, 1);
    });

    test('all other sessions are ended together, and this one lives', async () => {
      const user = await server.user('cleaner');
      const others = [await user.session(), await user.session()];
      const ids = others.map(idOf).sort();
      await user.client.PrimaryDeviceService.revokeOtherSessions();
      for (const other of others) assert.equal(await isDead(other), 'SESSION_LOGGED_OUT');
      assert.equal(await isDead(user.client), 'OK');
      const told = await news(user);
      assert.deepEqual(
        told.map(({ kind }) => kind),
        ['revoked', 'revoked'],
      );
      assert.deepEqual(told.map(({ id }) => id).sort(), ids);
    });

    test('a session that was sent away lets nobody in, whatever it approved before', async () => {
      const user = await server.user('invaded');
      const own = user.client.PrimaryDeviceService;
      const admin = createAdminClient({ url: `${server.url}/`, token: server.adminToken });
      const ways: [string, (stranger: RpcClient) => Promise<unknown>][] = [
        ['revokeOtherSessions', () => own.revokeOtherSessions()],
        ['revokeSession', (stranger) => own.revokeSession({ loginSessionId: idOf(stranger) })],
        ['logoutV2', (stranger) => stranger.AuthService.logoutV2()],
        ['the operator', () => admin.endSessions({ account: user.mid })],
      ];
      for (const [way, end] of ways) {
        const stranger = await user.session();
        const [id, verifier] = [await approved(stranger), await confirmed(user, stranger)];
        await end(stranger);
        assert.equal(outcomeOf(await device.qrLogin(id)), 'QR_NOT_ALLOWED', way);
        assert.equal(outcomeOf(await device.finish(verifier)), 'AUTHENTICATION_FAILED', way);
      }
    });

    test('a login that this session approved goes on when the others are sent away', async () => {
      const user = await server.user('approver');
      const [id, verifier] = [await approved(user.client), await confirmed(user, user.client)];
      await user.client.PrimaryDeviceService.revokeOtherSessions();
      assert.equal(outcomeOf(await device.qrLogin(id)), 'OK');
      assert.equal(outcomeOf(await device.finish(verifier)), 'OK');
    });

    test('the session that takes the last step for a device answers for it', async () => {
      const user = await server.user('relay');
      const stranger = await user.session();
      const { id, loginId, pinCode } = await device.showPin(user.client);
      await stranger.PrimaryDeviceService.submitPinCode({ loginId, pinCode });
      await device.checkPin(id);
      await user.client.PrimaryDeviceService.revokeOtherSessions();
      assert.equal(outcomeOf(await device.qrLogin(id)), 'QR_NOT_ALLOWED');
    });

    test('sessions of others are as absent as those that never were', async () => {
      const [user, stranger] = [await server.user('mine'), await server.user('theirs')];
      const { PrimaryDeviceService: service } = user.client;
      for (const loginSessionId of [idOf(stranger.client), '1', 'no number', '9'.repeat(20)]) {
        assert.equal(await refusalOf(service.revokeSession({ loginSessionId })), 'NOT_FOUND', loginSessionId);
        assert.equal(
          await refusalOf(service.renameSession({ loginSessionId, name: 'x' })),
          'NOT_FOUND',
          loginSessionId,
        );
      }
      assert.equal(await isDead(stranger.client), 'OK');
    });

    test('a device that was sent away must be confirmed again; one that logged out need not', async () => {
      const user = await server.user('sender');
      const gone = await letIn(user);
      await user.client.PrimaryDeviceService.revokeSession({ loginSessionId: idOf(gone.client) });
      const login = (certificate: string) => device.login(user.userid, user.password, { certificate });
      assert.equal((await login(gone.certificate)).data.type, 3);

      const left = await letIn(user);
      await left.client.AuthService.logoutV2();
      const back = await login(left.certificate);
      assert.equal(back.data.type, 1);
      await user.client.PrimaryDeviceService.revokeOtherSessions();
      assert.equal((await login(left.certificate)).data.type, 3);
    });

    test('every new login is told to the sessions that are there already, a logout to nobody', async () => {
      const user = await server.user('told');
      const { client, certificate } = await letIn(user);
      const start = await headOf(user);
      const again = await device.login(user.userid, user.password, { certificate });
      assert.equal(outcomeOf(again), 'OK');
      await client.AuthService.logoutV2();
      const told = await news(user, start);
      assert.deepEqual(
        told.map(({ kind, id }) => [kind, id]),
        [['approved', again.data.tokenV3IssueResult.loginSessionId]],
      );
    });

    test('a first login tells nobody', async () => {
      const userid = 'very-first';
      const password = 'a long enough password';
      await server.server.slices.accounts.create({ userid, password, displayName: userid });
      const answer = await device.login(userid, password);
      const { tokenV3IssueResult: tokens, mid } = answer.data;
      const client = createRpcClient({ url: server.url, session: { mid, tokens } });
      assert.deepEqual(await readLog(client), []);
      client.close();
    });

    test('a device that cannot open the key chain is sent away, and the others are told', async () => {
      const user = await server.user('closed');
      const keyData = Buffer.alloc(32, 9).toString('base64');
      await user.client.TalkService.registerE2EEPublicKey(user.client.nextReqSeq(), { version: 1, keyData });
      const login = await device.login(user.userid, user.password, {
        type: loginTypes.ID_CREDENTIAL_WITH_E2EE,
        secret: keyData,
      });
      assert.equal(login.status, 200, login.text);
      const [{ loginId } = { loginId: '' }] = await user.client.PrimaryDeviceService.getPendingLogins();
      await user.client.PrimaryDeviceService.approveLogin({ loginId, e2ee: sampleHandover() });
      for (let n = 0; n < 5; n++) await device.prove(login.data.verifier, Buffer.alloc(32, n).toString('base64'));
      assert.deepEqual(
        (await news(user)).map(({ kind, id }) => [kind, id]),
        ['pending', 'approved', 'denied'].map((kind) => [kind, loginId]),
      );
    });

    test('a stolen refresh token ends its session and the other sessions are told', async () => {
      const user = await server.user('robbed');
      const thief = await user.session();
      const { refreshToken } = thief.session?.tokens ?? {};
      const { sessions } = server.server.slices;
      const raw = createRawClient({ url: server.url });
      const refresh = () => raw.send(httpPaths.tokenRefresh, { body: JSON.stringify({ refreshToken }) });
      const { accessToken } = JSON.parse((await refresh()).text) as { accessToken: string };
      await sessions.load(accessToken);
      const again = await refresh();
      assert.equal(again.status, errors.AUTH_INVALID_REQUEST.http, again.text);
      await assert.rejects(sessions.load(accessToken));
      const told = await news(user);
      assert.deepEqual(
        told.map(({ kind, id }) => [kind, id]),
        [['revoked', idOf(thief)]],
      );
    });

    test('every wrong password is told to the sessions of the account; too many keep out no device that it knows', async () => {
      const user = await server.user('guessed');
      const { certificate } = await letIn(user);
      const { free } = failureLimits.loginPerPair;
      for (let n = 0; n < free; n++) {
        assert.equal(outcomeOf(await device.login(user.userid, `wrong ${n}`)), 'INVALID_IDENTITY_CREDENTIAL');
      }
      assert.equal(outcomeOf(await device.login(user.userid, user.password)), 'EXCESSIVE_ACCESS');
      const known = await device.login(user.userid, user.password, { certificate });
      assert.equal(known.data.type, 1, 'a device that the account knows is not kept out');
      const failures = async () => (await news(user)).filter(({ kind }) => kind === 'failed');
      let told = await failures();
      // The notification may come after the answer, so the test waits for it.
      for (let n = 0; n < 6_000 && told.length < free; n++) {
        await new Promise((resolve) => setTimeout(resolve, 20));
        told = await failures();
      }
      // Each failure is announced in its own transaction, so the announcements may come in any order.
      assert.deepEqual(
        told.map(({ id, about }) => [id, about.remoteAddress]).sort(),
        Array.from({ length: free }, (_, n) => [String(n + 1), '127.0.0.1']),
      );
    });

    test('news of a login reaches an open stream of the account at once', async () => {
      const user = await server.user('streamer');
      const stop = new AbortController();
      const seen = (async () => {
        for await (const event of user.client.operations({ from: '0', signal: stop.signal })) {
          if (event.kind === 'operation') return deviceNewsOf(event.operation);
        }
        return undefined;
      })();
      await device.login(user.userid, user.password);
      const told = await seen;
      stop.abort();
      assert.equal(told?.kind, 'pending');
      assert.equal(told?.about.systemName, 'Chrome');
    });
  });
}
