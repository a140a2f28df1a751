// Pictures drawn by code: abstract shapes in quiet colours. The same name gives the same picture.
import sharp from 'sharp';
import { type Chance, chanceOf } from './chance.ts';

type Bytes = Uint8Array<ArrayBuffer>;

const AVATAR_SIDE = 256;
const PHOTO_SIZES = [
  [960, 720],
  [720, 960],
  [1024, 576],
  [800, 800],
] as const;
const PREVIEW_SIDE = 240;

/** Returns a square picture for a profile or a group, as PNG. */
export async function drawAvatar(seed: number, name: string): Promise<Bytes> {
  const chance = chanceOf(seed, `avatar ${name}`);
  const hue = chance.below(360);
  const shapes = Array.from({ length: chance.between(3, 5) }, () => blob(chance, AVATAR_SIDE, AVATAR_SIDE, hue));
  const svg = canvas(AVATAR_SIDE, AVATAR_SIDE, tone(hue, 45, 82), shapes);
  return bytesOf(await sharp(Buffer.from(svg)).png({ palette: true }).toBuffer());
}

export interface DrawnPhoto {
  readonly bytes: Bytes;
  readonly preview: { readonly bytes: Bytes; readonly width: number; readonly height: number };
}

/** Returns a function that draws each photo only once. */
export function photoDrawer(seed: number): (name: string) => Promise<DrawnPhoto> {
  const drawn = new Map<string, Promise<DrawnPhoto>>();
  return (name) => {
    const photo = drawn.get(name) ?? drawPhoto(seed, name);
    drawn.set(name, photo);
    return photo;
  };
}

/** Returns a picture as people send it in chats, as JPEG with a preview: hills under a sky. */
async function drawPhoto(seed: number, name: string): Promise<DrawnPhoto> {
  const chance = chanceOf(seed, `photo ${name}`);
  const [width, height] = chance.pick(PHOTO_SIZES);
  const image = sharp(Buffer.from(landscape(chance, width, height)));
  const bytes = bytesOf(await image.jpeg({ quality: 72 }).toBuffer());
  const small = await sharp(bytes)
    .resize(PREVIEW_SIDE, PREVIEW_SIDE, { fit: 'inside' })
    .jpeg({ quality: 60 })
    .toBuffer({ resolveWithObject: true });
  return { bytes, preview: { bytes: bytesOf(small.data), width: small.info.width, height: small.info.height } };
}

const bytesOf = (buffer: Buffer): Bytes => new Uint8Array(buffer);

const tone = (hue: number, saturation: number, lightness: number): string =>
  `hsl(${hue % 360} ${saturation}% ${lightness}%)`;

const canvas = (width: number, height: number, ground: string, shapes: readonly string[]): string =>
  `<svg xmlns="http://www.w3.org/2000/svg" width="${width}" height="${height}"><rect width="100%" height="100%" fill="${ground}"/>${shapes.join('')}</svg>`;

function blob(chance: Chance, width: number, height: number, hue: number): string {
  const [x, y] = [chance.below(width), chance.below(height)];
  const radius = chance.between(Math.round(width / 8), Math.round(width / 3));
  const fill = tone(hue + chance.pick([0, 25, 150, 180]), 50, chance.between(40, 72));
  const turn = `transform="rotate(${chance.below(180)} ${x} ${y})"`;
  return chance.pick([
    `<circle cx="${x}" cy="${y}" r="${radius}" fill="${fill}" opacity="0.85"/>`,
    `<rect x="${x - radius}" y="${y - radius / 2}" width="${2 * radius}" height="${radius}" rx="${radius / 4}" fill="${fill}" opacity="0.85" ${turn}/>`,
    `<ellipse cx="${x}" cy="${y}" rx="${radius}" ry="${radius / 2}" fill="${fill}" opacity="0.85" ${turn}/>`,
  ]);
}

function landscape(chance: Chance, width: number, height: number): string {
  const hue = chance.below(360);
  const sun = `<circle cx="${chance.below(width)}" cy="${chance.between(0, Math.round(height / 2))}" r="${Math.round(height / 12)}" fill="${tone(45, 90, 80)}"/>`;
  const hills = Array.from({ length: 4 }, (_, i) => {
    const top = Math.round(height * (0.4 + 0.14 * i));
    const wave = (): number => top + chance.between(-60, 60);
    const path = `M0 ${wave()} C ${width / 3} ${wave()}, ${(2 * width) / 3} ${wave()}, ${width} ${wave()} V ${height} H 0 Z`;
    return `<path d="${path}" fill="${tone(hue + 20 * i, 32, 66 - 12 * i)}"/>`;
  });
  return canvas(width, height, tone(hue + 180, 45, 84), [sun, ...hills]);
}
