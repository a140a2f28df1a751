// The products that an account owns, in the protocol's form ProductSummary.
import { hash } from 'node:crypto';
import {
  ApiError,
  customizedTextStatus,
  limits,
  type ProductSummary,
  productAvailability,
  productTypes,
  type SticonOwnership,
} from '@sealpost/contract';
import type { UserCall } from '../../platform/rpc/call.ts';
import type { Reader, Store } from '../../platform/store/store.ts';
import { sticonIdOf } from './product-ids.ts';
import type { OwnedRow } from './queries.ts';
import * as q from './queries.ts';

export const shops = { stickershop: productTypes.STICKER, sticonshop: productTypes.STICON } as const;

/** The time at which ownership ends: the largest possible time, because products do not expire. */
const NEVER = String(Number.MAX_SAFE_INTEGER);

export const isOwned = (row: OwnedRow): boolean => row.for_everyone === 1 || row.granted_time !== null;
export const textsOf = (row: Pick<OwnedRow, 'texts'>): readonly string[] => JSON.parse(row.texts) as string[];

export interface PageRequest {
  readonly shopId: string;
  readonly offset: number;
  readonly limit: number;
  readonly language: string;
}

export async function ownedProducts(store: Store, call: UserCall, { shopId, offset, limit, language }: PageRequest) {
  const type = Object.hasOwn(shops, shopId) ? shops[shopId as keyof typeof shops] : undefined;
  if (type === undefined)
    throw illegal(`shopId ${JSON.stringify(shopId.slice(0, 40))} is not ${Object.keys(shops).join(' or ')}`);
  if (offset < 0) throw illegal(`offset ${offset} is negative`);
  if (limit < 1) throw illegal(`limit ${limit} is less than 1`);
  const { accountId } = call.caller;
  return store.read(async (reader) => {
    const rows = await reader.all(q.ownedPage, accountId, type, limit, offset);
    const totalSize = (await reader.one(q.ownedCount, accountId, type))?.count ?? 0;
    return { productList: rows.map((row) => summaryOf(row, language)), offset, totalSize };
  });
}

const illegal = (reason: string): ApiError => new ApiError('SHOP_ILLEGAL_ARGUMENT', reason);

function summaryOf(row: OwnedRow, language: string): ProductSummary {
  const texts = textsOf(row);
  const names = JSON.parse(row.names) as Record<string, string>;
  const [two = ''] = language.toLowerCase().split(/[-_]/);
  const version = String(row.version);
  return {
    id: row.id,
    name: (Object.hasOwn(names, two) ? names[two] : undefined) ?? row.name,
    latestVersion: version,
    grantedByDefault: row.for_everyone === 1,
    // The alternative texts, in the order of the pictures. Clients also use the number of texts as the number of emoji
    // in the pack.
    attributes: { texts: row.texts },
    productTypeSummary:
      row.type === productTypes.STICON
        ? { sticonSummary: { suggestVersion: version, sticonResourceType: row.resource_type as 1 } }
        : { stickerSummary: stickerSummary(row, texts.length, version) },
    validUntil: NEVER,
    createdTime: String(row.created_time),
    installedTime: String(row.granted_time ?? row.created_time),
    availability: productAvailability.PURCHASE_ONLY,
    authorId: row.author,
    canAutoDownload: true,
  };
}

function stickerSummary(row: OwnedRow, size: number, version: string) {
  return {
    stickerIdRanges: [{ start: String(row.first_sticker_id), size }],
    suggestVersion: version,
    stickerHash: stickerHashOf(row),
    defaultDisplayOnKeyboard: true,
    stickerResourceType: row.resource_type as 1,
    ...(row.name_text_length > 0 && {
      nameTextProperty: {
        status: customizedTextStatus.OK,
        plainText: row.name_text ?? '',
        nameTextMaxCharacterCount: row.name_text_length,
      },
    }),
  };
}

/** Returns a hash that changes whenever the pictures or the owner's text on them change. */
const stickerHashOf = ({ hash: pack, name_text: text }: OwnedRow): string =>
  (text ? hash('sha256', `${pack} ${text}`) : pack).slice(0, 32);

/** Returns one entry for each emoji of each pack that the account owns. */
export async function sticonOwnership(
  reader: Reader,
  accountId: number,
  tokenOf: (productId: string) => string,
): Promise<SticonOwnership[]> {
  const rows = await reader.all(q.ownedPage, accountId, productTypes.STICON, limits.productsPerPage.value, 0);
  return rows.flatMap((row) => {
    const ownershipToken = tokenOf(row.id);
    return textsOf(row).map((_, i) => ({
      productId: row.id,
      emojiId: sticonIdOf(i),
      ownershipToken,
      resourceType: row.resource_type as 1,
      version: row.version,
    }));
  });
}
