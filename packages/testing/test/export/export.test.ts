// A recorded call as a curl command, as a program and in an archive: each repeats the call exactly.
import assert from 'node:assert/strict';
import { execFile, spawnSync } from 'node:child_process';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { after, before, test } from 'node:test';
import { promisify } from 'node:util';
import { startServer, type TestServer, type TestUser } from '@sealpost/dev-env/harness';
import { explainSignature, type LoggedCall, readCalls } from '@sealpost/testing/explain';
import { curlOf, harOf, sdkCodeOf } from '@sealpost/testing/export';
import { loggingClient } from '../logging-client.ts';
import { startFakeGateway } from '../record/fake-gateway.ts';
import { recordOf } from './call-record.ts';

const execute = promisify(execFile);
const root = join(import.meta.dirname, '../../../..');
const noCurl = spawnSync('curl', ['--version']).status === 0 ? false : 'there is no curl';

let server: TestServer;
let alice: TestUser;
let bob: TestUser;
before(async () => {
  server = await startServer();
  alice = await server.user('alice');
  bob = await server.user('bob');
});
after(() => server.close());

const quotes = `it's "quoted" \\ $HOME \`id\` ü\n@file`;

/** Sends a message, and returns the call as it was logged. */
async function sent(reqSeq: number): Promise<LoggedCall> {
  const { client, calls } = loggingClient(server.url, alice.client.session);
  server.atEnd(() => client.close());
  await client.TalkService.sendMessage(reqSeq, { to: bob.mid, contentType: 0, text: quotes });
  const [call] = calls;
  assert.ok(call);
  return call;
}

const bytesOf = ({ body, ...rest }: LoggedCall) => ({ ...rest, body: Buffer.from(body).toString('base64') });

/** A call with everything that shells and archives find hard. */
const hard: LoggedCall = {
  verb: 'POST',
  path: "/api/x/../y?a=[1]&b={2}&c='&d=%27",
  headers: [
    ['X-Empty', ''],
    ['X-Quote', `it's "so" \\`],
    ['Content-Type', 'application/json'],
  ],
  body: Buffer.from(`["${'\\u0000'}", "it's", "@a", "%s"]`),
};
const binary: LoggedCall = { ...hard, path: '/api/obs/uploadProfile?mid=u', body: Buffer.from([0, 0xff, 0x27, 0x0a]) };

test('curl sends the same bytes: the parsed command is the call', () => {
  const [call] = readCalls(Buffer.from(curlOf(recordOf('http://h:1', hard))));
  assert.ok(call);
  const headers = call.headers.filter(([name]) => !/^(host|user-agent|accept)$/i.test(name ?? ''));
  assert.deepEqual(bytesOf({ ...call, headers }), bytesOf(hard));
});

for (const [what, call] of [
  ['text', hard],
  ['bytes', binary],
] as const) {
  test(`curl itself sends the same bytes: ${what}`, { skip: noCurl }, async () => {
    let received: LoggedCall | undefined;
    const gateway = await startFakeGateway(async (request, response) => {
      const body = Buffer.concat(await request.toArray());
      const headers = hard.headers.flatMap(([name = '']) => {
        const value = request.headers[name.toLowerCase()];
        return value === undefined ? [] : [[name, String(value)]];
      });
      const extra = Object.keys(request.headers).filter((name) => /^(user-agent|accept)$/.test(name));
      received = {
        verb: request.method ?? '',
        path: request.url ?? '',
        headers: [...headers, ...extra.map((name) => [name])],
        body,
      };
      response.end();
    });
    try {
      await execute('sh', ['-c', curlOf(recordOf('http://h:1', call), { url: gateway.url })]);
    } finally {
      await gateway.close();
    }
    assert.ok(received);
    assert.deepEqual(bytesOf(received), bytesOf(call));
  });
}

test('curl repeats a signed call: the server answers as before', { skip: noCurl }, async () => {
  const call = await sent(101);
  const { stdout } = await execute('sh', ['-c', `${curlOf(recordOf(server.url, call))} --silent`]);
  // The same request number, so the server answers with the first result.
  assert.deepEqual(JSON.parse(stdout), JSON.parse(Buffer.from(call.answer?.body ?? []).toString()));
});

test('curl for a GET, for a stream, and for a body of which only the beginning was kept', () => {
  const get = recordOf('http://h:1', {
    ...hard,
    verb: 'GET',
    path: '/api/lan/notice?lang=en',
    headers: [],
    body: Buffer.alloc(0),
  });
  assert.equal(
    curlOf(get),
    "curl 'http://h:1/api/lan/notice?lang=en' \\\n  --header 'User-Agent:' \\\n  --header 'Accept:'",
  );
  const stream = { ...get, headers: [['Accept', 'text/event-stream']] };
  assert.match(curlOf(stream, { url: 'http://h:1' }), /--no-buffer/);
  assert.match(curlOf({ ...recordOf('http://h', hard), bodyBytes: 300_000 }), /^# Only the first \d+ of 300000 bytes/);
});

test('the program of the SDK makes the same call', async () => {
  const record = recordOf(server.url, await sent(102), alice.userid);
  const code = sdkCodeOf(record);
  assert.match(code, /client\.TalkService\.sendMessage\(102, \{/);
  const program = code.replace("'…'", JSON.stringify(alice.password));
  const { stdout } = await execute(process.execPath, ['--input-type=module', '--eval', program], {
    cwd: join(root, 'packages/testing'),
  });
  assert.match(stdout, /contentType: 0/);
  const [newest] = await alice.client.TalkService.getRecentMessagesV2(bob.mid, 1);
  assert.equal(newest?.text, quotes);
});

test('programs for endpoints outside of RPC', () => {
  const code = (path: string, verb = 'GET', body = '') =>
    sdkCodeOf(recordOf('http://h:1', { verb, path, headers: [], body: Buffer.from(body) }));
  assert.match(code('/api/lan/notice?lang=en&nextSeq=0'), /client\.http\.notices\(\{ lang: 'en', nextSeq: '0' \}\)/);
  assert.match(code('/api/operation/receive?localRev=12'), /client\.operations\(\{ from: '12' \}\)/);
  assert.match(code('/r/talk/m/5/info.obs'), /client\.http\.objectInfo\(\{ service: 'talk', sid: 'm', oid: '5' \}\)/);
  assert.match(code('/api/auth/tokenRefresh', 'POST', '{"refreshToken":"t"}'), /renews its tokens by itself/);
  assert.match(code('/nothing'), /Nothing serves GET \/nothing/);
  assert.match(code('/stickershop/v1/sticker/7/android/sticker.png'), /fetch \/stickershop\/v1\/sticker\/7\//);
});

test('an archive has the calls as they were: read again, their signatures are right', async () => {
  const call = await sent(103);
  const records = [recordOf(server.url, call), recordOf('http://h:1', binary)];
  const har = harOf(records);
  assert.deepEqual([har.log.version, har.log.entries.length], ['1.2', 2]);
  const [entry] = har.log.entries;
  assert.deepEqual(
    [entry?.startedDateTime, entry?.time, entry?.response.status],
    ['2026-01-31T12:00:00.000Z', 12.5, 200],
  );
  const [again, bytes] = readCalls(Buffer.from(JSON.stringify(har)));
  assert.ok(again && bytes);
  assert.equal(explainSignature(again, { buildTokens: ['sealpost-dev'] }).state, 'right');
  assert.deepEqual(Buffer.from(again.answer?.body ?? []), Buffer.from(call.answer?.body ?? []));
  assert.deepEqual(Buffer.from(bytes.body), Buffer.from(binary.body));
});

test('an archive has the query and the cookies by name, the error, and what the workbench adds', () => {
  const headers = [['Cookie', 'lct=a; b=c']];
  const record = recordOf('http://h:1', {
    verb: 'GET',
    path: '/api/lan/notice?lang=e%20n',
    headers,
    body: Buffer.alloc(0),
  });
  const error = { code: 4, name: 'EXCESSIVE_ACCESS', message: 'm', meaning: 'A rate limit was reached.' };
  const [entry] = harOf([{ ...record, state: 'cut', error, fault: 'f1', tag: 't' }]).log.entries;
  assert.deepEqual(entry?.request.queryString, [{ name: 'lang', value: 'e n' }]);
  assert.deepEqual(entry?.request.cookies, [
    { name: 'lct', value: 'a' },
    { name: 'b', value: 'c' },
  ]);
  assert.deepEqual([entry?._state, entry?._fault, entry?._tag, entry?._endpoint], ['cut', 'f1', 't', 'notices']);
  assert.equal(entry?.comment, 'EXCESSIVE_ACCESS 4: A rate limit was reached.');
});

test('the exports run in a browser: nothing of Node and no schemas are imported', () => {
  const seen = new Set<string>();
  const visit = (file: string): void => {
    if (seen.has(file)) return;
    seen.add(file);
    for (const [, from = ''] of readFileSync(file, 'utf8').matchAll(
      /^(?:import|export) (?!type )[^;]*? from '([^']+)'/gm,
    )) {
      assert.ok(
        from.startsWith('./') || from.startsWith('../') || from === '@sealpost/contract',
        `${file} imports ${from}`,
      );
      if (from.startsWith('.')) visit(join(file, '..', from));
    }
    assert.ok(!/\bBuffer\b|\bprocess\./.test(readFileSync(file, 'utf8')), file);
  };
  visit(join(root, 'packages/testing/src/export/index.ts'));
  assert.ok(seen.size >= 6);
});
