// What goes wrong on purpose, as a client sees it.
import assert from 'node:assert/strict';
import { after, before, beforeEach, describe, test } from 'node:test';
import { createRawClient, type RawClient } from '@sealpost/conformance/testing';
import type { DevLogin, FaultRule } from '@sealpost/contract/workbench';
import { until } from '@sealpost/dev-env/until';
import { createClient } from '@sealpost/sdk';
import { createAdminClient } from '@sealpost/sdk/admin';
import { startTestServer, type TestServer } from '@sealpost/testing';

describe('faults', () => {
  let server: TestServer;
  let raw: RawClient;
  let alice: DevLogin;
  let bob: string;
  const send = (reqSeq: number, text = 'text') =>
    raw.call('TalkService.sendMessage', [reqSeq, { to: bob, text, contentType: 0 }], alice.accessToken);
  /** Returns the texts that bob got. */
  const texts = async () => (await server.operations('bob')).flatMap(({ message }) => message?.text ?? []);

  before(async () => {
    server = await startTestServer({ accounts: ['alice', 'bob'], clock: 'real' });
    raw = createRawClient({ url: server.url });
  });
  after(async () => {
    raw.close();
    await server.close();
  });
  beforeEach(async () => {
    await server.reset();
    alice = await server.login('alice');
    bob = server.accounts[1]?.mid ?? '';
  });

  test('an error of the table is answered with its status and code, and nothing is handled', async () => {
    server.fault({ match: { method: 'sendMessage' }, answer: { error: 'NOT_A_MEMBER' }, times: 1 });
    const { status, body } = await send(2);
    assert.equal(status, 400);
    assert.deepEqual([body.code, body.data.code], [10051, 10]);
    assert.deepEqual(await texts(), []);
    assert.equal((await send(2)).status, 200);
    assert.deepEqual(await texts(), ['text']);
  });

  test('any answer can be given', async () => {
    server.fault({ answer: { status: 503, headers: { 'Retry-After': '7' }, body: '{"made":"up"}' } });
    const { status, headers, text } = await send(2);
    assert.deepEqual([status, headers['retry-after'], text], [503, '7', '{"made":"up"}']);
  });

  test('a request is cut: the connection closes and nothing is handled', async () => {
    server.fault({ cut: 'request', times: 1 });
    await assert.rejects(send(2));
    assert.deepEqual(await texts(), []);
    assert.equal(server.requests().at(-1)?.state, 'cut');
  });

  test('an answer is cut: the call is handled, and a repeat gets the first result', async () => {
    server.fault({ cut: 'answer', times: 1 });
    await assert.rejects(send(2));
    await until(async () => (await texts()).length === 1, 'the message was handled');
    assert.equal((await send(2)).status, 200);
    assert.deepEqual(await texts(), ['text']);
  });

  test('an answer ends after so many bytes', async () => {
    server.fault({ cut: 40, times: 1 });
    await assert.rejects(send(2));
    const [record] = server.requests({ method: 'sendMessage' });
    assert.equal(record?.state, 'cut');
    assert.ok((record?.answerBytes ?? 0) > 40, 'the record has the whole answer');
  });

  test('an answer that is shorter than its cut is whole', async () => {
    server.fault({ cut: 1_000_000, times: 1 });
    assert.equal((await send(2)).status, 200);
  });

  test('a dropped request is never answered, and a dropped answer neither, although it was handled', async () => {
    const stop = new AbortController();
    const silent = async (rule: FaultRule, reqSeq: number) => {
      const fault = server.fault(rule);
      const answer = fetch(`${server.url}/api/talk/thrift/Talk/TalkService/sendMessage`, {
        method: 'POST',
        body: JSON.stringify([reqSeq, { to: bob, text: `text ${reqSeq}`, contentType: 0 }]),
        headers: {
          'Content-Type': 'application/json',
          'X-Svc-Access': alice.accessToken,
          'X-Svc-Chrome-Version': '3.7.2',
          'X-Hmac': raw.signatureOf(
            '/api/talk/thrift/Talk/TalkService/sendMessage',
            JSON.stringify([reqSeq, { to: bob, text: `text ${reqSeq}`, contentType: 0 }]),
            alice.accessToken,
          ),
        },
        signal: stop.signal,
      });
      answer.catch(() => {});
      await until(() => server.requests().at(-1)?.state === 'dropped', 'the call was dropped');
      fault.remove();
      return { answer };
    };
    const first = await silent({ drop: 'request' }, 2);
    assert.equal((await send(9)).status, 200);
    const second = await silent({ drop: 'answer' }, 3);
    await until(async () => (await texts()).includes('text 3'), 'the message was handled');
    assert.ok(!(await texts()).includes('text 2'), 'the dropped request was handled');
    stop.abort();
    await assert.rejects(first.answer);
    await assert.rejects(second.answer);
  });

  test('a call that is handled twice takes effect once, and its answer is that of a repeat', async () => {
    server.fault({ match: { method: 'sendMessage' }, duplicate: true });
    assert.equal((await send(2)).status, 200);
    assert.deepEqual(await texts(), ['text']);
    // Without a reqSeq that is a key, both calls take effect.
    assert.equal((await send(0, 'twice')).status, 200);
    assert.deepEqual(await texts(), ['text', 'twice', 'twice']);
  });

  test('only fitting calls change: by method, account, path, rate and times', async () => {
    const profile = async (account: string) => {
      const { accessToken } = await server.login(account);
      return (await raw.call('TalkService.getProfile', [0], accessToken)).status;
    };
    server.fault({ match: { account: 'bob' }, answer: { status: 500 } });
    assert.deepEqual([await profile('alice'), await profile('bob')], [200, 500]);
    server.clearFaults();
    server.fault({ match: { method: 'TalkService.get*' }, answer: { status: 500 }, times: 2 });
    assert.deepEqual([await profile('alice'), await profile('alice'), await profile('alice')], [500, 500, 200]);
    assert.equal((await send(2)).status, 200);
    server.clearFaults();
    server.fault({ match: { path: '/api/talk/' }, answer: { status: 500 }, rate: 0 });
    assert.equal(await profile('alice'), 200);
    server.fault({ answer: { status: 500 }, rate: 0.5 });
    const outcomes = [];
    for (let n = 0; n < 40; n++) outcomes.push(await profile('alice'));
    const failed = outcomes.filter((status) => status === 500).length;
    assert.ok(failed > 5 && failed < 35, `${failed} of 40 failed`);
  });

  test('a rule that does nothing, or two things, is refused', () => {
    assert.throws(() => server.fault({}), /needs one of delay, answer, cut, drop, duplicate/);
    assert.throws(() => server.fault({ cut: 'answer', duplicate: true }), /has cut and duplicate/);
    assert.throws(() => server.fault({ delay: '5 parsecs' }), /not a time span/);
    // Else the first call that fits would end the server.
    assert.throws(() => server.fault({ answer: { error: 'NO_SUCH_ERROR' } }), /no error "NO_SUCH_ERROR"/);
  });
});

test('a delayed call waits for the clock of the server', async () => {
  await using server = await startTestServer({ accounts: ['alice'] });
  const raw = createRawClient({ url: server.url });
  const { accessToken } = await server.login('alice');
  server.fault({ match: { method: 'getProfile' }, delay: '2s' });
  let answered = false;
  const answer = raw.call('TalkService.getProfile', [0], accessToken).then((given) => {
    answered = true;
    return given;
  });
  await server.waitForRequest({ method: 'getProfile' });
  await server.clock.advance('1999ms');
  await raw.call('TalkService.getSettings', [0], accessToken);
  assert.equal(answered, false);
  await server.clock.advance('1ms');
  assert.equal((await answer).status, 200);
  raw.close();
});

test('an account that something else created is found by its user id', async () => {
  await using server = await startTestServer();
  const admin = createAdminClient({ url: server.url, token: server.adminToken });
  await admin.createAccount({ userid: 'carol', displayName: 'Carol', password: 'carol-sealpost' });
  const { id } = server.fault({ match: { account: 'carol', method: 'getProfile' }, delay: 0 });
  const { url, buildToken, brand, ports } = server;
  const client = createClient({ url, buildToken, brand, ...ports });
  await client.login({ identifier: 'carol', password: 'carol-sealpost' });
  const record = await server.waitForRequest({ account: 'carol', method: 'getProfile' });
  assert.deepEqual([record.userid, record.fault], ['carol', id]);
  await client.close();
});
