// The admin endpoint that lists the public keys of an account.
import type { Store } from '../../platform/store/store.ts';
import type { Accounts } from '../accounts/index.ts';
import { type AdminHandlers, requireAccount } from '../admin/index.ts';
import { keysOf } from './queries.ts';

export interface SealingAdminDeps {
  readonly store: Store;
  readonly accounts: Pick<Accounts, 'show'>;
}

export const sealingAdminHandlers = ({ store, accounts }: SealingAdminDeps): AdminHandlers<'listKeys'> => ({
  async listKeys({ account }) {
    const { id } = await requireAccount(accounts, account);
    const keys = await store.read((reader) => reader.all(keysOf, id));
    return {
      keys: keys.map((row, place) => ({
        keyId: row.key_id,
        keyData: row.key_data,
        createdTime: new Date(row.created_time).toISOString(),
        current: place === keys.length - 1,
      })),
    };
  },
});
