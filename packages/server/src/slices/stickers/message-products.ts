// Checks that senders own the stickers and emoji in their messages. Adds a sticker's alternative text to its message.
import {
  ApiError,
  contentTypes,
  limits,
  type OutgoingMessage,
  productTypes,
  stickerResourceTypes,
} from '@sealpost/contract';
import type { Caller } from '../../platform/rpc/call.ts';
import type { Reader } from '../../platform/store/store.ts';
import { textsOf } from './owned-products.ts';
import { type OwnedRow, productsUsed } from './queries.ts';

interface SentMessage {
  readonly caller: Caller;
  readonly message: OutgoingMessage;
}

/**
 * The result for a message: the message to store, or an error; undefined if the message contains no stickers or emoji.
 */
type Verdict = OutgoingMessage | ApiError | undefined;

interface ProductUse extends SentMessage {
  readonly at: number;
  readonly stickerProduct: string | undefined;
  readonly sticonProducts: readonly string[];
}

/**
 * Checks messages that are sent together, with one query for all. Messages without stickers and emoji need no query.
 */
export async function judgeProducts(reader: Reader, sends: readonly SentMessage[]): Promise<Verdict[]> {
  const verdicts: Verdict[] = Array.from({ length: sends.length });
  const uses: ProductUse[] = [];
  for (const [at, send] of sends.entries()) {
    const use = useOf(send, at);
    if (use instanceof ApiError) verdicts[at] = use;
    else if (use) uses.push(use);
  }
  if (uses.length === 0) return verdicts;
  const products = await productsOf(reader, uses);
  for (const use of uses) verdicts[use.at] = verdictOf(use, products);
  return verdicts;
}

function useOf({ caller, message }: SentMessage, at: number): ProductUse | ApiError | undefined {
  const { STKPKGID, STICON_OWNERSHIP, REPLACE } = message.contentMetadata ?? {};
  const stickerProduct = message.contentType === contentTypes.STICKER ? (STKPKGID ?? '') : undefined;
  if (stickerProduct === undefined && STICON_OWNERSHIP === undefined && REPLACE === undefined) return undefined;
  const named = STICON_OWNERSHIP === undefined ? [] : namedIn(STICON_OWNERSHIP);
  const shown = REPLACE === undefined ? [] : shownIn(REPLACE);
  if (!named) return illegal('STICON_OWNERSHIP is not a JSON list of product ids');
  if (!shown) return illegal('REPLACE is not a JSON struct of emoji with product ids');
  const sticonProducts = [...new Set([...named, ...shown])];
  if (sticonProducts.length > limits.sticonProductsPerMessage.value) {
    return illegal(
      `STICON_OWNERSHIP and REPLACE name ${sticonProducts.length} products; at most ${limits.sticonProductsPerMessage.value}`,
    );
  }
  return { caller, message, at, stickerProduct, sticonProducts };
}

const illegal = (reason: string): ApiError => new ApiError('ILLEGAL_ARGUMENT', `message.contentMetadata.${reason}`);

function parsed(json: string): unknown {
  try {
    return JSON.parse(json);
  } catch {
    return undefined;
  }
}

const areTexts = (values: readonly unknown[]): values is string[] => values.every((value) => typeof value === 'string');

function namedIn(json: string): readonly string[] | undefined {
  const ids = parsed(json);
  return Array.isArray(ids) && areTexts(ids) ? ids : undefined;
}

/**
 * Returns the product ids of the emoji in the metadata REPLACE. The list is empty if REPLACE has no emoji, and
 * undefined if REPLACE is malformed.
 */
function shownIn(json: string): readonly string[] | undefined {
  const replace = parsed(json) as { sticon?: { resources?: unknown } } | null | undefined;
  if (typeof replace !== 'object' || replace === null) return undefined;
  if (replace.sticon === undefined) return [];
  const resources = replace.sticon?.resources;
  if (!Array.isArray(resources)) return undefined;
  const ids = resources.map((resource: { productId?: unknown } | null) => resource?.productId);
  return areTexts(ids) ? ids : undefined;
}

/** Form of a product id. A text of another form is not looked up, because no product has such an id. */
const PRODUCT_ID = /^[\w-]{1,64}$/;

type Products = (accountId: number, productId: string) => OwnedRow | undefined;

async function productsOf(reader: Reader, uses: readonly ProductUse[]): Promise<Products> {
  const wanted = new Map<string, [number, string]>();
  for (const { caller, stickerProduct, sticonProducts } of uses) {
    for (const id of [...(stickerProduct === undefined ? [] : [stickerProduct]), ...sticonProducts]) {
      if (PRODUCT_ID.test(id)) wanted.set(`${caller.accountId} ${id}`, [caller.accountId, id]);
    }
  }
  const rows = await reader.each(productsUsed, [...wanted.values()]);
  const found = new Map(rows.map((row) => [`${row.account_id} ${row.id}`, row]));
  return (accountId, productId) => found.get(`${accountId} ${productId}`);
}

function verdictOf(use: ProductUse, products: Products): Verdict {
  const owned = (id: string, type: number): OwnedRow | undefined => {
    const product = products(use.caller.accountId, id);
    return product?.type === type ? product : undefined;
  };
  const foreign = use.sticonProducts.find((id) => !owned(id, productTypes.STICON));
  if (foreign !== undefined) {
    return new ApiError(
      'USER_NOT_STICON_OWNER',
      `the emoji package ${JSON.stringify(foreign.slice(0, 64))} is not owned by the sender`,
    );
  }
  const { message, stickerProduct } = use;
  if (stickerProduct === undefined) return message;
  const product = owned(stickerProduct, productTypes.STICKER);
  const text = product && textOfSticker(product, message.contentMetadata?.STKID);
  if (!product || text === undefined) {
    const sticker = `${stickerProduct}/${message.contentMetadata?.STKID}`.slice(0, 64);
    return new ApiError('USER_NOT_STICKER_OWNER', `the sticker ${JSON.stringify(sticker)} is not owned by the sender`);
  }
  return { ...message, contentMetadata: { ...message.contentMetadata, STKTXT: text, ...motionOf(product) } };
}

/**
 * Returns a sticker's alternative text, with the owner's name text filled in. Undefined if the pack has no such
 * sticker.
 */
function textOfSticker(product: OwnedRow, stickerId: string | undefined): string | undefined {
  const index = /^\d{1,15}$/.test(stickerId ?? '') ? Number(stickerId) - product.first_sticker_id : -1;
  return textsOf(product)[index]?.replaceAll('{name}', product.name_text ?? '');
}

const ANIMATED: ReadonlySet<number> = new Set([stickerResourceTypes.ANIMATION, stickerResourceTypes.ANIMATION_SOUND]);
/** Returns the metadata that makes clients fetch the animated picture. */
const motionOf = (product: OwnedRow) => (ANIMATED.has(product.resource_type) ? { STKOPT: 'A' } : {});
