import assert from 'node:assert/strict';
import { mkdtempSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { after, before, test } from 'node:test';
import { type CommandResult, run } from '@sealpost/dev-env/command';
import { type ServerProcess, startServer } from '@sealpost/dev-env/server-process';

let server: ServerProcess;
let bob: { mid: string };
let folder: string;

/** A PNG of one red pixel. */
const PNG = Buffer.from(
  'iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mP8z8DwHwAFBQIAX8jx0gAAAABJRU5ErkJggg==',
  'base64',
);

before(async () => {
  server = await startServer();
  folder = mkdtempSync(join(server.dataDir, 'pack-'));
  const { password } = await server.createAccount('alice', 'Alice');
  bob = await server.createAccount('bob', 'Bob');
  const login = await run(env(), ['login', 'alice', '--password-stdin'], password);
  assert.equal(login.code, 0, login.err);
});
after(async () => {
  await server.dispose();
});

const env = () => ({ ...server.env, SEALPOST_URL: server.url });
const sealpost = (...args: string[]): Promise<CommandResult> => run(env(), args);
const json = async <T>(...args: string[]): Promise<T> => {
  const { code, out, err } = await sealpost(...args, '--json');
  assert.equal(code, 0, err);
  return JSON.parse(out) as T;
};

test('a sticker of an own pack is sent; of others it is refused', async () => {
  assert.match((await sealpost('stickers', 'mine')).out, /^1\/3 +\[Thank you\] +Lettie the Letter$/m);
  const stickers = await json<{ sticker: string }[]>('stickers');
  assert.deepEqual(stickers.slice(0, 2), [
    { sticker: '1/1', text: '[Hello!]', pack: 'Lettie the Letter' },
    { sticker: '1/2', text: '[OK]', pack: 'Lettie the Letter' },
  ]);
  assert.equal((await sealpost('stickers', 'mien')).code, 2);
  const sent = await json<{ contentMetadata: { STKTXT: string } }>('send', bob.mid, '--sticker', '1/3');
  assert.equal(sent.contentMetadata.STKTXT, '[Thank you]');
  const foreign = await sealpost('send', bob.mid, '--sticker', '999/3');
  assert.equal(foreign.code, 1);
  assert.match(foreign.err, /not owned by the sender/);
});

test('a wrong sticker, two contents and no content are wrong usage', async () => {
  for (const [args, message] of [
    [['--sticker', 'wave'], /must be <pack>\/<sticker>/],
    [['hello', '--sticker', '1/3'], /not a text and --sticker/],
    [[], /Nothing to send/],
  ] as const) {
    const { code, err } = await sealpost('send', bob.mid, ...args);
    assert.equal(code, 2, err);
    assert.match(err, message);
  }
});

test('the operator imports a pack from a folder, gives it to an account, and takes it back', async () => {
  const missing = await sealpost('stickers', 'import', folder);
  assert.match(missing.err, /has no pack\.json/);
  assert.equal((await sealpost('stickers', 'import', join(folder, 'nothing'))).code, 2);

  const pictures = [{ file: 'dot.png', text: '[Dot]' }];
  writeFileSync(join(folder, 'pack.json'), JSON.stringify({ name: 'Dots', author: 'Me', kind: 'stickers', pictures }));
  writeFileSync(join(folder, 'dot.png'), PNG);
  const { id, pictures: made } = await json<{ id: string; pictures: { id: string }[] }>('stickers', 'import', folder);
  assert.match((await sealpost('stickers', 'list')).out, new RegExp(`^${id} +stickers +1 +by grant +Dots +Me$`, 'm'));
  assert.match((await sealpost('stickers', 'show', id)).out, /\[Dot\]/);

  assert.equal((await sealpost('stickers', 'grant', id)).code, 2);
  assert.equal((await sealpost('stickers', 'grant', id, 'alice')).out, 'Gave Dots to alice.\n');
  assert.equal((await sealpost('send', bob.mid, '--sticker', `${id}/${made[0]?.id}`)).code, 0);
  assert.equal((await sealpost('stickers', 'revoke', id, 'alice')).code, 0);
  assert.equal((await sealpost('send', bob.mid, '--sticker', `${id}/${made[0]?.id}`)).code, 1);
  assert.equal((await sealpost('stickers', 'grant', id, '--everyone')).out, 'Gave Dots to everyone.\n');
  assert.equal((await sealpost('send', bob.mid, '--sticker', `${id}/${made[0]?.id}`)).code, 0);
  const again = await sealpost('stickers', 'import', folder);
  assert.match(again.err, /in the catalogue already/);
});
