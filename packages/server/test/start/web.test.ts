// Paths outside the protocol: unknown paths, HTTP methods that a path does not accept, and faults behind a page.
import assert from 'node:assert/strict';
import { after, before, describe, test } from 'node:test';
import { startServer, type TestServer } from '@sealpost/dev-env/harness';
import { sql } from '../../src/platform/store/sql.ts';
import { qrPath } from '../../src/slices/login/index.ts';

describe('beside the protocol', () => {
  let server: TestServer;
  before(async () => {
    server = await startServer();
  });
  after(() => server.close());

  async function ask(method: string, path: string, init: RequestInit = {}) {
    const answer = await fetch(server.url + path, {
      ...init,
      method,
      headers: { authorization: `Bearer ${server.adminToken}`, ...init.headers },
    });
    const { status, headers } = answer;
    return { status, allow: headers.get('allow'), type: headers.get('content-type') ?? '', text: await answer.text() };
  }
  /** Returns the reason in the envelope of an error. */
  function reasonOf({ status, type, text }: Awaited<ReturnType<typeof ask>>): string {
    assert.match(type, /^application\/json/);
    const { code, message, data } = JSON.parse(text);
    assert.deepEqual([code, message, data.statusCode], [10052, 'RESPONSE_HTTP_ERROR', status]);
    return data.reason;
  }
  /** Returns the detail of a problem in the admin API. */
  function detailOf(answer: Awaited<ReturnType<typeof ask>>): string {
    assert.match(answer.type, /^application\/problem\+json/);
    const { status, title, detail } = JSON.parse(answer.text);
    assert.equal(status, answer.status);
    assert.ok(title);
    return detail;
  }

  test('a path that is not UTF-8 is refused in the envelope', async () => {
    for (const path of ['/%', '/docs/%', '/docs/%ff', `${qrPath}%E0%A4%A`]) {
      const answer = await ask('GET', path);
      assert.equal(answer.status, 400, path);
      assert.ok(reasonOf(answer).includes(path));
    }
  });

  test('a path that is not UTF-8 is a problem under the admin API', async () => {
    for (const path of ['/api/admin/%', '/api/admin/v1/%', '/api/admin/v1/accounts/%ff']) {
      const answer = await ask('GET', path);
      assert.equal(answer.status, 400, path);
      assert.ok(detailOf(answer).includes(path));
    }
  });

  test('a name in the path that is too long is refused as such', async () => {
    const long = 'x'.repeat(3000);
    const page = await ask('GET', qrPath + long);
    assert.equal(page.status, 414);
    assert.match(reasonOf(page), /longer than 100 characters/);
    const account = await ask('GET', `/api/admin/v1/accounts/${long}`);
    assert.equal(account.status, 414);
    assert.match(detailOf(account), /longer than 100 characters/);
  });

  test('an unknown path is 404, with every HTTP method and any body', async () => {
    for (const path of ['/nothing', '/docs/nothing', '/docs/', `${qrPath}a/b`]) {
      for (const method of ['GET', 'POST', 'DELETE', 'OPTIONS']) {
        const broken = { body: '{', headers: { 'content-type': 'application/json' } };
        const answer = await ask(method, path, method === 'GET' ? {} : broken);
        assert.equal(answer.status, 404, `${method} ${path}`);
        assert.ok(reasonOf(answer).includes(path));
      }
    }
    const admin = await ask('GET', '/api/admin/v2/accounts');
    assert.equal(admin.status, 404);
    assert.match(detailOf(admin), /v2/);
  });

  test('a page with another verb is 405 and names its verbs, whatever the body', async () => {
    for (const path of [
      '/',
      '/docs',
      '/docs/style.css?x',
      '/openapi.json',
      '/livez',
      '/readyz',
      '/metrics',
      `${qrPath}x`,
    ]) {
      for (const method of ['POST', 'PUT', 'PATCH', 'DELETE', 'OPTIONS', 'PROPFIND']) {
        for (const type of ['application/json', 'text/xml']) {
          const answer = await ask(method, path, { body: '{', headers: { 'content-type': type } });
          assert.deepEqual([answer.status, answer.allow], [405, 'GET, HEAD'], `${method} ${path}`);
          assert.match(reasonOf(answer), new RegExp(`^${method} is not GET or HEAD$`));
        }
      }
    }
    for (const path of ['/docs', '/livez']) {
      const { status, text } = await ask('HEAD', path);
      assert.deepEqual([status, text], [200, ''], path);
    }
  });

  test('a fault behind a page is answered as one of the protocol, and tells nothing of its cause', async () => {
    const rename = (from: string, to: string) =>
      server.server.store.transact((tx) => tx.run(sql(`alter table ${from} rename to ${to}`)));
    await rename('pending_login', 'gone');
    const answer = await ask('GET', `${qrPath}SQ${'0'.repeat(32)}`);
    await rename('gone', 'pending_login');
    assert.equal(answer.status, 500);
    assert.match(answer.text, /^\{"code":99999,"message":"UNKNOWN_ERROR","data":\{"reason":"request \w+ failed/);
    assert.doesNotMatch(answer.text, /pending_login/);
  });

  test('the admin API takes an empty body where it needs none, whatever type that announces', async () => {
    const made = await ask('POST', '/api/admin/v1/accounts', {
      body: JSON.stringify({ userid: 'empty-body', password: 'correct horse', displayName: 'Empty' }),
      headers: { 'content-type': 'application/json' },
    });
    assert.equal(made.status, 201, made.text);
    const account = '/api/admin/v1/accounts/empty-body';
    for (const type of [
      'application/json',
      'application/json; charset=utf-8',
      'text/plain',
      'application/x-www-form-urlencoded',
    ]) {
      const empty = { headers: { 'content-type': type } };
      for (const path of [`${account}/disable`, `${account}/enable`]) {
        for (const body of ['', undefined]) {
          const { status, text } = await ask('POST', path, { ...empty, ...(body !== undefined && { body }) });
          assert.equal(status, 200, `${type} at ${path}: ${text}`);
        }
      }
      assert.equal((await ask('DELETE', `${account}/sessions`, empty)).status, 204, type);
    }
    const json = { headers: { 'content-type': 'application/json' } };
    const needed = await ask('POST', `${account}/reset-password`, json);
    assert.deepEqual([needed.status, detailOf(needed)], [400, 'the body must be a JSON object']);
    assert.equal((await ask('DELETE', account, json)).status, 204);
  });

  test('no refusal names what the server is made of', async () => {
    const accounts = '/api/admin/v1/accounts';
    const answers: string[] = [];
    for (const path of [accounts, `${accounts}/nobody/disable`, '/api/admin/v1/nothing', '/livez', '/nothing', '/%']) {
      for (const method of ['POST', 'PUT', 'PATCH', 'DELETE']) {
        for (const [type, body] of [
          ['application/json', ''],
          ['application/json', '{'],
          ['application/json', '{"__proto__":{}}'],
          ['application/json', `"${'x'.repeat(70_000)}"`],
          ['text/xml', '<a/>'],
          ['nonsense', 'x'],
          ['application/zip', 'x'],
        ] as const) {
          const answer = await ask(method, path, { body, headers: { 'content-type': type } });
          const what = `${method} ${path} ${type} ${body.slice(0, 20)}: ${answer.status} ${answer.text}`;
          assert.ok(answer.status >= 400 && answer.status < 500, what);
          answers.push(what);
        }
      }
    }
    const telling = answers.filter((answer) => /fastify|FST_|node:|content-type is set|Error:/i.test(answer));
    assert.deepEqual(telling, []);
  });
});
