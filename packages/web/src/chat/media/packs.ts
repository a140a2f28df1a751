// Sticker packs as the picker shows them.
import type { ProductSummary } from '@sealpost/contract';
import type { UsedSticker } from './recent-stickers.ts';

/** The fields of a product of the shop that this module needs. */
export type Product = Pick<ProductSummary, 'id' | 'name' | 'latestVersion' | 'attributes' | 'productTypeSummary'>;

export interface Pack {
  readonly id: string;
  readonly name: string;
  readonly stickers: readonly UsedSticker[];
}

/**
 * Maximum number of stickers that are read from a range of ids. A pack has at most 100 stickers, so a larger range must
 * be a mistake.
 */
const MOST = 100;

function textsOf(product: Product): readonly string[] {
  try {
    const texts: unknown = JSON.parse(product.attributes?.texts ?? '[]');
    return Array.isArray(texts) ? texts.map(String) : [];
  } catch {
    return [];
  }
}

/** Returns the stickers of a pack in its order, each with its alternative text. */
export function packOf(product: Product): Pack {
  const texts = textsOf(product);
  const ids = (product.productTypeSummary.stickerSummary?.stickerIdRanges ?? []).flatMap(({ start, size }) =>
    Array.from({ length: Math.min(size, MOST) }, (_, at) => String(BigInt(start) + BigInt(at))),
  );
  const stickers = ids.map((stickerId, at) => ({
    packageId: product.id,
    stickerId,
    version: product.latestVersion,
    text: texts[at] ?? '',
  }));
  return { id: product.id, name: product.name, stickers };
}
