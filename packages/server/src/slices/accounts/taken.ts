// Refuses identifiers that another account has.
import type { Reader } from '../../platform/store/store.ts';
import { AccountConflict, type IdentifierChanges } from './account-input.ts';
import { credentialByEmail, credentialByPhone, credentialByUserid } from './queries.ts';

/**
 * Throws if an account has one of the identifiers. If two transactions want the same identifier, both may pass this
 * check. The unique keys of the table then let only one of them commit. The other runs again and is refused here.
 * @param own id of an account that may have the identifiers, because they are for that account
 */
export async function refuseTaken(
  reader: Reader,
  { userid, email, phone }: IdentifierChanges,
  own?: number,
): Promise<void> {
  const isTaken = (holder: { readonly id: number } | undefined): boolean => holder !== undefined && holder.id !== own;
  if (userid != null && isTaken(await reader.one(credentialByUserid, userid))) {
    throw new AccountConflict('userid', userid);
  }
  if (email != null && isTaken(await reader.one(credentialByEmail, email))) throw new AccountConflict('email', email);
  if (phone != null && isTaken(await reader.one(credentialByPhone, phone))) throw new AccountConflict('phone', phone);
}
