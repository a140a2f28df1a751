import type { Tx } from '../../platform/store/store.ts';
import { clearInvitesOf, forgetUses } from './queries.ts';

/** Forgets how an account was opened, and what an invite for this one person told about them. */
export async function forgetInvites(tx: Tx, accountId: number): Promise<void> {
  await tx.run(clearInvitesOf, accountId);
  await tx.run(forgetUses, accountId);
}
