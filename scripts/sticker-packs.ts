// `node scripts/sticker-packs.ts`: draws the sticker packs that every account has, and writes them into the server's
// sources as folders.
import { mkdirSync, rmSync, writeFileSync } from 'node:fs';
import { toApng } from './stickers/apng.ts';
import { emojiPack } from './stickers/emoji-pack.ts';
import { lettiePack } from './stickers/lettie-pack.ts';
import { toPng } from './stickers/page.ts';
import { waxPack } from './stickers/wax-pack.ts';

interface Picture {
  readonly name: string;
  readonly text: string;
  readonly bytes: Buffer;
}

const STICKER_PIXELS = 320;
const ANIMATION_PIXELS = 240;
const EMOJI_PIXELS = 180;
const FRAMES = 12;
const FRAME_MS = 90;
const author = 'The Sealpost authors';

const stills = (pack: typeof lettiePack, pixels: number): Promise<Picture[]> =>
  Promise.all(pack.map(async ({ name, text, drawing }) => ({ name, text, bytes: await toPng(drawing, pixels) })));

const animations: Promise<Picture[]> = Promise.all(
  waxPack.map(async ({ name, text, at }) => {
    const frames = Array.from({ length: FRAMES }, (_, i) => at(i / FRAMES));
    return { name, text, bytes: await toApng(frames, ANIMATION_PIXELS, FRAME_MS) };
  }),
);

function write(folder: string, pack: object, pictures: readonly Picture[]): void {
  const path = new URL(`../packages/server/src/slices/stickers/packs/${folder}/`, import.meta.url);
  rmSync(path, { recursive: true, force: true });
  mkdirSync(path, { recursive: true });
  for (const { name, bytes } of pictures) writeFileSync(new URL(`${name}.png`, path), bytes);
  const listed = pictures.map(({ name, text }) => ({ file: `${name}.png`, text }));
  writeFileSync(new URL('pack.json', path), `${JSON.stringify({ ...pack, author, pictures: listed }, null, 2)}\n`);
  const bytes = pictures.reduce((sum, picture) => sum + picture.bytes.length, 0);
  process.stdout.write(`${folder}: ${pictures.length} pictures, ${Math.round(bytes / 1024)} KiB\n`);
}

write(
  'lettie',
  { name: 'Lettie the Letter', names: { ja: 'てがみのレティ' }, kind: 'stickers' },
  await stills(lettiePack, STICKER_PIXELS),
);
write('wax', { name: 'Wax the Seal', names: { ja: 'あざらしのワックス' }, kind: 'stickers' }, await animations);
write(
  'emoji',
  { name: 'Wax Seal Emoji', names: { ja: 'シーリング絵文字' }, kind: 'emoji' },
  await stills(emojiPack, EMOJI_PIXELS),
);
