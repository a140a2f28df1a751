// The methods of stickers and emoji by their wire names.
import { limits } from '@sealpost/contract';
import type { stickers } from '@sealpost/contract/schemas';
import type { Handlers, UserCall } from '../../platform/rpc/call.ts';
import { createNameTexts, type NameTextDeps } from './name-text.ts';
import { ownedProducts, sticonOwnership } from './owned-products.ts';

export interface StickerHandlerDeps extends NameTextDeps {
  readonly ownershipToken: (accountId: number, productId: string) => string;
}

export function stickerHandlers(
  deps: StickerHandlerDeps,
): Handlers<Exclude<keyof typeof stickers, `ChannelService.${string}`>> {
  const { store, ownershipToken } = deps;
  const nameTexts = createNameTexts(deps);
  /** Returns the caller's own emoji, whatever mid the client names. */
  const ownership = ({ caller: { accountId } }: UserCall) =>
    store.read((reader) => sticonOwnership(reader, accountId, (productId) => ownershipToken(accountId, productId)));
  return {
    'ShopService.getOwnedProductSummaries': (call, shopId, offset, limit, displayInfo) =>
      ownedProducts(store, call, {
        shopId,
        offset: offset ?? 0,
        limit: limit ?? limits.productsPerPage.value,
        language: displayInfo?.language ?? '',
      }),
    'ShopService.setCustomizedImageText': nameTexts.set,
    'ShopService.previewCustomizedImageText': nameTexts.preview,
    'TalkService.getSticonOwnershipByMid': ownership,
    'ShopService.getSticonOwnershipByMid': ownership,
  };
}
