// A sticker pack that belongs to one account during a run, and to nobody afterwards. Packs cannot be deleted, so every
// run uses the same pack.
import type { AdminClient, AdminResult } from '@sealpost/sdk/admin';
import { pixel } from '../pixel.ts';
import type { Product } from './access-world.ts';
import { storedZip } from './stored-zip.ts';

const NAME = 'Conformance of owned packs';
const DESCRIPTION = {
  name: NAME,
  author: 'sealpost conformance',
  kind: 'stickers',
  nameText: { maxCharacters: 9 },
  pictures: [{ file: 'pixel.png', text: '[pixel]' }],
};

type ListedProduct = AdminResult<'showProduct'>;

/**
 * Gives the pack to an account. If the server does not have the pack, imports it first.
 * @param owner the mid of the only account that gets the pack
 */
export async function givePack(admin: AdminClient, owner: string): Promise<Product> {
  const pack = (await find(admin)) ?? (await importPack(admin));
  await admin.grantProduct({ product: pack.id, account: owner });
  return { id: pack.id, sticker: pack.pictures[0]?.id ?? '' };
}

async function find(admin: AdminClient): Promise<ListedProduct | undefined> {
  const { products } = await admin.listProducts();
  return products.find(({ name }) => name === NAME);
}

async function importPack(admin: AdminClient): Promise<ListedProduct> {
  const zip = storedZip({ 'pack.json': Buffer.from(JSON.stringify(DESCRIPTION)), 'pixel.png': pixel });
  try {
    return await admin.importProduct({ content: zip });
  } catch (error) {
    // The import fails if another run has imported the pack at the same time. In this case, that pack is used.
    const found = await find(admin);
    if (found) return found;
    throw error;
  }
}
