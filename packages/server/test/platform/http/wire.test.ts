// Invalid input below the protocol: sizes, bytes that are not JSON, malformed headers and requests.
import assert from 'node:assert/strict';
import { once } from 'node:events';
import { type AddressInfo, connect } from 'node:net';
import { after, before, describe, test } from 'node:test';
import { gzipSync } from 'node:zlib';
import { createRawClient, type RawClient } from '@sealpost/conformance/testing';
import { httpPaths, limits, pathOf } from '@sealpost/contract';
import { type HttpEndpoint, httpEndpoints } from '@sealpost/contract/schemas';
import { startServer, type TestServer, type TestUser } from '@sealpost/dev-env/harness';
import { exchange, type SocketAnswer } from '@sealpost/dev-env/raw-socket';
import { until } from '@sealpost/dev-env/until';
import { createHttpServer } from '../../../src/platform/http/connections.ts';

describe('the wire', () => {
  const path = pathOf('TalkService.getProfile');
  const sendPath = pathOf('TalkService.sendMessage');
  let server: TestServer;
  let raw: RawClient;
  let user: TestUser;
  let token: string;
  before(async () => {
    server = await startServer();
    raw = createRawClient({ url: server.url });
    user = await server.user();
    token = user.client.session?.tokens.accessToken as string;
  });
  after(async () => {
    raw?.close();
    await server?.close();
  });

  const post = (body: string | Uint8Array, headers: Record<string, string> = {}) =>
    raw.send(path, { body, token, headers });
  const padded = (length: number) => '[]'.padEnd(length, ' ');
  /** Returns the header lines of a signed request. A line in `given` replaces the default line with the same name. */
  const head = (body: string | Uint8Array, given: readonly string[] = [], target = path) => {
    const usual = [
      'Host: localhost',
      'Content-Type: application/json',
      'X-Svc-Client-Version: 3.7.2',
      `X-Svc-Access: ${token}`,
      `X-Hmac: ${raw.signatureOf(target, body, token)}`,
      `Content-Length: ${Buffer.byteLength(body)}`,
    ];
    const names = new Set(given.map((line) => line.split(':')[0]?.toLowerCase()));
    const kept = usual.filter((line) => !names.has(line.split(':')[0]?.toLowerCase()));
    return `POST ${target} HTTP/1.1\r\n${[...kept, ...given].filter((line) => !line.endsWith(':')).join('\r\n')}\r\n\r\n`;
  };
  const isEnvelope = ({ body }: SocketAnswer) => {
    const { code, message } = JSON.parse(body) as { code: unknown; message: unknown };
    assert.deepEqual([typeof code, typeof message], ['number', 'string'], body);
  };
  const reasonOf = (answer: SocketAnswer): string => {
    isEnvelope(answer);
    return (JSON.parse(answer.body) as { data: { reason: string } }).data.reason;
  };
  /** Asserts that the server still answers. */
  const lives = async () => assert.equal((await post('[]')).status, 200);

  describe('sizes', () => {
    const most = limits.rpcBodyBytes.value;

    test('A body up to the limit is read, one byte more answers 413', async () => {
      assert.equal((await post(padded(most - 1))).status, 200);
      assert.equal((await post(padded(most))).status, 200);
      const { status, body } = await post(padded(most + 1));
      assert.deepEqual([status, body.code], [413, 10052]);
    });

    test('The same holds for a body without a length', async () => {
      const chunked = (length: number) =>
        exchange(
          server.url,
          head(padded(length), ['Transfer-Encoding: chunked', 'Content-Length:']),
          `${length.toString(16)}\r\n${padded(length)}\r\n0\r\n\r\n`,
        );
      assert.equal((await chunked(most - 1)).status, 200);
      assert.equal((await chunked(most)).status, 200);
      const answer = await chunked(most + 1);
      assert.equal(answer.status, 413);
      isEnvelope(answer);
    });

    test('A body that goes on without end is cut off at the limit', async () => {
      const piece = `10000\r\n${'x'.repeat(0x10000)}\r\n`;
      const answer = await exchange(
        server.url,
        head('', ['Transfer-Encoding: chunked', 'Content-Length:']),
        ...Array.from({ length: 64 }, () => piece),
      );
      assert.ok(answer.status === 413 || answer.status === 0, answer.head);
      await lives();
    });

    test('A length that is too large is refused before a byte of the body is there', async () => {
      const answer = await exchange(server.url, head('', ['Content-Length: 999999999']));
      assert.equal(answer.status, 413);
      isEnvelope(answer);
    });

    test('tokenRefresh has a limit of its own', async () => {
      const refresh = (length: number) =>
        raw.send(httpPaths.tokenRefresh, { body: '{"refreshToken":"x"}'.padEnd(length, ' ') });
      assert.equal((await refresh(limits.refreshBodyBytes.value)).body.code, 10201);
      assert.equal((await refresh(limits.refreshBodyBytes.value + 1)).status, 413);
    });

    test('Compressed bodies answer 415', async () => {
      for (const encoding of ['gzip', 'deflate', 'br', 'gzip, identity']) {
        const { status, body } = await post(gzipSync('[]'), { 'Content-Encoding': encoding });
        assert.deepEqual([status, body.code], [415, 10052], encoding);
      }
      for (const encoding of ['identity', 'Identity', 'IDENTITY']) {
        assert.equal((await post('[]', { 'Content-Encoding': encoding })).status, 200, encoding);
      }
    });

    test('Headers of more than 16 KiB answer 431 with an envelope that says so', async () => {
      const long = 'x'.repeat(17 * 1024);
      for (const request of [head('[]', [`X-Long: ${long}`]), head('[]', [], `/${long}`)]) {
        const answer = await exchange(server.url, request, '[]');
        assert.equal(answer.status, 431);
        assert.match(reasonOf(answer), /headers are longer than 16384 bytes/);
      }
    });

    test('Chunks with endless extensions answer 413 with an envelope that says so', async () => {
      const chunked = head('', ['Transfer-Encoding: chunked', 'Content-Length:']);
      const answer = await exchange(server.url, chunked, `2;${'x'.repeat(20 * 1024)}\r\n[]\r\n0\r\n\r\n`);
      assert.equal(answer.status, 413);
      assert.match(reasonOf(answer), /extensions/);
    });

    test('A thousand headers do no harm', async () => {
      const many = Array.from({ length: 1000 }, (_, i) => `X-${i}: ${i}`);
      const answer = await exchange(server.url, head('[]', many), '[]');
      assert.ok(answer.status > 0 && answer.status < 500, answer.head);
      await lives();
    });
  });

  describe('bodies', () => {
    const refused = async (body: string | Uint8Array, what: string) => {
      const { status, body: envelope, text } = await post(body);
      assert.deepEqual([status, envelope.code], [400, 10003], `${what}: ${text}`);
      assert.ok(!/node:|\.ts|\bat /.test(text), `a stack in the answer: ${text}`);
    };

    test('Nesting beyond the limit is refused, whatever its depth', async () => {
      const nested = (depth: number, open = '[', close = ']') => open.repeat(depth) + close.repeat(depth);
      const most = limits.jsonDepth.value;
      const atLimit = await post(nested(most));
      assert.notEqual(atLimit.body.code, 10003, atLimit.text);
      for (const depth of [most + 1, 1000, 100_000]) await refused(nested(depth), `${depth} levels`);
      await refused('['.repeat(200_000), 'levels that never end');
      await refused(`[${nested(most, '{"a":[', ']}').replaceAll('[]', '[0]')}]`, 'structs');
    });

    test('Brackets inside strings do not count as nesting', async () => {
      const to = user.mid;
      const body = JSON.stringify([0, { to, text: '[{'.repeat(100) }]);
      assert.equal((await raw.send(sendPath, { body, token })).status, 200);
    });

    const malformed = [
      '',
      ' ',
      '[',
      ']',
      '[1,]',
      '[,1]',
      '[1 2]',
      "['a']",
      '[NaN]',
      '[Infinity]',
      '[-]',
      '[01]',
      '[1.]',
      '[.5]',
      '[+1]',
      '[0x1]',
      '[1e]',
      '["\t"]',
      '["\n"]',
      '["\\x41"]',
      '["\\u12"]',
      '["\\"]',
      '["a]',
      '[tru]',
      '[True]',
      '[undefined]',
      '[1] 2',
      '[] []',
      '[]]',
      '[]x',
      '[]\0',
      '\0[]',
      '[// no\n]',
      '[/* no */]',
      '{"a":1,}',
      '{a:1}',
      '{1:1}',
      '[}',
      '{]',
      '\u00a0[]',
      '[\u2028]',
      '[1]\v',
      'args=[]',
      '--x\r\nContent-Disposition: form-data',
      '<xml/>',
    ];
    test('Bodies that are not JSON are refused', async () => {
      for (const body of malformed) await refused(body, JSON.stringify(body));
    });

    test('A byte order mark is refused, and so is UTF-16', async () => {
      await refused(Buffer.from('\ufeff[]'), 'UTF-8 with a mark');
      await refused(Buffer.from('[]', 'utf16le'), 'UTF-16');
      await refused(Buffer.from('\ufeff[]', 'utf16le'), 'UTF-16 with a mark');
    });

    test('Bytes that are not UTF-8 are refused', async () => {
      const sequences: Record<string, number[]> = {
        'no start': [0x80],
        'never used': [0xff],
        overlong: [0xc0, 0xaf],
        'overlong NUL': [0xc0, 0x80],
        'half of a surrogate pair': [0xed, 0xa0, 0x80],
        'cut off': [0xe2, 0x82],
        'beyond Unicode': [0xf4, 0x90, 0x80, 0x80],
      };
      for (const [what, bytes] of Object.entries(sequences)) {
        await refused(Buffer.from([0x5b, 0x22, ...bytes, 0x22, 0x5d]), what);
      }
    });

    test('A key named __proto__ is refused, however it is written', async () => {
      for (const key of ['__proto__', '\\u005f_proto__', '__proto\\u005F\\u005f']) {
        await refused(`[{"${key}":{"reqSeq":1}}]`, key);
        await refused(`[{"${key}":{"reqSeq":1},"b":null}]`, key);
      }
    });

    test('constructor and prototype are keys like any other', async () => {
      const { mid } = user;
      for (const key of ['constructor', 'prototype', 'toString', 'hasOwnProperty']) {
        const body = JSON.stringify([0, { to: mid, text: 'a', contentType: 0, [key]: { a: null } }]);
        assert.equal((await raw.send(sendPath, { body, token })).status, 200, key);
      }
    });

    test('A key that occurs twice is refused, at any depth and however it is written', async () => {
      for (const text of ['first', 'with: a colon, \\"quotes\\" and {brackets}']) {
        await refused(`[{"chatMids":["${text}"],"chatMids":[]}]`, text);
        await refused(`[0,{"a":[{"text":"${text}","b":1,"te\\u0078t" :2}]}]`, text);
      }
    });

    test('A key that occurs twice in a query is refused', async () => {
      for (const path of [`${httpPaths.operationReceive}?localRev=5&localRev=9`, '/r/talk/m/1?a=1&b=2&%61=3']) {
        const { status, text } = await raw.send(path, { verb: 'GET', token });
        assert.equal(status, 400, path);
        assert.match(text, /the query has the key .*(localRev|a).* twice/);
      }
    });

    test('Colons and keys inside strings, and one key in several structs, are no fault', async () => {
      const { mid } = user;
      for (const text of ['a: b', '"to":"x","to":"y"', '{"a":{"a":1}}', '\\":']) {
        const body = JSON.stringify([0, { to: mid, text, contentMetadata: { to: 'x', text: 'y' } }]);
        const answer = await raw.send(sendPath, { body, token });
        assert.equal(answer.body.data?.text as unknown, text, answer.text);
      }
    });

    test('A value of the wrong JSON type in place of a number of an enum has the code of a wrong type', async () => {
      for (const wrong of ['"0"', 'true', '[]']) {
        const { body } = await raw.send(sendPath, { body: `[0,{"to":"${user.mid}","contentType":${wrong}}]`, token });
        assert.deepEqual([body.code, body.message.split(' ')[0]], [10102, 'message.contentType'], wrong);
      }
      const { body } = await raw.send(sendPath, { body: `[0,{"to":"${user.mid}","contentType":4711}]`, token });
      assert.equal(body.code, 10051);
    });

    test('Blanks around and inside are no fault', async () => {
      assert.equal((await post(' [ \n ] \r\n\t')).status, 200);
    });
  });

  describe('headers', () => {
    const isRefused = async (request: string, what: string, statuses: readonly number[] = [400]) => {
      const answer = await exchange(server.url, request, '[]');
      assert.ok(statuses.includes(answer.status), `${what}: ${answer.head}`);
      isEnvelope(answer);
    };

    test('Requests that could be read in two ways are refused', async () => {
      await isRefused(head('[]', ['Transfer-Encoding: chunked', 'Content-Length: 2']), 'length and chunks');
      await isRefused(head('[]', ['Content-Length: 2', 'Content-Length: 3']), 'two lengths');
      await isRefused(head('[]', ['Content-Length: 2, 2']), 'a list of lengths');
      await isRefused(head('[]', ['Content-Length: -1']), 'a negative length');
      await isRefused(head('[]', ['Transfer-Encoding: gzip, chunked, identity']), 'an odd transfer coding');
      await isRefused(head('[]', ['Bad Header: 1']), 'a blank in a name');
      await isRefused(head('[]', ['X-Folded: 1\r\n more']), 'a folded line');
      await isRefused(head('[]').replaceAll('\r\n', '\n'), 'bare line feeds');
    });

    test('A request of HTTP/1.1 without a host is refused with a body; older clients need none', async () => {
      const request = head('[]', ['Host:']);
      await isRefused(request, 'no host');
      const admin = await exchange(server.url, 'GET /api/admin/v1/accounts HTTP/1.1\r\n\r\n');
      assert.equal(admin.status, 400);
      assert.match(admin.head, /content-type: application\/problem\+json/i);
      assert.match((JSON.parse(admin.body) as { detail: string }).detail, /Host/);
      assert.equal((await exchange(server.url, request.replace('HTTP/1.1', 'HTTP/1.0'), '[]')).status, 200);
    });

    test('What a client expects beyond 100-continue is refused with a body', async () => {
      const answer = await exchange(server.url, head('[]', ['Expect: foo']), '[]');
      assert.equal(answer.status, 417);
      assert.match(reasonOf(answer), /Expect.*foo/);
      const admin = await exchange(server.url, 'GET /api/admin/v1/accounts HTTP/1.1\r\nHost: a\r\nExpect: foo\r\n\r\n');
      assert.equal(admin.status, 417);
      assert.match(admin.head, /content-type: application\/problem\+json/i);
      assert.match(admin.body, /"status":417,/);
    });

    test('An ending of an object path that is the name of an inherited property names nothing', async () => {
      for (const ending of ['__proto__', 'constructor']) {
        for (const verb of ['GET', 'POST']) {
          const { status } = await raw.send(`/r/talk/m/1/${ending}`, { verb });
          assert.equal(status, 404, `${verb} ${ending}`);
        }
      }
      await lives();
    });

    test('CONNECT is refused with a body, and a client that leaves at once is no fault', async () => {
      const { hostname, port } = new URL(server.url);
      for (let n = 0; n < 5; n++) {
        const socket = connect(Number(port), hostname);
        socket.write('CONNECT a:1 HTTP/1.1\r\nHost: a:1\r\n\r\n', () => socket.resetAndDestroy());
      }
      const answer = await exchange(server.url, 'CONNECT a:1 HTTP/1.1\r\nHost: a:1\r\n\r\n');
      assert.equal(answer.status, 405);
      assert.match(answer.head, /^allow:/im);
      assert.match(reasonOf(answer), /a:1/);
      await lives();
    });

    test('Text that is not HTTP is answered in the envelope', async () => {
      for (const text of [
        'hello\r\n\r\n',
        'GET\r\n\r\n',
        '\x16\x03\x01\x02\x00\x01\x00\x01',
        'GET / HTTP/9.9\r\n\r\n',
      ]) {
        const answer = await exchange(server.url, text);
        assert.ok([400, 505].includes(answer.status), answer.head);
        assert.match(reasonOf(answer), /not valid HTTP \(.+\)/);
      }
    });

    test('Two access headers are refused', async () => {
      const access = `X-Svc-Access: ${token}`;
      await isRefused(head('[]', [access, access]), 'two access headers', [400, 401]);
      await isRefused(head('[]', [access, 'x-svc-access: other']), 'a second access header', [400, 401]);
    });

    test('Two signatures are refused', async () => {
      const hmac = `X-Hmac: ${raw.signatureOf(path, '[]', token)}`;
      await isRefused(head('[]', [hmac, hmac]), 'two signatures');
    });

    test('Names of headers count in any case', async () => {
      const lower = head('[]').replaceAll(/^[^:\r\n]+:/gm, (name) => name.toLowerCase());
      assert.equal((await exchange(server.url, lower, '[]')).status, 200);
    });

    test('A header named __proto__ is a header like any other', async () => {
      assert.equal((await exchange(server.url, head('[]', ['__proto__: 1', 'constructor: 2']), '[]')).status, 200);
    });

    test('A path with another verb names its verbs in Allow', async () => {
      const allowed = async (target: string, verb = 'DELETE') => {
        const { status, headers, body } = await raw.send(target, { verb, token });
        assert.deepEqual([status, body.code], [405, 10052], target);
        return headers.allow;
      };
      for (const verb of ['GET', 'HEAD', 'PUT', 'PATCH', 'DELETE']) {
        const { status, headers } = await fetch(server.url + path, { method: verb });
        assert.deepEqual([status, headers.get('allow')], [405, 'POST, OPTIONS'], verb);
      }
      for (const { base, path: target, verbs } of Object.values<HttpEndpoint>(httpEndpoints)) {
        if (base !== 'gateway') continue;
        const verbsAndMore = [...Object.keys(verbs), 'OPTIONS'].join(', ');
        assert.equal(await allowed(target.replaceAll(/\{\w+\}/g, '1')), verbsAndMore, target);
      }
      assert.equal(await allowed('/r/talk/m/1'), 'POST, GET, HEAD, OPTIONS');
      // Pictures are read at this path, and uploaded at another path.
      assert.equal(await allowed('/r/talk/p/1'), 'GET, HEAD, OPTIONS');
    });

    test('Absurd waiting times are no fault', async () => {
      for (const wait of ['999999999999', '-1', 'NaN', '1e9', '', '0x10']) {
        assert.equal((await post('[]', { 'X-LST': wait })).status, 200, wait);
      }
    });

    test('Answers are not stored by caches and not guessed at by browsers', async () => {
      for (const answer of [await post('[]'), await post('{}'), await raw.send('/api/none')]) {
        assert.equal(answer.headers['cache-control'], 'no-store');
        assert.equal(answer.headers['x-content-type-options'], 'nosniff');
        assert.match(answer.headers['content-type'] ?? '', /^application\/json/);
      }
    });
  });

  test('No bit of a signed request can change without being noticed', async () => {
    const body = JSON.stringify([77, { to: user.mid, text: 'flip', contentType: 0 }]);
    const signature = raw.signatureOf(sendPath, body, token);
    const before = await user.client.TalkService.getLastOpRevision();
    const flips = (text: string): string[] => {
      const bytes = Buffer.from(text);
      return Array.from({ length: bytes.length * 8 }, (_, bit) => {
        const copy = Buffer.from(bytes);
        copy[bit >> 3] = (copy[bit >> 3] as number) ^ (1 << (bit & 7));
        return copy.toString('latin1');
      });
    };
    // A changed value may contain characters that the client library refuses to send. Such a value is skipped.
    const isSendable = (value: string) => /^[\x21-\x7e]+$/.test(value);

    const accepted: string[] = [];
    const attempt = async (what: string, target: string, options: Parameters<RawClient['send']>[1]) => {
      const { status, body: answer } = await raw.send(target, options);
      if (status < 400 || status >= 500) accepted.push(`${what}: ${status} ${answer.message}`);
      return answer.code;
    };
    for (const flipped of flips(body)) {
      const code = await attempt('body', sendPath, { body: Buffer.from(flipped, 'latin1'), token, signature });
      assert.equal(code, 10005);
    }
    for (const flipped of flips(signature).filter(isSendable)) {
      const code = await attempt('signature', sendPath, { body, token, signature: flipped });
      assert.equal(code, 10005, flipped);
    }
    for (const flipped of flips(token).filter(isSendable)) {
      const code = await attempt('token', sendPath, { body, token: flipped, signature });
      assert.equal(code, 10005, flipped);
    }
    for (const flipped of flips(sendPath).filter((target) => isSendable(target) && target.startsWith('/api/'))) {
      await attempt('path', flipped, { body, token, signature });
    }
    assert.deepEqual(accepted, []);
    assert.equal(await user.client.TalkService.getLastOpRevision(), before);
    assert.equal((await raw.send(sendPath, { body, token, signature })).status, 200);
  });
});

test('headers that do not arrive in time answer 408 with an envelope that says so', async (t) => {
  const server = createHttpServer(
    () => assert.fail('no request arrives'),
    { listener: () => {}, refusalAt: () => assert.fail('there is no path') },
    { connectionsPerAddress: 10, onLimit: () => {}, fixedHeaders: () => [] },
  );
  // Node ends slow connections by these two times. With the server's own times, the test would be slow.
  Object.assign(server, { headersTimeout: 50, connectionsCheckingInterval: 20 });
  await once(server.listen(0, '127.0.0.1'), 'listening');
  t.after(() => server.close());
  const { port } = server.address() as AddressInfo;
  const answer = await exchange(`http://127.0.0.1:${port}`, 'GET / HTTP/1.1\r\nHost:');
  assert.equal(answer.status, 408);
  const { code, data } = JSON.parse(answer.body) as { code: number; data: { statusCode: number; reason: string } };
  assert.deepEqual([code, data.statusCode], [10052, 408]);
  assert.match(data.reason, /took too long/);
});

test('one address gets only so many connections', async () => {
  const server = await startServer({ flags: { 'connections-per-address': '3' } });
  const { port } = new URL(server.url);
  const sockets = Array.from({ length: 5 }, () => connect(Number(port), '127.0.0.1'));
  for (const socket of sockets) socket.on('error', () => {}).resume();
  await until(() => sockets.filter((socket) => socket.closed).length === 2, 'two of five connections are closed');
  for (const socket of sockets.filter((one) => !one.closed)) {
    socket.write('GET /livez HTTP/1.1\r\nHost: x\r\n\r\n');
    const [answer] = await once(socket, 'data');
    assert.match(String(answer), /^HTTP\/1\.1 200 /, 'the others are served');
  }
  for (const socket of sockets) socket.destroy();
  await server.close();
});
