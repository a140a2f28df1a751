import type { Reader } from '../../platform/store/store.ts';
import type { Guards } from '../messaging/index.ts';
import { addedByIds, guardedPairs } from './queries.ts';

/**
 * Returns the pairs whose recipient gets no messages or no alerts from the sender. Every send to a user calls this
 * function.
 */
export async function guardsOf(
  reader: Reader,
  pairs: readonly { readonly senderId: number; readonly recipientId: number }[],
): Promise<Guards> {
  if (pairs.length === 0) return new Map();
  const rows = await reader.each(
    guardedPairs,
    pairs.map(({ senderId, recipientId }) => [senderId, recipientId]),
  );
  return new Map(
    rows.map((row) => [`${row.sender_id}:${row.recipient_id}`, row.withheld === 1 ? 'withheld' : 'muted']),
  );
}

/** Returns the ids of accounts that have this account as a contact. */
export const friendsOf = async (reader: Reader, accountId: number): Promise<number[]> =>
  (await reader.all(addedByIds, accountId)).map((row) => row.contact_id);
