// Admin endpoints of stickers and emoji: they import packs as zip files, and give them to accounts.
import { productTypes } from '@sealpost/contract';
import type { AdminArgs, AdminResult, AuditAction } from '@sealpost/contract/admin';
import { Problem } from '../../platform/json-api/problem.ts';
import type { Tx } from '../../platform/store/store.ts';
import type { Accounts } from '../accounts/index.ts';
import { type AdminCaller, type AdminHandlers, type Audit, requireAccount } from '../admin/index.ts';
import { type Catalogue, PackConflict } from './catalogue.ts';
import { InvalidPack, readPack } from './pack.ts';
import { readZip } from './pack-zip.ts';
import { sticonIdOf } from './product-ids.ts';
import type { ProductRow } from './queries.ts';

export interface ProductAdminDeps {
  readonly catalogue: Catalogue;
  readonly accounts: Pick<Accounts, 'show'>;
  readonly audit: Audit;
}

type ProductEndpoint = 'listProducts' | `${'import' | 'show' | 'grant' | 'revoke'}Product`;

export function productAdminHandlers({ catalogue, accounts, audit }: ProductAdminDeps): AdminHandlers<ProductEndpoint> {
  const note =
    ({ actor }: AdminCaller, action: AuditAction, detail: object = {}) =>
    (tx: Tx, productId: string): Promise<void> =>
      audit.record(tx, { actor, action, subject: productId, detail: JSON.stringify(detail) });

  async function productOf(product: string): Promise<ProductRow> {
    const found = await catalogue.find(product);
    if (!found) throw new Problem(404, `no product has the id ${JSON.stringify(product)}`);
    return found;
  }

  /** Gives a product to everyone or to one account, or takes it away. */
  async function change(
    { product, everyone, account }: AdminArgs<'grantProduct'>,
    given: boolean,
    caller: AdminCaller,
  ): Promise<AdminResult<'grantProduct'>> {
    const { id, name } = await productOf(product);
    const action = given ? 'product.grant' : 'product.revoke';
    if ((everyone === true) === (account !== undefined)) {
      throw new Problem(400, 'the body must hold either everyone: true or an account');
    }
    if (account === undefined) {
      await catalogue.setForEveryone(id, given, note(caller, action, { name, everyone: true }));
    } else {
      const owner = await requireAccount(accounts, account);
      const noted = note(caller, action, { name, account: owner.mid });
      if (given) await catalogue.grant(owner.id, id, noted);
      else if (!(await catalogue.revoke(owner.id, id, noted))) {
        throw new Problem(404, `${account} was not given the product ${id}`);
      }
    }
    return productJson(await productOf(product));
  }

  return {
    listProducts: async () => ({ products: (await catalogue.list()).map(productJson) }),
    async importProduct({ content, everyone = false }, caller) {
      try {
        const pack = readPack(await readZip(Buffer.from(content)));
        return productJson(
          await catalogue.add(pack, everyone, note(caller, 'product.import', { name: pack.name, everyone })),
        );
      } catch (error) {
        if (error instanceof InvalidPack) throw new Problem(400, error.message);
        if (error instanceof PackConflict) throw new Problem(409, error.message, { code: 'pack-known' });
        throw error;
      }
    },
    showProduct: async ({ product }) => productJson(await productOf(product)),
    grantProduct: (args, caller) => change(args, true, caller),
    revokeProduct: (args, caller) => change(args, false, caller),
  };
}

function productJson(row: ProductRow): AdminResult<'showProduct'> {
  const texts = JSON.parse(row.texts) as string[];
  return {
    id: row.id,
    kind: row.type === productTypes.STICON ? 'emoji' : 'stickers',
    name: row.name,
    author: row.author,
    everyone: row.for_everyone === 1,
    createdTime: new Date(row.created_time).toISOString(),
    pictures: texts.map((text, i) => ({
      id: row.first_sticker_id > 0 ? String(row.first_sticker_id + i) : sticonIdOf(i),
      text,
    })),
  };
}
