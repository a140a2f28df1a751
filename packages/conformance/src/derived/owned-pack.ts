// A pack that one account owns. It is the same in every run: packs stay on a server, so one that is checked often has
// this one once, for nobody when a run is over.
import { pixel } from '../pixel.ts';
import type { AdminCall } from '../target.ts';
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

interface Listed {
  readonly id: string;
  readonly name: string;
  readonly pictures: readonly { readonly id: string }[];
}

/** @param owner mid of the account that it is given to, alone */
export async function givePack(admin: AdminCall, owner: string): Promise<Product> {
  const pack = (await find(admin)) ?? (await importPack(admin));
  await admin('POST', `/products/${pack.id}/grant`, { account: owner });
  return { id: pack.id, sticker: pack.pictures[0]?.id ?? '' };
}

async function find(admin: AdminCall): Promise<Listed | undefined> {
  const { products } = (await admin('GET', '/products')) as { products: readonly Listed[] };
  return products.find(({ name }) => name === NAME);
}

async function importPack(admin: AdminCall): Promise<Listed> {
  const zip = storedZip({ 'pack.json': Buffer.from(JSON.stringify(DESCRIPTION)), 'pixel.png': pixel });
  try {
    return (await admin('POST', '/products', zip)) as Listed;
  } catch (error) {
    // Another run may have been faster.
    const found = await find(admin);
    if (found) return found;
    throw error;
  }
}
