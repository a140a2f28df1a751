// The packs of stickers and emoji that the account owns, and the texts on stickers.
import {
  clientLimits,
  customizedTextStatus,
  type MethodArgs,
  type NameTextProperty,
  type ProductSummary,
  productTypes,
  type SticonOwnership,
} from '@sealpost/contract';
import { loaded } from '../deferred.ts';
import type { TextEmoji } from '../messaging/emoji.ts';
import type { RpcClient } from '../rpc-client.ts';

/** The shops, each of which lists the packs of one kind. */
const shops = { stickers: 'stickershop', emoji: 'sticonshop' } as const;
const types = { stickers: productTypes.STICKER, emoji: productTypes.STICON } as const;
export type PackKind = keyof typeof shops;

type TextRequest = MethodArgs<'ShopService.setCustomizedImageText'>[0];

/** The answer of the shop to a text for the stickers of a pack. */
export interface StickerText extends NameTextProperty {
  /** The status by name; `OK` if the pack takes the text. */
  readonly verdict: keyof typeof customizedTextStatus;
}

export interface ShopDeps {
  readonly rpc: RpcClient;
  readonly locale: string;
}

export class Shop {
  readonly #deps: ShopDeps;

  constructor(deps: ShopDeps) {
    this.#deps = deps;
  }

  /** Returns all packs that the account owns, in the order of the shop, with their names in the client's language. */
  async owned(kind: PackKind): Promise<ProductSummary[]> {
    const [language = '', country = ''] = this.#deps.locale.split(/[-_]/);
    const products: ProductSummary[] = [];
    for (;;) {
      const { productList, totalSize } = await this.#deps.rpc.ShopService.getOwnedProductSummaries(
        shops[kind],
        products.length,
        clientLimits.productsPerPage.value,
        { language, country },
      );
      products.push(...productList);
      if (productList.length === 0 || products.length >= totalSize) return products;
    }
  }

  /** Returns an owned pack; undefined if the account does not own it. */
  async pack(kind: PackKind, productId: string): Promise<ProductSummary | undefined> {
    return (await this.owned(kind)).find(({ id }) => id === productId);
  }

  /** Returns every emoji that the account owns. */
  emoji(): Promise<SticonOwnership[]> {
    return this.#deps.rpc.ShopService.getSticonOwnershipByMid(this.#deps.rpc.session?.mid ?? '');
  }

  /**
   * Returns every emoji that the account owns, in the form that `sendText` takes. Each has its name in the client's
   * language.
   */
  async textEmoji(): Promise<TextEmoji[]> {
    const [{ emojiOf }, packs] = await Promise.all([loaded(import('../messaging/emoji.ts')), this.owned('emoji')]);
    return packs.flatMap(emojiOf);
  }

  /** Returns the answer that the shop would give to a text for the stickers of a pack. Nothing is saved. */
  async previewText(productId: string, text: string, kind: PackKind = 'stickers'): Promise<StickerText> {
    const answer = await this.#deps.rpc.ShopService.previewCustomizedImageText(textRequest(kind, productId, text));
    return verdictOn(answer.nameTextProperty);
  }

  /** Sets the text that the stickers of an owned pack show. It is saved only if the verdict is `OK`. */
  async setText(productId: string, text: string, kind: PackKind = 'stickers'): Promise<StickerText> {
    const answer = await this.#deps.rpc.ShopService.setCustomizedImageText(textRequest(kind, productId, text));
    return verdictOn(answer.nameTextProperty);
  }
}

const textRequest = (kind: PackKind, productId: string, text: string): TextRequest => ({
  productType: types[kind],
  productId,
  nameRequestEntry: { text },
});

const verdicts = Object.keys(customizedTextStatus) as StickerText['verdict'][];

function verdictOn(property: NameTextProperty): StickerText {
  const verdict = verdicts.find((name) => customizedTextStatus[name] === property.status);
  return { ...property, verdict: verdict ?? 'PRODUCT_UNSUPPORTED' };
}
