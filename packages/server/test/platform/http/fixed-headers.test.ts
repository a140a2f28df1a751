// Headers that every response has, and responses to requests that are not valid HTTP.
import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { after, before, describe, test } from 'node:test';
import { httpPaths, pathOf } from '@sealpost/contract';
import { startServer, type TestServer, type TestUser } from '@sealpost/dev-env/harness';
import { exchange } from '@sealpost/dev-env/raw-socket';

const HSTS = 'max-age=31536000';
const TRUSTED = { 'trusted-proxies': 'loopback' };

/** Returns one request for each kind of response, with its status. */
function kinds(server: TestServer, user: TestUser): readonly (readonly [string, string, number, RequestInit?])[] {
  const access = { 'x-svc-access': user.client.session?.tokens.accessToken as string };
  const admin = { authorization: `Bearer ${server.adminToken}` };
  const path = pathOf('TalkService.getProfile');
  const object = '/r/talk/emf/reqid-00000000-0000-4000-8000-000000000000';
  const picture = '/stickershop/v1/product/1/android/main.png';
  return [
    ['JSON of a call', path, 200, { method: 'POST', headers: access, body: '[]' }],
    ['error of a call', path, 401, { method: 'POST', body: '[]' }],
    ['question of a browser', path, 204, { method: 'OPTIONS' }],
    ['wrong verb', path, 405, { method: 'DELETE' }],
    ['no such path', '/api/none', 404],
    ['stream', httpPaths.operationReceive, 200, { headers: access }],
    ['object that is sent', object, 201, { method: 'POST', headers: { ...access, 'x-obs-params': '' }, body: 'bytes' }],
    ['object without login', object, 401],
    ['no such picture', picture, 404],
    ['page', '/', 200],
    ['script of a page', '/docs/app.js', 200],
    ['document', '/openapi.json', 200],
    ['head of a page', '/docs', 200, { method: 'HEAD' }],
    ['health', '/readyz', 200],
    ['metrics', '/metrics', 200, { headers: admin }],
    ['metrics without the token', '/metrics', 401],
    ['no such page', '/none', 404],
    ['wrong verb of a page', '/docs', 405, { method: 'POST' }],
    ['path that is no UTF-8', '/%', 400],
    ['admin API', '/api/admin/v1/accounts', 200, { headers: admin }],
    ['admin API without its token', '/api/admin/v1/accounts', 401],
    ['no such admin path', '/api/admin/v1/none', 404, { headers: admin }],
  ];
}

for (const [what, flags, sent, hsts] of [
  ['plain http', {}, {}, null],
  ['a public address of https', { 'public-url': 'https://chat.example.org' }, {}, HSTS],
  ['a trusted proxy that speaks https', TRUSTED, { 'x-forwarded-proto': 'https' }, HSTS],
  ['a trusted proxy that speaks http', TRUSTED, { 'x-forwarded-proto': 'http' }, null],
  ['a stranger that claims https', {}, { 'x-forwarded-proto': 'https' }, null],
  ['a stranger beside a trusted proxy', { 'trusted-proxies': '10.0.0.0/8' }, { 'x-forwarded-proto': 'https' }, null],
] as const) {
  describe(`answers behind ${what}`, () => {
    let server: TestServer;
    let user: TestUser;
    let url: string;
    before(async () => {
      server = await startServer({ flags: { ...flags, signature: 'off' } });
      // The address at which the server listens, not its public address.
      url = (JSON.parse(readFileSync(join(server.dataDir, 'server.json'), 'utf8')) as { url: string }).url;
      user = await server.user();
    });
    after(() => server.close());

    test('each kind of answer is not guessed at, and asks for https where it is reached so', async () => {
      for (const [kind, path, status, init] of kinds(server, user)) {
        const stop = new AbortController();
        const headers = { ...init?.headers, ...sent };
        const answer = await fetch(url + path, { ...init, headers, signal: stop.signal });
        const seen = [answer.status, answer.headers.get('x-content-type-options')];
        assert.deepEqual(seen, [status, 'nosniff'], kind);
        assert.equal(answer.headers.get('strict-transport-security'), hsts, kind);
        stop.abort();
      }
    });

    test('an answer to malformed input does so too', async () => {
      for (const text of ['CONNECT a:1 HTTP/1.1\r\nHost: a:1\r\n\r\n', 'nonsense\r\n\r\n']) {
        const { head } = await exchange(url, text);
        assert.match(head, /^x-content-type-options: nosniff\r?$/im);
        // The server cannot read a proxy's header in a malformed request. So the answer has strict-transport-security
        // only if the public address is https.
        if (what.startsWith('a public')) assert.match(head, /^strict-transport-security: max-age=31536000\r?$/im);
        else assert.doesNotMatch(head, /strict-transport-security/i);
      }
    });
  });
}

describe('a request', () => {
  let server: TestServer;
  before(async () => {
    server = await startServer();
  });
  after(() => server.close());

  const ask = (text: string) => exchange(server.url, text);

  test('has one Host: two are refused with a body, equal or not, in any case, and end the connection', async () => {
    for (const path of ['/livez', '/api/admin/v1/accounts', pathOf('TalkService.getProfile')]) {
      for (const hosts of ['Host: a\r\nHost: b', 'Host: a\r\nhost: a', 'HOST: a\r\nX-Other: 1\r\nhOsT:']) {
        for (const version of ['1.1', '1.0']) {
          const answer = await ask(`GET ${path} HTTP/${version}\r\n${hosts}\r\n\r\n`);
          assert.equal(answer.status, 400, `${path} ${hosts}`);
          assert.match(answer.body, /Host occurs 2 times/);
          assert.match(answer.head, /^connection: close\r?$/im);
        }
      }
    }
  });

  test('of HTTP/1.1 without Host is refused with a body', async () => {
    const answer = await ask('GET /livez HTTP/1.1\r\nAccept: */*\r\n\r\n');
    assert.equal(answer.status, 400);
    assert.match(answer.body, /HTTP\/1\.1 needs the header Host/);
  });

  test('of HTTP/0.9, or of a version to come, is refused with headers and a body', async () => {
    for (const text of [
      'GET /livez\r\n\r\n',
      'GET /livez HTTP/0.9\r\nHost: a\r\n\r\n',
      'GET /livez HTTP/2.0\r\nHost: a\r\n\r\n',
    ]) {
      const answer = await ask(text);
      assert.ok([400, 505].includes(answer.status), `${text}: ${answer.head}`);
      assert.match(JSON.parse(answer.body).data.reason, /HTTP/);
      assert.match(answer.head, /^connection: close\r?$/im);
    }
  });

  test('with one Host is answered, by HTTP/1.1 and by HTTP/1.0', async () => {
    for (const version of ['1.1', '1.0']) {
      assert.equal((await ask(`GET /livez HTTP/${version}\r\nHost: a\r\n\r\n`)).status, 200);
    }
  });
});
