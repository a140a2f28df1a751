// Profile, settings and configuration (specification: Profile, settings, configuration).
import type { Tx } from '../store/store.ts';
import { deleteSettings } from './queries.ts';

export { type ProfileDeps, profileHandlers } from './handlers.ts';
export { sharedFields } from './stored-profile.ts';

/** What an account that is deleted had set goes with it. */
export const forgetSettings = (tx: Tx, accountId: number): Promise<void> => tx.run(deleteSettings, accountId);
