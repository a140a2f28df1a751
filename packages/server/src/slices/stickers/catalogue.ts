// The catalogue of packs, and the accounts that own them.
import { hash } from 'node:crypto';
import { productTypes } from '@sealpost/contract';
import type { Clock } from '@sealpost/contract/ports';
import type { Reader, Store, Tx } from '../../platform/store/store.ts';
import type { OperationLog } from '../../platform/stream/operation-log.ts';
import type { NumberedPack } from './built-in.ts';
import type { Pack } from './pack.ts';
import type { Pictures } from './pictures.ts';
import * as q from './queries.ts';

/** Error for a pack that is already in the catalogue. */
export class PackConflict extends Error {
  override name = 'PackConflict';
  readonly productId: string;
  constructor(productId: string) {
    super(`this pack is in the catalogue already, as product ${productId}`);
    this.productId = productId;
  }
}

/** Runs after a change, in the same transaction. */
type ChangeHook = (tx: Tx, productId: string) => Promise<void>;

export interface Catalogue {
  /**
   * Adds a pack to the catalogue. The pack gets new ids.
   * @throws PackConflict if the catalogue already has the pack
   */
  add(pack: Pack, forEveryone: boolean, also: ChangeHook): Promise<q.ProductRow>;
  list(): Promise<q.ProductRow[]>;
  find(productId: string): Promise<q.ProductRow | undefined>;
  setForEveryone(productId: string, forEveryone: boolean, also: ChangeHook): Promise<void>;
  /** Gives a product to an account; a repeated call changes nothing. */
  grant(accountId: number, productId: string, also: ChangeHook): Promise<void>;
  /** Takes a product from an account; returns false if the account was not given the product. */
  revoke(accountId: number, productId: string, also: ChangeHook): Promise<boolean>;
}

export interface CatalogueDeps {
  readonly store: Store;
  readonly log: OperationLog;
  readonly clock: Clock;
  readonly pictures: Pictures;
}

const VERSION = 1;

export function createCatalogue({ store, log, clock, pictures }: CatalogueDeps): Catalogue {
  /** Notifies the account's sessions that its products changed. */
  const tell = (tx: Tx, accountId: number) =>
    log.lockAndAppend(tx, [{ accountId, to: 'self', type: 'NOTIFIED_UPDATE_PURCHASES' }]);

  return {
    async add(pack, forEveryone, also) {
      const numbered = await store.transact((tx) => numberedIn(tx, pack));
      await pictures.keep(numbered);
      return store.transact(async (tx) => {
        await insert(tx, numbered, forEveryone, clock.now());
        const row = await tx.one(q.productById, numbered.productId);
        if (!row) throw await conflictOf(tx, pack);
        await also(tx, row.id);
        return row;
      });
    },
    list: () => store.read((reader) => reader.all(q.allProducts)),
    find: (productId) => store.read((reader) => reader.one(q.productById, productId)),
    setForEveryone: (productId, forEveryone, also) =>
      store.transact(async (tx) => {
        await tx.run(q.setForEveryone, forEveryone ? 1 : 0, productId);
        await also(tx, productId);
      }),
    grant: (accountId, productId, also) =>
      store.transact(async (tx) => {
        await tx.run(q.grantProduct, accountId, productId, clock.now());
        await tell(tx, accountId);
        await also(tx, productId);
      }),
    revoke: (accountId, productId, also) =>
      store.transact(async (tx) => {
        if (!(await tx.one(q.revokeProduct, accountId, productId))) return false;
        await tell(tx, accountId);
        await also(tx, productId);
        return true;
      }),
  };
}

/** Adds the built-in packs to the catalogue. Every server does so at its start; existing packs stay unchanged. */
export const putBuiltIn = (store: Store, clock: Clock, packs: readonly NumberedPack[]): Promise<void> =>
  store.transact(async (tx) => {
    for (const pack of packs) await insert(tx, pack, true, clock.now());
  });

async function numberedIn(tx: Tx, pack: Pack): Promise<NumberedPack> {
  await refuseTwin(tx, pack);
  const isSticker = pack.type === productTypes.STICKER;
  const size = isSticker ? pack.pictures.length : 0;
  const next = await tx.one(q.takeNumbers, size);
  if (!next) throw new Error('the row of product_counter is missing');
  const number = String(next.next_product_id - 1);
  // Clients find emoji by a product id that has the form of a hash.
  const productId = isSticker ? number : hash('sha256', `${number} ${pack.hash}`).slice(0, 24);
  return { productId, firstStickerId: isSticker ? next.next_sticker_id - size : 0, pack };
}

/** Returns the error for a pack that is already in the catalogue. */
async function conflictOf(reader: Reader, pack: Pack): Promise<PackConflict> {
  const twin = await reader.one(q.productByHash, pack.hash);
  if (!twin) throw new Error(`the pack ${pack.hash} was not inserted`);
  return new PackConflict(twin.id);
}

async function refuseTwin(reader: Reader, pack: Pack): Promise<void> {
  if (await reader.one(q.productByHash, pack.hash)) throw await conflictOf(reader, pack);
}

function insert(
  tx: Tx,
  { productId, firstStickerId, pack }: NumberedPack,
  forEveryone: boolean,
  now: number,
): Promise<void> {
  const { type, name, names, author, resourceType, nameTextLength, pictures } = pack;
  const texts = JSON.stringify(pictures.map(({ text }) => text));
  return tx.run(
    q.insertProduct,
    productId,
    type,
    name,
    JSON.stringify(names),
    author,
    resourceType,
    VERSION,
    nameTextLength,
    firstStickerId,
    texts,
    pack.hash,
    forEveryone ? 1 : 0,
    now,
  );
}
