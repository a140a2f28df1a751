import { sql, sqlSet } from '../../platform/store/sql.ts';

export interface ProductRow {
  readonly id: string;
  readonly type: number;
  readonly name: string;
  readonly names: string;
  readonly author: string;
  readonly resource_type: number;
  readonly version: number;
  readonly name_text_length: number;
  readonly first_sticker_id: number;
  readonly texts: string;
  readonly hash: string;
  readonly for_everyone: number;
  readonly created_time: number;
}

/** A product as one account sees it. `granted_time` is null if the product was not given to this account. */
export interface OwnedRow extends ProductRow {
  readonly granted_time: number | null;
  readonly name_text: string | null;
}

const COLUMNS =
  'id, type, name, names, author, resource_type, version, name_text_length, first_sticker_id, texts, hash, for_everyone, created_time';
const OF_PRODUCT = COLUMNS.split(', ')
  .map((column) => `p.${column} as ${column}`)
  .join(', ');
const SEEN_BY = `${OF_PRODUCT}, o.granted_time as granted_time, o.name_text as name_text
  from product p left join owned_product o on o.account_id = ? and o.product_id = p.id`;
const OWNED = '(p.for_everyone = 1 or o.granted_time is not null)';

export const ownedPage = sql<OwnedRow>(
  `select ${SEEN_BY} where p.type = ? and ${OWNED} order by p.created_time, p.id limit ? offset ?`,
);
export const ownedCount = sql<{ count: number }>(
  `select count(*) as count from product p left join owned_product o on o.account_id = ? and o.product_id = p.id
   where p.type = ? and ${OWNED}`,
);
export const productSeenBy = sql<OwnedRow>(`select ${SEEN_BY} where p.id = ?`);
/** Products that messages use and their senders own. Each row shows the product as the message's sender sees it. */
export const productsUsed = sqlSet<OwnedRow & { readonly account_id: number }>(
  { account_id: 'bigint', product_id: 'text' },
  `select given.account_id as account_id, ${OF_PRODUCT}, o.granted_time as granted_time, o.name_text as name_text
   from {given} join product p on p.id = given.product_id
   left join owned_product o on o.account_id = given.account_id and o.product_id = given.product_id
   where ${OWNED}`,
);

export const allProducts = sql<ProductRow>(`select ${COLUMNS} from product order by created_time, id`);
export const productById = sql<ProductRow>(`select ${COLUMNS} from product where id = ?`);
export const productByHash = sql<ProductRow>(`select ${COLUMNS} from product where hash = ?`);
export const insertProduct = sql(
  `insert into product (${COLUMNS}) values (?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?) on conflict do nothing`,
);
export const setForEveryone = sql('update product set for_everyone = ? where id = ?');
/** Takes ids for a new product and its stickers. The query returns the next free ids. */
export const takeNumbers = sql<{ next_product_id: number; next_sticker_id: number }>(
  `update product_counter set next_product_id = next_product_id + 1, next_sticker_id = next_sticker_id + ?
   where id = 1 returning next_product_id, next_sticker_id`,
);

export const grantProduct = sql(
  `insert into owned_product (account_id, product_id, granted_time) values (?, ?, ?)
   on conflict (account_id, product_id) do update set granted_time = coalesce(owned_product.granted_time, excluded.granted_time)`,
);
export const revokeProduct = sql<{ account_id: number }>(
  `update owned_product set granted_time = null where account_id = ? and product_id = ? and granted_time is not null
   returning account_id`,
);
export const saveNameText = sql(
  `insert into owned_product (account_id, product_id, name_text) values (?, ?, ?)
   on conflict (account_id, product_id) do update set name_text = excluded.name_text`,
);
export const forgetOwned = sql('delete from owned_product where account_id = ?');
