import assert from 'node:assert/strict';
import { createHash, randomBytes } from 'node:crypto';
import {
  createReadStream,
  existsSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  truncateSync,
  writeFileSync,
} from 'node:fs';
import { join } from 'node:path';
import { after, before, test } from 'node:test';
import type { Message } from '@sealpost/contract';
import sharp from 'sharp';
import { type CuttingProxy, cuttingProxy } from '../../sdk/test/cutting-proxy.ts';
import { type Finished, run, start } from './command.ts';
import { type ServerProcess, startServer } from './server-process.ts';

let server: ServerProcess;
let proxy: CuttingProxy;
let folder: string;
const mids: Record<string, string> = {};

before(async () => {
  server = await startServer();
  proxy = await cuttingProxy(server.url);
  folder = mkdtempSync(join(server.dataDir, 'files-'));
  for (const name of ['alice', 'bob', 'carol']) {
    const { mid, password } = await server.createAccount(name, `${name.slice(0, 1).toUpperCase()}${name.slice(1)}`);
    mids[name] = mid;
    const login = await run(env(), ['login', name, '--password-stdin'], password);
    assert.equal(login.code, 0, login.err);
  }
});
after(async () => {
  await proxy.close();
  await server.dispose();
});

const MIB = 1024 * 1024;
const env = () => ({ ...server.env, SEALPOST_URL: server.url });
const sealpost = (...args: string[]): Promise<Finished> => run(env(), args);
const overProxy = (...args: string[]) => start({ ...env(), SEALPOST_URL: proxy.url }, args);
/** A login of this machine goes with one address, so it is made a second time for the proxy. */
async function loginOverProxy(name: string): Promise<string> {
  const profile = `${name}-far`;
  const login = await run(
    { ...env(), SEALPOST_URL: proxy.url },
    ['login', name, '--as', profile, '--password-stdin'],
    `password of ${name}`,
  );
  assert.equal(login.code, 0, login.err);
  return profile;
}
async function json<T>(...args: string[]): Promise<T> {
  const { code, out, err } = await sealpost(...args, '--json');
  assert.equal(code, 0, err);
  return JSON.parse(out) as T;
}
async function hashOf(path: string): Promise<string> {
  const hash = createHash('sha256');
  for await (const chunk of createReadStream(path)) hash.update(chunk as Buffer);
  return hash.digest('hex');
}
function file(name: string, bytes: Buffer): string {
  const path = join(folder, name);
  writeFileSync(path, bytes);
  return path;
}
/** An empty folder for downloads. */
function emptyFolder(): string {
  const path = mkdtempSync(join(folder, 'to-'));
  return path;
}
/** The most memory that a process has had so far, in bytes. */
function peakMemory(pid: number | undefined): number {
  try {
    const [, kib] = /VmHWM:\s+(\d+)/.exec(readFileSync(`/proc/${pid}/status`, 'utf8')) ?? [];
    return Number(kib ?? 0) * 1024;
  } catch {
    return 0;
  }
}

test('a file goes from one account to the other, under its name', async () => {
  const path = file('report.pdf', randomBytes(300_000));
  const sent = await sealpost('send', 'bob', '--file', path, '--as', 'alice');
  assert.equal(sent.err, '');
  const [, id = ''] = /^Sent (\d+) to bob: report\.pdf, 300 KB\.\n$/.exec(sent.out) ?? [];
  const history = await sealpost('history', 'alice', '--as', 'bob');
  assert.match(
    history.out,
    new RegExp(`Alice: \\[file report\\.pdf, 300 KB\\] {2}sealpost download ${id} --as bob\\n$`),
  );
  const to = emptyFolder();
  const saved = await sealpost('download', id, '--as', 'bob', '--to', to);
  assert.deepEqual([saved.code, saved.err], [0, '']);
  assert.equal(saved.out, `Saved ${join(to, 'report.pdf')}, 300 KB.\n`);
  assert.deepEqual(readdirSync(to), ['report.pdf']);
  assert.equal(await hashOf(join(to, 'report.pdf')), await hashOf(path));
});

test('a file that is there is replaced only with --force', async () => {
  const path = file('notes.txt', Buffer.from('new'));
  const { id } = await json<Message>('send', 'bob', '--file', path, '--as', 'alice');
  const to = emptyFolder();
  const target = join(to, 'notes.txt');
  writeFileSync(target, 'old');
  const refused = await sealpost('download', id, '--as', 'bob', '--to', to);
  assert.equal(refused.code, 1);
  assert.match(refused.err, /notes\.txt is there already\. Use --force to replace it/);
  assert.equal(readFileSync(target, 'utf8'), 'old');
  const saved = await json<{ path: string; size: number; sealed: boolean; kind: string }>(
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
  assert.equal((await sealpost('download', id, '--as', 'bob', '--to', join(to, 'folder', ''))).code, 0);
  assert.ok(existsSync(join(to, 'folder', 'notes.txt')));
});

test('a picture has a preview and says so; a sound says how long it is', async () => {
  const red = { create: { width: 800, height: 400, channels: 3 as const, background: '#c03028' } };
  const picture = file('red.png', await sharp(red).png().toBuffer());
  const image = await json<Message>('send', 'bob', '--image', picture, '--as', 'alice');
  assert.equal(image.contentType, 1);
  assert.deepEqual(JSON.parse(image.contentMetadata.MEDIA_THUMB_INFO as string), { width: 384, height: 192 });
  assert.equal(JSON.parse(image.contentMetadata.MEDIA_CONTENT_INFO as string).extension, 'png');
  const sound = file('tone.wav', wave(2));
  const audio = await json<Message>('send', 'bob', '--audio', sound, '--as', 'alice');
  assert.equal(audio.contentMetadata.DURATION, '2000');
  const history = await sealpost('history', 'bob', '--as', 'alice', '-n', '2');
  assert.match(history.out, /\[image red\.png, [\d.]+ KB\]/);
  assert.match(history.out, /\[audio 16\.0 KB, 0:02\]/);
});

/** Seconds of silence at 4000 samples per second. */
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
  const place = await json<Message>('send', 'bob', 'City hall', '--location', '53.5503,9.9920', '--as', 'alice');
  assert.deepEqual(place.location, { title: 'City hall', latitude: 53.5503, longitude: 9.992 });
  const contact = await json<Message>('send', 'bob', '--contact', mids.carol as string, '--as', 'alice');
  assert.deepEqual(contact.contentMetadata, { mid: mids.carol, displayName: 'Carol' });
  const own = await json<Message>('send', 'bob', '--contact', mids.alice as string, '--as', 'alice');
  assert.equal(own.contentMetadata.displayName, 'Alice');
  const history = await sealpost('history', 'alice', '--as', 'bob', '-n', '3');
  assert.match(history.out, /\[location City hall, 53\.5503,9\.992\]/);
  assert.match(history.out, new RegExp(`\\[contact Carol ${mids.carol}\\]`));
});

test('wrong usage is told before anything is sent', async () => {
  const path = file('one.txt', Buffer.from('1'));
  for (const [args, message] of [
    [['bob', '--file', join(folder, 'nothing')], /nothing can not be read/],
    [['bob', '--file', folder], /no file that can be sent/],
    [['bob', 'text', '--file', path], /only one of a text and --sticker, --file/],
    [['bob', '--image', path, '--file', path], /only one of/],
    [['bob', '--location', '91,0'], /<latitude>,<longitude>/],
    [['bob', '--location', 'here'], /not "here"/],
  ] as const) {
    const { code, err } = await sealpost('send', ...args, '--as', 'alice');
    assert.equal(code, 2, err);
    assert.match(err, message);
  }
  assert.equal((await sealpost('download', 'abc', '--as', 'bob')).code, 2);
});

test('what is not for an account is told well, and leaves nothing', async () => {
  const { id } = await json<Message>('send', 'bob', '--file', file('private.txt', Buffer.from('1')), '--as', 'alice');
  const to = emptyFolder();
  const foreign = await sealpost('download', id, '--as', 'carol', '--to', to);
  assert.equal(foreign.code, 1);
  assert.match(foreign.err, /There is no message \d+ that you can read/);
  const text = await json<Message>('send', 'bob', 'hello', '--as', 'alice');
  const none = await sealpost('download', text.id, '--as', 'bob', '--to', to);
  assert.equal(none.code, 1);
  assert.match(none.err, /no image, video, sound or file/);
  assert.deepEqual(readdirSync(to), []);
});

test('Ctrl-C in the middle of an upload leaves what the same command goes on from', async () => {
  const profile = await loginOverProxy('alice');
  const path = file('holiday.mp4', randomBytes(6 * MIB));
  const args = ['send', mids.bob as string, '--video', path, '--as', profile, '--json'];
  const stalled = proxy.stallAfter('requests', 3 * MIB);
  const first = overProxy(...args);
  await stalled;
  first.child.kill('SIGINT');
  const { code, err } = await first.finished;
  proxy.flow();
  assert.equal(code, 1);
  assert.match(err, /Stopped holiday\.mp4 at \d+ %\. The same command goes on from there\./);
  const [waiting] = await json<Message[]>('history', 'alice', '--as', 'bob', '-n', '1');
  assert.equal(waiting?.hasContent, false);
  const again = await overProxy(...args).finished;
  assert.equal(again.code, 0, again.err);
  const { id } = JSON.parse(again.out) as Message;
  assert.equal(id, waiting?.id);
  const to = emptyFolder();
  assert.equal((await sealpost('download', id, '--as', 'bob', '--to', to)).code, 0);
  assert.equal(await hashOf(join(to, 'holiday.mp4')), await hashOf(path));
  assert.deepEqual(readdirSync(join(server.env.SEALPOST_CONFIG_DIR as string, 'uploads')), []);
});

test('Ctrl-C in the middle of a download leaves what the same command goes on from', async () => {
  const profile = await loginOverProxy('bob');
  const path = file('concert.mp4', randomBytes(6 * MIB));
  const { id } = await json<Message>('send', 'bob', '--video', path, '--as', 'alice');
  const to = emptyFolder();
  const args = ['download', id, '--as', profile, '--to', to];
  const stalled = proxy.stallAfter('answers', 3 * MIB);
  const first = overProxy(...args);
  await stalled;
  const part = join(to, `.concert.mp4.${id}.part`);
  while (!existsSync(part) || readFileSync(part).length < MIB) await new Promise((resolve) => setTimeout(resolve, 20));
  first.child.kill('SIGINT');
  const { code, err } = await first.finished;
  proxy.flow();
  assert.equal(code, 1);
  assert.match(err, /Stopped message \d+ at \d+ %/);
  const kept = readFileSync(part);
  assert.ok(readFileSync(path).subarray(0, kept.length).equals(kept));
  assert.deepEqual(readdirSync(to), [`.concert.mp4.${id}.part`]);
  const again = await overProxy(...args).finished;
  assert.equal(again.code, 0, again.err);
  assert.deepEqual(readdirSync(to), ['concert.mp4']);
  assert.equal(await hashOf(join(to, 'concert.mp4')), await hashOf(path));
});

test('a part that was changed is found out, and nothing of it stays', async () => {
  const path = file('big.bin', randomBytes(2 * MIB));
  const { id } = await json<Message>('send', 'bob', '--file', path, '--as', 'alice');
  const to = emptyFolder();
  writeFileSync(join(to, `.big.bin.${id}.part`), randomBytes(MIB));
  const { code, err } = await sealpost('download', id, '--as', 'bob', '--to', to);
  assert.equal(code, 1);
  assert.match(err, /not those that were sent/);
  assert.deepEqual(readdirSync(to), []);
});

test('a large file takes no more memory than a small one', async () => {
  const path = join(folder, 'large.bin');
  writeFileSync(path, randomBytes(MIB));
  truncateSync(path, 192 * MIB);
  const heap = { ...env(), NODE_OPTIONS: '--max-old-space-size=48' };
  const most = { bytes: 0 };
  async function watched(...args: string[]): Promise<Finished> {
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
  const to = emptyFolder();
  await watched('download', id, '--as', 'bob', '--to', to);
  assert.equal(await hashOf(join(to, 'large.bin')), await hashOf(path));
  assert.ok(most.bytes < 300 * MIB, `${Math.round(most.bytes / MIB)} MiB`);
});
