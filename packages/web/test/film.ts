// Films what a browser shows, for the camera of another one.
import type { Locator } from 'playwright-core';

const WIDTH = 640;
const HEIGHT = 480;
/** Pixels for each square of a code. */
const SQUARE = 6;
const [BLACK, WHITE] = [16, 235];

/** Returns a video, in the format YUV4MPEG2, of a code that stands on a screen. */
export async function filmOf(code: Locator): Promise<Buffer> {
  const shown = await code.evaluate((image) => ({
    size: Number(image.getAttribute('viewBox')?.split(' ')[2]),
    path: image.querySelector('path')?.getAttribute('d') ?? '',
  }));
  const dark = [...shown.path.matchAll(/M(\d+) (\d+)h1v1h-1z/g)].map(([, x, y]) => [Number(x), Number(y)] as const);
  if (dark.length === 0) throw new Error('there is no code on the screen');
  const side = shown.size * SQUARE;
  if (side > HEIGHT) throw new Error(`the code is ${side} pixels high, the film ${HEIGHT}`);
  return film((light) => {
    const [left, top] = [Math.floor((WIDTH - side) / 2), Math.floor((HEIGHT - side) / 2)];
    for (const [x, y] of dark) {
      for (let line = 0; line < SQUARE; line++) {
        const from = (top + y * SQUARE + line) * WIDTH + left + x * SQUARE;
        light.fill(BLACK, from, from + SQUARE);
      }
    }
  });
}

/** Returns a video of a white wall. */
export const filmOfNothing = (): Buffer => film(() => {});

/** @param draw draws the picture, a byte of light for each pixel */
function film(draw: (light: Buffer) => void): Buffer {
  const light = Buffer.alloc(WIDTH * HEIGHT, WHITE);
  draw(light);
  const colours = Buffer.alloc((WIDTH * HEIGHT) / 2, 128);
  const head = Buffer.from(`YUV4MPEG2 W${WIDTH} H${HEIGHT} F10:1 Ip A1:1 C420jpeg\n`);
  const frame = Buffer.concat([Buffer.from('FRAME\n'), light, colours]);
  return Buffer.concat([head, frame, frame]);
}
