// Contacts, relations and official accounts (specification: Contacts, relations, buddies).
import type { Reader } from '../store/store.ts';
import { addedByIds, withheldPairs } from './queries.ts';

export { contactsByMid } from './contact-record.ts';
export { forgetAccount } from './forget-account.ts';
export { type ContactsDeps, contactsHandlers } from './handlers.ts';

/** Pairs whose recipient takes nothing from the sender, as `sender:recipient`. On the path of every send. */
export async function withheld(
  reader: Reader,
  pairs: readonly { readonly senderId: number; readonly recipientId: number }[],
): Promise<ReadonlySet<string>> {
  if (pairs.length === 0) return new Set();
  const rows = await reader.each(
    withheldPairs,
    pairs.map(({ senderId, recipientId }) => [senderId, recipientId]),
  );
  return new Set(rows.map((row) => `${row.sender_id}:${row.recipient_id}`));
}

/** Accounts that have one as a contact. */
export const friendsOf = async (reader: Reader, accountId: number): Promise<number[]> =>
  (await reader.all(addedByIds, accountId)).map((row) => row.contact_id);
