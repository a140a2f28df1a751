import assert from 'node:assert/strict';
import { after, before, describe, test } from 'node:test';
import { httpPaths, type MethodName, pathOf } from '@sealpost/contract';
import { httpOperations, methodNames, methodOf } from '@sealpost/contract/schemas';
import { systemPorts } from '../src/kernel/system.ts';
import { type AccessRule, accessRules, keyAndSessionRules, ownOnly, relations } from './access-rules.ts';
import { createPeople, type People } from './access-world.ts';
import { databases, startServer, type TestServer } from './harness.ts';
import { createRawClient, errorsOf, type Loose, type RawClient } from './raw-client.ts';

const HOUR = 3_600_000;
const userMethods = methodNames.filter((name) => methodOf(name).auth === 'user');
const openMethods = methodNames.filter((name) => methodOf(name).auth === 'none');
const neutral = (text: string) => text.replaceAll(/[ucr][0-9a-f]{32}|SQ[0-9a-f]+|\d{10,}/g, 'id');
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

  const eachUserMethod = async (token: string | undefined, expected: object) => {
    for (const method of userMethods) {
      const { status, body } = await raw.call(method, [], token);
      assert.partialDeepStrictEqual({ status, ...body }, expected, method);
    }
  };
  const tokenOf = async () => {
    const { client } = await server.user();
    return client.session?.tokens.accessToken as string;
  };

  test('Without an access token every method that needs a session answers 401 and 10004', () =>
    eachUserMethod(undefined, { status: 401, code: 10004, message: 'REQUEST_NEED_LOGIN' }));

  test('With a token that the server never gave out it is the same', async () => {
    for (const token of ['junk', 'e30.e30.e30', `${await tokenOf()}x`]) {
      await eachUserMethod(token, { status: 401, code: 10004 });
    }
  });

  test('Two access headers are no token', async () => {
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
    await eachUserMethod(token, {
      status: 400,
      code: 10051,
      data: { name: 'TalkException', code: 8, reason: 'V3_TOKEN_CLIENT_LOGGED_OUT' },
    });
  });

  test('An expired token answers talk code 119, so that the client renews it', async () => {
    const token = await tokenOf();
    ahead += 25 * HOUR;
    await eachUserMethod(token, {
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
  });

  test('An operation outside of RPC that must be signed refuses a wrong signature', async () => {
    for (const [name, { base, signed, verbs, path }] of Object.entries(httpOperations)) {
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
      people = await createPeople(server, raw);
      things = await people.things();
    });
    after(async () => {
      raw?.close();
      await server?.close();
    });

    /** `undefined` while the server does not serve the method. */
    async function isAllowed(rule: AccessRule, relation: (typeof relations)[number], fresh: typeof things) {
      const world = {
        ...fresh(relation),
        ...(rule.object === 'pending login' && { pendingLogin: await people.pendingLogin() }),
      };
      const answer = await people.call(relation, rule.method, rule.args(world));
      if (errorsOf(answer).includes('NOT_AVAILABLE_API')) return undefined;
      assert.ok(answer.status < 500, `${relation}: ${answer.text}`);
      if (answer.status !== 200) return { allowed: false, answer: answer.text };
      const data = (answer.body.data ?? {}) as Loose;
      return { allowed: rule.shows ? rule.shows(data, world) : true, answer: answer.text };
    }

    rules.forEach((rule, index) => {
      const who = rule.allowed.length === 0 ? 'nobody' : rule.allowed.join(', ');
      test(`${rule.object}, ${rule.access}: ${rule.method} is for ${who} (rule ${index + 1})`, async (t) => {
        const wrong: string[] = [];
        const refusals = new Set<string>();
        // A change spoils the things for the next one.
        const worlds =
          rule.access === 'read' ? [await people.things()] : await Promise.all(relations.map(people.things));
        for (const [index, relation] of relations.entries()) {
          const found = await isAllowed(rule, relation, (worlds[index] ?? worlds[0]) as typeof things);
          if (!found) return t.skip('not served yet');
          const expected = rule.allowed.includes(relation);
          if (found.allowed !== expected) {
            wrong.push(`${relation} ${expected ? 'may and cannot' : 'may not and can'}: ${found.answer.slice(0, 300)}`);
          }
          if (!found.allowed && !rule.shows && (relation === 'stranger' || relation === 'blocked')) {
            refusals.add(neutral(found.answer));
          }
        }
        assert.deepEqual(wrong, []);
        assert.ok(refusals.size <= 1, `outsiders get different refusals: ${[...refusals].join('\n')}`);
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
      const answer = await people.call('blocked', 'TalkService.sendMessage', [
        0,
        { to: world.mids.self, text: 'hey', contentType: 0 },
      ]);
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
