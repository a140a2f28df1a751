// Nothing secret gets into the file: canaries in every place, against made-up gateways and a real server.
import assert from 'node:assert/strict';
import { after, before, describe, test } from 'node:test';
import { gzipSync } from 'node:zlib';
import { contract, httpEndpoints } from '@sealpost/contract/schemas';
import { startServer, type TestServer } from '@sealpost/dev-env/harness';
import { until } from '@sealpost/dev-env/until';
import { createRpcClient, memoryKeyStore, systemPorts } from '@sealpost/sdk';
import { type Recorder, type SessionFile, startRecorder, writeSession } from '@sealpost/testing/record';
import { secretField } from '../../src/record/secret-places.ts';
import { type FakeGateway, startFakeGateway } from './fake-gateway.ts';

const ended = async (recorder: Recorder): Promise<SessionFile> => {
  await until(() => recorder.session().exchanges.every(({ answer }) => answer?.end !== 'open'), 'all exchanges ended');
  return recorder.session();
};

describe('canaries', () => {
  let canaries: string[] = [];
  let gateway: FakeGateway;
  let recorder: Recorder;
  let answer: { readonly headers: Record<string, string | string[]>; readonly body: string | Buffer };

  /** Returns a new secret, which must not appear in the file in any form. */
  function canary(ending = ''): string {
    const value = `canary-${canaries.length}-of-this-test${ending}`;
    canaries.push(value);
    return value;
  }

  before(async () => {
    gateway = await startFakeGateway((request, response) => {
      request.resume().on('end', () => response.writeHead(200, answer.headers).end(answer.body));
    });
  });
  after(() => gateway.close());

  /** Sends one request through a new recorder, and returns the session and its text. */
  async function recorded(
    path: string,
    init: RequestInit,
    given: Partial<typeof answer> = {},
  ): Promise<{ session: SessionFile; text: string }> {
    answer = { headers: { 'Content-Type': 'application/json' }, body: '{}', ...given };
    recorder = await startRecorder({ target: gateway.url, ports: systemPorts });
    try {
      await (await fetch(recorder.url + path, init)).text();
      const session = await ended(recorder);
      return { session, text: writeSession(session) };
    } finally {
      await recorder.close();
    }
  }

  function noCanaryIn(text: string): void {
    for (const secret of canaries) {
      for (const form of [
        secret,
        encodeURIComponent(secret),
        JSON.stringify(secret).slice(1, -1),
        Buffer.from(secret).toString('base64').replace(/=+$/, '').slice(0, -2),
        Buffer.from(secret).toString('hex'),
      ]) {
        assert.ok(!text.includes(form), `${form} is in the file:\n${text}`);
      }
    }
    canaries = [];
  }

  test('in headers of both directions', async () => {
    const { text, session } = await recorded(
      '/api/x',
      {
        headers: {
          'X-Svc-Access': canary(),
          'X-Hmac': canary('='),
          'X-Svc-ChannelToken': canary(),
          'X-Svc-Session-ID': canary(),
          'X-Other-Api-Key': canary(),
          Authorization: `Bearer ${canary('/+=')}`,
          Cookie: `lct=${canary('%2B')}; theme=dark; other="${canary()}"`,
        },
      },
      {
        headers: { 'Set-Cookie': [`lct=${canary()}; Path=/; HttpOnly`, `b=${canary()}`], 'X-Refresh-Token': canary() },
      },
    );
    noCanaryIn(text);
    const headers = Object.fromEntries(
      (session.exchanges[0]?.headers ?? []).map(([name = '', value]) => [name.toLowerCase(), value]),
    );
    assert.equal(headers['x-svc-access'], 'redacted-access-token-1');
    assert.match(headers.cookie ?? '', /^lct=redacted-cookie-\d; theme=redacted-cookie-\d; other=redacted-cookie-\d$/);
    assert.match(headers.authorization ?? '', /^Bearer redacted-token-\d$/);
    assert.match(text, /lct=redacted-cookie-\d; Path=\/; HttpOnly/);
  });

  test('in fields at any depth, in JSON inside of JSON, with other escapes, and as numbers', async () => {
    const inner = JSON.stringify({ keys: JSON.stringify({ encryptedKeyChain: canary() }) });
    const escaped = canary('/ü');
    const body = `[{"password": "${canary()}", "deep": [{"refreshToken" : "${canary()}"}],
      "slashes":"${escaped.replace('/', '\\/').replace('ü', '\\u00FC')}", "secret": ${JSON.stringify(escaped)},
      "metadata": ${JSON.stringify(inner)}, "pinCode": 918273, "certificate": "${canary()}", "privateKey":["${canary()}"]}]`;
    canaries.push('918273');
    const { text, session } = await recorded(
      '/api/x',
      { method: 'POST', body },
      { body: JSON.stringify({ data: { accessToken: canary(), verifier: canary(), wrappedNonce: canary() } }) },
    );
    noCanaryIn(text);
    // What is not secret stays as it was written.
    assert.match(
      session.exchanges[0]?.body.content ?? '',
      /^\[\{"password": "redacted-password-1", "deep": \[\{"refreshToken" : "/,
    );
    assert.deepEqual(session.secrets['private-key'], 3);
  });

  test('in arguments that only the contract names, and in results that are a secret as a whole', async () => {
    const method = '/api/talk/thrift/Talk';
    const post = (...args: unknown[]): RequestInit => ({ method: 'POST', body: JSON.stringify(args) });
    const first = await recorded(`${method}/AuthService/confirmE2EELogin`, post(canary(), canary()), {
      body: JSON.stringify({ code: 0, message: 'OK', data: canary() }),
    });
    noCanaryIn(first.text);
    const keys = await recorded(
      `${method}/TalkService/registerE2EEGroupKey`,
      post(1, 'c', [], [], [canary(), canary()]),
    );
    noCanaryIn(keys.text);
    const token = await recorded(`${method}/TalkService/acquireEncryptedAccessToken`, post(2), {
      body: JSON.stringify({ code: 0, message: 'OK', data: `3600\u001e${canary()}` }),
    });
    noCanaryIn(token.text);
    assert.match(token.session.exchanges[0]?.answer?.body?.content ?? '', /3600\\u001eredacted-access-token-1"/);
  });

  test('in queries, forms, addresses, broken JSON, and a body that ends too early', async () => {
    const form = { method: 'POST', body: new URLSearchParams({ a: '1', password: canary(' &é') }) };
    noCanaryIn((await recorded(`/api/x?token=${canary('%2F')}&a=b`, form)).text);
    const address = JSON.stringify({
      callbackUrl: `https://h/R/SQ1?secret=${encodeURIComponent(canary('+/='))}&e2eeVersion=1`,
    });
    noCanaryIn((await recorded('/api/x', {}, { body: address })).text);
    const broken = `[{"password":"${canary()}","pinCode": 4711, `;
    canaries.push('4711');
    noCanaryIn((await recorded('/api/x', { method: 'POST', body: broken })).text);
    noCanaryIn((await recorded('/api/x', { method: 'POST', body: `{"refreshToken":"${canary()}` })).text);
    noCanaryIn((await recorded('/api/x', { method: 'POST', body: `the password=${canary()} is here` })).text);
  });

  test('in positional arguments of a body that is not whole JSON: the body is left out', async () => {
    const path = '/api/talk/thrift/Talk/AuthService/confirmE2EELogin';
    const { text, session } = await recorded(
      path,
      { method: 'POST', body: `["${canary()}","${canary()}` },
      { body: `{"data":"${canary()}` },
    );
    noCanaryIn(text);
    const [exchange] = session.exchanges;
    assert.deepEqual([exchange?.body.form, exchange?.answer?.body?.form], ['omitted', 'omitted']);
  });

  test('a known secret in other writings: percent-encoded in a path, and escaped in JSON inside of JSON', async () => {
    const secret = canary('/+=ü');
    const inner = `{"note":"${secret.replaceAll('/', '\\/').replace('ü', '\\u00fc')}"}`;
    const headers = { 'X-Svc-Access': canary(), Cookie: `a=${encodeURIComponent(secret)}` };
    const body = JSON.stringify([{ token: secret, metadata: inner }]);
    const { text, session } = await recorded(`/api/x/${encodeURIComponent(secret)}`, { method: 'POST', headers, body });
    const [exchange] = session.exchanges;
    assert.equal(exchange?.path, '/api/x/redacted-token-1');
    assert.deepEqual(JSON.parse(exchange?.body.content ?? '')[0].metadata, '{"note":"redacted-token-1"}');
    noCanaryIn(text);
  });

  test('short secrets in text around JSON, and in JSON that is not UTF-8', async () => {
    canaries.push('zq7x', '8055');
    const text = `)]}',\n{"pinCode":"zq7x"}`;
    noCanaryIn((await recorded('/api/x', {}, { body: text })).text);
    const bytes = Buffer.from('{"pinCode":"8055","text":"ü"}', 'latin1');
    const { session } = await recorded('/api/x', {}, { body: bytes });
    canaries.push('8055');
    noCanaryIn(Buffer.from(session.exchanges[0]?.answer?.body?.content ?? '', 'base64').toString('latin1'));
  });

  test('in a compressed answer, in bytes, and in events of a stream', async () => {
    const token = canary();
    const zipped = gzipSync(JSON.stringify({ accessToken: token }));
    noCanaryIn((await recorded('/api/x', {}, { headers: { 'Content-Encoding': 'gzip' }, body: zipped })).text);
    const secret = canary();
    const bytes = Buffer.concat([Buffer.from([0xff, 0x00]), Buffer.from(secret), Buffer.from([0xfe])]);
    const sent = await recorded('/api/x', { headers: { 'X-Svc-Access': secret } }, { body: bytes });
    noCanaryIn(
      sent.text + Buffer.from(sent.session.exchanges[0]?.answer?.body?.content ?? '', 'base64').toString('latin1'),
    );
    const events = `id: 1\ndata: {"param2":${JSON.stringify(JSON.stringify({ pinCode: canary() }))}}\n\nevent: x\ndata: {"token":"${canary()}`;
    const stream = await recorded('/api/x', {}, { headers: { 'Content-Type': 'text/event-stream' }, body: events });
    noCanaryIn(stream.text);
    assert.match(
      stream.session.exchanges[0]?.answer?.events?.[0]?.text ?? '',
      /^id: 1\ndata: \{"param2":"\{.*\}"\}\n\n$/,
    );
  });

  test('a secret that is only later known as one is not in earlier exchanges either', async () => {
    const late = canary();
    answer = { headers: {}, body: '{}' };
    recorder = await startRecorder({ target: gateway.url, ports: systemPorts });
    await (
      await fetch(`${recorder.url}/api/x`, { method: 'POST', body: JSON.stringify([`see ${late}`, late]) })
    ).text();
    await (await fetch(`${recorder.url}/api/x`, { headers: { 'X-Svc-Access': late } })).text();
    const session = await ended(recorder);
    await recorder.close();
    noCanaryIn(writeSession(session));
    // The same secret has the same placeholder everywhere.
    assert.equal(session.exchanges[0]?.body.content, '["see redacted-access-token-1","redacted-access-token-1"]');
    assert.ok(session.exchanges[1]?.headers.some(([, value]) => value === 'redacted-access-token-1'));
  });

  test('a short PIN does not take away numbers and words that contain it', async () => {
    const body = JSON.stringify([
      { pinCode: '1234', id: '1781129412341234', count: 12, text: 'call 12345', again: '1234' },
    ]);
    const { session } = await recorded('/api/x', { method: 'POST', body });
    assert.equal(
      session.exchanges[0]?.body.content,
      '[{"pinCode":"redacted-pin-1","id":"1781129412341234","count":12,"text":"call 12345","again":"redacted-pin-1"}]',
    );
  });
});

describe('a real server', () => {
  let server: TestServer;
  before(async () => {
    server = await startServer();
  });
  after(() => server.close());

  test('a login, a renewal, an object token, keys and a channel token leave no secret', async () => {
    const { userid, password } = await server.user('alice');
    const recorder = await startRecorder({ target: server.url, ports: systemPorts });
    const client = createRpcClient({ url: recorder.url, keyStore: memoryKeyStore() });
    await client.login({ identifier: userid, password });
    const before = client.session?.tokens;
    const certificate = client.session?.certificate;
    const identity = await client.TalkService.getEncryptedIdentityV3();
    const objectToken = (await client.TalkService.acquireEncryptedAccessToken(2)).split('\u001e')[1];
    const channel = await client.channels.token();
    const renewed = await fetch(`${recorder.url}/api/auth/tokenRefresh`, {
      method: 'POST',
      headers: { 'X-Svc-Access': before?.accessToken ?? '', 'X-Hmac': await hmacOf(before) },
      body: JSON.stringify({ refreshToken: before?.refreshToken }),
    });
    const after = (await renewed.json()).data;
    client.close();
    const session = await ended(recorder);
    await recorder.close();
    const text = writeSession(session);
    const secrets = {
      ...{ password, certificate, objectToken, channel },
      ...{ access: before?.accessToken, refresh: before?.refreshToken },
      ...{ accessAfter: after.accessToken, refreshAfter: after.refreshToken },
      ...identity,
    };
    for (const [name, secret] of Object.entries(secrets)) {
      assert.ok(typeof secret === 'string' && secret.length >= 8, `${name} is a secret`);
      assert.ok(!text.includes(secret), `${name} is in the file`);
    }
    for (const { headers } of session.exchanges) {
      for (const [name = '', value = ''] of headers) {
        if (/^x-hmac$|-access$/i.test(name)) assert.match(value, /^redacted-(signature|access-token)-\d+$/);
      }
    }
  });
});

const hmacOf = async (tokens: { accessToken: string; refreshToken: string } | undefined): Promise<string> => {
  const { signRequest } = await import('@sealpost/crypto');
  const body = JSON.stringify({ refreshToken: tokens?.refreshToken });
  const path = '/api/auth/tokenRefresh';
  return signRequest({
    buildToken: 'sealpost-dev',
    version: '3.7.2',
    accessToken: tokens?.accessToken ?? '',
    path,
    body,
  });
};

/** Names that sound like secrets and are none, each with the reason. */
const harmless: Readonly<Record<string, string>> = {
  receiverKeyId: 'the number of a key',
  pwlessPrimaryCredentialRegistration: 'a flag',
  defaultDisplayOnKeyboard: 'a flag',
  creatorKeyId: 'the number of a key',
  authorId: 'the author of a pack',
  accountKey: 'a public key',
  authPhase: 'the name of a step',
  e2eePublicKey: 'a public key',
  endOtherSessions: 'a flag',
  groupKeyId: 'the number of a key',
  ignoreE2EEGroupKey: 'a flag',
  keyData: 'a public key',
  keyId: 'the number of a key',
  keyIds: 'numbers of keys',
  keyVersion: 'a number',
  keynm: 'the name of a public key',
  loginSessionId: 'lists of devices show it, and it opens nothing',
  publicKey: 'a public key',
  p256dh: 'a public key',
  sessionId: 'a number of a client, in calls that mark messages',
  sessionKey: 'a part of the public key of a login',
  tokenIssueTimeEpochSec: 'a time',
  tokenV3IssueResult: 'a struct, whose fields are in the table',
};

test('every name in the contract that sounds like a secret is in the table, or is harmless for a reason', () => {
  const names = new Set<string>();
  const visit = (value: unknown): void => {
    if (typeof value !== 'object' || value === null) return;
    if ('properties' in value && typeof value.properties === 'object') {
      for (const name of Object.keys(value.properties ?? {})) names.add(name);
    }
    if ('args' in value && Array.isArray(value.args)) for (const { name } of value.args) names.add(name);
    for (const inner of Object.values(value)) visit(inner);
  };
  visit(contract);
  visit(httpEndpoints);
  assert.ok(names.size > 200);
  const sounding = [...names].filter((name) =>
    /token|secret|pass|pin(code)?$|certificate$|verifier|nonce|kdf|key|session|auth|cred/i.test(name),
  );
  const unknown = sounding.filter((name) => secretField(name) === undefined && harmless[name] === undefined);
  assert.deepEqual(unknown.sort(), []);
});
