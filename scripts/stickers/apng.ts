// Writes animations as sequences of PNG frames (APNG) with a common palette. Each frame holds only the area in which it
// differs from the frame before.
import { crc32, deflateSync } from 'node:zlib';
import sharp from 'sharp';
import { page } from './page.ts';

const COLOURS = 48;
const SIGNATURE = Buffer.from('89504e470d0a1a0a', 'hex');

interface Area {
  readonly x: number;
  readonly y: number;
  readonly width: number;
  readonly height: number;
}

/**
 * @param drawings one drawing for each frame
 * @param delayMs milliseconds for which each frame is shown
 */
export async function toApng(drawings: readonly string[], pixels: number, delayMs: number): Promise<Buffer> {
  const { palette, frames } = await indexed(drawings, pixels);
  const whole: Area = { x: 0, y: 0, width: pixels, height: pixels };
  let sequence = 0;
  const chunks = [
    chunk('IHDR', numbers([pixels, pixels], [8, 3, 0, 0, 0])),
    chunk('PLTE', Buffer.from(palette.flat())),
    chunk('tRNS', Buffer.from(palette.map(([, , , alpha]) => alpha))),
    chunk('acTL', numbers([frames.length, 0])),
  ];
  frames.forEach((frame, i) => {
    const area = i === 0 ? whole : changedArea(frames[i - 1] as Buffer, frame, pixels);
    chunks.push(chunk('fcTL', frameControl(sequence++, area, delayMs)));
    const data = packed(frame, area, pixels);
    chunks.push(i === 0 ? chunk('IDAT', data) : chunk('fdAT', Buffer.concat([numbers([sequence++]), data])));
  });
  return Buffer.concat([SIGNATURE, ...chunks, chunk('IEND', Buffer.alloc(0))]);
}

type Colour = readonly [number, number, number, number];

/** Reduces all frames to the same palette, by treating them as one tall picture. */
async function indexed(drawings: readonly string[], pixels: number): Promise<{ palette: Colour[]; frames: Buffer[] }> {
  const rendered = await Promise.all(
    drawings.map((drawing) =>
      sharp(Buffer.from(page(drawing, pixels)))
        .png()
        .toBuffer(),
    ),
  );
  const tall = sharp({ create: { width: pixels, height: pixels * drawings.length, channels: 4, background: '#0000' } });
  const stacked = tall.composite(rendered.map((input, i) => ({ input, top: i * pixels, left: 0 })));
  const reduced = await stacked.png({ palette: true, colours: COLOURS, dither: 0, effort: 10 }).toBuffer();
  const raw = await sharp(reduced).ensureAlpha().raw().toBuffer();
  const numberOf = new Map<number, number>();
  const palette: Colour[] = [];
  const indices = Buffer.alloc(raw.length / 4);
  for (let i = 0; i < indices.length; i++) {
    const value = raw.readUInt32BE(i * 4);
    const known = numberOf.get(value);
    if (known === undefined) {
      numberOf.set(value, palette.length);
      indices[i] = palette.length;
      palette.push([...raw.subarray(i * 4, i * 4 + 4)] as unknown as Colour);
    } else indices[i] = known;
  }
  const size = pixels * pixels;
  return { palette, frames: drawings.map((_, i) => indices.subarray(i * size, (i + 1) * size)) };
}

/** Returns the smallest box that contains every difference between two frames. */
function changedArea(before: Buffer, after: Buffer, pixels: number): Area {
  let [left, right, top, bottom] = [pixels, 0, pixels, 0];
  for (let i = 0; i < after.length; i++) {
    if (before[i] === after[i]) continue;
    const [x, y] = [i % pixels, Math.floor(i / pixels)];
    left = Math.min(left, x);
    right = Math.max(right, x);
    top = Math.min(top, y);
    bottom = Math.max(bottom, y);
  }
  if (left > right) return { x: 0, y: 0, width: 1, height: 1 };
  return { x: left, y: top, width: right - left + 1, height: bottom - top + 1 };
}

function packed(frame: Buffer, { x, y, width, height }: Area, pixels: number): Buffer {
  const rows = Array.from({ length: height }, (_, row) => {
    const start = (y + row) * pixels + x;
    return [Buffer.from([0]), frame.subarray(start, start + width)];
  });
  return deflateSync(Buffer.concat(rows.flat()), { level: 9 });
}

function frameControl(sequence: number, { x, y, width, height }: Area, delayMs: number): Buffer {
  const delay = Buffer.alloc(6);
  delay.writeUInt16BE(delayMs, 0);
  delay.writeUInt16BE(1000, 2);
  return Buffer.concat([numbers([sequence, width, height, x, y]), delay]);
}

function numbers(words: readonly number[], bytes: readonly number[] = []): Buffer {
  const buffer = Buffer.alloc(words.length * 4);
  words.forEach((word, i) => void buffer.writeUInt32BE(word, i * 4));
  return Buffer.concat([buffer, Buffer.from(bytes)]);
}

function chunk(type: string, data: Buffer): Buffer {
  const body = Buffer.concat([Buffer.from(type, 'latin1'), data]);
  return Buffer.concat([numbers([data.length]), body, numbers([crc32(body)])]);
}
