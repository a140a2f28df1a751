// What a test can see and do: records of calls, waiting, events on streams, the end of tokens and sessions.
import assert from 'node:assert/strict';
import { mkdtempSync, readdirSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { after, before, beforeEach, describe, test } from 'node:test';
import { createRawClient, type OpenStream, openStream, type RawClient } from '@sealpost/conformance/testing';
import type { DevLogin } from '@sealpost/contract/workbench';
import { startTestServer, type TestServer } from '@sealpost/testing';

describe('a test server', () => {
  let server: TestServer;
  let raw: RawClient;
  let alice: DevLogin;
  let bob: string;

  before(async () => {
    server = await startTestServer({ accounts: ['alice', 'bob'] });
  });
  after(async () => {
    raw.close();
    await server.close();
  });
  beforeEach(async () => {
    raw?.close();
    await server.reset();
    raw = createRawClient({ url: server.url });
    alice = await server.login('alice');
    bob = server.accounts[1]?.mid ?? '';
  });

  const send = (text: string) =>
    raw.call('TalkService.sendMessage', [0, { to: bob, text, contentType: 0 }], alice.accessToken);

  test('the record of a call has arguments by name, the answer, and what was written to whom', async () => {
    await send('hello');
    const [record] = server.requests({ method: 'sendMessage', account: 'alice' });
    assert.deepEqual(record?.args, { reqSeq: 0, message: { to: bob, text: 'hello', contentType: 0 } });
    assert.deepEqual([record?.state, record?.status, record?.userid], ['answered', 200, 'alice']);
    assert.match(record?.answer ?? '', /"text":"hello"/);
    assert.deepEqual(
      record?.appended.map(({ type, userid, to }) => [type, userid, to]),
      [
        ['SEND_MESSAGE', 'alice', 'self'],
        ['RECEIVE_MESSAGE', 'bob', 'members'],
      ],
    );
    const last = record?.appended.at(-1)?.revision ?? 0;
    assert.equal((await server.operations('bob', last - 1))[0]?.message?.text, 'hello');
  });

  test('the record of a refused call has the name and the meaning of its error', async () => {
    await raw.call('TalkService.getProfile', [0], 'no token');
    const [record] = server.requests({ method: 'getProfile' });
    assert.equal(record?.error?.name, 'REQUEST_NEED_LOGIN');
    assert.match(record?.error?.meaning ?? '', /No access token/);
  });

  test('calls are found by method, account, path and tag, and forgotten', async () => {
    await send('one');
    await raw.send('/api/nothing', { headers: { 'X-Dev-Tag': 'mine' }, body: '[]' });
    assert.equal(server.requests({ tag: 'mine' })[0]?.status, 404);
    assert.equal(server.requests({ path: '/api/nothing' }).length, 1);
    assert.equal(server.requests({ account: bob }).length, 0);
    const [first] = server.requests();
    assert.equal(server.requests({ after: first?.id ?? 0 }).length, 1);
    server.clearRequests();
    assert.deepEqual(server.requests(), []);
  });

  test('a wait that fails tells what came instead', async () => {
    await send('one');
    await assert.rejects(
      server.waitFor('bob', 'NOTIFIED_READ_MESSAGE', { timeoutMs: 30 }),
      /there came .*RECEIVE_MESSAGE/,
    );
    await assert.rejects(
      server.waitForRequest({ method: 'getProfile' }, { timeoutMs: 30 }),
      /came TalkService.sendMessage/,
    );
    await assert.rejects(server.login('nobody'), /no account has the user id or mid "nobody"; there are alice, bob/);
    const where = ({ message }: { message?: { text?: string } }) => message?.text === 'two';
    const waiting = server.waitFor('bob', 'RECEIVE_MESSAGE', { where });
    await send('two');
    assert.equal((await waiting).message?.text, 'two');
  });

  test('a wait for a call gives the call time to end', async () => {
    await using real = await startTestServer({ clock: 'real', accounts: ['alice', 'bob'] });
    real.fault({ match: { method: 'sendMessage' }, delay: 100 });
    const { accessToken } = await real.login('alice');
    const client = createRawClient({ url: real.url });
    const message = { to: real.accounts[1]?.mid, text: 'slow', contentType: 0 };
    const sending = client.call('TalkService.sendMessage', [0, message], accessToken);
    const record = await real.waitForRequest({ method: 'sendMessage' });
    assert.deepEqual([record.state, record.appended.length], ['answered', 2]);
    await sending;
    client.close();
  });

  test('an expired token answers that, and a new one works', async () => {
    await server.trigger({ account: 'alice', event: 'expireTokens' });
    const refused = await send('late');
    assert.equal(refused.body.data.code, 119);
    alice = await server.login('alice');
    assert.equal((await send('in time')).status, 200);
  });

  test('a session that was ended answers that', async () => {
    await server.trigger({ account: 'alice', event: 'endSessions' });
    assert.equal((await send('late')).body.data.code, 8);
  });

  test('time expires a token', async () => {
    await server.clock.advance('30d');
    assert.equal((await send('late')).body.data.code, 119);
  });

  /** Opens the operation stream of alice from the beginning of her log. */
  async function streamOfAlice(): Promise<OpenStream> {
    const path = '/api/operation/receive?localRev=0';
    const stream = await openStream(server.url, path, {
      'X-Svc-Access': alice.accessToken,
      'X-Svc-Chrome-Version': '3.7.2',
      'X-Hmac': raw.signatureOf(path, '', alice.accessToken),
    });
    await stream.event('connInfoRevision');
    return stream;
  }

  test('events reach the open streams of an account, and no others', async () => {
    const stream = await streamOfAlice();
    assert.equal(await server.trigger({ account: 'bob', event: 'ping' }), 0);
    assert.equal(await server.trigger({ account: 'alice', event: 'ping' }), 1);
    await stream.event('ping');
    await server.trigger({ account: 'alice', event: 'fullSync' });
    assert.match(JSON.stringify((await stream.event('fullSync')).data), /"nextRevision":"\d+"/);
    await server.trigger({ account: 'alice', event: 'talkException', code: 8 });
    assert.match(JSON.stringify((await stream.event('talkException')).data), /"code":8/);
    await stream.closed;
  });

  test('a stream that fell silent gets nothing, and goes on when it is opened again', async () => {
    const isHeard = (operation: object) => JSON.stringify(operation).includes('unheard');
    const first = await streamOfAlice();
    assert.equal(await server.trigger({ account: 'alice', event: 'silence' }), 1);
    const heard = first.events().length;
    await send('unheard');
    await server.clock.advance('60s');
    assert.equal(first.events().length, heard);
    first.close();
    const second = await streamOfAlice();
    assert.ok(await second.operation(isHeard));
    second.close();
  });

  test('a stream is cut', async () => {
    const stream = await streamOfAlice();
    assert.equal(await server.trigger({ account: 'alice', event: 'cut' }), 1);
    await stream.closed;
  });

  test('settings are those of the command line', async () => {
    await using small = await startTestServer({
      accounts: ['alice'],
      settings: { 'rate-read': '1+1', 'header-brand': 'Own' },
    });
    assert.equal(small.brand, 'Own');
    await assert.rejects(startTestServer({ settings: { 'no-such': '1' } }), /no-such/);
  });

  test('a start or a fork that fails leaves neither a server nor files', async (t) => {
    const [folder, before] = [mkdtempSync(join(tmpdir(), 'sealpost-failed-')), process.env.TMPDIR];
    t.after(() => {
      if (before === undefined) delete process.env.TMPDIR;
      else process.env.TMPDIR = before;
      rmSync(folder, { recursive: true });
    });
    process.env.TMPDIR = folder;
    const listening = () => process.getActiveResourcesInfo().filter((name) => name === 'TCPServerWrap').length;
    const open = listening();
    await assert.rejects(startTestServer({ accounts: ['alice', 'alice'] }), /"alice" is taken/);
    await assert.rejects(startTestServer({ accounts: ['no user id!'] }), /userid/);
    assert.equal(listening(), open);
    await assert.rejects(server.fork('nope'), /no universe is named "nope"/);
    assert.equal((await fetch(`${server.url}/_dev/universes/nope/fork`, { method: 'POST' })).status, 404);
    assert.deepEqual(readdirSync(folder), []);
  });

  test('the settings file of a real server in the present folder counts for nothing', async (t) => {
    const [folder, before] = [mkdtempSync(join(tmpdir(), 'sealpost-real-')), process.cwd()];
    t.after(() => {
      process.chdir(before);
      rmSync(folder, { recursive: true });
    });
    writeFileSync(join(folder, 'sealpost.yaml'), 'header-brand: Real\ndatabase-url: postgres://127.0.0.1:1/real\n');
    process.chdir(folder);
    await using own = await startTestServer({ accounts: ['alice'] });
    await using other = await own.fork();
    assert.deepEqual([own.brand, other.brand], ['Svc', 'Svc']);
  });
});
