// Uploaded pictures that serve as covers of homes.
import type { Tx } from '../../platform/store/store.ts';
import { COVER_PLACE, sideName } from './names.ts';
import * as q from './queries.ts';
import { removeRows } from './remove-objects.ts';

export interface Covers {
  /** Returns whether the account has uploaded this picture completely. */
  has(tx: Tx, accountId: number, oid: string): Promise<boolean>;
  /** Removes a picture that is no longer a cover. */
  remove(tx: Tx, accountId: number, oid: string): Promise<void>;
}

export function createCovers(forgetBytes: (key: string) => void): Covers {
  return {
    async has(tx, accountId, oid) {
      const row = await tx.one(q.lockObject, accountId, oid);
      return row?.place === COVER_PLACE && row.whole === 1 && row.mime.startsWith('image/');
    },
    async remove(tx, accountId, oid) {
      const keys = await removeRows(tx, accountId, [oid, sideName(oid, 'preview')]);
      tx.onCommit(() => {
        for (const key of keys) forgetBytes(key);
      });
    },
  };
}
