import assert from 'node:assert/strict';
import { spawnSync } from 'node:child_process';
import { once } from 'node:events';
import {
  closeSync,
  copyFileSync,
  existsSync,
  mkdirSync,
  mkdtempSync,
  openSync,
  readdirSync,
  readFileSync,
  rmSync,
  statSync,
  writeFileSync,
} from 'node:fs';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { after, before, test } from 'node:test';
import { signRequest } from '@sealpost/crypto';
import { type CommandResult, run, start } from '@sealpost/dev-env/command';
import { commandPath, type ServerProcess, startServer } from '@sealpost/dev-env/server-process';

let server: ServerProcess;
let env: Record<string, string>;

before(async () => {
  server = await startServer();
  env = { ...server.env, SEALPOST_URL: server.url };
});
after(async () => {
  await server?.dispose();
});

const cli = (...args: string[]): Promise<CommandResult> => run(env, args);

async function ok(...args: string[]): Promise<string> {
  const { code, out, err } = await cli(...args);
  assert.equal(code, 0, `${args.join(' ')}: ${err}`);
  return out;
}

async function json<T>(...args: string[]): Promise<T> {
  return JSON.parse(await ok(...args, '--json')) as T;
}

/** Creates an account, and logs it in on this machine. */
async function user(userid: string): Promise<{ mid: string }> {
  const { mid, password } = await server.createAccount(userid, userid[0]?.toUpperCase() + userid.slice(1));
  await ok('login', userid, '--password', password);
  return { mid };
}

test('an operator creates, lists, shows, disables, enables and deletes an account', async () => {
  const made = await json<{ mid: string; password: string }>('account', 'create', 'dora', '--name', 'Dora D.');
  assert.match(made.mid, /^u[0-9a-f]{32}$/);
  assert.ok(made.password.length >= 16);
  assert.match(await ok('account', 'list'), /dora +Dora D\. +user +enabled/);
  assert.match(await ok('account', 'show', 'dora'), /displayName +Dora D\./);
  await ok('login', 'dora', '--password', made.password);
  await ok('account', 'disable', 'dora');
  assert.match(await ok('account', 'list'), /dora .*disabled/);
  assert.notEqual((await cli('login', 'dora', '--password', made.password)).code, 0);
  await ok('account', 'enable', 'dora');
  await ok('login', 'dora', '--password', made.password);
  const reset = await json<{ password: string }>('account', 'reset-password', 'dora');
  assert.notEqual((await cli('login', 'dora', '--password', made.password)).code, 0);
  await ok('login', 'dora', '--password', reset.password);
  const unasked = await cli('account', 'delete', 'dora');
  assert.equal(unasked.code, 2);
  assert.match(unasked.err, /not a terminal.*--yes/);
  assert.match(await ok('account', 'list'), /dora/);
  await ok('account', 'delete', 'dora', '--yes');
  assert.doesNotMatch(await ok('account', 'list'), /dora/);
});

test('a taken user id is refused with the words of the server', async () => {
  await server.createAccount('taken');
  const { code, err } = await cli('account', 'create', 'taken');
  assert.equal(code, 1);
  assert.match(err, /the userid "taken" is taken/);
});

test('a wrong admin token is refused with the setting to look at', async () => {
  const { code, err } = await run({ ...env, SEALPOST_ADMIN_TOKEN: 'wrong' }, ['account', 'list']);
  assert.equal(code, 1);
  assert.match(err, /SEALPOST_ADMIN_TOKEN/);
});

test('the page of a proxy is not printed, but what the proxy must do, and the token is not blamed', async () => {
  const proxy = createServer((_request, response) => response.writeHead(403).end('<html>nginx</html>'));
  await once(proxy.listen(0, '127.0.0.1'), 'listening');
  const url = `http://127.0.0.1:${(proxy.address() as AddressInfo).port}`;
  const { code, err } = await run({ SEALPOST_URL: url, SEALPOST_ADMIN_TOKEN: 'any' }, ['account', 'list']);
  proxy.close();
  assert.equal(code, 1);
  assert.match(err, /in front of the server answered; a proxy must let \/api\/admin\/v1\/ through.*\(HTTP 403\)/);
  assert.doesNotMatch(err, /nginx|token/);
});

test('a proxy without its server is told as such, with the exit code of a server that is away', async () => {
  const proxy = createServer((_request, response) => response.writeHead(502).end('<html>nginx</html>'));
  await once(proxy.listen(0, '127.0.0.1'), 'listening');
  const url = `http://127.0.0.1:${(proxy.address() as AddressInfo).port}`;
  const { code, err } = await run({ ...env, SEALPOST_URL: url }, ['login', 'olga', '--password', 'any']);
  proxy.close();
  assert.equal(code, 4);
  assert.match(err, /a proxy answered with HTTP 502: the server behind it does not answer/);
});

test('a login is kept in a file that only its owner can read, and ends with logout', async () => {
  const { mid } = await user('erin');
  assert.match(await ok('whoami'), new RegExp(`^Erin \\(erin\\)\n${mid}`));
  const file = join(env.SEALPOST_CONFIG_DIR ?? '', 'logins', 'erin.json');
  assert.equal(statSync(file).mode & 0o777, 0o600);
  await ok('logout');
  assert.doesNotMatch(readFileSync(file, 'utf8'), /accessToken/);
  const { code, err } = await cli('whoami');
  assert.equal(code, 3);
  assert.match(err, /Not logged in.*sealpost login erin/);
});

test('logins of an older folder are found, and moved to the new one', async () => {
  const { mid } = await user('wanda');
  const folder = mkdtempSync(join(tmpdir(), 'sealpost-logins-'));
  try {
    mkdirSync(join(folder, 'profiles'));
    copyFileSync(join(env.SEALPOST_CONFIG_DIR ?? '', 'logins', 'wanda.json'), join(folder, 'profiles', 'wanda.json'));
    writeFileSync(join(folder, 'current.json'), '{"profile":"wanda"}');
    const { code, out, err } = await run({ ...env, SEALPOST_CONFIG_DIR: folder }, ['whoami']);
    assert.equal(code, 0, err);
    assert.match(out, new RegExp(`${mid}\nlogin wanda at`));
    assert.deepEqual(readdirSync(folder).sort(), ['current.json', 'logins']);
  } finally {
    rmSync(folder, { recursive: true });
  }
});

test('SEALPOST_LOGIN picks a login, and the older name of the variable is refused', async () => {
  const { mid } = await user('xena');
  await user('yuri');
  const { out } = await run({ ...env, SEALPOST_LOGIN: 'xena' }, ['whoami']);
  assert.match(out, new RegExp(mid));
  const { code, err } = await run({ ...env, SEALPOST_PROFILE: 'xena' }, ['whoami']);
  assert.equal(code, 2);
  assert.match(err, /SEALPOST_LOGIN/);
});

test('a password may come from standard input', async () => {
  const { password } = await server.createAccount('fred');
  const { code, err } = await run(env, ['login', 'fred', '--password-stdin'], `${password}\n`);
  assert.equal(code, 0, err);
});

test('what one user sends, the other hears at once, finds in the chat list and in the history', async () => {
  const gina = await user('gina');
  const hugo = await user('hugo');
  const misdirected = await cli('listen', '--as', 'hugo', '--forward-to', 'nowhere');
  assert.match(misdirected.err, /"nowhere" is not an address/);
  assert.equal(misdirected.code, 2);
  const listening = start(env, ['listen', '--as', 'hugo']);
  await listening.until(/Listening as hugo/, 'err');
  await ok('send', hugo.mid, 'hello\nHugo \u001b[31m', '--as', 'gina');
  await listening.until(/^\d\d:\d\d:\d\d {2}Gina: hello ↵ Hugo �\[31m\n/);
  await ok('send', gina.mid, 'hello yourself', '--as', 'hugo');
  await listening.until(/you → Gina: hello yourself/);
  listening.child.kill('SIGINT');
  assert.equal((await listening.finished).code, 0);

  assert.match(await ok('chats', '--as', 'hugo'), /Gina +\d .*hello yourself .*u[0-9a-f]{32}/);
  assert.match(await ok('history', gina.mid, '--as', 'hugo'), /Gina: hello.*\n.*you → Gina: hello yourself\n$/);
  const history = await json<{ id: string; text: string }[]>('history', hugo.mid, '--as', 'gina', '-n', '1');
  assert.deepEqual(
    history.map((message) => message.text),
    ['hello yourself'],
  );
  const withId = new RegExp(`^[\\d:]+ {2}${history[0]?.id} {2}you → Gina: hello yourself\n`, 'm');
  assert.match(await ok('history', gina.mid, '--as', 'hugo', '--ids'), withId);
  const again = start(env, ['listen', '--as', 'hugo', '--from', '0', '--ids']);
  await again.until(withId);
  again.child.kill('SIGINT');
  await again.finished;
});

test('a listener survives a crash of the server, says so, and goes on where its last run stopped', async () => {
  await user('ivan');
  const judy = await user('judy');
  const first = start(env, ['listen', '--as', 'judy']);
  await first.until(/Listening/, 'err');
  await ok('send', judy.mid, 'before the crash', '--as', 'ivan');
  await first.until(/before the crash/);
  await server.kill();
  await first.until(/Connection lost/, 'err');
  await server.start();
  await first.until(/Connected again/, 'err');
  await ok('send', judy.mid, 'after the crash', '--as', 'ivan');
  await first.until(/after the crash/);
  first.child.kill('SIGTERM');
  const { out } = await first.finished;
  assert.equal(out.match(/crash/g)?.length, 2);

  await ok('send', judy.mid, 'while nobody listened', '--as', 'ivan');
  const second = start(env, ['listen', '--as', 'judy', '--json']);
  await second.until(/while nobody listened/);
  second.child.kill('SIGTERM');
  const lines = (await second.finished).out.trim().split('\n');
  assert.equal(lines.length, 1);
  const operation = JSON.parse(lines[0] ?? '') as { type: number; revision: string };
  assert.equal(operation.type, 26);
  assert.match(operation.revision, /^\d+$/);
});

test('the end of the session ends a listener with exit code 3', async () => {
  await user('kate');
  const listening = start(env, ['listen', '--as', 'kate']);
  await listening.until(/Listening/, 'err');
  await ok('account', 'disable', 'kate');
  const { code, err } = await listening.finished;
  assert.equal(code, 3, err);
  assert.match(err, /the session of "kate" has ended.*sealpost login kate/);
});

test('a server that is not there gives exit code 4 and says what to check', async () => {
  await user('leo');
  const nowhere = 'http://127.0.0.1:65535';
  const login = await cli('login', 'leo', '--password', 'x', '--url', nowhere, '--as', 'other');
  assert.equal(login.code, 4);
  assert.match(login.err, /no answer from http:\/\/127\.0\.0\.1:65535 \(ECONNREFUSED\).*Check/);
  // A session's token is never sent to another server.
  const { code, err } = await cli('whoami', '--as', 'leo', '--url', nowhere);
  assert.equal(code, 3);
  assert.match(err, /no session at http:\/\/127\.0\.0\.1:65535/);
});

test('wrong usage gives exit code 2 and says what is wrong', async () => {
  for (const args of [
    ['send', 'bob'],
    ['nonsense'],
    ['history', 'x', '-n', 'many'],
    ['login', '../x', '--password', 'x'],
    ['serve', '--prot', '5'],
    ['serve', '--port', '99999'],
    ['dev', '--host', '0.0.0.0'],
    ['config', '--prot', '5'],
  ]) {
    const { code, err } = await cli(...args);
    assert.equal(code, 2, args.join(' '));
    assert.notEqual(err, '');
  }
});

test('with --json a failure is an object on standard error', async () => {
  await user('mona');
  const { code, err } = await cli('send', `u${'0'.repeat(32)}`, 'hello', '--as', 'mona', '--json');
  assert.equal(code, 1);
  const failure = JSON.parse(err) as { message: string; error: string; http: number; exitCode: number };
  assert.equal(failure.http, 400);
  assert.equal(failure.exitCode, 1);
  assert.equal(typeof failure.error, 'string');
});

const FULL = '/dev/full';
test('an output that cannot be written ends the command with one line', { skip: !existsSync(FULL) }, () => {
  const full = openSync(FULL, 'w');
  const into = (...args: string[]) =>
    spawnSync(process.execPath, [commandPath, 'config', ...args], {
      ...{ cwd: server.dataDir, env: { PATH: process.env.PATH }, encoding: 'utf8', stdio: ['ignore', full, 'pipe'] },
    });
  const message = 'The output cannot be written: no space left on device. Send it to another place.';
  const text = into();
  assert.deepEqual([text.status, text.stderr], [1, `sealpost: ${message}\n`]);
  const json = into('--json');
  assert.deepEqual([json.status, JSON.parse(json.stderr)], [1, { message, exitCode: 1 }]);
  closeSync(full);
});

test('sign prints what the library computes', async () => {
  const path = '/api/talk/thrift/Talk/TalkService/getProfile';
  const expected = await signRequest({ buildToken: 'b', version: '3.7.2', accessToken: 't', path, body: '[2]' });
  assert.equal(await ok('sign', path, '[2]', '--build-token', 'b', '--access-token', 't'), `${expected}\n`);
});

test('doctor finds nothing wrong with a login that works, and names the fix for one that does not', async () => {
  await user('nora');
  const good = await ok('doctor', '--as', 'nora');
  assert.equal(good.match(/^ok /gm)?.length, 7, good);
  assert.doesNotMatch(good, /FAIL/);
  const bad = await cli('doctor', '--as', 'nora', '--build-token', 'wrong');
  assert.equal(bad.code, 1);
  assert.match(bad.out, /FAIL {2}signature: .*\n +fix: .*SEALPOST_BUILD_TOKENS/);
  const checks = JSON.parse(await ok('doctor', '--as', 'nora', '--json')) as object[];
  assert.deepEqual([checks.length, checks.filter((check) => 'fix' in check)], [7, []]);
});

test('config prints each setting with its value and source, and hides secrets', async () => {
  const out = await ok('config', '--host', '127.0.0.2');
  assert.match(out, /^host +127\.0\.0\.2 +flag --host/m);
  assert.match(out, /^admin-token +\(hidden\) +SEALPOST_ADMIN_TOKEN/m);
  assert.match(out, /^signature +strict +default +how X-Hmac is checked \(strict, lenient, off\)/m);
  const hidden = await ok('config', '--database-url', 'postgres://me:5ecret@db.example/x', '--json');
  assert.match(hidden, /postgres:\/\/\(hidden\)@db\.example/);
  assert.doesNotMatch(hidden, /5ecret/);
});

test('config refuses what a start would refuse', async () => {
  for (const [args, message] of [
    [['--hots', 'x'], /Did you mean host\?/],
    [['--port', 'hello'], /port is "hello" \(flag --port\)/],
    [['--port'], /--port needs a value/],
    [['--host', '0.0.0.0'], /plain http/],
    [['--config'], /--config needs the path of a file/],
  ] as const) {
    const { code, err } = await cli('config', ...args);
    assert.equal(code, 2, args.join(' '));
    assert.match(err, message);
  }
});

test('a second server on the same data folder does not start, and names the first; the first goes on', async () => {
  const second = await run({ SEALPOST_DATA_DIR: server.dataDir }, ['serve', '--port', '0']);
  assert.equal(second.code, 1, second.err);
  const { pid } = JSON.parse(readFileSync(join(server.dataDir, 'ready.json'), 'utf8')) as { pid: number };
  assert.ok(second.err.includes(`${server.dataDir} is in use by another server (process ${pid})`), second.err);
  assert.match(second.err, /Stop that one, .*--data-dir.*PostgreSQL/);
  await ok('account', 'list');
});

test('commands of each kind end by themselves in a process of their own, and say the same there', async () => {
  const { mid, password } = await server.createAccount('olga', 'Olga');
  const login = await start(env, ['login', 'olga', '--password-stdin'], password).finished;
  assert.equal(login.code, 0, login.err);
  const sent = await start(env, ['send', mid, 'a note', '--as', 'olga']).finished;
  assert.match(sent.out, /^Sent \d+ to u/);
  const outcomes = [];
  for (const args of [
    ['--help'],
    ['account', 'list'],
    ['audit', 'keys'],
    ['chats', '--as', 'olga'],
    ['completion', 'fish'],
    ['config'],
    ['conformance', '--list', '--only', 'rooms'],
    ['contacts', '--as', 'olga', '--json'],
    ['history', mid, '--as', 'olga'],
    ['keys', 'status', '--as', 'olga'],
    ['media', 'expired', '--days', '7'],
    ['nonsense'],
    ['sign', '/api/x', '[2]'],
    ['stickers', '--as', 'olga'],
    ['whoami', '--as', 'nobody'],
    ['whoami', '--as', 'olga', '--url', 'http://127.0.0.1:65535'],
    ['account', 'list', '--url', 'http://127.0.0.1:65535'],
  ]) {
    const alone = await start(env, args).finished;
    assert.deepEqual(await cli(...args), alone, args.join(' '));
    outcomes.push(alone.code);
  }
  assert.deepEqual([...new Set(outcomes)].sort(), [0, 2, 3, 4]);
});

test('a server that is told to end while streams are open ends in order', async () => {
  const dev = await startServer({ mode: 'dev' });
  try {
    const here = {
      SEALPOST_URL: dev.url,
      SEALPOST_DATA_DIR: dev.dataDir,
      SEALPOST_CONFIG_DIR: join(dev.dataDir, 'config'),
    };
    const listening = start(here, ['listen', '--as', 'bob']);
    await listening.until(/Listening as bob/, 'err');
    await dev.stop();
    const left = readdirSync(dev.dataDir).filter((name) =>
      /-wal$|-shm$|\.pid$|^ready\.json$|^server\.json$/.test(name),
    );
    assert.deepEqual(left, [], 'the database is closed and the folder free');
    listening.child.kill('SIGTERM');
    await listening.finished;
  } finally {
    await dev.dispose();
  }
});

test('in dev mode the seeded accounts talk without a login', async () => {
  const dev = await startServer({ mode: 'dev' });
  const config = mkdtempSync(join(tmpdir(), 'sealpost-config-'));
  try {
    assert.ok(existsSync(join(dev.dataDir, 'universes/start/universe.json')), 'one can go back to the start at once');
    const here = { SEALPOST_URL: dev.url, SEALPOST_DATA_DIR: dev.dataDir, SEALPOST_CONFIG_DIR: config };
    const listening = start(here, ['listen', '--as', 'bob']);
    await listening.until(/Listening as bob/, 'err');
    const sent = await run(here, ['send', 'bob', 'hi', '--as', 'alice']);
    assert.equal(sent.code, 0, sent.err);
    await listening.until(/Alice: hi/);
    listening.child.kill('SIGTERM');
    await listening.finished;
    const alone = await run(here, ['send', 'alice', 'a note', '--as', 'alice']);
    assert.equal(alone.code, 0, alone.err);
    const elsewhere = await run({ ...here, SEALPOST_URL: server.url }, ['whoami', '--as', 'carol']);
    assert.match(elsewhere.err, /Not logged in/, 'the seeded password is for the server that seeded it');

    await dev.kill();
    rmSync(dev.dataDir, { recursive: true });
    await dev.start();
    const anew = await run(here, ['send', 'bob', 'hi again', '--as', 'alice']);
    assert.equal(anew.code, 0, `the session was of an account whose data is deleted: ${anew.err}`);

    await dev.kill();
    const real = await run(here, ['serve', '--port', '0']);
    assert.notEqual(real.code, 0, 'passwords that everybody knows are not for real accounts');
    assert.match(
      real.err,
      /alice, bob, carol, the administrator admin in .*sealpost\.db still have the passwords of dev mode/,
    );
  } finally {
    await dev.dispose();
    rmSync(config, { recursive: true });
  }
});
