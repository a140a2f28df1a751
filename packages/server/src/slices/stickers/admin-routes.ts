// The operator's side of the shop, part of the admin API: packs are imported as a zip, and given to accounts.
import type { FastifyRequest } from 'fastify';
import Type from 'typebox';
import type { Tx } from '../../platform/store/store.ts';
import type { Accounts } from '../accounts/index.ts';
import { type AdminRoutes, type Audit, bodyReader, operator, Problem } from '../admin/index.ts';
import { type Catalogue, PackConflict } from './catalogue.ts';
import { InvalidPack, readPack } from './pack.ts';
import { readZip } from './pack-zip.ts';
import { sticonIdOf } from './product-ids.ts';
import type { ProductRow } from './queries.ts';

export const GrantProductBody = Type.Object(
  { everyone: Type.Optional(Type.Boolean()), account: Type.Optional(Type.String({ maxLength: 100 })) },
  { additionalProperties: false, title: 'GrantProduct' },
);
const readGrant = bodyReader(GrantProductBody);

export interface ProductAdminDeps {
  readonly catalogue: Catalogue;
  readonly accounts: Pick<Accounts, 'show'>;
  readonly audit: Audit;
}

export function productAdminRoutes({ catalogue, accounts, audit }: ProductAdminDeps): AdminRoutes {
  const note =
    (action: string, detail: object = {}) =>
    (tx: Tx, productId: string): Promise<void> =>
      audit.record(tx, { actor: operator, action, subject: productId, detail: JSON.stringify(detail) });

  async function productOf(request: FastifyRequest): Promise<ProductRow> {
    const { product } = request.params as { product: string };
    const found = await catalogue.find(product);
    if (!found) throw new Problem(404, `no product has the id ${JSON.stringify(product)}`);
    return found;
  }

  async function accountOf(midOrUserid: string): Promise<{ readonly id: number; readonly mid: string }> {
    const found = await accounts.show(midOrUserid);
    if (!found) throw new Problem(404, `no account has the mid or userid ${JSON.stringify(midOrUserid)}`);
    return found;
  }

  async function add(request: FastifyRequest): Promise<ProductRow> {
    if (!Buffer.isBuffer(request.body)) throw new Problem(415, 'the body must be a zip, of type application/zip');
    const { everyone } = request.query as { everyone?: unknown };
    try {
      return await catalogue.add(readPack(await readZip(request.body)), everyone === 'true', note('product.import'));
    } catch (error) {
      if (error instanceof InvalidPack) throw new Problem(400, error.message);
      if (error instanceof PackConflict) throw new Problem(409, error.message);
      throw error;
    }
  }

  /** Changes who has the product: everyone, or one account. */
  async function change(request: FastifyRequest, given: boolean): Promise<object> {
    const { id } = await productOf(request);
    const { everyone, account } = readGrant(request.body);
    const action = given ? 'product.grant' : 'product.revoke';
    if ((everyone === true) === (account !== undefined)) {
      throw new Problem(400, 'the body must hold either everyone: true or an account');
    }
    if (account === undefined) {
      await catalogue.setForEveryone(id, given, note(action, { everyone: true }));
    } else {
      const owner = await accountOf(account);
      const noted = note(action, { account: owner.mid });
      if (given) await catalogue.grant(owner.id, id, noted);
      else if (!(await catalogue.revoke(owner.id, id, noted))) {
        throw new Problem(404, `${account} was not given the product ${id}`);
      }
    }
    return productJson(await productOf(request));
  }

  return {
    '/products': {
      GET: async () => ({ products: (await catalogue.list()).map(productJson) }),
      POST: async (request, reply) => {
        const row = await add(request);
        reply.code(201).header('location', `${request.url.split('?')[0]}/${row.id}`);
        return productJson(row);
      },
    },
    '/products/:product': { GET: async (request) => productJson(await productOf(request)) },
    '/products/:product/grant': { POST: (request) => change(request, true) },
    '/products/:product/revoke': { POST: (request) => change(request, false) },
  };
}

const KINDS: Readonly<Record<number, string>> = { 1: 'stickers', 3: 'emoji' };

function productJson(row: ProductRow) {
  const texts = JSON.parse(row.texts) as string[];
  return {
    id: row.id,
    kind: KINDS[row.type],
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
