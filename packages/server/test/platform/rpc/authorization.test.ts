import assert from 'node:assert/strict';
import { after, before, describe, test } from 'node:test';
import {
  accessRules,
  card,
  createPeople,
  createRawClient,
  keyAndSessionRules,
  neutral,
  ownOnly,
  type People,
  type RawClient,
  tryRule,
} from '@sealpost/conformance/testing';
import { httpPaths, limits, type MethodName, pathOf } from '@sealpost/contract';
import { httpEndpoints, methodNames, methodOf } from '@sealpost/contract/schemas';
import { databases, startServer, type TestServer } from '@sealpost/dev-env/harness';
import { importPack } from '@sealpost/dev-env/packs';
import { failsWith, operator } from '@sealpost/dev-env/people';
import { createRpcClient } from '@sealpost/sdk';
import { systemPorts } from '../../../src/platform/kernel/system.ts';

const userMethods = methodNames.filter((name) => methodOf(name).auth === 'user');
const openMethods = methodNames.filter((name) => methodOf(name).auth === 'none');
/** The endpoints outside of RPC by HTTP method, except sticker and emoji pictures, which are for everybody. */
const httpCalls = Object.values(httpEndpoints).flatMap(({ base, path, auth, verbs }) =>
  base === 'objects' || !path.includes('{')
    ? Object.keys(verbs)
        .filter((verb) => verb !== 'HEAD')
        .map((verb) => ({ path: path.replace('{service}/{sid}/{oid}', 'talk/m/1'), auth, verb }))
    : [],
);
const rules = [...accessRules, ...keyAndSessionRules];

describe('the way in', () => {
  let server: TestServer;
  let raw: RawClient;
  let ahead = 0;
  before(async () => {
    const { clock } = systemPorts;
    server = await startServer({
      ports: { clock: { now: () => clock.now() + ahead, monotonic: () => clock.monotonic() + ahead } },
    });
    raw = createRawClient({ url: server.url });
  });
  after(async () => {
    raw?.close();
    await server?.close();
  });

  const eachUserCall = async (token: string | undefined, expected: object) => {
    for (const method of userMethods) {
      const { status, body } = await raw.call(method, [], token);
      assert.partialDeepStrictEqual({ status, ...body }, expected, method);
    }
    for (const { path, verb, auth } of httpCalls.filter(({ auth }) => auth !== 'none')) {
      const { status, body } = await raw.send(path, { verb, token });
      // For streams and objects, clients look only at the HTTP status. For all other calls, the body tells the refusal.
      const byStatus = auth === 'object' || path === httpPaths.operationReceive;
      const told = byStatus ? { ...expected, status: 401 } : expected;
      assert.partialDeepStrictEqual({ status, ...body }, told, `${verb} ${path}`);
    }
  };
  const tokenOf = async () => {
    const { client } = await server.user();
    return client.session?.tokens.accessToken as string;
  };

  test('Without an access token every method and endpoint that needs a session answers 401 and 10004', () =>
    eachUserCall(undefined, { status: 401, code: 10004, message: 'REQUEST_NEED_LOGIN' }));

  test('A token that the server never issued gets the same answer', async () => {
    for (const token of ['junk', 'e30.e30.e30', `${await tokenOf()}x`]) {
      await eachUserCall(token, { status: 401, code: 10004 });
    }
    const reasons = async (token?: string) => (await raw.call('TalkService.getProfile', [], token)).body.data?.reason;
    for (const token of ['junk', 'e30.e30.e30', `${await tokenOf()}x`])
      assert.equal(await reasons(token), 'the access token is not known here: renew it or log in');
    assert.equal(await reasons(), 'X-Svc-Access is missing: send the access token of a login');
  });

  test('A wrong signature of a request without the token header is told so, and one with a token is not', async () => {
    const token = await tokenOf();
    const path = pathOf('TalkService.getProfile');
    const signature = raw.signatureOf(path, '[]', token);
    const told = 'X-Hmac does not match path, body, token, version and build token';
    const foreign = { 'X-Svc-Access': undefined, 'X-Svcx-Access': token };
    const without = await raw.send(path, { body: '[]', signature, headers: foreign });
    const empty = `${told}; the request has no X-Svc-Access, so its token is the empty text`;
    assert.partialDeepStrictEqual(without.body, {
      code: 10005,
      message: 'REQUEST_INVALID_HMAC',
      data: { reason: empty },
    });
    const upload = await raw.send('/r/talk/emf/reqid-1', { verb: 'POST', body: '[]', token, signature });
    assert.partialDeepStrictEqual(upload.body, { code: 10005, data: { reason: told } });
    const wrong = await raw.send(path, { body: '[ ]', token, signature });
    assert.partialDeepStrictEqual(wrong.body, { code: 10005, data: { reason: told } });
  });

  test('A method that does not exist is answered with where the methods are listed', async () => {
    const path = `${pathOf('TalkService.getProfile').slice(0, -1)}`;
    const { status, body } = await raw.send(path, { body: '[]', token: await tokenOf() });
    assert.equal(status, 404);
    assert.equal(body.data?.reason, `no endpoint at ${path}; /docs lists what is here`);
  });

  test('Two access headers count as no token', async () => {
    const token = await tokenOf();
    const { status, body } = await raw.send(pathOf('TalkService.getProfile'), {
      body: '[]',
      token: `${token}, ${token}`,
    });
    assert.deepEqual([status, body.code], [401, 10004]);
  });

  test('A session that logged out answers talk code 8 and the reason that clients look for', async () => {
    const { client } = await server.user();
    const token = client.session?.tokens.accessToken as string;
    await client.logout();
    await eachUserCall(token, {
      status: 400,
      code: 10051,
      data: { name: 'TalkException', code: 8, reason: 'V3_TOKEN_CLIENT_LOGGED_OUT' },
    });
  });

  test('An expired token answers talk code 119, so that the client renews it', async () => {
    const token = await tokenOf();
    ahead += limits.accessTokenMs.value;
    await eachUserCall(token, {
      status: 400,
      code: 10051,
      data: { code: 119, reason: 'Access token refresh required' },
    });
  });

  test('The methods before login need no token, and take any', async () => {
    for (const method of openMethods) {
      if (method.includes('check')) continue;
      for (const token of [undefined, 'junk']) {
        const { status, text } = await raw.call(method, [], token);
        assert.notEqual(status, 401, `${method}: ${text}`);
      }
    }
  });

  test('The endpoints before login answer alike, whatever access token comes with them', async () => {
    const { client } = await server.user();
    const ended = client.session?.tokens.accessToken as string;
    await client.logout();
    const open = httpCalls.filter(({ auth }) => auth === 'none');
    assert.deepEqual(
      open.map(({ path }) => path),
      [httpPaths.tokenRefresh, httpPaths.longPollLF1, httpPaths.longPollJQ],
    );
    for (const { path, verb } of open) {
      const withoutToken = await raw.send(path, { verb, body: '{}' });
      assert.notEqual(withoutToken.body.code, 10004, path);
      for (const token of ['junk', ended, await tokenOf()]) {
        const answer = await raw.send(path, { verb, body: '{}', token });
        assert.deepEqual([answer.status, answer.text], [withoutToken.status, withoutToken.text], path);
      }
    }
  });

  test('A missing, malformed or wrong signature answers 10005 on every method', async () => {
    const token = await tokenOf();
    const valid = raw.signatureOf('/another', '[]', token);
    for (const method of methodNames) {
      for (const signature of [false, '', 'x', valid.slice(0, -1), `${valid}=`, valid] as const) {
        const { status, body } = await raw.send(pathOf(method), { body: '[]', token, signature });
        assert.deepEqual([status, body.code], [400, 10005], `${method} with ${signature}`);
      }
    }
  });

  test('A wrong signature is found before the session is looked at', async () => {
    const { body } = await raw.send(pathOf('TalkService.getProfile'), { body: '[]', token: 'junk', signature: false });
    assert.equal(body.code, 10005);
  });

  test('A signature for another token, version, path or body is wrong', async () => {
    const token = await tokenOf();
    const path = pathOf('TalkService.getProfile');
    const other = [
      raw.signatureOf(path, '[]', `${token}x`),
      raw.signatureOf(path, '[]', ''),
      raw.signatureOf(path, '[]', token, '3.7.1'),
      raw.signatureOf(`${path}?`, '[]', token),
      raw.signatureOf(path, '[ ]', token),
    ];
    for (const signature of other) {
      assert.equal((await raw.send(path, { body: '[]', token, signature })).body.code, 10005);
    }
    assert.equal((await raw.send(path, { body: '[]', token })).status, 200);
    // This call makes the server derive the session's key for the default version. The next calls show that the key
    // must fit the version in the request.
    assert.equal((await raw.send(path, { body: '[]', token })).status, 200);
    const headers = { 'X-Svc-Client-Version': '3.7.1' };
    const signed = (version: string) => raw.signatureOf(path, '[]', token, version);
    const ofOther = await raw.send(path, { body: '[]', token, headers, signature: signed('3.7.2') });
    assert.equal(ofOther.body.code, 10005);
    assert.equal((await raw.send(path, { body: '[]', token, headers, signature: signed('3.7.1') })).status, 200);
  });

  test('An endpoint outside of RPC that must be signed refuses a wrong signature', async () => {
    for (const [name, { base, signed, verbs, path }] of Object.entries(httpEndpoints)) {
      if (base !== 'gateway' || signed !== true) continue;
      const [verb] = Object.keys(verbs);
      const { body } = await raw.send(path, { verb: verb as string, signature: false });
      assert.equal(body.code, 10005, name);
    }
  });

  test('Unknown paths answer 404 with an envelope', async () => {
    const paths = [
      '/api/talk/thrift/Talk/TalkService/noSuchMethod',
      '/api/talk/thrift/Talk/TalkService',
      '/api/talk/thrift/Talk/TalkService/',
      '/api/talk/thrift/Talk/TalkService/getProfile/',
      '/api/talk/thrift/Talk/talkservice/getProfile',
      '/api/talk/thrift/Other/TalkService/getProfile',
      '/api/talk/thrift/Talk/TalkService/getProfile%00',
      '/api/talk/thrift/Talk//TalkService/getProfile',
      '/api/talk/thrift/Talk/TalkService/constructor',
      '/api/talk/thrift/Talk/TalkService/__proto__',
      '/api/',
      '/r/',
    ];
    for (const path of paths) {
      const { status, body } = await raw.send(path, { body: '[]' });
      assert.deepEqual([status, body.code, typeof body.message], [404, 10052, 'string'], path);
    }
  });

  test('A known path with another verb answers 405 with an envelope', async () => {
    for (const method of methodNames) {
      for (const verb of ['GET', 'PUT', 'DELETE', 'PATCH']) {
        const { status, body } = await raw.send(pathOf(method), { verb });
        assert.deepEqual([status, body.code], [405, 10052], `${verb} ${method}`);
      }
    }
    const { status } = await raw.send(httpPaths.operationReceive, { verb: 'POST' });
    assert.equal(status, 405);
  });

  test('The doubled prefix serves exactly the eight methods that have it', async () => {
    const served: string[] = [];
    for (const method of methodNames) {
      const { status } = await raw.send(`/api${pathOf(method)}`, { body: '[]' });
      if (status !== 404) served.push(method);
    }
    assert.deepEqual(served.sort(), [
      'TalkService.getConfigurations',
      'TalkService.getProfile',
      'TalkService.getServerTime',
      'TalkService.getSettings',
      'TalkService.getSettingsAttributes2',
      'TalkService.reportAbuseEx',
      'TalkService.updateProfileAttributes',
      'TalkService.updateSettingsAttributes2',
    ]);
    const { status } = await raw.send(`/api/api${pathOf('TalkService.getProfile')}`, { body: '[]' });
    assert.equal(status, 404);
  });
});

test('Each of the build tokens of a server signs, and no other', async (t) => {
  const server = await startServer({ flags: { 'build-tokens': 'new build,old build' } });
  t.after(() => server.close());
  const { userid: identifier, password } = await server.user();
  for (const buildToken of ['new build', 'old build']) {
    const client = createRpcClient({ url: server.url, buildToken });
    await client.login({ identifier, password });
    await client.TalkService.getProfile();
    client.close();
  }
  const client = createRpcClient({ url: server.url, buildToken: 'build' });
  await assert.rejects(client.login({ identifier, password }), failsWith('REQUEST_INVALID_HMAC'));
  client.close();
});

test('Every method that needs a session has access rules, or stands in the list of those that touch only the own account', () => {
  const ruled = new Set<MethodName>(rules.map(({ method }) => method));
  const without = userMethods.filter((name) => !ruled.has(name) && ownOnly[name] === undefined);
  assert.deepEqual(without, []);
  const twice = Object.keys(ownOnly).filter((name) => ruled.has(name as MethodName));
  assert.deepEqual(twice, []);
});

for (const kind of databases) {
  describe(`access on ${kind}`, () => {
    let server: TestServer;
    let raw: RawClient;
    let people: People;
    let things: Awaited<ReturnType<People['things']>>;
    before(async () => {
      server = await startServer({ database: kind });
      raw = createRawClient({ url: server.url });
      const official = { userid: 'official-account', password: 'password of the official account' };
      const makers = {
        user: (relation: string) => server.user(relation),
        official: async () =>
          (await server.server.slices.accounts.create({ ...official, displayName: 'official', kind: 'official' })).mid,
        async product(owner: string) {
          const pack = { name: 'Owned', nameText: { maxCharacters: 9 }, pictures: ['wave'] };
          const { id, pictures } = await importPack(server, pack);
          await operator(server).grantProduct({ product: id, account: owner });
          return { id, sticker: pictures[0]?.id as string };
        },
      };
      people = await createPeople(makers, raw);
      things = await people.things();
    });
    after(async () => {
      raw?.close();
      await server?.close();
    });

    rules.forEach((rule, index) => {
      const who = rule.allowed.length === 0 ? 'nobody' : rule.allowed.join(', ');
      test(`${rule.object}, ${rule.access}: ${rule.method} is for ${who} (rule ${index + 1})`, async () => {
        assert.deepEqual(await tryRule(rule, people), []);
      });
    });

    test('What an outsider may not see looks as if it did not exist', async () => {
      const { group, groupMessage, ...rest } = things('stranger');
      const nowhere = { ...rest, group: `c${'0'.repeat(32)}`, groupMessage: '999999999999' };
      const real = { ...rest, group, groupMessage };
      for (const rule of accessRules.filter((r) => /group|reaction|box|range/.test(r.object) && !r.shows)) {
        const seen = await people.call('stranger', rule.method, rule.args(real));
        const absent = await people.call('stranger', rule.method, rule.args(nowhere));
        if (rule.allowed.includes('stranger')) continue;
        assert.equal(neutral(seen.text), neutral(absent.text), rule.method);
      }
    });

    test('A sender that is blocked gets its message accepted, and the other side never sees it', async () => {
      const world = things('blocked');
      const before = await people.users.self.client.TalkService.getLastOpRevision();
      const answer = await people.call('blocked', 'TalkService.sendMessage', [0, card(world.mids.self)]);
      assert.equal(answer.status, 200);
      assert.equal(await people.users.self.client.TalkService.getLastOpRevision(), before);
    });

    test('A sender cannot speak in the name of another', async () => {
      const world = things('member');
      const answer = await people.call('member', 'TalkService.sendMessage', [
        0,
        { from: world.mids.self, to: world.group, text: 'it was me', contentType: 0 },
      ]);
      const from = answer.body.data?.from as unknown;
      assert.ok(answer.status === 400 || from === world.mids.member, answer.text);
    });
  });
}
