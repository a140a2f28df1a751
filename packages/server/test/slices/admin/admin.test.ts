import assert from 'node:assert/strict';
import { after, before, describe, test } from 'node:test';
import { openSlices, type Slices } from '@sealpost/dev-env/account-slices';
import { databases } from '@sealpost/dev-env/harness';
import fastify, { type FastifyInstance } from 'fastify';
import { createClientAddress } from '../../../src/platform/http/client-address.ts';
import { createLogger } from '../../../src/platform/kernel/logger.ts';
import { createSecurityEvents } from '../../../src/platform/kernel/security-events.ts';
import { systemPorts } from '../../../src/platform/kernel/system.ts';
import { createRateLimits } from '../../../src/platform/rpc/rate-limit.ts';
import { adminRoutes } from '../../../src/slices/admin/index.ts';

const TOKEN = 'the-admin-token';
const PREFIX = '/api/admin/v1';
type Verb = 'GET' | 'POST' | 'DELETE' | 'PUT' | 'PATCH' | 'OPTIONS';

for (const kind of databases) {
  describe(`admin API on ${kind}`, () => {
    let slices: Slices;
    let app: FastifyInstance;
    const faults: unknown[] = [];
    before(async () => {
      slices = await openSlices(kind);
      app = fastify();
      const gate = {
        adminToken: TOKEN,
        credentials: { sessionOf: async () => undefined, hasCookie: () => false, tokenOf: async () => undefined },
        origin: () => undefined,
        clientAddress: createClientAddress([]),
        rates: createRateLimits(systemPorts.clock, {}),
        events: createSecurityEvents(createLogger('silent', systemPorts.timers), systemPorts.timers),
      };
      const routes = adminRoutes({ ...slices, ...gate, others: {}, onFault: (fault) => faults.push(fault) });
      await app.register(routes, { prefix: PREFIX });
    });
    after(async () => {
      await app.close();
      await slices.close();
      assert.deepEqual(faults, []);
    });

    async function ask(method: Verb, path: string, body?: unknown, authorization = `Bearer ${TOKEN}`) {
      const answer = await app.inject({
        method,
        url: PREFIX + path,
        headers: { authorization, ...(body === undefined ? {} : { 'content-type': 'application/json' }) },
        ...(body === undefined ? {} : { payload: typeof body === 'string' ? body : JSON.stringify(body) }),
      });
      const json = answer.body ? JSON.parse(answer.body) : undefined;
      if (answer.statusCode >= 400) {
        assert.match(String(answer.headers['content-type']), /^application\/problem\+json/);
        assert.equal(json.status, answer.statusCode);
        assert.ok(json.title && json.detail);
      }
      return { status: answer.statusCode, headers: answer.headers, json };
    }

    const input = (userid: string, more: object = {}) => ({
      userid,
      password: 'correct horse',
      displayName: userid,
      ...more,
    });

    test('an account is created, shown by mid and userid, and listed', async () => {
      const made = await ask(
        'POST',
        '/accounts',
        input('anna', { email: 'Anna@Example.org', phone: '+81 3-1234-5678' }),
      );
      assert.equal(made.status, 201);
      assert.match(made.json.mid, /^u[0-9a-f]{32}$/);
      assert.deepEqual(
        [made.json.userid, made.json.email, made.json.phone, made.json.kind, made.json.disabled],
        ['anna', 'anna@example.org', '+81312345678', 'user', false],
      );
      assert.equal(made.headers.location, `${PREFIX}/accounts/${made.json.mid}`);
      assert.doesNotMatch(JSON.stringify(made.json), /password|argon/);
      assert.deepEqual((await ask('GET', '/accounts/anna')).json, made.json);
      assert.deepEqual((await ask('GET', `/accounts/${made.json.mid}`)).json, made.json);
      assert.deepEqual((await ask('GET', '/accounts')).json.accounts[0], made.json);
    });

    test('a taken userid, e-mail address or phone number is answered 409 with its name', async () => {
      await ask('POST', '/accounts', input('ben', { email: 'ben@example.org', phone: '+81312340000' }));
      for (const [field, more] of Object.entries({
        userid: { userid: 'BEN' },
        email: { email: 'BEN@example.org' },
        phone: { phone: '+81-3-1234-0000' },
      })) {
        const { status, json } = await ask('POST', '/accounts', input('ben2', more));
        assert.equal(status, 409);
        assert.equal(json.field, field);
      }
    });

    test('two creations of one userid at the same moment give one account', async () => {
      const answers = await Promise.all([1, 2, 3, 4].map(() => ask('POST', '/accounts', input('same'))));
      assert.deepEqual(answers.map(({ status }) => status).sort(), [201, 409, 409, 409]);
    });

    test('every field of a body that does not fit is named', async () => {
      const fieldsOf = async (body: unknown) => {
        const { status, json } = await ask('POST', '/accounts', body);
        assert.equal(status, 400);
        return (json.errors ?? []).map(({ field }: { field: string }) => field).sort();
      };
      assert.deepEqual(await fieldsOf({}), ['displayName', 'password', 'userid']);
      assert.deepEqual(await fieldsOf(input('carla', { color: 'red' })), ['color']);
      assert.deepEqual(await fieldsOf(input('carla', { password: 1, kind: 'robot' })), ['kind', 'password']);
      assert.deepEqual(
        await fieldsOf({
          userid: '-',
          password: 'short',
          displayName: ' ',
          email: 'x',
          phone: '123',
          regionCode: 'Japan',
        }),
        ['displayName', 'email', 'password', 'phone', 'regionCode', 'userid'],
      );
      assert.deepEqual(await fieldsOf([]), []);
      assert.deepEqual(await fieldsOf('{'), []);
    });

    test('a compressed body is 415, whatever it holds', async () => {
      const create = (encoding: string, userid: string) =>
        app.inject({
          method: 'POST',
          url: `${PREFIX}/accounts`,
          headers: {
            authorization: `Bearer ${TOKEN}`,
            'content-type': 'application/json',
            'content-encoding': encoding,
          },
          payload: JSON.stringify(input(userid)),
        });
      for (const encoding of ['gzip', 'GZIP', 'br', 'gzip, identity']) {
        const answer = await create(encoding, 'packed');
        assert.equal(answer.statusCode, 415, encoding);
        assert.match(String(answer.headers['content-type']), /^application\/problem\+json/);
        assert.match(answer.json().detail, /content-encoding/);
      }
      assert.equal((await create('Identity', 'plain')).statusCode, 201);
    });

    test('common and too long passwords, control characters and names like a mid are refused', async () => {
      for (const more of [
        { password: 'Password123' },
        { password: 'x'.repeat(129) },
        { displayName: 'a\nb' },
        { displayName: 'x'.repeat(21) },
        { userid: `u${'0'.repeat(32)}` },
        { email: 'a\0@b' },
        { email: 'a\ud800@b.c' },
        { password: 'secret-\ud800pw-1' },
        { password: 'secret-\0pw-1' },
      ]) {
        assert.equal((await ask('POST', '/accounts', input('dora', more))).status, 400, JSON.stringify(more));
      }
      assert.equal((await ask('POST', '/accounts', input('dora', { password: 'dora-dev' }))).status, 201);
    });

    test('lists come in pages', async () => {
      for (let n = 0; n < 5; n++) await ask('POST', '/accounts', input(`page${n}`));
      const found: string[] = [];
      let cursor = '';
      do {
        const { json } = await ask('GET', `/accounts?limit=2${cursor && `&cursor=${cursor}`}`);
        found.push(...json.accounts.map(({ mid }: { mid: string }) => mid));
        cursor = json.cursor ?? '';
      } while (cursor);
      const { json } = await ask('GET', '/accounts?limit=200');
      assert.deepEqual(
        found,
        json.accounts.map(({ mid }: { mid: string }) => mid),
      );
      for (const bad of ['limit=0', 'limit=201', 'limit=x', 'cursor=-1', 'limit=1&limit=2']) {
        assert.equal((await ask('GET', `/accounts?${bad}`)).status, 400, bad);
      }
    });

    test('disabling ends the sessions and enabling does not bring them back', async () => {
      const { account, tokens } = await slices.openSession('emil');
      await slices.sessions.load(tokens.accessToken);
      const disabled = await ask('POST', `/accounts/${account.mid}/disable`);
      assert.deepEqual([disabled.status, disabled.json.disabled], [200, true]);
      assert.equal(slices.sessions.cached(tokens.accessToken), undefined);
      assert.equal((await ask('POST', `/accounts/${account.mid}/enable`)).json.disabled, false);
      await assert.rejects(slices.sessions.load(tokens.accessToken), { code: 'SESSION_LOGGED_OUT' });
    });

    test('sessions are listed and ended one by one or all at once', async () => {
      const { account, sessionId } = await slices.openSession('fred');
      const path = `/accounts/fred/sessions`;
      const [session] = (await ask('GET', path)).json.sessions;
      assert.equal(session.loginSessionId, String(sessionId));
      assert.equal(session.systemName, 'Test');
      assert.equal((await ask('DELETE', `${path}/1`)).status, 404);
      const { sessionId: foreign } = await slices.openSession('frida');
      assert.equal((await ask('DELETE', `${path}/${foreign}`)).status, 404);
      assert.equal((await ask('DELETE', `${path}/${sessionId}`)).status, 204);
      assert.equal((await ask('DELETE', `${path}/${sessionId}`)).status, 404);
      assert.deepEqual((await ask('GET', path)).json.sessions, []);
      assert.equal((await ask('DELETE', '/accounts/frida/sessions')).status, 204);
      assert.deepEqual((await ask('GET', '/accounts/frida/sessions')).json.sessions, []);
      assert.ok(account.mid);
    });

    test('a new password is checked and set', async () => {
      await ask('POST', '/accounts', input('gina'));
      assert.equal((await ask('POST', '/accounts/gina/reset-password', { password: 'short' })).status, 400);
      assert.equal((await ask('POST', '/accounts/gina/reset-password', {})).status, 400);
      assert.equal((await ask('POST', '/accounts/gina/reset-password', { password: 'battery staple' })).status, 200);
      const stored = await slices.store.read((reader) => slices.accounts.byIdentifier(reader, 'gina'));
      assert.equal(await slices.passwords.verify(stored?.passwordHash, 'battery staple'), true);
      assert.equal(await slices.passwords.verify(stored?.passwordHash, 'correct horse'), false);
    });

    test('a deleted account is gone, its userid is free, its mid stays taken and its token is logged out', async () => {
      const { account, tokens } = await slices.openSession('hugo');
      assert.equal((await ask('DELETE', '/accounts/hugo')).status, 204);
      assert.equal((await ask('GET', '/accounts/hugo')).status, 404);
      assert.equal((await ask('DELETE', `/accounts/${account.mid}`)).status, 404);
      assert.equal((await ask('POST', `/accounts/${account.mid}/enable`)).status, 404);
      await assert.rejects(slices.sessions.load(tokens.accessToken), { code: 'SESSION_LOGGED_OUT' });
      assert.equal(await slices.store.read((reader) => slices.accounts.idOf(reader, account.mid)), account.id);
      const again = await ask('POST', '/accounts', input('hugo'));
      assert.equal(again.status, 201);
      assert.notEqual(again.json.mid, account.mid);
    });

    test('every change is in the audit log, newest first', async () => {
      const { json: made } = await ask('POST', '/accounts', input('ines'));
      await ask('POST', '/accounts/ines/disable');
      await ask('POST', '/accounts/ines/enable');
      await ask('POST', '/accounts/ines/reset-password', { password: 'battery staple' });
      await ask('DELETE', '/accounts/ines');
      await ask('POST', '/accounts', input('ines', { password: 'short' }));
      const { json } = await ask('GET', '/audit?limit=5');
      assert.deepEqual(
        json.entries.map(({ action, subject }: Record<string, string>) => [action, subject]),
        ['delete', 'reset-password', 'enable', 'disable', 'create'].map((name) => [`account.${name}`, made.mid]),
      );
      assert.doesNotMatch(JSON.stringify(json), /battery|horse/);
      const next = await ask('GET', `/audit?limit=1&cursor=${json.entries[3].id}`);
      assert.equal(next.json.entries[0].id, json.entries[4].id);
    });

    test('without the admin token everything is 401, known path or not', async () => {
      for (const authorization of ['', 'Bearer', 'Bearer wrong', `Basic ${TOKEN}`, `Bearer ${TOKEN}x`]) {
        for (const path of ['/accounts', '/nothing', '/accounts/x/disable']) {
          const { status, headers } = await ask('GET', path, undefined, authorization);
          assert.equal(status, 401);
          assert.match(String(headers['www-authenticate']), /^Bearer/);
        }
      }
    });

    test('an unknown path is 404, a known one with another verb 405 with the verbs that it has', async () => {
      assert.equal((await ask('GET', '/nothing')).status, 404);
      assert.equal((await ask('GET', '/accounts/nobody')).status, 404);
      assert.equal((await ask('GET', '/accounts/a%00b')).status, 404);
      for (const [method, body] of [['PUT', {}], ['PATCH', '{'], ['DELETE'], ['OPTIONS']] as const) {
        const { status, headers, json } = await ask(method, '/accounts', body);
        assert.deepEqual([status, headers.allow], [405, 'GET, HEAD, POST'], method);
        assert.match(json.detail, new RegExp(`^${method} is not possible`));
      }
      assert.equal((await ask('OPTIONS', '/nothing')).status, 404);
    });

    test('HEAD answers like GET without the body, on every path that has GET', async () => {
      const head = (path: string) =>
        app.inject({ method: 'HEAD', url: PREFIX + path, headers: { authorization: `Bearer ${TOKEN}` } });
      const known = await head('/accounts?limit=1');
      assert.deepEqual([known.statusCode, known.body], [200, '']);
      assert.ok(Number(known.headers['content-length']) > 0);
      assert.equal((await head('/accounts/nobody')).statusCode, 404);
      const changing = await head('/accounts/nobody/disable');
      assert.deepEqual([changing.statusCode, changing.headers.allow], [405, 'POST']);
      assert.equal((await head('/nothing')).statusCode, 404);
    });
  });
}
