// The forms in which people have calls: archives, curl commands and raw requests.
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { readCalls, UnreadableCalls } from '@sealpost/testing/explain';

const read = (text: string) =>
  readCalls(Buffer.from(text)).map(({ body, answer, ...rest }) => ({
    ...rest,
    body: Buffer.from(body).toString('utf8'),
    ...(answer && { answer: { status: answer.status, body: Buffer.from(answer.body).toString('utf8') } }),
  }));

const har = (entry: object) => JSON.stringify({ log: { entries: [entry] } });

test('an archive: path, headers and body exactly as they were sent', () => {
  const request = {
    method: 'POST',
    url: 'https://chat.example.org/api/x?b=%2f&a=+#part',
    headers: [{ name: 'X-Hmac', value: 'abc' }],
    postData: { mimeType: 'application/json', text: '[1, "ü"]' },
  };
  const response = {
    status: 200,
    headers: [],
    content: { text: Buffer.from('{"code":0}').toString('base64'), encoding: 'base64' },
  };
  assert.deepEqual(read(har({ request, response })), [
    {
      verb: 'POST',
      path: '/api/x?b=%2f&a=+',
      headers: [['X-Hmac', 'abc']],
      body: '[1, "ü"]',
      answer: { status: 200, body: '{"code":0}' },
    },
  ]);
});

test('an archive of HTTP/2: the pseudo header has the path as it was sent', () => {
  const headers = [
    { name: ':path', value: '/api/x?a=%2F' },
    { name: 'accept', value: '*/*' },
  ];
  const [call] = read(har({ request: { method: 'GET', url: 'https://chat.example.org/api/x?a=/', headers } }));
  assert.deepEqual([call?.path, call?.headers], ['/api/x?a=%2F', [['accept', '*/*']]]);
});

test('a curl command, as a browser copies it', () => {
  const command = `curl 'http://127.0.0.1:8787/api/talk/thrift/Talk/TalkService/getProfile' \\
  -H 'X-Svc-Access: it'\\''s' \\
  -H 'X-Empty;' \\
  --compressed --max-time 5 -b 'lct=token' \\
  --data-raw $'[\\u0022a\\n\\x41!"]'`;
  assert.deepEqual(read(command), [
    {
      verb: 'POST',
      path: '/api/talk/thrift/Talk/TalkService/getProfile',
      headers: [
        ['Host', '127.0.0.1:8787'],
        ['X-Svc-Access', "it's"],
        ['X-Empty', ''],
        ['Cookie', 'lct=token'],
      ],
      body: '["a\nA!"]',
    },
  ]);
});

test('a curl command, as people type it', () => {
  const [put] = read('$ curl -XPUT -d a=1 -d "b=\\"2\\"" https://chat.example.org/x');
  assert.deepEqual([put?.verb, put?.path, put?.body], ['PUT', '/x', 'a=1&b="2"']);
  const [get] = read('curl -G --url=http://h/x?a=1 -d b=2 -s');
  assert.deepEqual([get?.verb, get?.path, get?.body], ['GET', '/x?a=1&b=2', '']);
  const [head] = read('curl -I http://h');
  assert.deepEqual([head?.verb, head?.path], ['HEAD', '/']);
});

test('a raw request, with the line break of the editor, and with its answer', () => {
  const [plain] = read('POST /api/x?y HTTP/1.1\nHost: h\nX-Hmac: a=\n\n[1]\n');
  assert.deepEqual(plain, {
    verb: 'POST',
    path: '/api/x?y',
    headers: [
      ['Host', 'h'],
      ['X-Hmac', 'a='],
    ],
    body: '[1]',
  });
  const counted =
    'POST http://h/x HTTP/1.1\r\nContent-Length: 4\r\n\r\n[1]\nHTTP/1.1 200 OK\r\nContent-Length: 2\r\n\r\n{}more';
  const [call] = read(counted);
  assert.deepEqual([call?.path, call?.body, call?.answer], ['/x', '[1]\n', { status: 200, body: '{}' }]);
  const [loose] = read('GET /x\n\nHTTP/1.1 404 Not Found\nA: b\n\nnothing\n');
  assert.deepEqual([loose?.body, loose?.answer], ['', { status: 404, body: 'nothing' }]);
});

test('bytes that are not text stay as they are', () => {
  const bytes = Buffer.from([0xff, 0xd8, 0x00, 0x0a]);
  const request = Buffer.concat([
    Buffer.from('POST /api/obs/uploadProfile?mid=u HTTP/1.1\nContent-Length: 4\n\n'),
    bytes,
  ]);
  assert.deepEqual(Buffer.from(readCalls(request)[0]?.body ?? []), bytes);
});

for (const [what, text, reason] of [
  ['other JSON', '{"calls":[]}', /not an HTTP archive/],
  ['other text', 'hello there', /"hello there" begins neither/],
  ['a body in a file', 'curl http://h/x -d @body.json', /in the file body.json/],
  ['no address', 'curl -s', /has no address/],
] as const) {
  test(`refused: ${what}`, () => {
    assert.throws(
      () => read(text),
      (error) => error instanceof UnreadableCalls && reason.test(error.message),
    );
  });
}
