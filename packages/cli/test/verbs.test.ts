// The verbs of messages, chats, people and the profile, as commands: three logins of one server.
import assert from 'node:assert/strict';
import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { after, before, test } from 'node:test';
import { type CommandResult, run } from '@sealpost/dev-env/command';
import { type ServerProcess, startServer } from '@sealpost/dev-env/server-process';
import sharp from 'sharp';

let server: ServerProcess;
let bob: string;
let alice: string;

before(async () => {
  server = await startServer();
  const mids = await Promise.all(
    ['bob', 'alice'].map(async (name) => {
      const { mid, password } = await server.createAccount(name, name === 'bob' ? 'Bob' : 'Alice');
      const { code, err } = await run(env(), ['login', name, '--password-stdin'], password);
      assert.equal(code, 0, err);
      return mid;
    }),
  );
  [bob = '', alice = ''] = mids;
  await ok('add', 'bob', '--as', 'alice');
});
after(() => server.dispose());

const env = () => ({ ...server.env, SEALPOST_URL: server.url });
const sealpost = (...args: string[]): Promise<CommandResult> => run(env(), args);

async function ok(...args: string[]): Promise<string> {
  const { code, out, err } = await sealpost(...args);
  assert.equal(code, 0, `${args.join(' ')}: ${err}`);
  return out;
}

const json = async <T>(...args: string[]): Promise<T> => JSON.parse(await ok(...args, '--json')) as T;
const asAlice = ['--as', 'alice'];
const asBob = ['--as', 'bob'];

interface Sent {
  readonly id: string;
  readonly sealed: boolean;
  readonly text?: string;
  readonly relatedMessageId?: string;
  readonly contentMetadata: Readonly<Record<string, string>>;
  readonly reactions?: readonly { readonly fromUserMid: string; readonly reactionType: object }[];
}
const newest = async (chat: string, as: readonly string[]): Promise<Sent> => {
  const [message] = await json<Sent[]>('history', chat, '-n', '1', ...as);
  assert.ok(message);
  return message;
};

test('a message is answered, reacted to, sent on and taken back', async () => {
  const first = await json<Sent>('send', bob, 'hello', ...asAlice);
  const answer = await json<Sent>('send', alice, 'hello yourself', '--reply', first.id, ...asBob);
  assert.equal(answer.relatedMessageId, first.id);
  const path = join(server.dataDir, 'answer.txt');
  writeFileSync(path, 'a longer answer');
  const file = await json<Sent>('send', alice, '--file', path, '--reply', first.id, ...asBob);
  assert.equal(file.relatedMessageId, first.id);
  assert.match(await ok('react', first.id, 'love', ...asBob), /Reacted to \d+ with love\./);
  assert.deepEqual(
    (await json<Sent[]>('history', bob, '-n', '3', ...asAlice)).map(({ reactions }) => reactions?.length ?? 0),
    [1, 0, 0],
  );
  await ok('react', first.id, '--remove', ...asBob);
  const wrong = await sealpost('react', first.id, 'hate', ...asBob);
  assert.equal(wrong.code, 2);
  assert.match(wrong.err, /nice, love, fun, amazing, sad, omg/);
  await ok('group', 'create', 'Climbing', ...asAlice);
  assert.match(await ok('forward', first.id, 'Climbing', ...asAlice), /Sent \d+ on to Climbing as \d+/);
  const { chats } = await json<{ chats: { chatMid: string }[] }>('group', 'list', ...asAlice);
  assert.equal((await newest(chats[0]?.chatMid ?? '', asAlice)).text, 'hello');
  await ok('unsend', first.id, ...asAlice);
  assert.match(await ok('history', alice, ...asBob), /Alice: \[taken back\]/);
  assert.match((await sealpost('forward', first.id, 'bob', ...asAlice)).err, /was taken back/);
});

test('a file is sent on with its bytes and its name', async () => {
  const path = join(server.dataDir, 'notes.txt');
  writeFileSync(path, 'the bytes of a file');
  const { id } = await json<Sent>('send', bob, '--file', path, ...asAlice);
  const sent = await json<Sent>('forward', id, alice, ...asBob);
  const copy = join(server.dataDir, 'copy.txt');
  await ok('download', sent.id, '--to', copy, ...asAlice);
  assert.equal(readFileSync(copy, 'utf8'), 'the bytes of a file');
  assert.equal((await newest(bob, asAlice)).contentMetadata.FILE_NAME, 'notes.txt');
});

test('emoji stand in the text where it has their names, or behind it, also in a sealed message', async () => {
  assert.match(await ok('stickers', 'emoji', ...asAlice), /^sealpost-emoji\/001 +\(smile\) +Wax Seal Emoji$/m);
  const names = ['--emoji', 'sealpost-emoji/001', '--emoji', 'sealpost-emoji/002'];
  const sent = await json<Sent>('send', bob, 'Hi (smile) and (smile)', ...names, ...asAlice);
  assert.equal(sent.sealed, true);
  const read = await newest(alice, asBob);
  assert.equal(read.text, 'Hi (smile) and (smile)(laugh)');
  const { sticon } = JSON.parse(read.contentMetadata.REPLACE ?? '{}');
  assert.deepEqual(
    sticon.resources.map(({ S, E, sticonId }: { S: number; E: number; sticonId: string }) => [
      read.text?.slice(S, E),
      sticonId,
    ]),
    [
      ['(smile)', '001'],
      ['(smile)', '001'],
      ['(laugh)', '002'],
    ],
  );
  assert.equal(read.contentMetadata.STICON_OWNERSHIP, '["sealpost-emoji"]');
  const foreign = await sealpost('send', bob, '--emoji', 'others/001', ...asAlice);
  assert.equal(foreign.code, 2);
  assert.match(foreign.err, /do not own the emoji "others\/001"/);
  await ok('react', sent.id, 'sealpost-emoji/003', ...asBob);
  const text = await sealpost('stickers', 'text', '1', 'hello', ...asAlice);
  assert.match(text.err, /take no text/);
});

test('a chat is read, hidden, shown and cleared', async () => {
  const { id } = await json<Sent>('send', bob, 'look', ...asAlice);
  assert.deepEqual(await json('read', 'alice', ...asBob), { chatMid: alice, messageId: id });
  assert.match(await ok('readers', 'bob', ...asAlice), new RegExp(`Bob +${id} .*${bob}`));
  const boxes = async () =>
    (await json<{ id: string; hiddenAtMessageId?: string }[]>('chats', ...asBob)).find((box) => box.id === alice);
  await ok('hide', 'alice', ...asBob);
  assert.equal((await boxes())?.hiddenAtMessageId, id);
  await ok('show', 'alice', ...asBob);
  assert.notEqual((await boxes())?.hiddenAtMessageId, id);
  assert.match((await sealpost('clear', 'alice', ...asBob)).err, /not a terminal.*--yes/);
  await ok('clear', 'alice', '--yes', ...asBob);
  assert.equal(await ok('history', 'alice', ...asBob), 'No messages.\n');
});

test('a contact is renamed, muted, made a favourite and hidden; a group too', async () => {
  await ok('rename', 'bob', 'Bob from work', ...asAlice);
  await ok('mute', 'bob', ...asAlice);
  await ok('favourite', 'bob', ...asAlice);
  await ok('hide', 'bob', '--contact', ...asAlice);
  assert.match(await ok('contacts', ...asAlice), /^Bob from work +contact, favourite, hidden, muted +u/m);
  await ok('unmute', bob, ...asAlice);
  await ok('unfavorite', 'bob', ...asAlice);
  await ok('show', 'bob', '--contact', ...asAlice);
  await ok('rename', 'bob', '', ...asAlice);
  assert.match(await ok('contacts', ...asAlice), /^Bob +contact +u/m);
  assert.match(await ok('contact', 'bob', ...asAlice), /displayName +Bob\n[\s\S]*noticeAntiFraudDifferentRegion/);

  await ok('mute', 'Climbing', ...asAlice);
  await ok('favourite', 'Climbing', ...asAlice);
  await ok('rename', 'Climbing', 'Sundays', ...asAlice);
  const groups = () =>
    json<{ chats: { chatName: string; notificationDisabled: boolean }[] }>('group', 'list', ...asAlice);
  assert.deepEqual(
    (await groups()).chats.map(({ chatName, notificationDisabled }) => [chatName, notificationDisabled]),
    [['Sundays', true]],
  );
  await ok('unmute', 'Sundays', ...asAlice);
  assert.equal((await groups()).chats[0]?.notificationDisabled, false);
  const nobody = await sealpost('mute', 'nobody-here', ...asAlice);
  assert.match(nobody.err, /Nobody has the user id "nobody-here", and you are in no group of this name/);
});

test('recommendations are listed and removed, official accounts shown', async () => {
  assert.match(await ok('recommendations', ...asBob), /^Alice +recommended +u/m);
  await ok('recommendations', 'remove', 'alice', ...asBob);
  assert.equal(await ok('recommendations', ...asBob), 'Nobody.\n');
  assert.match(await ok('recommendations', 'list', '--removed', ...asBob), /^Alice /m);

  const { mid } = await json<{ mid: string }>(
    'account',
    'create',
    'weather',
    '--name',
    'Weather',
    '--kind',
    'official',
  );
  await ok('add', 'weather', ...asAlice);
  assert.deepEqual(
    (await json<{ mid: string }[]>('buddies', ...asAlice)).map((buddy) => buddy.mid),
    [mid],
  );
  assert.match(await ok('buddies', 'show', 'weather', ...asAlice), /displayName +Weather\nmid/);
  assert.equal((await sealpost('buddies', 'show', 'bob', ...asAlice)).code, 1);
  assert.equal((await sealpost('buddies', 'press', '1', 'sun=1', ...asAlice)).code, 1);
});

test('all attributes and settings of the contract can be changed', async () => {
  const profile = await json<Record<string, unknown>>('profile', 'set', 'phonetic-name', 'Aliss', ...asAlice);
  assert.equal(profile.phoneticName, 'Aliss');
  const hidden = await json<Record<string, unknown>>('profile', 'set', 'allow-search-by-email', 'false', ...asAlice);
  assert.equal(hidden.allowSearchByEmail, false);
  assert.equal((await json<Record<string, unknown>>('settings', 'list', ...asAlice)).privacySearchByEmail, false);
  assert.deepEqual(await json('settings', 'set', 'preferenceLocale', 'ja', ...asAlice), { preferenceLocale: 'ja' });
  assert.deepEqual(await json('settings', 'get', 'preferenceLocale', 'e2eeEnable', ...asAlice), {
    preferenceLocale: 'ja',
    e2eeEnable: true,
  });
  assert.equal((await sealpost('settings', 'get', 'nonsense', ...asAlice)).code, 2);
});

test('pictures of the profile, a group and the home are set, shown and removed', async () => {
  const path = join(server.dataDir, 'red.png');
  await sharp({ create: { width: 8, height: 8, channels: 3, background: 'red' } }).toFile(path);
  const { picturePath } = await json<{ picturePath: string }>('profile', 'picture', path, ...asAlice);
  assert.equal((await json<{ picturePath: string }>('profile', ...asAlice)).picturePath, picturePath);
  await ok('profile', 'picture', '--remove', ...asAlice);
  assert.equal((await json<{ picturePath?: string }>('profile', ...asAlice)).picturePath ?? '', '');
  assert.equal((await sealpost('profile', 'picture', ...asAlice)).code, 2);
  assert.equal((await sealpost('profile', 'picture', `${path}.not`, ...asAlice)).code, 2);

  await ok('group', 'picture', 'Sundays', path, ...asAlice);
  await ok('group', 'picture', 'Sundays', '--remove', ...asAlice);

  assert.equal(await ok('timeline', ...asAlice), 'No cover.\n');
  await ok('timeline', 'set-cover', path, ...asAlice);
  assert.match(await ok('timeline', 'cover', 'alice', ...asBob), /^A cover since /);
  const copy = join(server.dataDir, 'cover.png');
  await ok('timeline', 'cover', 'alice', '--to', copy, ...asBob);
  assert.equal((await sharp(copy).metadata()).width, 8);
  assert.match((await sealpost('timeline', 'cover', 'alice', '--to', copy, ...asBob)).err, /was not written/);
  await ok('timeline', 'set-cover', '--remove', ...asAlice);
  assert.equal(await ok('timeline', ...asAlice), 'No cover.\n');
});

test('notices of the operator are read in their language', async () => {
  await ok('notice', 'publish', 'Maintenance', 'Tonight.', '--language', 'en');
  assert.match(await ok('notices', ...asAlice), /^\d\d:\d\d:\d\d {2}Maintenance\n {2}Tonight\.\n$/);
  assert.equal(await ok('notices', '--language', 'ja', '--country', 'JP', ...asAlice), 'No notices.\n');
});
