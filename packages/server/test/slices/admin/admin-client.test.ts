// Calls every method of the admin client once against a server, and checks each result against the contract.
import assert from 'node:assert/strict';
import { after, before, describe, test } from 'node:test';
import { adminEndpointNames, adminEndpointOf } from '@sealpost/contract/admin';
import { startServer, type TestServer } from '@sealpost/dev-env/harness';
import { pngOf, zipOf } from '@sealpost/dev-env/packs';
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
      const { result } = adminEndpointOf(name);
      const validator = result && Compile(result);
      const method = client[name] as (args?: object) => Promise<unknown>;
      return [
        name,
        async (args?: object) => {
          const answer = await method(args);
          called.add(name);
          if (validator) assert.deepEqual(validator.Errors(answer), [], name);
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
    const resolved = await admin.resolveReport({ report: report.id, action: 'disable-account', note: 'spam' });
    assert.deepEqual([resolved.status, resolved.reportedDisabled], ['resolved', true]);
  });

  test('packs are imported, given and taken back, and old media counted', async () => {
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
    await assert.rejects(behind(502, '<html>').listProducts(), { status: 502, title: 'HTTP 502', detail: '<html>' });
    await assert.rejects(behind(302, '').listProducts(), { status: 302 });
    const nobody = createAdminClient({ url: 'http://127.0.0.1:1', token: 'x' });
    await assert.rejects(nobody.listProducts(), { name: 'NetworkError' });
  });
});
