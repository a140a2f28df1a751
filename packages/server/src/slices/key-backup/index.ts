// The sealed backup of an account's keys.
import type { Tx } from '../../platform/store/store.ts';
import { forgetBackup as forget } from './queries.ts';

export { type KeyBackupDeps, keyBackupHandlers } from './handlers.ts';

/** The backup of an account that is deleted goes with it. */
export const forgetBackup = (tx: Tx, accountId: number): Promise<void> => tx.run(forget, accountId);
