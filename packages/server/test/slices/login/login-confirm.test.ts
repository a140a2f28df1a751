import assert from 'node:assert/strict';
import { randomBytes } from 'node:crypto';
import { after, before, describe, test } from 'node:test';
import {
  type NewDevice,
  newDevice,
  outcomeOf,
  refusalOf,
  runningClock,
  sampleHandover,
  wrongPinFor,
} from '@sealpost/conformance/testing';
import { type ApiError, type ErrorName, failureLimits, httpPaths, limits } from '@sealpost/contract';
import type { LoginRequest, LoginResult, RSAKeyInfo } from '@sealpost/contract/schemas';
import { openSlices, type Slices } from '@sealpost/dev-env/account-slices';
import { databases, startServer, type TestServer, type TestUser } from '@sealpost/dev-env/harness';
import { operator } from '@sealpost/dev-env/people';
import { deviceNewsOf } from '@sealpost/sdk';
import { encryptCredential } from '@sealpost/sdk/credential';
import { systemPorts } from '../../../src/platform/kernel/system.ts';
import type { Call } from '../../../src/platform/rpc/call.ts';
import type { HttpCall } from '../../../src/platform/rpc/http-requests.ts';
import { createLogin } from '../../../src/slices/login/index.ts';
import { createTellDevices } from '../../../src/slices/sessions/index.ts';

const LOGIN_LIFE = 180_000;

for (const database of databases) {
  describe(`confirmed login with a PIN of the server on ${database}`, () => {
    const clock = runningClock();
    let server: TestServer;
    let device: NewDevice;
    before(async () => {
      server = await startServer({ database, flags: { 'login-confirmation': 'new-device' }, ports: { clock } });
      device = newDevice(server);
    });
    after(async () => {
      device.close();
      await server.close();
    });

    /** Begins a login that waits for confirmation. */
    async function begin(more: Record<string, unknown> = {}) {
      const owner = await server.user('owner');
      const answer = await device.login(owner.userid, owner.password, more);
      const { type, verifier, pinCode, tokenV3IssueResult } = answer.data;
      assert.equal(type, 3);
      assert.equal(tokenV3IssueResult, undefined);
      const primary = owner.client.PrimaryDeviceService;
      const [login] = await primary.getPendingLogins();
      assert.ok(login);
      return { owner, primary, verifier, pinCode, login };
    }
    const news = async (owner: TestUser) => (await owner.log()).map((operation) => deviceNewsOf(operation));

    test('a device waits on JQ, is approved with its PIN, and logs in with the verifier', async () => {
      const { owner, primary, verifier, pinCode, login } = await begin({ modelName: 'M1' });
      assert.match(pinCode, /^\d{6}$/);
      assert.deepEqual(
        [login.kind, login.loginType, login.systemName, login.modelName, login.remoteAddress, login.state],
        ['CREDENTIAL', 0, 'Chrome', 'M1', '127.0.0.1', 'waiting'],
      );
      assert.ok(!verifier.includes(pinCode) && login.loginId !== verifier);
      const waiting = device.pollJQ(verifier, 60_000);
      await primary.approveLogin({ loginId: login.loginId, pinCode });
      const answer = (await waiting).data;
      assert.equal(answer.result.authPhase, 'QRCODE_VERIFIED');
      assert.match(answer.timestamp, /^\d+$/);
      assert.deepEqual((await device.pollJQ(verifier)).data.result, answer.result, 'a repeat answers the same');
      const done = (await device.finish(answer.result.verifier)).data;
      assert.equal(done.type, 1);
      assert.equal(done.mid, owner.mid);
      assert.match(done.certificate, /^[0-9a-f]{64}$/);
      assert.equal((await device.pollJQ(verifier)).status, 410, 'consumed');
      assert.equal(outcomeOf(await device.finish(verifier)), 'AUTHENTICATION_FAILED');
      const told = await news(owner);
      assert.deepEqual(
        told.map((item) => item?.kind),
        ['pending', 'approved', 'approved'],
      );
      assert.deepEqual(told[0]?.about, login);
      assert.equal(told[2]?.about.loginSessionId, done.tokenV3IssueResult.loginSessionId);
      const again = await device.login(owner.userid, owner.password, { certificate: done.certificate });
      assert.equal(again.data.type, 1, 'the certificate makes the next login need nobody');
    });

    test('the first verifier works for the last step as well', async () => {
      const { primary, verifier, pinCode, login } = await begin();
      assert.equal(outcomeOf(await device.finish(verifier)), 'INVALID_STATE', 'not before the approval');
      await primary.approveLogin({ loginId: login.loginId, pinCode });
      assert.equal((await device.finish(verifier)).data.type, 1);
    });

    test('of many last steps at once, only one opens a session', async () => {
      const { owner, primary, verifier, pinCode, login } = await begin();
      await primary.approveLogin({ loginId: login.loginId, pinCode });
      const outcomes = (await Promise.all([1, 2, 3, 4].map(() => device.finish(verifier)))).map(outcomeOf);
      assert.equal(outcomes.filter((outcome) => outcome === 'OK').length, 1, outcomes.join());
      assert.equal((await owner.client.PrimaryDeviceService.getSessions()).length, 2);
    });

    test('a poll that nobody answers ends with 408 and can be repeated', async () => {
      const { primary, verifier, pinCode, login } = await begin();
      const timed = await device.pollJQ(verifier, 1000);
      assert.equal(timed.status, 408);
      assert.equal(timed.data.statusCode, 408);
      await primary.approveLogin({ loginId: login.loginId, pinCode });
      assert.equal(outcomeOf(await device.pollJQ(verifier)), 'OK');
    });

    test('an unknown, changed or foreign verifier, and the wrong poll, are dead with 410', async () => {
      const { verifier, login } = await begin();
      const changed = verifier.replace(/.$/, (last) => (last === 'A' ? 'B' : 'A'));
      for (const bad of ['x', changed, login.loginId, `${login.loginId}-second-${'A'.repeat(43)}`]) {
        assert.equal((await device.pollJQ(bad)).status, 410, bad);
        assert.equal(outcomeOf(await device.finish(bad)), 'AUTHENTICATION_FAILED', bad);
      }
      assert.equal((await device.pollLF1(verifier)).status, 410);
      assert.equal(outcomeOf(await device.prove(verifier, randomBytes(16).toString('base64'))), 'INVALID_STATE');
    });

    test('a poll without a verifier is refused by the name of the header', async () => {
      for (const path of [httpPaths.longPollJQ, httpPaths.longPollLF1]) {
        for (const headers of [{}, { 'X-Svc-Session-ID': '' }]) {
          const { status, body } = await device.raw.send(path, { verb: 'GET', headers });
          assert.deepEqual([status, body.code], [400, 10003]);
          assert.match(body.message, /^the header X-Svc-Session-ID is missing/);
        }
      }
      assert.equal(outcomeOf(await device.finish('')), 'AUTHENTICATION_FAILED');
    });

    test('a refused login ends its poll with 410 and cannot be finished', async () => {
      const { owner, primary, verifier, login } = await begin();
      const waiting = device.pollJQ(verifier, 60_000);
      await primary.denyLogin({ loginId: login.loginId });
      assert.equal((await waiting).status, 410);
      assert.equal(outcomeOf(await device.finish(verifier)), 'AUTHENTICATION_FAILED');
      assert.deepEqual(await primary.getPendingLogins(), []);
      assert.equal((await news(owner)).at(-1)?.kind, 'denied');
    });

    test('a poll of JQ ends with 408 when only its wait is over, and with 410 when the login is', async () => {
      const { verifier } = await begin();
      const early = await device.pollJQ(verifier, 1000);
      assert.deepEqual([early.status, outcomeOf(early)], [408, 'POLL_TIMEOUT']);
      const waiting = device.pollJQ(verifier, 60_000);
      clock.move(LOGIN_LIFE);
      for (const late of [await waiting, await device.pollJQ(verifier)]) {
        assert.deepEqual([late.status, outcomeOf(late)], [410, 'POLL_GONE']);
      }
    });

    test('a confirmed login has its whole time for the last step', async () => {
      const { primary, verifier, pinCode, login } = await begin();
      clock.move(LOGIN_LIFE / 2);
      await primary.approveLogin({ loginId: login.loginId, pinCode });
      clock.move(LOGIN_LIFE / 2);
      assert.equal((await device.pollJQ(verifier)).status, 200);
      assert.equal((await device.finish(verifier)).data.type, 1);
    });

    test('after three minutes the login is over', async () => {
      const { primary, verifier, pinCode, login } = await begin();
      clock.move(LOGIN_LIFE);
      assert.equal((await device.pollJQ(verifier)).status, 410);
      assert.equal(await refusalOf(primary.approveLogin({ loginId: login.loginId, pinCode })), 'NOT_FOUND');
      assert.deepEqual(await primary.getPendingLogins(), []);
    });

    test('wrong PINs are compared five times at most, then the login is over', async () => {
      const { owner, primary, verifier, pinCode, login } = await begin();
      const { loginId } = login;
      assert.equal(await refusalOf(primary.approveLogin({ loginId })), 'INVALID_PIN_CODE');
      const guesses = Array.from({ length: 20 }, (_, n) => wrongPinFor(pinCode, n + 1));
      const outcomes = await Promise.all(
        guesses.map((guess) => refusalOf(primary.approveLogin({ loginId, pinCode: guess }))),
      );
      assert.equal(outcomes.filter((outcome) => outcome === 'INVALID_PIN_CODE').length, 5, outcomes.join());
      assert.equal(await refusalOf(primary.approveLogin({ loginId, pinCode })), 'INVALID_STATE');
      assert.equal((await device.pollJQ(verifier)).status, 410);
      assert.equal((await news(owner)).at(-1)?.kind, 'denied');
    });

    test('wrong PINs of one account are limited over all its logins', async () => {
      const owner = await server.user('guessed');
      const primary = owner.client.PrimaryDeviceService;
      let last = 'OK';
      for (let n = 0; n < 21; n++) {
        const { loginId, pinCode } = await device.showPin(owner.client);
        for (let guess = 1; guess <= 5; guess++) {
          last = await refusalOf(primary.submitPinCode({ loginId, pinCode: wrongPinFor(pinCode, guess) }));
        }
        if (last === 'EXCESSIVE_ACCESS') break;
      }
      assert.equal(last, 'EXCESSIVE_ACCESS');
    });

    test('another account sees nothing of the login', async () => {
      const { pinCode, login } = await begin();
      const stranger = await server.user('stranger');
      const primary = stranger.client.PrimaryDeviceService;
      const { loginId } = login;
      assert.deepEqual(await primary.getPendingLogins(), []);
      assert.equal(await refusalOf(primary.approveLogin({ loginId, pinCode })), 'NOT_FOUND');
      assert.equal(await refusalOf(primary.denyLogin({ loginId })), 'NOT_FOUND');
      assert.equal(await refusalOf(primary.submitPinCode({ loginId, pinCode })), 'NOT_FOUND');
      assert.equal(await refusalOf(primary.scanQrCode({ loginId })), 'NOT_FOUND');
    });

    test('a new password or a closed account ends the login', async () => {
      const { owner, primary, verifier, pinCode, login } = await begin();
      const { accounts } = server.server.slices;
      const { id = 0 } = (await accounts.show(owner.mid)) ?? {};
      await primary.approveLogin({ loginId: login.loginId, pinCode });
      await accounts.disable(id);
      assert.equal(outcomeOf(await device.finish(verifier)), 'ABUSE_BLOCK');
      await accounts.enable(id);
      await accounts.resetPassword(id, 'an entirely new one');
      assert.equal(outcomeOf(await device.finish(verifier)), 'AUTHENTICATION_FAILED');
    });

    test('a login survives restarts', async () => {
      const { owner, verifier, pinCode, login } = await begin();
      await server.restart();
      device.close();
      device = newDevice(server);
      const again = await owner.session();
      await again.PrimaryDeviceService.approveLogin({ loginId: login.loginId, pinCode });
      await server.restart();
      device.close();
      device = newDevice(server);
      const { result } = (await device.pollJQ(verifier)).data;
      assert.equal((await device.finish(result.verifier)).data.type, 1);
    });

    test('the operator confirms for an account that lost its devices, with the PIN, and it is noted', async () => {
      const { owner, verifier, pinCode, login } = await begin();
      const { listLogins, approveLogin, listAudit } = operator(server);
      const named = { account: owner.mid, login: login.loginId };
      assert.equal((await listLogins({ account: owner.mid })).logins[0]?.loginId, login.loginId);
      await assert.rejects(approveLogin(named), { status: 400 });
      await assert.rejects(approveLogin({ ...named, pinCode: wrongPinFor(pinCode) }), { status: 400 });
      await approveLogin({ ...named, pinCode });
      assert.equal((await device.finish(verifier)).data.type, 1);
      const [entry] = (await listAudit({ limit: 1 })).entries;
      assert.deepEqual([entry?.action, entry?.subject], ['login.approve', owner.mid]);
    });

    test('the operator refuses a login, and lists and revokes certificates', async () => {
      const { owner, verifier, login } = await begin();
      const { denyLogin, listCertificates, revokeCertificate } = operator(server);
      const account = owner.mid;
      await denyLogin({ account, login: login.loginId });
      assert.equal((await device.pollJQ(verifier)).status, 410);

      const { pinCode, ...next } = (await device.login(owner.userid, owner.password)).data;
      const [waiting] = await owner.client.PrimaryDeviceService.getPendingLogins();
      await owner.client.PrimaryDeviceService.approveLogin({ loginId: waiting?.loginId ?? '', pinCode });
      const { certificate, tokenV3IssueResult } = (await device.finish(next.verifier)).data;
      const { certificates } = await listCertificates({ account });
      assert.equal(certificates.length, 1);
      const [shown] = certificates;
      assert.deepEqual([shown?.clientKind, shown?.loginSessionId], ['OTHER', tokenV3IssueResult.loginSessionId]);
      assert.ok(!JSON.stringify(certificates).includes(certificate), 'hashed at rest');
      const revoke = () => revokeCertificate({ account, certificate: shown?.id ?? '' });
      await revoke();
      await assert.rejects(revoke(), { status: 404 });
      assert.equal((await device.login(owner.userid, owner.password, { certificate })).data.type, 3);
    });
  });

  describe(`confirmed login with keys on ${database}`, () => {
    let slices: Slices;
    let users = 0;
    before(async () => {
      slices = await openSlices(database);
    });
    after(() => slices.close());

    const is = (code: ErrorName) => (error: ApiError) => error.code === code;
    const chrome = true;

    /** Starts a server whose accounts all have sealing keys. Several servers share the database. */
    function loginServer() {
      const login = createLogin({
        ...systemPorts,
        ...slices,
        tellDevices: createTellDevices(slices.operationLog),
        failureLimits,
        refusesDevices: async () => false,
        confirmation: 'new-device',
        secureCookies: false,
        brand: 'Svc',
        url: () => 'http://localhost',
        accountKeyOf: async () => undefined,
        canSeal: async () => true,
        onError: assert.fail,
      });
      const call = (headers: Record<string, string> = {}, chromeClient = false) => ({
        caller: undefined,
        remoteAddress: '::1',
        header: (name: string) => headers[name],
        signal: new AbortController().signal,
        setCookie: () => {},
        chromeClient,
      });
      const rpc = call() as unknown as Call;
      const { handlers, httpHandlers, approvals } = login;
      return {
        approvals,
        async login(identifier: string, password: string, more: Partial<LoginRequest> = {}) {
          const key = (await handlers['TalkService.getRSAKeyInfo']!(rpc, 1)) as RSAKeyInfo;
          const encrypted = encryptCredential(key, identifier, password);
          const request: LoginRequest = {
            type: 2,
            identifier: key.keynm,
            password: encrypted,
            e2eeVersion: 1,
            ...more,
          };
          return (await handlers['AuthService.loginV2']!(rpc, request)) as LoginResult;
        },
        finish: async (verifier: string) =>
          (await handlers['AuthService.loginV2']!(rpc, { type: 1, verifier })) as LoginResult,
        prove: async (verifier: string, deviceSecret: string) =>
          (await handlers['AuthService.confirmE2EELogin']!(rpc, verifier, deviceSecret)) as string,
        async pollLF1(verifier: string, windowMs = 1000, chromeClient = false) {
          const headers = { 'x-svc-session-id': verifier, 'x-lst': String(windowMs) };
          const text = await httpHandlers.longPollLF1!(call(headers, chromeClient) as unknown as HttpCall);
          return (JSON.parse(text ?? '') as { data: { result: { metadata: unknown }; authPhase: string } }).data;
        },
      };
    }

    async function begin(server = loginServer(), more: Partial<LoginRequest> = {}) {
      users += 1;
      const userid = `sealed${users}`;
      const { account, sessionId } = await slices.openSession(userid);
      const secret = randomBytes(32).toString('base64');
      const result = await server.login(userid, `${userid}-secret`, { secret, ...more });
      assert.deepEqual([result.type, result.pinCode], [3, '']);
      const [login] = await slices.store.read((reader) => server.approvals.list(reader, account.id));
      assert.ok(login);
      assert.equal(login.secret, secret);
      const by = { accountId: account.id, sessionId };
      return { server, by, account, verifier: result.verifier ?? '', loginId: login.loginId };
    }
    const proof = () => randomBytes(16).toString('base64');

    test('the key chain goes from one device to the other as it is, and is forgotten with the proof', async () => {
      const { server, by, verifier, loginId } = await begin();
      const e2ee = sampleHandover();
      const waiting = server.pollLF1(verifier, 60_000, chrome);
      await server.approvals.approve(by, { loginId, e2ee });
      const answer = await waiting;
      assert.equal(answer.authPhase, 'QRCODE_VERIFIED');
      const { publicKey, encryptedKeyChain } = e2ee;
      const metadata = { errorCode: 'SUCCESS', e2eeVersion: '1', keyId: '1234', publicKey, encryptedKeyChain };
      assert.deepEqual(answer.result.metadata, metadata);
      assert.deepEqual(
        (await server.pollLF1(verifier, 1000, chrome)).result,
        answer.result,
        'a repeat answers the same',
      );
      const text = (await server.pollLF1(verifier)).result.metadata;
      assert.deepEqual(
        JSON.parse(text as string),
        { ...metadata, keyId: 1234 },
        'text to a client of the specification',
      );

      await assert.rejects(server.finish(verifier), is('INVALID_STATE'));
      const second = await server.prove(verifier, e2ee.hashKeyChain);
      assert.notEqual(second, verifier);
      assert.equal(await server.prove(verifier, e2ee.hashKeyChain), second, 'a lost answer is given again');
      await assert.rejects(server.prove(verifier, proof()), is('INVALID_STATE'));
      await assert.rejects(server.pollLF1(verifier), is('POLL_GONE'));
      assert.equal((await server.finish(second)).type, 1);
      await assert.rejects(server.finish(second), is('AUTHENTICATION_FAILED'));
    });

    test('after the proof the first verifier works too', async () => {
      const { server, by, verifier, loginId } = await begin();
      const e2ee = sampleHandover();
      await server.approvals.approve(by, { loginId, e2ee });
      await server.prove(verifier, e2ee.hashKeyChain);
      assert.equal((await server.finish(verifier)).type, 1);
    });

    test('a device that cannot open the chain gets five tries', async () => {
      const { server, by, verifier, loginId } = await begin();
      await server.approvals.approve(by, { loginId, e2ee: sampleHandover() });
      for (let n = 0; n < 5; n++) {
        await assert.rejects(server.prove(verifier, n ? proof() : 'short'), is('INVALID_IDENTITY_CREDENTIAL'));
      }
      await assert.rejects(server.prove(verifier, proof()), is('AUTHENTICATION_FAILED'));
      await assert.rejects(server.pollLF1(verifier), is('POLL_GONE'));
    });

    test('nothing can be proven before the approval', async () => {
      const { server, verifier } = await begin();
      await assert.rejects(server.prove(verifier, proof()), is('INVALID_STATE'));
      await assert.rejects(server.finish(verifier), is('INVALID_STATE'));
      await assert.rejects(server.pollLF1(verifier), is('POLL_TIMEOUT'));
    });

    test('a poll of LF1 ends with 408 when only its wait is over, and with 410 when the login is', async () => {
      const { server, verifier } = await begin();
      await assert.rejects(server.pollLF1(verifier), is('POLL_TIMEOUT'));
      const waiting = server.pollLF1(verifier, 60_000);
      slices.clock.move(LOGIN_LIFE);
      await assert.rejects(waiting, is('POLL_GONE'));
      await assert.rejects(server.pollLF1(verifier), is('POLL_GONE'));
    });

    test('a device with keys must hand them over; the operator, who has none, lets in without', async () => {
      const { server, by, verifier, loginId } = await begin();
      await assert.rejects(server.approvals.approve(by, { loginId }), is('ILLEGAL_ARGUMENT'));
      const bad = { publicKey: 'AAAA', encryptedKeyChain: '', keyId: 'x', e2eeVersion: 'x', hashKeyChain: 'AAAA' };
      for (const [field, value] of Object.entries(bad)) {
        await assert.rejects(
          server.approvals.approve(by, { loginId, e2ee: { ...sampleHandover(), [field]: value } }),
          ({ code, reason }: ApiError) => code === 'ILLEGAL_ARGUMENT' && reason.includes(field),
        );
      }
      await server.approvals.approve({ accountId: by.accountId }, { loginId });
      assert.deepEqual((await server.pollLF1(verifier, 1000, chrome)).result.metadata, {});
      assert.equal((await server.finish(verifier)).type, 1);
    });

    test('a sealed login that cannot be is refused so that the client repeats it unsealed', async () => {
      const { server, account } = await begin();
      const password = `${account.userid}-secret`;
      const attempt = (more: Partial<LoginRequest>) => server.login(account.userid ?? '', password, more);
      await assert.rejects(attempt({ secret: '' }), ({ code, reason }: ApiError) => {
        assert.equal(code, 'E2EE_SENDER_NOT_ALLOWED');
        assert.match(reason, /not supported/);
        return true;
      });
      await assert.rejects(attempt({ secret: proof(), e2eeVersion: 2 }), is('E2EE_UPDATE_PRIMARY_DEVICE'));
      await assert.rejects(attempt({ secret: proof() }), is('ILLEGAL_ARGUMENT'));
      const unsealed = await attempt({ type: 0 });
      assert.match(unsealed.pinCode ?? '', /^\d{6}$/);
    });

    test('a login that begins on one server is approved on a second and finished on a third', async () => {
      const [first, second, third] = [loginServer(), loginServer(), loginServer()];
      const { by, verifier, loginId } = await begin(first);
      const e2ee = sampleHandover();
      const waiting = [first, second, third].map((server) =>
        server.pollLF1(verifier, limits.longPollMaxMs.value, chrome),
      );
      await second.approvals.approve(by, { loginId, e2ee });
      for (const answer of await Promise.all(waiting)) assert.equal(answer.authPhase, 'QRCODE_VERIFIED');
      const next = await first.prove(verifier, e2ee.hashKeyChain);
      assert.equal((await third.finish(next)).type, 1);
    });
  });
}
