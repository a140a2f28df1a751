import type { Tx } from '../../platform/store/store.ts';
import { forgetBackup as forget } from './queries.ts';

/** The backup of an account that is deleted goes with it. */
export const forgetBackup = (tx: Tx, accountId: number): Promise<void> => tx.run(forget, accountId);
