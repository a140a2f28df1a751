// Ids of sticker and emoji pictures, and the paths at which clients fetch them.
import { httpPaths, productTypes } from '@sealpost/contract';
import type { NumberedPack } from './built-in.ts';

/** Returns the id of an emoji within its pack: 001, 002, … */
export const sticonIdOf = (index: number): string => String(index + 1).padStart(3, '0');

const filled = (path: string, values: Readonly<Record<string, string>>): string =>
  path.replaceAll(/\{(\w+)\}/g, (_, name: string) => values[name] as string);

/** Returns the path and the bytes of each picture and sound of a pack. */
export function picturesOf({ productId, firstStickerId, pack }: NumberedPack): [path: string, bytes: Buffer][] {
  if (pack.type === productTypes.STICON) {
    return pack.pictures.map(({ still, animation }, i) => [
      filled(httpPaths.sticonPicture, { productId, sticonId: sticonIdOf(i) }),
      animation ?? still,
    ]);
  }
  return pack.pictures.flatMap(({ still, animation, sound }, i): [string, Buffer][] => {
    const stickerId = String(firstStickerId + i);
    const at = (path: string, bytes: Buffer): [string, Buffer] => [filled(path, { stickerId }), bytes];
    return [
      at(httpPaths.stickerPicture, still),
      ...(animation ? [at(httpPaths.stickerAnimation, animation)] : []),
      ...(sound ? [at(httpPaths.stickerSound, sound)] : []),
    ];
  });
}
