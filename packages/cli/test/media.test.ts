import assert from 'node:assert/strict';
import { randomBytes } from 'node:crypto';
import { existsSync, mkdirSync, readdirSync, readFileSync, truncateSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { after, before, test } from 'node:test';
import type { Message } from '@sealpost/contract';
import { type CommandResult, start } from '@sealpost/dev-env/command';
import sharp from 'sharp';
import { hashOf, type MediaWorld, MIB, mediaWorld } from './media-world.ts';

let world: MediaWorld;

before(async () => {
  world = await mediaWorld(['alice', 'bob', 'carol']);
});
after(() => world.dispose());

/** Returns the largest memory that a process has used so far, in bytes. */
function peakMemory(pid: number | undefined): number {
  try {
    const [, kib] = /VmHWM:\s+(\d+)/.exec(readFileSync(`/proc/${pid}/status`, 'utf8')) ?? [];
    return Number(kib ?? 0) * 1024;
  } catch {
    return 0;
  }
}

test('a file goes from one account to the other, under its name', async () => {
  const path = world.file('report.pdf', randomBytes(300_000));
  const sent = await world.sealpost('send', 'bob', '--file', path, '--as', 'alice');
  assert.equal(sent.err, '');
  const [, id = ''] = /^Sent (\d+) to bob: report\.pdf, 300 KB, in the clear: .+\.\n$/.exec(sent.out) ?? [];
  const history = await world.sealpost('history', 'alice', '--as', 'bob');
  assert.match(
    history.out,
    new RegExp(`Alice: \\[file report\\.pdf, 300 KB\\] {2}sealpost download ${id} --as bob\\n$`),
  );
  const to = world.emptyFolder();
  const saved = await world.sealpost('download', id, '--as', 'bob', '--to', to);
  assert.deepEqual([saved.code, saved.err], [0, '']);
  assert.equal(saved.out, `Saved ${join(to, 'report.pdf')}, 300 KB.\n`);
  assert.deepEqual(readdirSync(to), ['report.pdf']);
  assert.equal(await hashOf(join(to, 'report.pdf')), await hashOf(path));
});

/** Returns what the command keeps of standard input. */
function keptInput(): string[] {
  const uploads = join(world.server.env.SEALPOST_CONFIG_DIR as string, 'uploads');
  return existsSync(uploads) ? readdirSync(uploads) : [];
}

test('a file comes from standard input, under the name that was given', async () => {
  const content = 'all of it\n'.repeat(20_000);
  const args = ['send', 'bob', '--as', 'alice', '--file'];
  const sent = await world.piped(content, ...args, '-', '--name', 'dump.sql');
  assert.equal(sent.err, '');
  const [, id = ''] = /^Sent (\d+) to bob: dump\.sql, 200 KB, /.exec(sent.out) ?? [];
  const to = world.emptyFolder();
  assert.equal((await world.sealpost('download', id, '--as', 'bob', '--to', to)).code, 0);
  assert.equal(readFileSync(join(to, 'dump.sql'), 'utf8'), content);
  const renamed = await world.json<Message>(...args, world.file('a.txt', Buffer.from('1')), '--name', 'b.txt');
  assert.equal(renamed.contentMetadata.FILE_NAME, 'b.txt');
  for (const [given, why] of [
    [['--file', '-'], /--file - needs the name that the message gives the file, for example --name notes\.txt/],
    [['--file', '-', '--name', '../notes.txt'], /must be the name of a file without its folder, not "\.\.\/notes/],
    [['--file', '-', '--name', ''], /must be the name of a file/],
    [['hello', '--name', 'notes.txt'], /--name is the name of a file, and there is none/],
  ] as const) {
    const refused = await world.piped('', 'send', 'bob', '--as', 'alice', ...given);
    assert.deepEqual([refused.code, refused.out], [2, '']);
    assert.match(refused.err, why);
  }
  assert.deepEqual(keptInput(), []);
});

test('a file that is there is replaced only with --force', async () => {
  const path = world.file('notes.txt', Buffer.from('new'));
  const { id } = await world.json<Message>('send', 'bob', '--file', path, '--as', 'alice');
  const to = world.emptyFolder();
  const target = join(to, 'notes.txt');
  writeFileSync(target, 'old');
  const refused = await world.sealpost('download', id, '--as', 'bob', '--to', to);
  assert.equal(refused.code, 1);
  assert.match(refused.err, /notes\.txt exists already\. Use --force to replace it, or --to to choose another name/);
  assert.equal(readFileSync(target, 'utf8'), 'old');
  const saved = await world.json<{ path: string; size: number; sealed: boolean; kind: string }>(
    'download',
    id,
    '--as',
    'bob',
    '--to',
    target,
    '--force',
  );
  assert.deepEqual(saved, { message: id, path: target, size: 3, sealed: false, kind: 'file' });
  assert.equal(readFileSync(target, 'utf8'), 'new');
  assert.deepEqual(readdirSync(to), ['notes.txt']);
  mkdirSync(join(to, 'folder'));
  assert.equal((await world.sealpost('download', id, '--as', 'bob', '--to', join(to, 'folder', ''))).code, 0);
  assert.ok(existsSync(join(to, 'folder', 'notes.txt')));
});

test('a picture has a preview and says so; a sound says how long it is', async () => {
  const red = { create: { width: 800, height: 400, channels: 3 as const, background: '#c03028' } };
  const picture = world.file('red.png', await sharp(red).png().toBuffer());
  const image = await world.json<Message>('send', 'bob', '--image', picture, '--as', 'alice');
  assert.equal(image.contentType, 1);
  assert.deepEqual(JSON.parse(image.contentMetadata.MEDIA_THUMB_INFO as string), { width: 384, height: 192 });
  assert.equal(JSON.parse(image.contentMetadata.MEDIA_CONTENT_INFO as string).extension, 'png');
  const sound = world.file('tone.wav', wave(2));
  const audio = await world.json<Message>('send', 'bob', '--audio', sound, '--as', 'alice');
  assert.equal(audio.contentMetadata.DURATION, '2000');
  const history = await world.sealpost('history', 'bob', '--as', 'alice', '-n', '2');
  assert.match(history.out, /\[image red\.png, [\d.]+ KB\]/);
  assert.match(history.out, /\[audio 16\.0 KB, 0:02\]/);
});

test('a picture goes without what its camera wrote into it, unless that is asked for', async () => {
  const red = { create: { width: 80, height: 40, channels: 3 as const, background: '#c03028' } };
  const exif = { IFD0: { Artist: 'Ann at home' } };
  const jpeg = await sharp(red).withMetadata({ orientation: 6 }).withExifMerge(exif).jpeg().toBuffer();
  const path = world.file('home.jpg', jpeg);
  const to = world.file('got.jpg', Buffer.alloc(0));
  const sent = async (...flags: string[]) => {
    const { id, contentMetadata } = await world.json<Message>(
      'send',
      'bob',
      '--image',
      path,
      '--as',
      'alice',
      ...flags,
    );
    assert.equal((await world.sealpost('download', id, '--as', 'bob', '--to', to, '--force')).code, 0);
    const bytes = readFileSync(to);
    assert.equal(contentMetadata.FILE_SIZE, String(bytes.length));
    return bytes;
  };
  const cleaned = await sent();
  assert.ok(jpeg.includes('Ann at home') && !cleaned.includes('Ann at home'));
  assert.equal((await sharp(cleaned).metadata()).orientation, 6);
  assert.ok((await sharp(cleaned).raw().toBuffer()).equals(await sharp(jpeg).raw().toBuffer()));
  assert.ok((await sent('--keep-metadata')).equals(jpeg));

  const avif = world.file('home.avif', await sharp(red).avif().toBuffer());
  const refused = await world.sealpost('send', 'bob', '--image', avif, '--as', 'alice');
  assert.notEqual(refused.code, 0);
  assert.match(refused.err, /this picture is HEIF, AVIF, TIFF or JPEG XL.*as a file/);
});

/** Returns a WAV file with seconds of silence at 4000 samples per second. */
function wave(seconds: number): Buffer {
  const data = Buffer.alloc(seconds * 8000);
  const head = Buffer.alloc(44);
  head.write('RIFF', 0);
  head.writeUInt32LE(36 + data.length, 4);
  head.write('WAVEfmt ', 8);
  for (const [at, value] of [
    [16, 16],
    [24, 4000],
    [28, 8000],
    [40, data.length],
  ] as const)
    head.writeUInt32LE(value, at);
  for (const [at, value] of [
    [20, 1],
    [22, 1],
    [32, 2],
    [34, 16],
  ] as const)
    head.writeUInt16LE(value, at);
  head.write('data', 36);
  return Buffer.concat([head, data]);
}

test('a place and a contact are sent and shown', async () => {
  const place = await world.json<Message>('send', 'bob', 'City hall', '--location', '53.5503,9.9920', '--as', 'alice');
  assert.deepEqual(place.location, { title: 'City hall', latitude: 53.5503, longitude: 9.992 });
  const contact = await world.json<Message>('send', 'bob', '--contact', world.mids.carol as string, '--as', 'alice');
  assert.deepEqual(contact.contentMetadata, { mid: world.mids.carol, displayName: 'Carol' });
  const own = await world.json<Message>('send', 'bob', '--contact', world.mids.alice as string, '--as', 'alice');
  assert.equal(own.contentMetadata.displayName, 'Alice');
  const history = await world.sealpost('history', 'alice', '--as', 'bob', '-n', '3');
  assert.match(history.out, /\[location City hall, 53\.5503,9\.992\]/);
  assert.match(history.out, new RegExp(`\\[contact Carol ${world.mids.carol}\\]`));
});

test('wrong usage is told before anything is sent', async () => {
  const path = world.file('one.txt', Buffer.from('1'));
  for (const [args, message] of [
    [['bob', '--file', join(world.folder, 'nothing')], /nothing cannot be read: no such file or directory\.\n$/],
    [['bob', '--file', 'not\nhere'], /not ↵ here cannot be read/],
    [['bob', '--file', world.folder], /is not a file, so it cannot be sent/],
    [['bob'], /Nothing to send: give a text in quotes, or one of --file, --image,/],
    [['bob', 'text', '--file', path], /One message has one content, not a text and --file/],
    [['bob', '--image', path, '--file', path], /not --file and --image/],
    [['bob', '--location', '91,0'], /<latitude>,<longitude>/],
    [['bob', '--location', 'here'], /not "here"/],
  ] as const) {
    const { code, err } = await world.sealpost('send', ...args, '--as', 'alice');
    assert.equal(code, 2, err);
    assert.match(err, message);
  }
  assert.equal((await world.sealpost('download', 'abc', '--as', 'bob')).code, 2);
  assert.equal((await world.sealpost('history', 'bob', '--before', 'abc', '--as', 'alice')).code, 2);
});

test('what is not for an account is told well, and leaves nothing', async () => {
  const { id } = await world.json<Message>(
    'send',
    'bob',
    '--file',
    world.file('private.txt', Buffer.from('1')),
    '--as',
    'alice',
  );
  const to = world.emptyFolder();
  const foreign = await world.sealpost('download', id, '--as', 'carol', '--to', to);
  assert.equal(foreign.code, 1);
  assert.match(foreign.err, /There is no message \d+ that you can read/);
  const text = await world.json<Message>('send', 'bob', 'hello', '--as', 'alice');
  const none = await world.sealpost('download', text.id, '--as', 'bob', '--to', to);
  assert.equal(none.code, 1);
  assert.match(none.err, /not an image, video, sound or file/);
  assert.deepEqual(readdirSync(to), []);
});

test('Ctrl-C in the middle of an upload leaves what the same command goes on from', async () => {
  await world.loginFar('alice');
  const path = world.file('holiday.mp4', randomBytes(6 * MIB));
  const args = ['send', world.mids.bob as string, '--video', path, '--as', 'alice-far', '--json'];
  const stalled = world.proxy.stallAfter('requests', 3 * MIB);
  const first = world.far(...args);
  await stalled;
  first.child.kill('SIGINT');
  const { code, err } = await first.finished;
  world.proxy.flow();
  assert.equal(code, 1);
  assert.match(err, /Stopped holiday\.mp4 at \d+ %\. The same command continues from there\./);
  const [waiting] = await world.json<Message[]>('history', 'alice', '--as', 'bob', '-n', '1');
  assert.equal(waiting?.hasContent, false);
  const again = await world.sealpostFar(...args);
  assert.equal(again.code, 0, again.err);
  const { id } = JSON.parse(again.out) as Message;
  assert.equal(id, waiting?.id);
  const to = world.emptyFolder();
  assert.equal((await world.sealpost('download', id, '--as', 'bob', '--to', to)).code, 0);
  assert.equal(await hashOf(join(to, 'holiday.mp4')), await hashOf(path));
  assert.deepEqual(readdirSync(join(world.server.env.SEALPOST_CONFIG_DIR as string, 'uploads')), []);
});

test('Ctrl-C in the middle of a download leaves what the same command goes on from', async () => {
  await world.loginFar('bob');
  const path = world.file('concert.mp4', randomBytes(6 * MIB));
  const { id } = await world.json<Message>('send', 'bob', '--video', path, '--as', 'alice');
  const to = world.emptyFolder();
  const args = ['download', id, '--as', 'bob-far', '--to', to];
  const stalled = world.proxy.stallAfter('answers', 3 * MIB);
  const first = world.far(...args);
  await stalled;
  const part = join(to, `.concert.mp4.${id}.part`);
  while (!existsSync(part) || readFileSync(part).length < MIB) await new Promise((resolve) => setTimeout(resolve, 20));
  first.child.kill('SIGINT');
  const { code, err } = await first.finished;
  world.proxy.flow();
  assert.equal(code, 1);
  assert.match(err, /Stopped message \d+ at \d+ %/);
  const kept = readFileSync(part);
  assert.ok(readFileSync(path).subarray(0, kept.length).equals(kept));
  assert.deepEqual(readdirSync(to), [`.concert.mp4.${id}.part`]);
  const again = await world.sealpostFar(...args);
  assert.equal(again.code, 0, again.err);
  assert.deepEqual(readdirSync(to), ['concert.mp4']);
  assert.equal(await hashOf(join(to, 'concert.mp4')), await hashOf(path));
});

test('a part that was changed is found out, and nothing of it stays', async () => {
  const path = world.file('big.bin', randomBytes(2 * MIB));
  const { id } = await world.json<Message>('send', 'bob', '--file', path, '--as', 'alice');
  const to = world.emptyFolder();
  writeFileSync(join(to, `.big.bin.${id}.part`), randomBytes(MIB));
  const { code, err } = await world.sealpost('download', id, '--as', 'bob', '--to', to);
  assert.equal(code, 1);
  assert.match(err, /not those that were sent/);
  assert.deepEqual(readdirSync(to), []);
});

test('a large file takes no more memory than a small one', async () => {
  const path = join(world.folder, 'large.bin');
  writeFileSync(path, randomBytes(MIB));
  truncateSync(path, 128 * MIB);
  const heap = { ...world.server.env, SEALPOST_URL: world.server.url, NODE_OPTIONS: '--max-old-space-size=48' };
  const most = { bytes: 0 };
  async function watched(...args: string[]): Promise<CommandResult> {
    const process = start(heap, args);
    const watch = setInterval(() => {
      most.bytes = Math.max(most.bytes, peakMemory(process.child.pid));
    }, 20);
    const finished = await process.finished;
    clearInterval(watch);
    assert.equal(finished.code, 0, finished.err);
    return finished;
  }
  const sent = await watched('send', 'bob', '--file', path, '--as', 'alice', '--json');
  const { id } = JSON.parse(sent.out) as Message;
  const to = world.emptyFolder();
  await watched('download', id, '--as', 'bob', '--to', to);
  assert.equal(await hashOf(join(to, 'large.bin')), await hashOf(path));
  assert.ok(most.bytes < 260 * MIB, `${Math.round(most.bytes / MIB)} MiB`);
});

test('Ctrl-C takes back a file from standard input, and leaves nothing of it', async () => {
  await world.loginFar('carol');
  const args = ['send', world.mids.bob as string, '--file', '-', '--name', 'dump.sql', '--as', 'carol-far'];
  const stalled = world.proxy.stallAfter('requests', 3 * MIB);
  const command = world.farPiped('x'.repeat(6 * MIB), ...args);
  await stalled;
  command.child.kill('SIGINT');
  world.proxy.flow();
  const { code, err } = await command.finished;
  assert.equal(code, 1);
  assert.match(err, /Stopped dump\.sql at \d+ %\. Give the command again to send it from the beginning\./);
  const [message] = await world.json<Message[]>('history', 'carol', '--as', 'bob');
  assert.equal(message?.contentMetadata.UNSENT, 'true');
  assert.deepEqual(keptInput(), []);
});
