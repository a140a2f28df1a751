// Stickers and emoji: the catalogue of packs, the accounts that own packs, and the pictures.

import type { Clock } from '@sealpost/contract/ports';
import { hmac } from '../../platform/kernel/digest.ts';
import type { Objects } from '../../platform/objects/objects.ts';
import type { HttpHandlers } from '../../platform/rpc/http-requests.ts';
import type { Store, Tx } from '../../platform/store/store.ts';
import type { OperationLog } from '../../platform/stream/operation-log.ts';
import { loadBuiltIn } from './built-in.ts';
import { type Catalogue, createCatalogue, putBuiltIn } from './catalogue.ts';
import { stickerHandlers } from './handlers.ts';
import { pictureHandlers } from './picture-handlers.ts';
import { createPictures } from './pictures.ts';
import { forgetOwned } from './queries.ts';

export interface StickersDeps {
  readonly store: Store;
  readonly log: OperationLog;
  readonly clock: Clock;
  readonly objects: Objects;
  /** Secret key that signs proofs of ownership. */
  readonly key: Buffer;
  readonly forbiddenWords: readonly string[];
}

export interface Stickers {
  readonly handlers: ReturnType<typeof stickerHandlers>;
  readonly httpHandlers: Pick<HttpHandlers, 'stickerPicture' | 'stickerAnimation' | 'stickerSound' | 'sticonPicture'>;
  readonly catalogue: Catalogue;
}

/** Creates the slice. When the promise resolves, the built-in packs are in the catalogue. */
export async function createStickers({
  store,
  log,
  clock,
  objects,
  key,
  forbiddenWords,
}: StickersDeps): Promise<Stickers> {
  const builtIn = loadBuiltIn();
  await putBuiltIn(store, clock, builtIn);
  const pictures = createPictures(objects, builtIn);
  const ownershipToken = (accountId: number, productId: string): string =>
    hmac(key, `${accountId} ${productId}`).toString('base64url');
  return {
    handlers: stickerHandlers({ store, log, forbiddenWords, ownershipToken }),
    httpHandlers: pictureHandlers(pictures),
    catalogue: createCatalogue({ store, log, clock, pictures }),
  };
}

/** Removes the owned products of a deleted account. */
export const forgetProducts = (tx: Tx, accountId: number): Promise<void> => tx.run(forgetOwned, accountId);
