import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { after, before, test } from 'node:test';
import { contentTypes } from '@sealpost/contract';
import { type CommandResult, run } from '@sealpost/dev-env/command';
import { type ServerProcess, startServer } from '@sealpost/dev-env/server-process';
import { createRpcClient, type Session } from '@sealpost/sdk';

let server: ServerProcess;

before(async () => {
  server = await startServer();
  for (const userid of ['alice', 'bob', 'carol']) {
    const { password } = await server.createAccount(userid, userid);
    const { code, err } = await cli('login', userid, '--password', password);
    assert.equal(code, 0, err);
  }
});
after(async () => {
  await server?.dispose();
});

const cli = (...args: string[]): Promise<CommandResult> => run({ ...server.env, SEALPOST_URL: server.url }, args);

async function ok(...args: string[]): Promise<string> {
  const { code, out, err } = await cli(...args);
  assert.equal(code, 0, `${args.join(' ')}: ${err}`);
  return out;
}

test('a group is created, joined, renamed, talked in, changed and left', async () => {
  const made = JSON.parse(await ok('group', 'create', 'Tea', 'bob', 'carol', '--as', 'alice', '--json'));
  assert.match(made.chatMid, /^c/);
  assert.match(await ok('group', 'list', '--as', 'bob'), /Tea +group +invited +1 /);
  assert.match(await ok('group', 'accept', 'Tea', '--as', 'bob'), /Joined Tea\./);
  assert.match(await ok('group', 'reject', 'Tea', '--as', 'carol'), /Declined Tea\./);
  await ok('group', 'invite', 'Tea', 'carol', '--as', 'bob');
  assert.match(
    await ok('group', 'members', 'Tea', '--as', 'alice'),
    /alice +member[\s\S]*bob +member[\s\S]*carol +invited/,
  );
  await ok('group', 'cancel', 'Tea', 'carol', '--as', 'alice');
  await ok('group', 'rename', 'Tea', 'Tea and cake', '--as', 'bob');
  await ok('send', 'Tea and cake', 'hello all', '--as', 'alice');
  const told = await ok('history', 'Tea and cake', '--as', 'bob');
  assert.match(told, /alice → Tea and cake: hello all/);
  for (const line of [
    '→ Tea and cake: you joined.',
    '→ Tea and cake: you invited carol.',
    '→ Tea and cake: alice withdrew the invitation of carol.',
    '→ Tea and cake: you renamed the chat to "Tea and cake".',
  ]) {
    assert.ok(
      told.split('\n').some((shown) => shown.endsWith(`  ${line}`)),
      `${line} in:\n${told}`,
    );
  }
  assert.match(await ok('history', made.chatMid, '--as', 'alice'), / {2}→ Tea and cake: bob joined\.\n/);
  const sent = await ok('send', 'Tea and cake', '--file', import.meta.filename, '--plain', '--as', 'bob');
  assert.match(sent, /^Sent \d+ to Tea and cake: group\.test\.ts/);
  assert.match(await ok('history', made.chatMid, '-n', '1', '--as', 'alice'), /bob → Tea and cake: \[file group/);
  for (const args of [
    ['send', 'Coffee', 'hello'],
    ['history', 'Coffee'],
  ]) {
    const { code, err } = await cli(...args, '--as', 'alice');
    assert.equal(code, 1);
    assert.match(err, /Nobody has the user id "Coffee", and you are in no group of this name\. Use a mid\./);
  }
  await ok('group', 'invite', 'Tea and cake', 'carol', '--as', 'alice');
  assert.match(await ok('chats', '--as', 'bob'), /Tea and cake .* alice invited carol\. /);
  await ok('group', 'cancel', 'Tea and cake', 'carol', '--as', 'alice');
  await ok('group', 'remove', 'Tea and cake', 'bob', '--as', 'alice');
  assert.match(await ok('group', 'list', '--as', 'bob'), /No groups yet/);
  await ok('group', 'leave', 'Tea and cake', '--as', 'alice');
  assert.match(await ok('group', 'list', '--as', 'alice'), /No groups yet/);
});

test('a room has its users as members at once', async () => {
  const out = await ok('group', 'create', 'Room', 'bob', '--room', '--as', 'alice');
  assert.match(out, /Created Room \(r[0-9a-f]{32}\) with bob\./);
  assert.match(await ok('group', 'list', '--as', 'bob'), /Room +room +member +2 /);
});

test('the members of a chat come with who made its key, and who is verified', async () => {
  const { chatMid } = JSON.parse(await ok('group', 'create', 'Sealed', 'bob', '--room', '--as', 'alice', '--json'));
  await ok('send', chatMid, 'so that both have a key', '--as', 'alice', '--plain');
  await ok('send', chatMid, 'sealed', '--as', 'bob');
  assert.match(await ok('group', 'members', chatMid, '--as', 'bob'), /bob +member +you .*\nYou made the key/);
  const seen = await ok('group', 'members', chatMid, '--as', 'alice');
  assert.match(seen, /\nbob made the key that everybody seals with \(number \d+\)\./);
  const { digits } = JSON.parse(await ok('verify-contact', 'bob', '--as', 'alice', '--json'));
  await ok('verify-contact', 'bob', '--as', 'alice', '--code', digits);
  const verified = await ok('group', 'members', chatMid, '--as', 'alice');
  assert.match(verified, /bob +member +verified .*\nAll others are verified. bob made the key/);
});

test('a group that is not known is told with the way to find it', async () => {
  const { code, err } = await cli('group', 'leave', 'Nowhere', '--as', 'alice');
  assert.equal(code, 1);
  assert.match(err, /no group called "Nowhere".*sealpost group list/);
});

test('a kind of message that this command does not show is told in a sentence', async () => {
  const bob = JSON.parse(await ok('whoami', '--as', 'bob', '--json')) as { mid: string };
  const { mid, tokens } = sessionOf('alice');
  const client = createRpcClient({ url: server.url, session: { mid, tokens } });
  try {
    await client.send({ to: bob.mid, text: '', contentType: contentTypes.PDF });
  } finally {
    client.close();
  }
  assert.match(
    await ok('history', 'alice', '-n', '1', '--as', 'bob'),
    /alice: \[A message of the kind PDF \(5\), which this command does not show\.\]/,
  );
});

function sessionOf(name: string): Session {
  const file = join(server.env.SEALPOST_CONFIG_DIR ?? '', 'logins', `${name}.json`);
  return (JSON.parse(readFileSync(file, 'utf8')) as { session: Session }).session;
}
