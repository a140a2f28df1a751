// The addresses of stickers and emoji of packs. They are public pictures of the server.
import { httpPaths } from '@sealpost/contract';

const filled = (path: string, parts: Readonly<Record<string, string>>): string =>
  path.replace(/\{(\w+)\}/g, (_, part: string) => encodeURIComponent(parts[part] ?? ''));

export const stickerPicture = (stickerId: string): string => filled(httpPaths.stickerPicture, { stickerId });
export const stickerAnimation = (stickerId: string): string => filled(httpPaths.stickerAnimation, { stickerId });
export const emojiPicture = (productId: string, sticonId: string): string =>
  filled(httpPaths.sticonPicture, { productId, sticonId });
