// Calls every method of the admin client once against a server, and checks each result against the contract.
import assert from 'node:assert/strict';
import { buffer } from 'node:stream/consumers';
import { after, before, describe, test } from 'node:test';
import { adminEndpointNames, adminEndpointOf } from '@sealpost/contract/admin';
import { adminBrowser, authenticator } from '@sealpost/dev-env/administrators';
import { startServer, type TestServer } from '@sealpost/dev-env/harness';
import { pngOf, zipOf } from '@sealpost/dev-env/packs';
import { createPasskey } from '@sealpost/dev-env/passkey';
import { filesOfZip } from '@sealpost/dev-env/zip-files';
import { type AdminClient, AdminError, createAdminClient } from '@sealpost/sdk/admin';
import { Compile } from 'typebox/compile';

describe('the admin client', () => {
  let server: TestServer;
  let admin: AdminClient;
  const called = new Set<string>();
  before(async () => {
    server = await startServer({ flags: { 'login-confirmation': 'new-device' } });
    admin = checked(createAdminClient({ url: `${server.url}/`, token: server.adminToken }));
  });
  after(() => server?.close());

  /** Returns a client that records its calls and checks each result against the contract. */
  function checked(client: AdminClient): AdminClient {
    const methods = adminEndpointNames.map((name) => {
      const { result, resultBytes } = adminEndpointOf(name);
      const validator = result && Compile(result);
      const method = client[name] as (args?: object) => Promise<unknown>;
      return [
        name,
        async (args?: object) => {
          const answer = await method(args);
          called.add(name);
          if (resultBytes) assert.ok(typeof answer === 'object', name);
          else if (validator) assert.deepEqual(validator.Errors(answer), [], name);
          else assert.equal(answer, undefined, name);
          return answer;
        },
      ];
    });
    return Object.fromEntries(methods);
  }

  test('accounts are created, listed in pages, changed and deleted', async () => {
    const made = await admin.createAccount({ userid: 'ann', password: 'correct horse', displayName: 'Ann' });
    await admin.createAccount({ userid: 'ben', password: 'correct horse', displayName: 'Ben' });
    assert.equal((await admin.showAccount({ account: 'ann' })).mid, made.mid);
    const { accounts: sought } = await admin.searchAccounts({ text: 'ANN' });
    assert.deepEqual(sought, [await admin.showOverview({ account: made.mid })]);
    assert.deepEqual(await admin.listKeys({ account: 'ann' }), { keys: [] });
    assert.deepEqual(await admin.listLargestAccounts(), { accounts: [] });
    const first = await admin.listAccounts({ limit: 1 });
    assert.deepEqual(first.accounts, [made]);
    assert.ok(first.cursor);
    const { accounts } = await admin.listAccounts({ cursor: first.cursor });
    assert.deepEqual(
      accounts.map(({ userid }) => userid),
      ['ben'],
    );
    assert.equal((await admin.disableAccount({ account: 'ann' })).disabled, true);
    assert.equal((await admin.enableAccount({ account: made.mid })).disabled, false);
    await admin.resetPassword({ account: 'ann', password: 'battery staple' });
    const archive = await filesOfZip(await buffer(await admin.exportAccount({ account: 'ann' })));
    assert.deepEqual([...archive.keys()], ['README.txt', 'account.json']);
    await admin.deleteAccount({ account: 'ann' });
    const [newest] = (await admin.listAudit({ limit: 1 })).entries;
    assert.deepEqual([newest?.action, newest?.subject], ['account.delete', made.mid]);
  });

  test('sessions, waiting logins and certificates of an account are listed and ended', async () => {
    const owner = await server.user('owner');
    const account = owner.mid;
    const other = await owner.session();
    const [session] = (await admin.listSessions({ account })).sessions;
    await admin.endSession({ account, session: session?.loginSessionId ?? '' });
    assert.equal((await admin.listSessions({ account })).sessions.length, 1);

    const waiting = async (): Promise<string> => (await admin.listLogins({ account })).logins[0]?.loginId ?? '';
    await other.login({
      identifier: owner.userid,
      password: owner.password,
      onConfirmationNeeded: async (pinCode) => admin.approveLogin({ account, login: await waiting(), pinCode }),
    });
    const refused = other.login({
      identifier: owner.userid,
      password: owner.password,
      onConfirmationNeeded: async () => admin.denyLogin({ account, login: await waiting() }),
    });
    await assert.rejects(refused);
    const { certificates } = await admin.listCertificates({ account });
    assert.equal(certificates.length, 1);
    await admin.revokeCertificate({ account, certificate: certificates[0]?.id ?? '' });
    assert.deepEqual(await admin.listCertificates({ account }), { certificates: [] });
    await admin.revokeCertificates({ account });
    await admin.endSessions({ account });
    assert.deepEqual(await admin.listSessions({ account }), { sessions: [] });
  });

  test('notices are published and withdrawn, reports read and resolved', async () => {
    const { id } = await admin.publishNotice({ title: 'Tonight', body: 'We are away', language: 'en' });
    await admin.withdrawNotice({ notice: id });
    const [notice] = (await admin.listNotices()).notices;
    assert.deepEqual([notice?.id, notice?.withdrawnTime !== undefined], [id, true]);

    const [reporter, reported] = [await server.user('reporter'), await server.user('reported')];
    await reporter.client.TalkService.reportAbuseEx({
      abuseReportEntry: {
        message: { reportSource: 1, spammerReasons: [1], abuseMessages: [], metadata: { userMid: reported.mid } },
      },
    });
    const [report] = (await admin.listReports({ status: 'open' })).reports;
    assert.equal(report?.reportedMid, reported.mid);
    assert.deepEqual(await admin.showReport({ report: report.id }), report);
    assert.equal((await admin.assignReport({ report: report.id, to: 'Ruth' })).assignedTo, 'Ruth');
    assert.equal((await admin.showStatus()).openReports, 1);
    const resolved = await admin.resolveReport({ report: report.id, action: 'disable-account', note: 'spam' });
    assert.deepEqual([resolved.status, resolved.reportedDisabled], ['resolved', true]);
  });

  test('packs are imported, given and taken back, and old media and messages counted and removed', async () => {
    const described = { name: 'Tea', author: 'A test', kind: 'stickers', pictures: [{ file: 'a.png', text: '[a]' }] };
    const content = await zipOf({ 'pack.json': Buffer.from(JSON.stringify(described)), 'a.png': pngOf('a') });
    const pack = await admin.importProduct({ content, everyone: true });
    assert.equal(pack.everyone, true);
    assert.ok((await admin.listProducts()).products.some(({ id }) => id === pack.id));
    assert.equal((await admin.revokeProduct({ product: pack.id, everyone: true })).everyone, false);
    const { mid } = await server.user('drinker');
    await admin.grantProduct({ product: pack.id, account: mid });
    assert.deepEqual(await admin.showProduct({ product: pack.id }), { ...pack, everyone: false });
    assert.deepEqual(await admin.countExpiredMedia({ days: 3 }), { days: 3, objects: 0, bytes: 0 });
    assert.equal((await admin.retentionPreview({ days: 3 })).messages, 0);
    assert.equal((await admin.runRetention({ days: 3 })).what, 'messages');
  });

  test('the settings are listed with their origin', async () => {
    const { settings } = await admin.listSettings();
    const found = settings.find(({ name }) => name === 'login-confirmation');
    assert.deepEqual([found?.value, found?.origin], ['new-device', 'flag --login-confirmation']);
  });

  test('an administrator sets up, logs in, and manages second factors, sessions and tokens', async () => {
    const { link } = await admin.createSetupLink();
    const browser = adminBrowser(server);
    const page = checked(browser.client);
    const login = { name: 'operator', password: 'correct horse' };
    const { passkeyOrigin = '' } = await page.showLogin();
    await page.setUp({ setup: link.split('#setup=')[1] ?? '', ...login });
    const app = authenticator((await page.beginTotp()).secret);
    const { recoveryCodes = [], factor } = await page.addTotp({ code: app.code(), name: 'phone' });
    const passkey = createPasskey(passkeyOrigin);
    const credential = passkey.create(await page.beginPasskey({ password: login.password }));
    await page.addPasskey({ credential, name: 'key' });
    await page.removeSecondFactor({ factor: factor.id, password: login.password });
    assert.equal((await page.listSecondFactors()).factors.length, 1);
    await page.logOut();
    await page.logIn(login);
    await page.logInWithPasskey({ credential: passkey.get(await page.beginPasskeyLogin()) });
    await page.logOut();
    await page.logIn(login);
    await page.logInWithRecoveryCode({ code: recoveryCodes[0] ?? '' });
    const second = authenticator((await page.beginTotp({ password: login.password })).secret);
    await page.addTotp({ code: second.code(), name: 'tablet' });
    await page.makeRecoveryCodes({ password: login.password });
    await page.changePassword({ password: login.password, newPassword: 'battery staple' });
    await page.logOut();
    await page.logIn({ name: login.name, password: 'battery staple' });
    await page.logInWithTotp({ code: second.code() });
    const { id, token } = await page.createToken({ name: 'backup', scopes: ['read', 'accounts'], days: 30 });
    assert.deepEqual(
      (await createAdminClient({ url: server.url, token }).listAccounts({ limit: 1 })).accounts.length,
      1,
    );
    assert.deepEqual(
      (await page.listTokens()).tokens.map(({ scopes, lastUsedTime }) => [scopes, lastUsedTime !== undefined]),
      [[['read', 'accounts'], true]],
    );
    await page.revokeToken({ token: id });
    const [session] = (await admin.listAdminSessions()).sessions;
    await admin.endAdminSession({ session: session?.id ?? '' });
    assert.equal((await admin.listAdministrators()).administrators.length, 1);
    await admin.removeAdministrator({ administrator: login.name, last: true });
  });

  test('accounts to be imported are checked, and invites are made and revoked', async () => {
    const plan = [{ userid: 'eve', displayName: 'Eve' }];
    assert.deepEqual((await admin.checkAccounts({ accounts: plan })).accounts[0]?.errors, []);
    const { id, link, code } = await admin.createInvite({ uses: 2, name: 'Eve' });
    assert.ok(link.endsWith(`#${code}`));
    assert.equal((await admin.listInvites()).invites[0]?.id, id);
    await admin.revokeInvite({ invite: id });
    assert.equal((await admin.showInvite({ invite: id })).state, 'revoked');
  });

  test('every method of the contract was called', () => {
    assert.deepEqual([...called].sort(), [...adminEndpointNames].sort());
  });

  test('a refused call throws its status, title and detail, and names the fields', async () => {
    await assert.rejects(admin.showAccount({ account: 'no/body?' }), {
      name: 'AdminError',
      status: 404,
      title: 'Not Found',
      detail: 'no account has the mid or userid "no/body?"',
      isForeign: false,
      message:
        'GET /api/admin/v1/accounts/no%2Fbody%3F failed: no account has the mid or userid "no/body?" (HTTP 404).',
    });
    const short = admin.createAccount({ userid: 'cid', password: 'x', displayName: 'Cid' });
    await assert.rejects(short, (error) => {
      assert.ok(error instanceof AdminError);
      assert.deepEqual([error.status, error.errors.map(({ field }) => field)], [400, ['password']]);
      return true;
    });
    await admin.createAccount({ userid: 'cid', password: 'correct horse', displayName: 'Cid' });
    await assert.rejects(admin.createAccount({ userid: 'CID', password: 'correct horse', displayName: 'C' }), {
      status: 409,
      field: 'userid',
    });
    const stranger = createAdminClient({ url: server.url, token: 'wrong' });
    await assert.rejects(stranger.listAccounts(), { status: 401, title: 'Unauthorized' });
  });

  test('an answer that is not a problem, and a missing answer, are reported too', async () => {
    const behind = (status: number, text: string) =>
      createAdminClient({ url: server.url, token: 'x', send: async () => ({ status, text }) });
    const detail =
      "something in front of the server answered; a proxy must let /api/admin/v1/ through, or use the server's own address";
    const message = (status: number) => `GET /api/admin/v1/products failed: ${detail} (HTTP ${status}).`;
    for (const status of [502, 404, 302, 200])
      await assert.rejects(behind(status, '<html>').listProducts(), {
        ...{ name: 'AdminError', status, title: `HTTP ${status}`, detail, message: message(status) },
        ...{ isForeign: true, isProblem: false },
      });
    await assert.rejects(behind(302, '').listProducts(), { status: 302, isForeign: true });
    const other = JSON.stringify({ code: 1 });
    await assert.rejects(behind(404, other).listProducts(), { detail: other, isForeign: false, isProblem: false });
    const nobody = createAdminClient({ url: 'http://127.0.0.1:1', token: 'x' });
    await assert.rejects(nobody.listProducts(), { name: 'NetworkError' });
  });
});
