// What commands print with --json fits the documented shapes. Every command that takes --json is run.
import assert from 'node:assert/strict';
import { mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { after, before, test } from 'node:test';
import { run, start } from '@sealpost/dev-env/command';
import { type ServerProcess, startServer } from '@sealpost/dev-env/server-process';
import { createRpcClient } from '@sealpost/sdk';
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
  await check('account delete', 'dora', '--yes');
  for (const name of ['carol', 'bob', 'alice']) await check('login', name, '--password', passwords[name] ?? '');
  await check('whoami');
  await check('doctor');
  await check('sign', '/api/x', '[2]');
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
  await check('verify-contact', 'bob', ...asAlice);
  await check('verify-contact', 'bob', '--confirm', ...asAlice);
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
