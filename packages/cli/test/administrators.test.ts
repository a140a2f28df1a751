// The commands `admin`, `admin sessions` and `admin token`, against a real server.
import assert from 'node:assert/strict';
import { after, before, describe, test } from 'node:test';
import { adminBrowser, authenticator, logInAdministrator } from '@sealpost/dev-env/administrators';
import { run } from '@sealpost/dev-env/command';
import { adminToken, type ServerProcess, startServer } from '@sealpost/dev-env/server-process';
import { createAdminClient } from '@sealpost/sdk/admin';

describe('administrators from the command line', () => {
  let server: ServerProcess;
  let env: Record<string, string>;
  before(async () => {
    server = await startServer();
    env = { ...server.env, SEALPOST_URL: server.url };
  });
  after(() => server?.dispose());
  const json = async (...args: readonly string[]) => {
    const { code, out, err } = await run(env, [...args, '--json']);
    assert.equal(code, 0, err);
    return JSON.parse(out);
  };
  const text = async (...args: readonly string[]): Promise<string> => {
    const { code, out, err } = await run(env, args);
    assert.equal(code, 0, err);
    return out;
  };
  const refusal = async (...args: readonly string[]) => {
    const { code, out, err } = await run(env, args);
    assert.equal(out, '');
    return { code, err };
  };
  const place = () => ({ url: server.url, adminToken });
  const names = async (): Promise<string[]> =>
    (await json('admin', 'list')).map(({ name }: { readonly name: string }) => name);

  test('a setup link makes the administrator whom it names, and nobody else', async () => {
    assert.match(await text('admin', 'list'), /No administrators yet/);
    const begun = Date.now();
    const { link, expiresTime, name } = await json('admin', 'create', 'maya');
    assert.equal(name, 'maya');
    assert.ok(Math.abs(Date.parse(expiresTime) - begun - 900_000) < 60_000, expiresTime);
    const { client } = adminBrowser(place());
    const setup = link.split('#setup=')[1] ?? '';
    const password = 'the password of maya';
    await assert.rejects(client.setUp({ setup, name: 'eve', password }), { status: 403 });
    await client.setUp({ setup, name: 'maya', password });
    const { secret } = await client.beginTotp();
    await client.addTotp({ code: authenticator(secret).code(), name: 'phone' });
    assert.match(await text('admin', 'list'), /^maya +totp +\d{4}-\d\d-\d\d \d\d:\d\d +\d{4}-\d\d-\d\d \d\d:\d\d$/m);
    const taken = await refusal('admin', 'create', 'maya');
    assert.deepEqual([taken.code, /has the name maya/.test(taken.err)], [1, true]);
    const odd = await refusal('admin', 'create', 'Bad Name');
    assert.match(
      odd.err,
      /name: must be 1 to 32 small letters, digits, dots, dashes and underscores, and the first is/,
    );
    const drawn = await text('admin', 'create', '--qr');
    assert.match(drawn, /for a new administrator, once, until .* UTC:\nhttp\S+\/admin#setup=[\w-]{43}\n/);
    assert.match(drawn, /[▀▄█]{10}/);
  });

  test('sessions are listed and ended', async () => {
    const leo = await logInAdministrator(place(), { name: 'leo' });
    assert.equal((await leo.client.showLogin()).state, 'full');
    const [session] = await json('admin', 'sessions', 'list');
    assert.deepEqual([session.administrator, session.current], ['leo', false]);
    assert.match(await text('admin', 'sessions', 'list'), new RegExp(`^${session.id} +leo `, 'm'));
    assert.match(await text('admin', 'sessions', 'end', session.id), /^Ended session \d+\.$/m);
    assert.equal((await leo.client.showLogin()).state, 'none');
    assert.match((await refusal('admin', 'sessions', 'end', session.id)).err, /no live session/);
  });

  test('an administrator is removed after a yes, and the last one only when asked for', async () => {
    const unasked = await refusal('admin', 'remove', 'leo');
    assert.deepEqual([unasked.code, /remove with --yes/.test(unasked.err)], [2, true]);
    assert.deepEqual(await names(), ['leo', 'maya']);
    assert.deepEqual(await json('admin', 'remove', 'leo', '--yes'), { name: 'leo', removed: true });
    const last = await refusal('admin', 'remove', 'maya', '--yes');
    assert.deepEqual([last.code, /maya is the last administrator/.test(last.err)], [1, true]);
    assert.deepEqual(await names(), ['maya']);
    await text('admin', 'remove', 'maya', '--yes', '--last');
    assert.deepEqual(await names(), []);
  });

  test('a token does what its scopes allow until it is revoked, and its secret is shown once', async () => {
    const made = await json('admin', 'token', 'create', 'report', '--scopes', 'read, moderation', '--days', '30');
    assert.deepEqual(made.scopes, ['read', 'moderation']);
    assert.equal(Math.round((Date.parse(made.expiresTime) - Date.parse(made.createdTime)) / 86_400_000), 30);
    const machine = createAdminClient({ url: server.url, token: made.token });
    assert.ok((await machine.listReports()).reports);
    await assert.rejects(machine.createAccount({ userid: 'a', displayName: 'A', password: 'correct horse 22' }), {
      status: 403,
    });
    const shown = await text('admin', 'token', 'create', 'for ever', '--scopes', 'accounts');
    assert.match(shown, /^Token \d+ for accounts, without an end\. .*:\nsealpost_admin_[\w-]{43}$/m);
    const listed = await text('admin', 'token', 'list');
    assert.match(listed, new RegExp(`^${made.id} +report +read,moderation +admin-token +\\d{4}-`, 'm'));
    assert.match(listed, / for ever +accounts +admin-token +never +never$/m);
    assert.doesNotMatch(listed, /sealpost_admin_/);
    assert.match(await text('admin', 'token', 'revoke', made.id), /^Revoked token \d+\.$/m);
    await assert.rejects(machine.listReports(), { status: 401 });
    assert.match((await refusal('admin', 'token', 'revoke', made.id)).err, /no token has the id/);
  });

  test('a token that lacks a scope is told which one, and what makes a token with it', async () => {
    const { token } = await json('admin', 'token', 'create', 'reader', '--scopes', 'read');
    const asReader = async (...args: readonly string[]) =>
      (await run({ ...env, SEALPOST_ADMIN_TOKEN: token }, args)).err;
    const creation = await asReader('account', 'create', 'paul');
    assert.match(creation, /this endpoint needs accounts .*`sealpost admin token create <name> --scopes accounts`/);
    assert.doesNotMatch(creation, /does not belong/);
    const tokens = await asReader('admin', 'token', 'list');
    assert.match(
      tokens,
      /this endpoint needs server .*Only the server's own admin token may do this\. Set SEALPOST_ADMIN_TOKEN/,
    );
    const { err } = await run({ ...env, SEALPOST_ADMIN_TOKEN: 'of another server' }, ['account', 'list']);
    assert.match(err, /does not belong to this server\. Set SEALPOST_ADMIN_TOKEN/);
  });

  test('wrong scopes and days are refused before a token is made', async () => {
    const before = await json('admin', 'token', 'list');
    for (const args of [[], ['--scopes', 'read,server'], ['--scopes', ''], ['--scopes', 'read', '--days', 'soon']]) {
      const { code } = await refusal('admin', 'token', 'create', 'x', ...args);
      assert.equal(code, 2, args.join(' '));
    }
    assert.match((await refusal('admin', 'token', 'create', 'x', '--scopes', 'read', '--days', '0')).err, /days/);
    assert.deepEqual(await json('admin', 'token', 'list'), before);
  });
});
