// Who may call what: every endpoint of the admin API with every kind of caller. And made tokens, from their making to
// their end; and what must never be written anywhere.
import assert from 'node:assert/strict';
import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { after, before, describe, test } from 'node:test';
import {
  type AdminEndpoint,
  type AdminScope,
  adminEndpointNames,
  adminEndpointOf,
  adminRoot,
  TOKEN_PREFIX,
  tokenScopes,
} from '@sealpost/contract/admin';
import {
  adminBrowser,
  logInAdministrator,
  setupSecret,
  stoppedClock,
  type TestAdministrator,
} from '@sealpost/dev-env/administrators';
import { databases, startServer, type TestServer } from '@sealpost/dev-env/harness';
import { operator } from '@sealpost/dev-env/people';
import { createAdminClient } from '@sealpost/sdk/admin';
import { pino } from 'pino';

const DAY_MS = 86_400_000;

/** Every kind of caller, with the scopes of the endpoints that it may call. */
const callers = {
  nobody: ['none'],
  'a user': ['none'],
  'the admin token': ['none', ...tokenScopes, 'server'],
  'a token with read': ['none', 'read'],
  'a token with accounts': ['none', 'accounts'],
  'a token with moderation': ['none', 'moderation'],
  'a token with read and moderation': ['none', 'read', 'moderation'],
  'an administrator': ['none', ...tokenScopes, 'server', 'administrator', 'login'],
  'half a login': ['none', 'login'],
  'an administrator at a page elsewhere': [],
} as const satisfies Record<string, readonly AdminScope[]>;
type CallerName = keyof typeof callers;

for (const database of databases) {
  describe(`the scopes of the admin API on ${database}`, () => {
    const clock = stoppedClock();
    let server: TestServer;
    let ann: TestAdministrator;
    const lines: string[] = [];
    before(async () => {
      // The clock stands still, and ids of one millisecond are in the order of their servers.
      const flags = { 'rate-admin': '1000000+100000' };
      server = await startServer({ database, servers: 1, ports: { clock }, flags });
      ann = await logInAdministrator(server, { now: clock.now });
    });
    after(() => server?.close());

    async function headersOf(name: CallerName): Promise<Readonly<Record<string, string>>> {
      const { origin } = new URL(server.url);
      const bearer = (token: string | undefined) => ({ authorization: `Bearer ${token}` });
      if (name === 'nobody') return {};
      if (name === 'a user') return bearer((await server.user()).client.session?.tokens.accessToken);
      if (name === 'the admin token') return bearer(server.adminToken);
      if (name === 'an administrator') return { origin, cookie: ann.cookie };
      if (name === 'an administrator at a page elsewhere')
        return { origin: 'https://evil.example', cookie: ann.cookie };
      if (name === 'half a login') {
        const browser = adminBrowser(server);
        await browser.client.logIn({ name: ann.name, password: ann.password });
        return { origin, cookie: browser.cookie };
      }
      const scopes = tokenScopes.filter((scope) => name.split(' ').includes(scope));
      return bearer((await operator(server).createToken({ name: 'matrix', scopes })).token);
    }

    /** Sends a request that changes nothing: it names nobody, and its body has an unknown field. */
    async function statusOf({ verb, path, query }: AdminEndpoint, headers: Readonly<Record<string, string>>) {
      const asked = query?.properties && 'days' in query.properties ? '?days=1' : '';
      const response = await fetch(server.url + adminRoot + path.replaceAll(/\{\w+\}/g, 'nobody') + asked, {
        method: verb,
        headers: { ...headers, ...(verb === 'GET' ? {} : { 'content-type': 'application/json' }) },
        body: verb === 'GET' ? null : '{"not a field":1}',
      });
      await response.arrayBuffer();
      return response.status;
    }

    for (const [name, allowed] of Object.entries(callers) as [CallerName, readonly AdminScope[]][]) {
      test(`every endpoint lets in ${name}, or refuses before it reads a body`, async () => {
        const headers = await headersOf(name);
        const changes: string[] = [];
        for (const endpointName of adminEndpointNames) {
          const endpoint = adminEndpointOf(endpointName);
          // This endpoint takes no body, and it would end the session of the caller.
          if (endpointName === 'logOut') continue;
          const status = await statusOf(endpoint, headers);
          const elsewhere = name === 'an administrator at a page elsewhere';
          // A read from elsewhere does no harm, because no page elsewhere can see its answer.
          const isAllowed = elsewhere ? endpoint.verb === 'GET' : allowed.includes(endpoint.scope);
          // Without a browser's word about its page, nobody logs in.
          const wordless = endpoint.scope === 'none' && endpoint.verb !== 'GET' && !('origin' in headers);
          if (isAllowed && !wordless) assert.ok(![401, 403].includes(status), `${endpointName}: ${status}`);
          else assert.ok([401, 403].includes(status), `${endpointName}: ${status}`);
          if (status < 300 && endpoint.verb !== 'GET') changes.push(endpointName);
        }
        assert.deepEqual(
          changes.filter((changed) => changed !== 'beginPasskeyLogin'),
          [],
        );
        assert.ok([401, 404].includes(await statusOf({ ...adminEndpointOf('listAudit'), path: '/nothing' }, headers)));
      });
    }

    test('a made token is shown once, is recognizable, and is stored as a hash', async () => {
      const { token, id } = await ann.client.createToken({ name: 'backup', scopes: ['accounts', 'read'] });
      assert.match(token, new RegExp(`^${TOKEN_PREFIX}[\\w-]{43}$`));
      const { tokens } = await ann.client.listTokens();
      assert.ok(!JSON.stringify(tokens).includes(token));
      const listed = tokens.find((made) => made.id === id);
      assert.deepEqual(
        [listed?.scopes, listed?.createdBy, listed?.lastUsedTime],
        [['read', 'accounts'], `administrator:${ann.name}`, undefined],
      );
      const machine = createAdminClient({ url: server.url, token });
      const { mid } = await machine.createAccount({ userid: 'made', password: 'correct horse', displayName: 'Made' });
      const [entry] = (await machine.listAudit({ limit: 1 })).entries;
      assert.deepEqual([entry?.actor, entry?.subject], ['token:backup', mid]);
      await assert.rejects(machine.listTokens(), { status: 403, detail: /needs server/ });
      await ann.client.revokeToken({ token: id });
      await assert.rejects(machine.listAccounts(), { status: 401 });
      await assert.rejects(ann.client.revokeToken({ token: id }), { status: 404 });
    });

    test('a made token expires, and tells when it was used', async () => {
      const { token, id, expiresTime } = await operator(server).createToken({
        name: 'short',
        scopes: ['read'],
        days: 2,
      });
      assert.equal(Date.parse(expiresTime ?? ''), clock.now() + 2 * DAY_MS);
      const machine = createAdminClient({ url: server.url, token });
      clock.move(DAY_MS);
      await machine.listAccounts();
      const { tokens } = await operator(server).listTokens();
      assert.equal(Date.parse(tokens.find((made) => made.id === id)?.lastUsedTime ?? ''), clock.now());
      clock.move(DAY_MS);
      await assert.rejects(machine.listAccounts(), { status: 401 });
    });

    test('more than twenty calls at once with a made token are not taken for guesses', async () => {
      const own = await startServer({ database, servers: 1 });
      try {
        const { token } = await operator(own).createToken({ name: 'busy', scopes: ['read'] });
        const machine = createAdminClient({ url: own.url, token });
        await Promise.all(Array.from({ length: 60 }, () => machine.listAccounts()));
        const guesser = createAdminClient({ url: own.url, token: `${TOKEN_PREFIX}${'x'.repeat(43)}` });
        for (let tries = 0; tries < 20; tries++) await assert.rejects(guesser.listAccounts(), { status: 401 });
        await assert.rejects(guesser.listAccounts(), { status: 429 });
      } finally {
        await own.close();
      }
    });

    test('a cookie counts beside the password for a proxy, and the cookie of an ended session is no guess', async () => {
      const own = await startServer({ database, servers: 1 });
      try {
        const person = await logInAdministrator(own);
        const behind = adminBrowser(own, { Authorization: 'Basic YW5uOnBhc3N3b3Jk' });
        behind.cookie = person.cookie;
        await behind.client.listAccounts();
        await person.client.logOut();
        for (let tries = 0; tries < 21; tries++) await assert.rejects(behind.client.listAccounts(), { status: 401 });
        await operator(own).listAccounts();
        behind.cookie = 'sealpost_admin=short';
        for (let tries = 0; tries < 20; tries++) await assert.rejects(behind.client.listAccounts(), { status: 401 });
        await assert.rejects(behind.client.listAccounts(), { status: 429 });
      } finally {
        await own.close();
      }
    });

    test('no password, code, cookie, token or secret reaches the log, the audit log, or the files in the clear', async () => {
      const logged = await startServer({
        database,
        logger: pino({ level: 'trace' }, { write: (line) => void lines.push(line) }),
        ports: { clock },
      });
      try {
        const setup = await setupSecret(logged);
        const person = await logInAdministrator(logged, { now: clock.now });
        const { secret } = await person.client.beginTotp({ password: person.password });
        const { token } = await person.client.createToken({ name: 'canary', scopes: ['read'] });
        const wrong = adminBrowser(logged);
        await assert.rejects(wrong.client.logIn({ name: person.name, password: 'the wrong canary' }));
        await assert.rejects(wrong.client.setUp({ setup: `${setup}x`, name: 'x', password: 'the other canary' }));
        const audit = JSON.stringify(await person.client.listAudit());
        const files = readdirSync(logged.dataDir)
          .filter((file) => file.startsWith('sealpost.db'))
          .map((file) => readFileSync(join(logged.dataDir, file), 'latin1'));
        const canaries = [setup, person.password, secret, token, person.cookie.split('=')[1] ?? '', 'the wrong canary'];
        for (const canary of [...canaries, 'the other canary', ...person.recoveryCodes]) {
          assert.ok(canary.length > 8);
          for (const text of [lines.join('\n'), audit, ...files]) assert.ok(!text.includes(canary), canary);
        }
      } finally {
        await logged.close();
      }
      assert.ok(
        lines.some((line) => line.includes('failed-admin-login')),
        lines.join('\n'),
      );
    });
  });
}
