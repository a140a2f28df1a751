import assert from 'node:assert/strict';
import { randomBytes } from 'node:crypto';
import { existsSync, readdirSync, readFileSync, statSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { after, before, test } from 'node:test';
import type { Message } from '@sealpost/contract';
import { hashOf, type MediaWorld, MIB, mediaWorld } from './media-world.ts';

let world: MediaWorld;

/**
 * Runs a command over the connection that can be stalled. All commands in this test use that connection, because only
 * its logins have the keys of the accounts.
 */
const far = async (...args: string[]): Promise<string> => {
  const { code, out, err } = await world.sealpostFar(...args);
  assert.equal(code, 0, err);
  return out;
};

before(async () => {
  world = await mediaWorld(['ann', 'ben']);
  for (const name of ['ann', 'ben']) await world.loginFar(name);
  // Each account registers a key with its first message, so later messages are sealed.
  await far('send', 'ann', 'hello', '--as', 'ben-far');
  await far('send', 'ben', 'hello', '--as', 'ann-far');
});
after(() => world.dispose());

/** Returns the path of the only stored object of this size in bytes. */
function storedObject(size: number): string {
  const found = readdirSync(join(world.server.dataDir, 'objects'), { recursive: true, withFileTypes: true })
    .filter((entry) => entry.isFile())
    .map((entry) => join(entry.parentPath, entry.name))
    .filter((path) => statSync(path).size === size);
  assert.equal(found.length, 1);
  return found[0] as string;
}

test('a file is sealed where the chat is, and history names it to those who have the key', async () => {
  const bytes = randomBytes(300_000);
  const path = world.file('contract.pdf', bytes);
  const { id, contentMetadata } = JSON.parse(
    await far('send', 'ben', '--file', path, '--as', 'ann-far', '--json'),
  ) as Message;
  assert.equal(contentMetadata.SID, 'emf');
  assert.equal(readFileSync(storedObject(300_032)).indexOf(bytes.subarray(1000, 1032)), -1);
  const history = await far('history', 'ann', '--as', 'ben-far', '-n', '1');
  assert.match(history, new RegExp(`\\[file contract\\.pdf, 300 KB\\] {2}sealpost download ${id} --as ben-far\\n$`));
  const to = world.emptyFolder();
  await far('download', id, '--as', 'ben-far', '--to', to);
  assert.equal(await hashOf(join(to, 'contract.pdf')), await hashOf(path));
});

test('a sealed video that Ctrl-C cut short goes on, there and back', async () => {
  const path = world.file('holiday.mp4', randomBytes(6 * MIB));
  const sending = ['send', world.mids.ben as string, '--video', path, '--as', 'ann-far', '--json'];
  const uploadStalled = world.proxy.stallAfter('requests', 3 * MIB);
  const first = world.far(...sending);
  await uploadStalled;
  first.child.kill('SIGINT');
  assert.match((await first.finished).err, /Stopped holiday\.mp4 at \d+ %/);
  world.proxy.flow();
  const { id, contentMetadata } = JSON.parse(await far(...sending)) as Message;
  assert.equal(contentMetadata.SID, 'emv');

  const to = world.emptyFolder();
  const fetching = ['download', id, '--as', 'ben-far', '--to', to];
  const downloadStalled = world.proxy.stallAfter('answers', 3 * MIB);
  const second = world.far(...fetching);
  await downloadStalled;
  const part = join(to, `.holiday.mp4.${id}.part`);
  while (!existsSync(part) || statSync(part).size < MIB) await new Promise((resolve) => setTimeout(resolve, 20));
  second.child.kill('SIGINT');
  assert.match((await second.finished).err, /Stopped message \d+ at \d+ %/);
  world.proxy.flow();
  assert.deepEqual(readdirSync(to), [`.holiday.mp4.${id}.part`]);
  await far(...fetching);
  assert.deepEqual(readdirSync(to), ['holiday.mp4']);
  assert.equal(await hashOf(join(to, 'holiday.mp4')), await hashOf(path));
});

test('a sealed object that the server changed leaves no file', async () => {
  const path = world.file('photo.bin', randomBytes(500_000));
  const { id } = JSON.parse(await far('send', 'ben', '--file', path, '--as', 'ann-far', '--json')) as Message;
  const stored = storedObject(500_032);
  const bytes = readFileSync(stored);
  bytes.writeUInt8(bytes.readUInt8(499_000) ^ 1, 499_000);
  writeFileSync(stored, bytes);
  const to = world.emptyFolder();
  const { code, err } = await world.sealpostFar('download', id, '--as', 'ben-far', '--to', to);
  assert.equal(code, 1);
  assert.match(err, /not those that were sent/);
  assert.deepEqual(readdirSync(to), []);
});
