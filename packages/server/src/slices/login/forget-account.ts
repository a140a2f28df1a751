// Removes the logins to a deleted account that have not ended.
import type { Tx } from '../../platform/store/store.ts';
import { deleteLoginsOf } from './queries.ts';

export const forgetLogins = (tx: Tx, accountId: number): Promise<void> => tx.run(deleteLoginsOf, accountId);
