import type { Reader } from '../../platform/store/store.ts';
import type { Guards } from '../messaging/index.ts';
import { addedByIds, guardedPairs } from './queries.ts';

/** On the path of every send. */
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

/** Accounts that have one as a contact. */
export const friendsOf = async (reader: Reader, accountId: number): Promise<number[]> =>
  (await reader.all(addedByIds, accountId)).map((row) => row.contact_id);
