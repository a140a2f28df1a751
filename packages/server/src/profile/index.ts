// Profile, settings and configuration (specification: Profile, settings, configuration).
import type { Reader, Tx } from '../store/store.ts';
import { deleteSettings, displayNamesOf } from './queries.ts';

export { type ProfileDeps, profileHandlers, settingsOf } from './handlers.ts';
export { sharedFields } from './stored-profile.ts';
export { setPicture } from './update-profile.ts';

/** Display names by account id. */
export async function displayNames(
  reader: Reader,
  accountIds: readonly number[],
): Promise<ReadonlyMap<number, string>> {
  const rows = await reader.each(
    displayNamesOf,
    [...new Set(accountIds)].map((id) => [id]),
  );
  return new Map(rows.map((row) => [row.account_id, row.display_name]));
}

/** What an account that is deleted had set goes with it. */
export const forgetSettings = (tx: Tx, accountId: number): Promise<void> => tx.run(deleteSettings, accountId);
