import type { Tx } from '../../platform/store/store.ts';
import { clearInvitesOf, forgetUses } from './queries.ts';

/**
 * Removes the record of the invite with which an account was opened, and personal data in an invite that was only for
 * this person.
 */
export async function forgetInvites(tx: Tx, accountId: number): Promise<void> {
  await tx.run(clearInvitesOf, accountId);
  await tx.run(forgetUses, accountId);
}
