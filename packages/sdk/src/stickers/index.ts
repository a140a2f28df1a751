// Stickers and emoji: the packs that the account owns, and the addresses of their pictures. The code of the shop is
// loaded at its first use.
import { httpPaths } from '@sealpost/contract';
import { deferred } from '../deferred.ts';
import type { Shop, ShopDeps } from './shop.ts';

export type { PackKind, StickerText } from './shop.ts';

export interface Stickers extends Pick<Shop, keyof Shop> {
  /** Returns the address of a sticker's picture. */
  pictureUrl(stickerId: string): string;
  /** Returns the address of the moving picture of an animated sticker. */
  animationUrl(stickerId: string): string;
  /** Returns the address of a sticker's sound. */
  soundUrl(stickerId: string): string;
  /** Returns the address of an emoji's picture. */
  emojiUrl(productId: string, emojiId: string): string;
}

/** @param url the address of the gateway, which has the pictures */
export function createStickers({ url, ...deps }: ShopDeps & { readonly url: string }): Stickers {
  const address = (path: string, parts: Readonly<Record<string, string>>): string =>
    url.replace(/\/+$/, '') + path.replace(/\{(\w+)\}/g, (_, part) => encodeURIComponent(parts[part] ?? ''));
  return {
    ...deferred(
      ['owned', 'pack', 'emoji', 'textEmoji', 'previewText', 'setText'],
      async () => new (await import('./shop.ts')).Shop(deps),
    ),
    pictureUrl: (stickerId) => address(httpPaths.stickerPicture, { stickerId }),
    animationUrl: (stickerId) => address(httpPaths.stickerAnimation, { stickerId }),
    soundUrl: (stickerId) => address(httpPaths.stickerSound, { stickerId }),
    emojiUrl: (productId, sticonId) => address(httpPaths.sticonPicture, { productId, sticonId }),
  };
}
