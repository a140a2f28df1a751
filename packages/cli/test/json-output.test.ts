// What commands print with --json fits the documented shapes. Every command that takes --json is run.
import assert from 'node:assert/strict';
import { mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { after, before, test } from 'node:test';
import { logInAdministrator } from '@sealpost/dev-env/administrators';
import { run, start } from '@sealpost/dev-env/command';
import { adminToken, type ServerProcess, startServer } from '@sealpost/dev-env/server-process';
import { createRpcClient } from '@sealpost/sdk';
import { startTestServer } from '@sealpost/testing';
import type { Command } from 'commander';
import sharp from 'sharp';
import { Compile } from 'typebox/compile';
import { jsonOutput } from '../src/json-output.ts';
import { wholeProgram } from '../src/man-page.ts';

let server: ServerProcess;
let here: Readonly<Record<string, string>>;
let folder: string;
const passwords: Record<string, string> = {};
const seen = new Set<string>();
const asAlice = ['--as', 'alice'];
const asBob = ['--as', 'bob'];

before(async () => {
  server = await startServer();
  folder = server.dataDir;
  here = { ...server.env, SEALPOST_URL: server.url };
  for (const name of ['alice', 'bob', 'carol']) passwords[name] = (await server.createAccount(name)).password;
});
after(async () => {
  await server?.dispose();
});

/** Runs a command with --json, and returns what it printed if that fits its shape. */
async function check<T = unknown>(path: string, ...rest: string[]): Promise<T> {
  return checkWith<T>({}, path, ...rest);
}

async function checkWith<T>(env: Readonly<Record<string, string>>, path: string, ...rest: string[]): Promise<T> {
  const args = [...path.split(' '), ...rest, '--json'];
  const { code, out, err } = await run({ ...here, ...env }, args);
  assert.equal(code, 0, `${args.join(' ')}: ${err}`);
  const value: unknown = JSON.parse(out);
  fits(path, value);
  return value as T;
}

function fits(path: string, value: unknown): void {
  const schema = jsonOutput[path];
  assert.ok(schema, `${path} has no shape in json-output.ts`);
  seen.add(path);
  const validator = Compile(schema);
  if (validator.Check(value)) return;
  assert.fail(`${path}: ${JSON.stringify(validator.Errors(value))}\n${JSON.stringify(value)}`);
}

type WithId = { readonly id: string };

test('the server, accounts and logins', async () => {
  await check('config');
  await check('account create', 'dora');
  await check('account list');
  await check('account show', 'dora');
  await check('account disable', 'dora');
  await check('account enable', 'dora');
  await check('account reset-password', 'dora');
  await check('account export', 'dora', join(folder, 'dora.zip'));
  await check('account delete', 'dora', '--yes');
  for (const name of ['carol', 'bob', 'alice']) await check('login', name, '--password', passwords[name] ?? '');
  await check('whoami');
  await check('doctor');
  await check('sign', '/api/x', '[2]');
});

test('the own account', async () => {
  const { password } = await server.createAccount('olive');
  await check('login', 'olive', '--password', password);
  const asOlive = ['--as', 'olive'];
  const own = { SEALPOST_PASSWORD: 'a brand new secret' };
  const changing = [...['password', '--password-stdin', '--json'], ...asOlive];
  const { code, out, err } = await run(here, changing, `${password}\n${own.SEALPOST_PASSWORD}\n`);
  assert.equal(code, 0, err);
  fits('password', JSON.parse(out));
  await checkWith(own, 'profile userid', 'olive.new', ...asOlive);
  await checkWith(own, 'profile email', 'olive@example.org', ...asOlive);
  await checkWith(own, 'profile phone', '+81312345678', ...asOlive);
  await check('export', join(folder, 'olive.zip'), ...asOlive);
  await checkWith(own, 'delete-account', '--yes', ...asOlive);
  for (const name of ['carol', 'bob', 'alice']) await check('login', name, '--password', passwords[name] ?? '');
});

test('the data of the server', async () => {
  const [place, restored] = [join(folder, 'of-commands', 'backups'), join(folder, 'of-commands', 'restored')];
  await check('backup', place, '--keep', '3');
  assert.equal((await check<unknown[]>('restore', place, '--list')).length, 1);
  await check('restore', place, '--data-dir', restored);
  await check('resync', '--data-dir', restored);
  await check('verify');
  await check('move', '--data-dir', restored, '--to', `sqlite:${restored}/moved.db`);
  await check('move', '--data-dir', restored, '--cancel');
});

test('conformance: checks that pass, a check that fails, and the list', async () => {
  const one = ['--only', 'rooms/leave'];
  const report = await check<{ passed: number; checks: object[] }>('conformance', ...one);
  assert.deepEqual([report.passed, report.checks.length], [1, 1]);
  const { code, out, err } = await run(here, ['conformance', ...one, '--build-token', 'no', '--json']);
  assert.equal(code, 1);
  assert.match(JSON.parse(err).message, /1 of 1 checks failed/);
  const failed = JSON.parse(out);
  fits('conformance', failed);
  assert.deepEqual([failed.passed, failed.failed, failed.checks[0].passed], [0, 1, false]);
  assert.match(failed.checks[0].again, /--only rooms\/leave$/);
  const { checks } = await check<{ checks: { id: string }[] }>('conformance', '--list', '--only', 'rooms');
  assert.ok(checks.some(({ id }) => id === 'rooms/leave'));
  const both = await run(here, ['conformance', '--report', 'junit', '--json']);
  assert.equal(both.code, 2);
});

test('messages and chats', async () => {
  const file = join(folder, 'notes.txt');
  writeFileSync(file, 'notes');
  await check('send', 'bob', 'in the clear', '--plain', ...asAlice);
  await check('send', 'alice', 'sealed', ...asBob);
  const { id } = await check<WithId>('send', 'bob', 'hello', ...asAlice);
  const sent = await check<WithId>('send', 'bob', '--file', file, ...asAlice);
  const place = await check<WithId>('send', 'bob', 'here', '--location', '1,2', ...asAlice);
  await check('react', id, 'love', ...asBob);
  await check('react', id, '--remove', ...asBob);
  await check('forward', id, 'carol', ...asBob);
  await check('forward', sent.id, 'alice', ...asBob);
  await check('download', sent.id, '--to', join(folder, 'copy.txt'), ...asBob);
  await check('doctor message', id, ...asBob);
  const history = await check<readonly unknown[]>('history', 'alice', ...asBob);
  assert.ok(history.length >= 5);
  await check('chats', ...asBob);
  await check('read', 'alice', ...asBob);
  assert.notDeepEqual(await check('readers', 'bob', ...asAlice), []);
  await check('hide', 'alice', ...asBob);
  await check('show', 'alice', ...asBob);
  await check('clear', 'alice', '--yes', ...asBob);
  await check('unsend', place.id, ...asAlice);
});

test('listen prints one operation in a line', async () => {
  const listening = start(here, ['listen', '--from', '0', '--json', ...asBob]);
  await listening.until(/"text":"hello"[\s\S]*\n/);
  listening.child.kill('SIGINT');
  const lines = (await listening.finished).out.trim().split('\n');
  for (const line of lines) fits('listen', JSON.parse(line));
});

test('calls: explained, recorded, served, and compared with a server', async () => {
  const request = join(folder, 'request.http');
  writeFileSync(request, 'POST /api/talk/thrift/Talk/TalkService/getProfile\nX-Hmac: wrong\n\n[2]\n');
  await check('explain', request);
  const session = join(folder, 'session.json');
  /** Lets a client talk to a command that stands for a gateway, and returns the lines that it printed. */
  const through = async (args: readonly string[], work: (url: string) => Promise<unknown>): Promise<string[]> => {
    const command = start(here, [...args, '--port', '0', '--json']);
    const told = await command.until(/ at (http:\S+)/, 'err');
    await work(/ at (http:\/\/[\d.]+:\d+)/.exec(told)?.[1] ?? '');
    command.child.kill('SIGINT');
    return (await command.finished).out.trim().split('\n');
  };
  const log = async (url: string): Promise<void> => {
    const client = createRpcClient({ url });
    await client.login({ identifier: 'alice', password: passwords.alice ?? '' });
    await client.TalkService.getProfile().catch(() => undefined);
    await client.TalkService.getSettings().catch(() => undefined);
    client.close();
  };
  const recorded = await through(['record', '--target', server.url, '--out', session], log);
  const served = await through(['replay', session], async (url) => {
    await log(url);
    await (await fetch(`${url}/nothing`)).text();
  });
  for (const line of recorded) fits('record', JSON.parse(line));
  for (const line of served) fits('replay', JSON.parse(line));
  assert.match(served.at(-1) ?? '', /"recorded":false/);
  await check('replay', session, '--against', server.url, '--user', 'alice', '--password', passwords.alice ?? '');
});

test('groups', async () => {
  const picture = join(folder, 'red.png');
  await sharp({ create: { width: 8, height: 8, channels: 3, background: 'red' } }).toFile(picture);
  await check('group create', 'Tea', 'bob', 'carol', ...asAlice);
  await check('group accept', 'Tea', ...asBob);
  await check('group reject', 'Tea', '--as', 'carol');
  await check('group invite', 'Tea', 'carol', ...asAlice);
  await check('group list', ...asBob);
  await check('group cancel', 'Tea', 'carol', ...asAlice);
  await check('group rename', 'Tea', 'Cake', ...asAlice);
  await check('group picture', 'Cake', picture, ...asAlice);
  await check('group members', 'Cake', ...asAlice);
  await check('group remove', 'Cake', 'bob', ...asAlice);
  await check('group leave', 'Cake', ...asAlice);
  await check('profile picture', picture, ...asAlice);
  await check('timeline set-cover', picture, ...asAlice);
  await check('timeline cover', ...asAlice);
});

test('people', async () => {
  await check('add', 'bob', ...asAlice);
  await check('contacts', ...asAlice);
  await check('contact', 'bob', ...asAlice);
  for (const name of ['mute', 'unmute', 'favourite', 'unfavourite', 'block', 'unblock'])
    await check(name, 'bob', ...asAlice);
  await check('rename', 'bob', 'Bobby', ...asAlice);
  const { digits } = await check<{ digits: string }>('verify-contact', 'bob', ...asAlice);
  await check('verify-contact', 'bob', '--code', digits, ...asAlice);
  await check('verify-contact', 'bob', '--forget', ...asAlice);
  assert.notDeepEqual(await check('recommendations list', ...asBob), []);
  await check('recommendations remove', 'alice', ...asBob);
  await check('remove', 'bob', ...asAlice);
});

test('official accounts', async () => {
  const weather = await check<{ password: string }>('account create', 'weather', '--kind', 'official');
  await check('login', 'weather', '--password', weather.password);
  await check('add', 'weather', ...asAlice);
  assert.notDeepEqual(await check('buddies list', ...asAlice), []);
  await check('buddies show', 'weather', ...asAlice);
  const { id } = await check<WithId>('send', 'alice', 'Sun?', '--plain', '--as', 'weather');
  await check('buddies press', id, 'sun=1', ...asAlice);
});

test('administrators, their sessions and tokens', async () => {
  await check('admin create', 'maya');
  for (const name of ['maya', 'leo']) await logInAdministrator({ url: server.url, adminToken }, { name });
  assert.equal((await check<readonly unknown[]>('admin list')).length, 2);
  const [session] = await check<readonly WithId[]>('admin sessions list');
  await check('admin sessions end', session?.id ?? '');
  await check('admin remove', 'leo', '--yes');
  const { id } = await check<WithId>('admin token create', 'report', '--scopes', 'read,accounts', '--days', '7');
  await check('admin token list');
  await check('admin token revoke', id);
});

test('people who open accounts themselves', async () => {
  const { id, link } = await check<WithId & { readonly link: string }>('invite create', '--uses', '2');
  await check('invite list');
  await check('register', 'newcomer', '--invite', link, '--password', 'correct horse battery');
  assert.equal((await check<{ readonly accounts: readonly string[] }>('invite show', id)).accounts.length, 1);
  await check('invite revoke', id);
  const people = join(folder, 'people.csv');
  writeFileSync(people, 'userid,name,password\nfarah,Farah,correct horse staple\n');
  await check('account import', people, '--dry-run');
  await check('account import', people);
});

test('the profile, settings, notices and reports', async () => {
  await check('profile set', 'status', 'away', ...asAlice);
  await check('profile show', ...asAlice);
  await check('settings list', ...asAlice);
  await check('settings get', 'e2eeEnable', ...asAlice);
  await check('settings set', 'preferenceLocale', 'ja', ...asAlice);
  const { id } = await check<WithId>('notice publish', 'Maintenance', 'Tonight.');
  await check('notices', ...asAlice);
  await check('notice list');
  await check('notice withdraw', id);
  await check('report send', 'carol', ...asAlice);
  const [report] = await check<readonly WithId[]>('report list');
  await check('report show', report?.id ?? '');
  await check('report resolve', report?.id ?? '');
  await check('media expired', '--days', '1');
  await check('retention');
  await check('retention', '--days', '30', '--run', '--yes');
});

test('stickers', async () => {
  const pack = join(folder, 'pack');
  mkdirSync(pack);
  await sharp({ create: { width: 8, height: 8, channels: 4, background: 'red' } }).toFile(join(pack, 'dot.png'));
  const pictures = [{ file: 'dot.png', text: '[{name}]' }];
  const about = { name: 'Dots', author: 'Me', kind: 'stickers', nameText: { maxCharacters: 10 }, pictures };
  writeFileSync(join(pack, 'pack.json'), JSON.stringify(about));
  const { id } = await check<WithId>('stickers import', pack);
  await check('stickers list');
  await check('stickers show', id);
  await check('stickers grant', id, 'alice');
  await check('stickers text', id, 'Ann', ...asAlice);
  await check('stickers mine', ...asAlice);
  await check('stickers emoji', ...asAlice);
  await check('stickers revoke', id, 'alice');
});

test('keys and the key log', async () => {
  await check('keys status', ...asAlice);
  const { passphrase } = await check<{ passphrase: string }>('keys backup', '--generate', ...asAlice);
  await checkWith({ SEALPOST_RECOVERY_PASSPHRASE: passphrase }, 'keys restore', ...asAlice);
  await check('keys status', ...asAlice);
  await check('keys renew', '--yes', ...asAlice);
  await check('keys accept-log', ...asAlice);
  await check('audit keys');
});

test('devices', async () => {
  const device = createRpcClient({ url: server.url });
  try {
    let loginId = '';
    for await (const step of device.loginByQr({ systemName: 'a test' })) {
      if (step.kind === 'qr') {
        loginId = step.loginId;
        await check('devices approve', step.url, '--yes', ...asBob);
      }
      if (step.kind === 'pin') await check('devices pin', loginId, step.pinCode, ...asBob);
    }
    const refused = device.loginByQr({ systemName: 'another test' });
    const { value: asked } = await refused.next();
    assert.ok(asked?.kind === 'qr');
    assert.equal((await run(here, ['devices', 'approve', asked.url, '--yes', ...asBob])).code, 0);
    await refused.next();
    assert.notDeepEqual(await check('devices pending', ...asBob), []);
    await check('devices deny', asked.loginId, ...asBob);
  } finally {
    device.close();
  }
  const sessions = await check<readonly { loginSessionId: string; current: boolean }[]>('devices list', ...asBob);
  const other = sessions.find(({ current }) => !current);
  await check('devices rename', other?.loginSessionId ?? '', 'Old', ...asBob);
  await check('devices revoke', other?.loginSessionId ?? '', ...asBob);
  await check('devices revoke', '--others', ...asBob);
  await check('logout', ...asBob);
});

test('the workbench of a developer', async () => {
  await using own = await startTestServer({ accounts: ['alice', 'bob'] });
  const { url } = own;
  const atOwn = ['--url', url];
  assert.equal((await check<{ epochMs: number }>('clock show', ...atOwn)).epochMs, own.clock.now());
  const before = own.clock.now();
  await check('clock advance', '25h', ...atOwn);
  assert.equal(own.clock.now() - before, 25 * 3_600_000);
  const { id } = await check<WithId>('fault add', '--method', 'sendMessage', '--drop', 'answer', ...atOwn);
  assert.equal((await check<readonly WithId[]>('fault list', ...atOwn)).length, 1);
  await check('fault remove', id, ...atOwn);
  await check('fault clear', ...atOwn);
  const login = await own.login('alice');
  const client = createRpcClient({ url, session: { mid: login.mid, tokens: login } });
  await client.TalkService.getProfile(0);
  client.close();
  const [call] = await check<readonly { readonly id: number }[]>('requests', '--account', 'alice', ...atOwn);
  await check('requests', String(call?.id), ...atOwn);
  await check('requests', '--clear', ...atOwn);
  await check('trigger', 'message', '--account', 'alice', '--from', 'bob', '--text', 'hello', ...atOwn);
  assert.equal((await own.waitFor('alice', 'RECEIVE_MESSAGE')).message?.text, 'hello');
  await check('universe save', 'later', ...atOwn);
  await check('universe list', ...atOwn);
  await check('universe reset', ...atOwn);
  assert.deepEqual(
    (await own.operations('alice')).filter(({ message }) => message),
    [],
  );
  const fork = await check<{ readonly url: string }>('universe fork', 'later', ...atOwn);
  assert.notEqual(fork.url, url);
});

test('a server of real people has no workbench, and the commands say so', async () => {
  for (const args of [
    ['clock', 'show'],
    ['fault', 'list'],
    ['requests'],
    ['universe', 'list'],
    ['trigger', 'ping', '--account', 'alice'],
  ]) {
    const { code, err } = await run(here, args);
    assert.equal(code, 1, args.join(' '));
    assert.match(err, /has no workbench\. "sealpost dev" and the test kit have one/);
  }
});

/** Returns the paths of all commands that take --json. */
function pathsWithJson(command: Command, path = ''): string[] {
  const own = command.options.some(({ long }) => long === '--json') ? [path] : [];
  return [...own, ...command.commands.flatMap((child) => pathsWithJson(child, `${path} ${child.name()}`.trim()))];
}

test('every command that takes --json has a shape, and was run', () => {
  // `config` takes all settings as flags, and --json with them.
  const paths = [...pathsWithJson(wholeProgram()), 'config'].sort();
  assert.deepEqual(Object.keys(jsonOutput).sort(), paths);
  assert.deepEqual([...seen].sort(), paths);
});
