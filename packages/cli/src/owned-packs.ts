import type { ProductSummary } from '@sealpost/contract';
import type { RpcClient } from '@sealpost/sdk';

/** A pack of stickers or emoji, with the names of its pictures in their order. */
export type OwnedPack = ProductSummary & { readonly texts: readonly string[] };

/** Returns all packs of a shop that the account owns. */
export async function ownedPacks(client: RpcClient, shop: 'stickershop' | 'sticonshop'): Promise<OwnedPack[]> {
  const packs: OwnedPack[] = [];
  for (;;) {
    const { productList, totalSize } = await client.ShopService.getOwnedProductSummaries(shop, packs.length);
    packs.push(...productList.map((pack) => ({ ...pack, texts: textsOf(pack) })));
    if (productList.length === 0 || packs.length >= totalSize) return packs;
  }
}

const textsOf = ({ attributes }: ProductSummary): string[] => JSON.parse(attributes?.texts ?? '[]');
