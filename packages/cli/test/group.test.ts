import assert from 'node:assert/strict';
import { after, before, test } from 'node:test';
import { type Finished, run } from './command.ts';
import { type ServerProcess, startServer } from './server-process.ts';

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

const cli = (...args: string[]): Promise<Finished> => run({ ...server.env, SEALPOST_URL: server.url }, args);

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
  await ok('send', made.chatMid, 'hello all', '--as', 'alice');
  assert.match(await ok('history', made.chatMid, '--as', 'bob'), /hello all/);
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

test('a group that is not known is told with the way to find it', async () => {
  const { code, err } = await cli('group', 'leave', 'Nowhere', '--as', 'alice');
  assert.equal(code, 1);
  assert.match(err, /no group called "Nowhere".*sealpost group list/);
});
