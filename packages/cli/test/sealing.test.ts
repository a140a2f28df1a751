import assert from 'node:assert/strict';
import { readdirSync, readFileSync, renameSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { after, before, test } from 'node:test';
import { type CommandResult, run, start } from '@sealpost/dev-env/command';
import { type ServerProcess, startServer } from '@sealpost/dev-env/server-process';

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
const json = async <T>(...args: string[]): Promise<T> => JSON.parse(await ok(...args, '--json')) as T;

interface Sent {
  readonly id: string;
  readonly text: string;
  readonly sealed: boolean;
  readonly chunks?: string[];
  readonly plainBecause?: string;
}

async function user(userid: string): Promise<{ mid: string; password: string }> {
  const made = await server.createAccount(userid, userid[0]?.toUpperCase() + userid.slice(1));
  await ok('login', userid, '--password', made.password);
  return made;
}
/** Runs `listen` once, so that the account registers a key. */
async function withKey(userid: string): Promise<void> {
  const listening = start(env, ['listen', '--as', userid]);
  await listening.until(/Listening as/, 'err');
  listening.child.kill('SIGTERM');
  await listening.finished;
}
const keyFiles = (userid: string) =>
  readdirSync(join(env.SEALPOST_CONFIG_DIR ?? '', 'keys', userid), { recursive: true, withFileTypes: true })
    .filter((file) => file.isFile())
    .map((file) => join(file.parentPath, file.name));

test('two people talk sealed without doing anything for it, and the server reads nothing', async () => {
  const alice = await user('alice');
  const bob = await user('bob');
  assert.match(
    await ok('send', bob.mid, 'before', '--as', 'alice'),
    /^Sent \d+ to u\w+, in the clear: the receiver has/,
  );
  const listening = start(env, ['listen', '--as', 'bob']);
  await listening.until(/Listening as bob/, 'err');
  assert.match(await ok('send', bob.mid, 'sealed words', '--as', 'alice'), /^Sent \d+ to u\w+\.\n$/);
  await listening.until(/Alice: sealed words/);
  listening.child.kill('SIGTERM');
  await listening.finished;
  const sent = await json<Sent>('send', alice.mid, 'an answer', '--as', 'bob');
  assert.deepEqual([sent.sealed, sent.text, sent.chunks?.length], [true, 'an answer', 5]);
  assert.match(
    await ok('history', alice.mid, '--as', 'bob'),
    /Alice: before\n.*Alice: sealed words\n.*you → Alice: an answer\n$/,
  );
  assert.match(await ok('chats', '--as', 'alice'), /Bob .*an answer/);
  for (const file of [...keyFiles('alice'), ...keyFiles('bob')]) assert.equal(statSync(file).mode & 0o777, 0o600, file);
});

test('--sealed sends nothing in the clear, --plain nothing sealed, and both together are refused', async () => {
  await user('carol');
  const dave = await user('dave');
  const sealedOnly = await cli('send', dave.mid, 'x', '--as', 'carol', '--sealed');
  assert.equal(sealedOnly.code, 1);
  assert.match(sealedOnly.err, /takes it only in the clear/);
  const plain = await json<Sent>('send', dave.mid, 'in the clear', '--as', 'carol', '--plain');
  assert.deepEqual([plain.sealed, plain.plainBecause], [false, 'asked']);
  await withKey('dave');
  const plainOnly = await cli('send', dave.mid, 'x', '--as', 'carol', '--plain');
  assert.equal(plainOnly.code, 1);
  assert.match(plainOnly.err, /takes only sealed messages/);
  assert.equal((await cli('send', dave.mid, 'x', '--as', 'carol', '--plain', '--sealed')).code, 2);
});

test('what was sealed goes in the clear only when the sender says so for the one message, files too', async () => {
  const { mid: paul } = await user('paul');
  const olga = await user('olga');
  await withKey('olga');
  await ok('send', olga.mid, 'sealed', '--as', 'paul');
  await ok('settings', 'set', 'e2eeEnable', 'false', '--as', 'olga');
  const path = join(env.SEALPOST_CONFIG_DIR ?? '', 'plan.txt');
  writeFileSync(path, 'the plan');
  for (const content of [['x'], ['--file', path]]) {
    const refused = await cli('send', olga.mid, ...content, '--as', 'paul');
    assert.equal(refused.code, 1);
    assert.match(refused.err, /sealed since .* the receiver has Letter Sealing off.* on the command line --plain/);
  }
  assert.match(
    await ok('send', olga.mid, 'in the clear', '--as', 'paul', '--plain'),
    /, in the clear: the sender asked/,
  );
  assert.match(
    await ok('send', olga.mid, '--file', path, '--as', 'paul', '--plain'),
    /, in the clear: the sender asked/,
  );
  const texts = await ok('history', paul, '--as', 'olga');
  assert.match(texts, /sealed\n.*in the clear\n.*plan\.txt/);
});

test('a message that stays closed says why and what helps, and doctor explains it step by step', async () => {
  const erin = await user('erin');
  const frank = await user('frank');
  await withKey('frank');
  const { id } = await json<Sent>('send', frank.mid, 'for your eyes', '--as', 'erin');
  assert.match(
    await ok('doctor', 'message', id, '--as', 'frank'),
    /ok {4}chunks: version 2.*\n.*\n.*\nok {4}content: opens/,
  );
  const folder = join(env.SEALPOST_CONFIG_DIR ?? '', 'keys', 'frank');
  renameSync(folder, `${folder}-away`);
  const history = await ok('history', erin.mid, '--as', 'frank');
  assert.match(
    history,
    /Erin: \[stays closed: it was sealed with a key .* What helps: log in anew.*\] {2}sealpost doctor message \d+ --as frank/,
  );
  const { code, out, err } = await cli('doctor', 'message', id, '--as', 'frank', '--json');
  assert.equal(code, 1, err);
  const found = JSON.parse(out) as { sealing: { reason: string }; steps: unknown[] };
  assert.deepEqual([found.sealing.reason, found.steps.length], ['unknown-key', 1]);
  const listening = start(env, ['listen', '--as', 'frank']);
  await listening.until(/Sealed messages cannot be opened: this device does not have/, 'err');
  listening.child.kill('SIGTERM');
  await listening.finished;
  const refused = await cli('send', erin.mid, 'x', '--as', 'frank');
  assert.match(refused.err, /does not have the current key/);
  rmSync(folder, { recursive: true });
  renameSync(`${folder}-away`, folder);
  assert.match(await ok('history', erin.mid, '--as', 'frank'), /for your eyes/);
});

test('a file goes sealed, and comes out as it was', async () => {
  await user('gina');
  const hugo = await user('hugo');
  await withKey('hugo');
  const path = join(env.SEALPOST_CONFIG_DIR ?? '', 'salaries.txt');
  writeFileSync(path, 'a lot of money');
  const sent = await json<Sent>('send', hugo.mid, '--file', path, '--as', 'gina');
  assert.equal(sent.sealed, true);
  await ok('download', sent.id, '--as', 'hugo', '--to', `${path}.out`);
  assert.equal(readFileSync(`${path}.out`, 'utf8'), 'a lot of money');
});

test('under a passphrase the keys are of no use without it', async () => {
  const { mid, password } = await server.createAccount('ivy');
  const secret = { ...env, SEALPOST_KEYS_PASSPHRASE: 'six random words' };
  const login = await run(secret, ['login', 'ivy', '--password', password]);
  assert.equal(login.code, 0, login.err);
  assert.equal((await run(secret, ['send', mid, 'a note', '--as', 'ivy'])).code, 0);
  for (const file of keyFiles('ivy')) assert.doesNotMatch(readFileSync(file, 'utf8'), /privateKey/);
  assert.match((await run(secret, ['history', mid, '--as', 'ivy'])).out, /a note/);
  const without = await run(env, ['send', mid, 'x', '--as', 'ivy']);
  assert.equal(without.code, 1);
  assert.match(without.err, /Set SEALPOST_KEYS_PASSPHRASE/);
});
