// setCustomizedImageText: the text that an owner puts on the stickers of a pack that supports it.
import {
  ApiError,
  type CustomizedImageTextRequest,
  customizedTextStatus,
  type NameTextProperty,
  productTypes,
} from '@sealpost/contract';
import type { UserCall } from '../../platform/rpc/call.ts';
import type { Reader, Store } from '../../platform/store/store.ts';
import type { OperationLog } from '../../platform/stream/operation-log.ts';
import { isOwned } from './owned-products.ts';
import { type OwnedRow, productSeenBy, saveNameText } from './queries.ts';

export interface NameTextDeps {
  readonly store: Store;
  readonly log: OperationLog;
  /** Words that no text may contain, in lower case. */
  readonly forbiddenWords: readonly string[];
}

const status = customizedTextStatus;
/**
 * Characters that a text may have: letters, digits, punctuation, symbols and spaces. Emoji are refused, because the
 * lettering of a pack cannot draw them.
 */
const DRAWABLE = /^[\p{L}\p{M}\p{N}\p{P}\p{S}\p{Zs}]+$/u;
const EMOJI = /\p{Extended_Pictographic}|\p{Regional_Indicator}/u;
const letters = new Intl.Segmenter('und', { granularity: 'grapheme' });

export function createNameTexts({ store, log, forbiddenWords }: NameTextDeps) {
  function statusOf(product: OwnedRow, text: string): NameTextProperty['status'] {
    if (product.name_text_length === 0) return status.PRODUCT_UNSUPPORTED;
    if (text === '') return status.TEXT_NOT_SPECIFIED;
    if (!DRAWABLE.test(text) || EMOJI.test(text)) return status.TEXT_STYLE_UNAVAILABLE;
    if ([...letters.segment(text)].length > product.name_text_length) return status.CHARACTER_COUNT_LIMIT_EXCEEDED;
    const plain = text.normalize('NFKC').toLowerCase();
    return forbiddenWords.some((word) => plain.includes(word)) ? status.CONTAINS_INVALID_WORD : status.OK;
  }

  async function look(reader: Reader, call: UserCall, request: CustomizedImageTextRequest): Promise<NameTextProperty> {
    const product = await ownedProduct(reader, call, request);
    const text = textOf(request);
    return {
      status: statusOf(product, text),
      plainText: text,
      ...(product.name_text_length > 0 && { nameTextMaxCharacterCount: product.name_text_length }),
    };
  }

  return {
    preview: (call: UserCall, request: CustomizedImageTextRequest) =>
      store.read(async (reader) => ({ nameTextProperty: await look(reader, call, request) })),
    set: (call: UserCall, request: CustomizedImageTextRequest) =>
      store.transact(async (tx) => {
        const nameTextProperty = await look(tx, call, request);
        if (nameTextProperty.status !== status.OK) return { nameTextProperty };
        const { accountId } = call.caller;
        await tx.run(saveNameText, accountId, request.productId, textOf(request));
        await log.lockAndAppend(tx, [{ accountId, to: 'self', type: 'NOTIFIED_UPDATE_PURCHASES' }]);
        return { nameTextProperty };
      }),
  };
}

const textOf = ({ nameRequestEntry }: CustomizedImageTextRequest): string => (nameRequestEntry.text ?? '').trim();

async function ownedProduct(reader: Reader, call: UserCall, request: CustomizedImageTextRequest): Promise<OwnedRow> {
  const { productType, productId } = request;
  if (productType === productTypes.THEME) {
    throw new ApiError('SHOP_ILLEGAL_ARGUMENT', `request.productType ${productType}: this shop has no themes`);
  }
  const product = await reader.one(productSeenBy, call.caller.accountId, productId);
  if (product?.type !== productType) {
    throw new ApiError(
      'SHOP_NOT_FOUND',
      `request.productId ${JSON.stringify(productId)} is not a product of type ${productType}`,
    );
  }
  if (!isOwned(product))
    throw new ApiError('SHOP_NOT_OWNED', `request.productId ${productId} is not owned by the caller`);
  return product;
}
