// The workbench API over HTTP, as tests in other languages use it.
import assert from 'node:assert/strict';
import { after, before, beforeEach, describe, test } from 'node:test';
import { createRawClient } from '@sealpost/conformance/testing';
import { type AdminEndpoint, adminProblems, pathArgsOf } from '@sealpost/contract/admin';
import { workbenchEndpoints, workbenchRoot } from '@sealpost/contract/workbench';
import { startServer } from '@sealpost/dev-env/harness';
import { exchange } from '@sealpost/dev-env/raw-socket';
import { createAdminClient } from '@sealpost/sdk/admin';
import { startTestServer, type TestServer } from '@sealpost/testing';
import { createWorkbenchClient, type WorkbenchClient } from '@sealpost/testing/client';

const entries = Object.entries<AdminEndpoint>(workbenchEndpoints);

describe('the workbench over HTTP', () => {
  let server: TestServer;
  let bench: WorkbenchClient;

  before(async () => {
    server = await startTestServer({ seed: 7, accounts: ['alice', 'bob'] });
    bench = createWorkbenchClient(server.url);
  });
  after(() => server.close());
  beforeEach(() => server.reset());

  test('it shows seed, clock and accounts, with which a client logs in', async () => {
    const shown = await bench.showWorkbench();
    assert.equal(shown.seed, '7');
    assert.equal(shown.clock.mode, 'virtual');
    const [alice] = shown.accounts;
    assert.deepEqual([alice?.userid, alice?.password], ['alice', 'alice-sealpost']);
    const raw = createRawClient({ url: server.url, buildToken: shown.buildToken, brand: shown.brand });
    const { accessToken } = await bench.openSession({ account: 'alice' });
    const { body } = await raw.call('TalkService.getProfile', [0], accessToken);
    assert.equal(body.data.mid, alice?.mid);
    raw.close();
  });

  test('an account can be made, sent to, and waited for', async () => {
    const carol = await bench.createDevAccount({ userid: 'carol', displayName: 'Carol C.' });
    assert.deepEqual([carol.displayName, carol.password], ['Carol C.', 'carol-sealpost']);
    const waiting = bench.listOperations({ account: 'carol', type: 'RECEIVE_MESSAGE', wait: 5000 });
    await bench.trigger({ account: 'carol', event: 'message', from: 'alice', text: 'hello' });
    const { operations } = await waiting;
    assert.equal(operations.length, 1);
    assert.match(JSON.stringify(operations), /"text":"hello"/);
    await assert.rejects(bench.listOperations({ account: 'carol', type: 'NOTIFIED_READ_MESSAGE', wait: 50 }), {
      status: 408,
    });
  });

  test('an account that breaks a rule, or whose user id is taken, is refused with the reason', async () => {
    const made = (fields: { userid: string; password?: string }) => bench.createDevAccount(fields);
    await assert.rejects(made({ userid: 'alice' }), { status: 409, message: /"alice" is taken/ });
    await assert.rejects(made({ userid: 'no user id!' }), { status: 400, message: /userid/ });
    await assert.rejects(made({ userid: 'carol', password: 'short' }), { status: 400, message: /password/ });
  });

  test('an operation is found behind more than a thousand others', async () => {
    const message = (from: string, account: string, text: string) =>
      server.trigger({ account, event: 'message', from, text });
    for (let i = 0; i < 1005; i++) await message('alice', 'bob', 'one of many');
    const waiting = bench.listOperations({ account: 'bob', type: 'SEND_MESSAGE', wait: 5000 });
    await message('bob', 'alice', 'the answer');
    const { operations } = await waiting;
    assert.equal(operations.length, 1);
    assert.match(JSON.stringify(operations), /"text":"the answer"/);
  });

  test('a state is saved, left and restored at the same address, with streams open', async () => {
    await bench.saveUniverse({ name: 'before' });
    await bench.trigger({ account: 'bob', event: 'message', from: 'alice', text: 'gone soon' });
    const { accessToken } = await bench.openSession({ account: 'bob' });
    const raw = createRawClient({ url: server.url });
    const path = '/api/operation/receive?localRev=0';
    const stream = await fetch(server.url + path, {
      headers: {
        'X-Svc-Access': accessToken,
        'X-Svc-Chrome-Version': '3.7.2',
        'X-Hmac': raw.signatureOf(path, '', accessToken),
        Accept: 'text/event-stream',
      },
    });
    assert.equal(stream.status, 200);
    assert.equal((await bench.resetUniverse({ universe: 'before' })).name, 'before');
    // The stream ends, with an event that says so or without.
    await stream.text().catch(() => '');
    const texts = (await server.operations('bob')).flatMap(({ message }) => message?.text ?? []);
    assert.deepEqual(texts, []);
    raw.close();
  });

  test('events tell of calls, operations, faults and the clock as they happen', async () => {
    const stop = new AbortController();
    const response = await fetch(`${server.url}${workbenchRoot}/events`, { signal: stop.signal });
    assert.equal(response.headers.get('content-type'), 'text/event-stream; charset=utf-8');
    const kinds = ['call', 'operation', 'faults', 'clock'].map((kind) => `event: ${kind}\n`);
    const seen = eventsUntil(response, (text) => kinds.every((kind) => text.includes(kind)));
    await bench.addFault({ delay: 0 });
    await bench.advanceClock({ by: '1m' });
    const raw = createRawClient({ url: server.url });
    const { accessToken } = await bench.openSession({ account: 'alice' });
    const to = server.accounts[1]?.mid ?? '';
    await raw.call('TalkService.sendMessage', [2, { to, text: 'seen', contentType: 0 }], accessToken);
    assert.match(await seen, /"text":"seen"/);
    stop.abort();
    raw.close();
  });

  test('operations of an account that something else created, and that made no call, are told too', async () => {
    const admin = createAdminClient({ url: server.url, token: server.adminToken });
    const carol = await admin.createAccount({ userid: 'carol', displayName: 'Carol', password: 'carol-sealpost' });
    const stop = new AbortController();
    const response = await fetch(`${server.url}${workbenchRoot}/events`, { signal: stop.signal });
    const seen = eventsUntil(response, (text) =>
      text.includes(`{"kind":"operation","operation":{"mid":"${carol.mid}"`),
    );
    const raw = createRawClient({ url: server.url });
    const { accessToken } = await bench.openSession({ account: 'alice' });
    await raw.call('TalkService.sendMessage', [2, { to: carol.mid, text: 'hi', contentType: 0 }], accessToken);
    const [record] = server.requests({ method: 'sendMessage' });
    assert.deepEqual(
      record?.appended.map(({ type, userid }) => [type, userid]),
      [
        ['SEND_MESSAGE', 'alice'],
        ['RECEIVE_MESSAGE', 'carol'],
      ],
    );
    assert.match(await seen, /"operation":\{[^{]*"userid":"carol"/);
    stop.abort();
    raw.close();
  });

  for (const [name, { path, verb, body }] of entries) {
    const names = pathArgsOf({ path });
    if (names.length === 0) continue;
    test(`${name} answers 404 for what does not exist`, async () => {
      const url = `${server.url}${workbenchRoot}${path.replaceAll(/\{\w+\}/g, 'nobody')}`;
      const answer = await fetch(url, {
        method: verb,
        ...(body && { body: '{}', headers: { 'Content-Type': 'application/json' } }),
      });
      assert.equal(answer.status, 404, await answer.text());
    });
  }

  for (const [name, entry] of entries) {
    test(`${name} refuses bad input with a declared problem, and never with 5xx`, async () => {
      const { verb, path } = entry;
      const declared = adminProblems(entry);
      const url = `${server.url}${workbenchRoot}${path.replaceAll(/\{\w+\}/g, 'nobody')}`;
      const bodies = ['', '[]', '{"x":1}', '{', 'null', '{"by":{}}', '"text"', '{"name":"../../etc"}', '{"rate":7}'];
      for (const body of verb === 'POST' ? bodies : [undefined]) {
        const answer = await fetch(`${url}?limit=x&wait=-1&after=y`, {
          method: verb,
          ...(body !== undefined && { body, headers: { 'Content-Type': 'application/json' } }),
        });
        const told = `${name} ${body}: ${answer.status}`;
        assert.ok(answer.status < 500, told);
        if (answer.status < 400) continue;
        assert.ok(String(answer.status) in declared, `${told} is not declared`);
        const { detail } = (await answer.json()) as { detail: string };
        assert.ok(detail.length > 5, told);
      }
    });
  }

  test('a page whose name leads to this machine cannot reach it', async () => {
    for (const host of ['evil.example', 'localhost.evil.example', '']) {
      const { status, body } = await exchange(server.url, `GET /_dev/clock HTTP/1.1\r\nHost: ${host}\r\n\r\n`);
      assert.equal(status, 403, body);
    }
    const { status } = await exchange(server.url, 'GET /_dev/clock HTTP/1.1\r\nHost: localhost:80\r\n\r\n');
    assert.equal(status, 200);
  });
});

/** Reads server-sent events until their text fits, or they end. Returns the text. */
async function eventsUntil({ body }: Response, fits: (text: string) => boolean): Promise<string> {
  let text = '';
  for await (const chunk of body?.pipeThrough(new TextDecoderStream()) ?? []) {
    text += chunk;
    if (fits(text)) return text;
  }
  return text;
}

test('a server without a workbench serves none of its paths', async () => {
  const server = await startServer();
  try {
    for (const [name, verb, path] of [
      ...entries.map(([name, { verb, path }]) => [name, verb, path] as const),
      ['events', 'GET', '/events'] as const,
    ]) {
      const answer = await fetch(server.url + workbenchRoot + path.replaceAll(/\{\w+\}/g, 'x'), { method: verb });
      assert.equal(answer.status, 404, name);
    }
    assert.equal((await fetch(`${server.url}/inspect`)).status, 404);
  } finally {
    await server.close();
  }
});
