// Logins that a second device confirms, with the same calls as existing clients make.
import assert from 'node:assert/strict';
import { after, before, describe, test } from 'node:test';
import type { Loose } from '@sealpost/conformance/testing';
import { httpPaths, pathOf } from '@sealpost/contract';
import { callsOfClients } from '@sealpost/dev-env/existing-calls';
import { clientKinds, credential, type ExistingClient, existingClients } from '@sealpost/dev-env/existing-clients';
import { startServer, type TestServer } from '@sealpost/dev-env/harness';

const clientsOfFile = existingClients();

describe('logins of existing clients', () => {
  let server: TestServer;
  const clients: ExistingClient[] = [];
  before(async () => {
    server = await startServer({ flags: { signature: 'lenient', 'login-confirmation': 'new-device' } });
  });
  after(async () => {
    for (const client of clients) client.close();
    await server?.close();
  });

  const client = (kind: keyof typeof clientKinds) => {
    const made = clientsOfFile.create(clientKinds[kind], { url: server.url, brand: 'Svc' });
    clients.push(made);
    return made;
  };
  const text = (value: Loose | undefined): string => value as unknown as string;
  /** Sends a GET as long polls do: session id and waiting time in headers, without a token. */
  const poll = (from: ExistingClient, path: string, sessionId: string, ms = '1000') =>
    from.raw.send(path, {
      verb: 'GET',
      headers: {
        'X-Svc-Client-Version': undefined,
        'X-Svc-Chrome-Version': '3.7.2',
        'X-Svc-Session-ID': sessionId,
        'X-LST': ms,
      },
    });

  async function credentialLogin(from: ExistingClient, userid: string, password: string) {
    const key = await from.result('TalkService.getRSAKeyInfo', 1);
    return from.result('AuthService.loginV2', {
      type: 0,
      identityProvider: 1,
      identifier: key.keynm,
      password: credential(key as never, userid, password),
      keepLoggedIn: false,
      accessLocation: '',
      systemName: 'Chrome',
      modelName: '',
      certificate: '',
      verifier: '',
      secret: '',
      e2eeVersion: 1,
    });
  }

  test('A credential login waits on JQ, sees 408 while nobody confirms, and ends with the first verifier', async () => {
    const user = await server.user();
    const bridge = client('bridge');
    const asked = await credentialLogin(bridge, user.userid, user.password);
    assert.equal(asked.type as unknown, 3);
    assert.match(text(asked.pinCode), /^\d{6}$/);
    const verifier = text(asked.verifier);

    const early = await poll(bridge, httpPaths.longPollJQ, verifier);
    assert.deepEqual([early.status, early.body.code], [408, 10052]);
    const { PrimaryDeviceService } = user.client;
    const [pending] = await PrimaryDeviceService.getPendingLogins();
    await PrimaryDeviceService.approveLogin({ loginId: pending?.loginId ?? '', pinCode: text(asked.pinCode) });
    for (const attempt of ['first', 'repeated']) {
      const { status, body } = await poll(bridge, httpPaths.longPollJQ, verifier);
      assert.equal(status, 200, attempt);
      assert.equal(body.data?.result?.authPhase as unknown, 'QRCODE_VERIFIED');
      assert.equal(typeof body.data?.result?.verifier, 'string');
      assert.match(text(body.data?.timestamp), /^\d+$/);
    }
    const finished = await bridge.result('AuthService.loginV2', {
      type: 1,
      identityProvider: 1,
      identifier: '',
      password: '',
      keepLoggedIn: false,
      accessLocation: '',
      systemName: 'Chrome',
      modelName: '',
      certificate: '',
      verifier,
      secret: '',
      e2eeVersion: 1,
    });
    assert.equal(finished.type as unknown, 1);
    assert.equal(finished.mid as unknown, user.mid);
    bridge.useToken(text(finished.tokenV3IssueResult?.accessToken));
    assert.equal((await bridge.result('TalkService.getProfile', 2)).mid as unknown, user.mid);
  });

  test('A login that was refused ends its polls with 410', async () => {
    const user = await server.user();
    const bridge = client('bridge');
    const asked = await credentialLogin(bridge, user.userid, user.password);
    const { PrimaryDeviceService } = user.client;
    const [pending] = await PrimaryDeviceService.getPendingLogins();
    await PrimaryDeviceService.denyLogin({ loginId: pending?.loginId ?? '' });
    for (const verifier of [text(asked.verifier), 'never-given-out']) {
      for (const path of [httpPaths.longPollJQ, httpPaths.longPollLF1]) {
        const { status, body } = await poll(bridge, path, verifier);
        assert.deepEqual([status, body.code], [410, 10052], path);
      }
    }
  });

  test('A script logs in by QR code, with its own fields and the session id where the token belongs', async () => {
    const user = await server.user();
    const script = client('script');
    const session = await script.result('SecondaryQrCodeLoginService.createSession');
    const authSessionId = text(session.authSessionId);
    const code = await script.result('SecondaryQrCodeLoginService.createQrCode', { authSessionId });
    const loginId = text(code.callbackUrl).split('/').at(-1) ?? '';
    assert.equal(typeof code.longPollingMaxCount, 'number');

    const { PrimaryDeviceService } = user.client;
    await PrimaryDeviceService.scanQrCode({ loginId });
    await PrimaryDeviceService.approveLogin({ loginId });
    script.useToken(authSessionId);
    const scanned = await script.post(pathOf('SecondaryQrCodeLoginPermitNoticeService.checkQrCodeVerified'), [
      { authSessionId },
    ]);
    assert.deepEqual([scanned.status, scanned.body.data], [200, {}], scanned.text);
    script.useToken(undefined);

    const skipped = await script.call('SecondaryQrCodeLoginService.createPinCode', { authSessionId });
    assert.deepEqual([skipped.status, skipped.body.data?.code as unknown], [400, 100], 'verifyCertificate comes first');
    const certificate = await script.call('SecondaryQrCodeLoginService.verifyCertificate', {
      authSessionId,
      certificate: '',
    });
    assert.equal(certificate.body.data?.name as unknown, 'SecondaryQrCodeException', certificate.text);
    assert.equal(certificate.body.data?.code as unknown, 2);
    const { pinCode } = await script.result('SecondaryQrCodeLoginService.createPinCode', { authSessionId });
    assert.match(text(pinCode), /^\d{6}$/);
    await PrimaryDeviceService.submitPinCode({ loginId, pinCode: text(pinCode) });
    assert.deepEqual(
      await script.result('SecondaryQrCodeLoginPermitNoticeService.checkPinCodeVerified', { authSessionId }),
      {},
    );
    const login = await script.result('SecondaryQrCodeLoginService.qrCodeLoginV2', {
      authSessionId,
      systemName: 'script',
      deviceType: 'CHROMEOS',
      autoLoginIsRequired: true,
    });
    assert.match(text(login.certificate), /^[0-9a-f]{64}$/);
    assert.equal(login.mid as unknown, user.mid);
    assert.equal(typeof login.lastBindTimestamp, 'string');
    script.useToken(text(login.tokenV3IssueResult?.accessToken));
    assert.equal((await script.result('TalkService.getProfile')).mid as unknown, user.mid);
  });

  test('Polls that nobody answers end with 410 on the QR login, and may be repeated and abandoned', async () => {
    const script = client('script');
    const session = await script.result('SecondaryQrCodeLoginService.createSession');
    const request = { authSessionId: text(session.authSessionId) };
    await script.result('SecondaryQrCodeLoginService.createQrCode', request);
    const wait = (ms: string) =>
      script.raw.send(pathOf('SecondaryQrCodeLoginPermitNoticeService.checkQrCodeVerified'), {
        body: JSON.stringify([request]),
        headers: { 'X-LST': ms, 'X-Svc-Session-ID': request.authSessionId },
      });
    for (const attempt of [1, 2]) {
      const { status, body } = await wait('1000');
      assert.deepEqual([status, body.code, typeof body.message], [410, 10052, 'string'], `attempt ${attempt}`);
    }
  });
});

// This test comes last, because it needs the calls of all tests before it.
test('the table of the page on clients has the calls that were tried here', () => {
  assert.deepEqual(clientsOfFile.callsTried(), callsOfClients.logins);
});
