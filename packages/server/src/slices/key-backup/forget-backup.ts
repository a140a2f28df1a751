import type { Tx } from '../../platform/store/store.ts';
import { forgetBackup as forget } from './queries.ts';

/** Removes the backup of a deleted account. */
export const forgetBackup = (tx: Tx, accountId: number): Promise<void> => tx.run(forget, accountId);
