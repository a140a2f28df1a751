// The commands for authors of clients: explain, record and replay.
import assert from 'node:assert/strict';
import { mkdirSync, mkdtempSync, readFileSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { after, before, describe, test } from 'node:test';
import { type RunningCommand, run, start } from '@sealpost/dev-env/command';
import { type ServerProcess, startServer } from '@sealpost/dev-env/server-process';
import { createRpcClient, type RpcClient } from '@sealpost/sdk';

const folder = mkdtempSync(join(tmpdir(), 'sealpost-recording-'));
const file = (name: string): string => join(folder, name);
after(() => rmSync(folder, { recursive: true }));

describe('explain', () => {
  const path = '/api/talk/thrift/Talk/TalkService/sendMessage';
  const curl = `curl 'http://127.0.0.1:8787${path}' -H 'X-Svc-Access: a-token-of-nobody' -H 'X-Hmac: `;
  const body = `[5,{"to":"u1","text":"hi","contentType":0}]`;

  test('a curl command with a signature over the path without its beginning', async () => {
    const signing = ['sign', path.slice('/api'.length), body, '--access-token', 'a-token-of-nobody'];
    const { out: signature } = await run({}, signing);
    const { code, out, err } = await run({}, ['explain', '-'], `${curl}${signature.trim()}' --data-raw '${body}'`);
    assert.equal(code, 0, err);
    assert.match(out, /^TalkService.sendMessage {2}no answer in this file\n {2}Stores a message/);
    assert.match(out, /Arguments {3}reqSeq = 5\n {14}message = \{"to":"u1","text":"hi","contentType":0\}/);
    assert.match(out, /Signature {3}wrong\n {14}Likely cause: the path was signed without its beginning\./);
    assert.match(out, /First difference: byte 2 of the path: the server has 0x61/);
    assert.ok(!out.includes('a-token-of-nobody'));
  });

  test('an archive: pages and pictures are left out, errors are explained', async () => {
    const entry = (url: string, status: number, text: string) => ({
      request: { method: 'POST', url, headers: [], postData: { text: '[]' } },
      response: { status, headers: [], content: { text } },
    });
    const expired = {
      code: 10051,
      message: 'RESPONSE_ERROR',
      data: { name: 'TalkException', code: 119, reason: 'old' },
    };
    const entries = [
      entry('http://h/main.js', 200, ''),
      entry('http://h/api/talk/thrift/Talk/TalkService/getProfile', 400, JSON.stringify(expired)),
    ];
    writeFileSync(file('log.har'), JSON.stringify({ log: { entries } }));
    const { out, err } = await run({}, ['explain', file('log.har')]);
    assert.match(out, /^TalkService.getProfile {2}400 MUST_REFRESH_V3_TOKEN\n/);
    assert.match(out, /Error {7}MUST_REFRESH_V3_TOKEN, code 119: old\n {2}Means {7}The access token expired/);
    assert.match(out, /Next {8}Renew: call \/api\/auth\/tokenRefresh/);
    assert.match(err, /^1 other calls are left out; --all explains them too/);
  });

  test('the options and variables of other commands count: build token and brand', async () => {
    const signing = ['sign', '/api/x', '--access-token', 'tok', '--build-token', 'mine'];
    const { out: signature } = await run({}, signing);
    const request = `GET /api/x HTTP/1.1\nX-Xyz-Access: tok\nX-Hmac: ${signature.trim()}\n\n`;
    const right = /Signature {3}right/;
    assert.match(
      (await run({}, ['explain', '-', '--build-token', 'other,mine', '--brand', 'Xyz'], request)).out,
      right,
    );
    const env = { SEALPOST_BUILD_TOKEN: 'mine', SEALPOST_HEADER_BRAND: 'Xyz' };
    assert.match((await run(env, ['explain', '-'], request)).out, right);
    assert.match((await run({}, ['explain', '-', '--build-token', 'mine'], request)).out, /Explain with --brand Xyz/);
  });

  test('control characters of others do not reach the terminal', async () => {
    const { out } = await run({}, ['explain', '-'], "curl 'http://h/api/x' -H 'X-Hmac: a' --data-raw $'\\x1b[2J'");
    assert.ok(!out.includes('\u001b[2J'));
  });

  test('what cannot be read is wrong usage', async () => {
    const missing = await run({}, ['explain', file('nothing.har')]);
    assert.deepEqual([missing.code, /nothing.har cannot be read/.test(missing.err)], [2, true]);
    const other = await run({}, ['explain', '-'], 'hello');
    assert.deepEqual([other.code, /"hello" begins neither/.test(other.err)], [2, true]);
  });
});

describe('record and replay', () => {
  let server: ServerProcess;
  let mid: string;
  const password = 'password of alice';
  const session = file('session.json');
  before(async () => {
    server = await startServer();
    await server.createAccount('alice', 'Alice');
    ({ mid } = await server.createAccount('bob', 'Bob'));
  });
  after(async () => {
    await server?.dispose();
  });

  /** Runs a command that stands for a gateway while a client works. */
  async function during(args: readonly string[], work: (client: RpcClient) => Promise<unknown>) {
    const command: RunningCommand = start({}, [...args, '--port', '0']);
    const told = await command.until(/ at (http:\S+)/, 'err');
    const client = createRpcClient({ url: / at (http:\/\/[\d.]+:\d+)/.exec(told)?.[1] ?? '' });
    try {
      await client.login({ identifier: 'alice', password });
      await work(client);
    } finally {
      client.close();
      command.child.kill('SIGINT');
    }
    return command.finished;
  }

  test('a session is recorded into a file that only its owner can read', async () => {
    let token = '';
    const { code, err } = await during(['record', '--target', server.url, '--out', session], async (client) => {
      token = client.session?.tokens.accessToken ?? '';
      await client.sendText(mid, 'recorded');
      await client.TalkService.getProfile();
    });
    assert.equal(code, 0, err);
    assert.match(err, /#\d+ {2}TalkService.sendMessage {2}200\n/);
    assert.match(err, /Saved \d+ exchanges to .*session.json\. Replaced: .*1 access-token/);
    const text = readFileSync(session, 'utf8');
    assert.ok(token.length > 20 && !text.includes(token) && !text.includes(password));
    assert.match(text, /recorded/);
    if (process.platform !== 'win32') assert.equal(statSync(session).mode & 0o777, 0o600);
  });

  test('a file that cannot be written for a while does not end the recording', async () => {
    const out = file('blocked.json');
    const command = start({}, ['record', '--target', server.url, '--out', out, '--port', '0']);
    const told = await command.until(/ at (http:\S+)/, 'err');
    rmSync(`${out}.part`);
    mkdirSync(`${out}.part`);
    const ask = () => fetch(`${/ at (http:\/\/[\d.]+:\d+)/.exec(told)?.[1]}/version`);
    await ask();
    await command.until(/blocked\.json cannot be written: .* The recording goes on\./, 'err');
    rmSync(`${out}.part`, { recursive: true });
    await ask();
    command.child.kill('SIGINT');
    const { code, err } = await command.finished;
    assert.deepEqual([code, err.match(/cannot be written/g)?.length], [0, 1], err);
    assert.equal(JSON.parse(readFileSync(out, 'utf8')).exchanges.length, 2);
  });

  test('the recorded session is served, and a call that was not recorded makes the command fail', async () => {
    const same = await during(['replay', session], async (client) => {
      assert.equal((await client.sendText(mid, 'recorded')).text, 'recorded');
      assert.equal((await client.TalkService.getProfile()).displayName, 'Alice');
    });
    assert.equal(same.code, 0, same.err);
    assert.ok(!same.err.includes('NOT RECORDED'));
    const other = await during(['replay', session], (client) => assert.rejects(client.sendText(mid, 'new')));
    assert.equal(other.code, 1);
    assert.match(other.err, /NOT RECORDED: TalkService.sendMessage .*message.text is "new", recorded was "recorded"/);
    assert.match(other.err, /A call was not recorded\./);
  });

  const against = (path: string, ...more: string[]) =>
    run({}, ['replay', path, '--against', server.url, '--user', 'alice', '--password', password, ...more]);

  test('the recorded session is compared with a server', async () => {
    const same = await against(session);
    assert.equal(same.code, 0, same.out + same.err);
    assert.match(same.err, /(\d+) calls sent, \1 answers alike\.\n/);
    assert.match(same.err, /not sent, because it belongs to the login: /);
    const changed = file('changed.json');
    writeFileSync(
      changed,
      readFileSync(session, 'utf8').replaceAll('\\"displayName\\":\\"Alice\\"', '\\"displayName\\":\\"Alicia\\"'),
    );
    const other = await against(changed);
    assert.equal(other.code, 1);
    assert.match(other.out, /^#\d+ {2}TalkService.getProfile\n {4}data.displayName: recorded "Alicia", now "Alice"\n$/);
    assert.match(other.err, /1 of \d+ answers differ from the recorded ones/);
  });

  test('a port that is in use is told', async () => {
    const { port } = new URL(server.url);
    for (const args of [
      ['record', '--target', server.url, '--out', file('none.json')],
      ['replay', session],
    ]) {
      const { code, err } = await run({}, [...args, '--port', port]);
      assert.equal(code, 1);
      assert.match(err, new RegExp(`127.0.0.1:${port} cannot be used: address already in use. Take another port`));
    }
  });

  test('what cannot be right is wrong usage', async () => {
    const withPath = await run({}, ['record', '--target', `${server.url}/gateway`]);
    assert.deepEqual([withPath.code, /A signature covers the path/.test(withPath.err)], [2, true]);
    assert.equal((await run({}, ['record', '--target', server.url, '--port', '70000'])).code, 2);
    assert.equal((await run({}, ['replay', session, '--against', server.url])).code, 2);
    writeFileSync(file('other.json'), '{}');
    const other = await run({}, ['replay', file('other.json')]);
    assert.deepEqual([other.code, /is not a recorded session/.test(other.err)], [2, true]);
    assert.equal((await run({}, ['replay', file('missing.json')])).code, 2);
  });
});
