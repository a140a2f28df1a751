import type { Reader } from '../../platform/store/store.ts';
import type { Guards } from '../messaging/index.ts';
import { guardedPairs } from './queries.ts';

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

/**
 * Returns those of the users who blocked the account. For a room, also returns those who take no messages from
 * strangers, unless they have the account as a contact.
 */
export async function blockersOf(
  reader: Reader,
  inviterId: number,
  userIds: readonly number[],
  room: boolean,
): Promise<ReadonlySet<number>> {
  const rows = await reader.each(
    guardedPairs,
    userIds.map((id) => [inviterId, id]),
  );
  return new Set(rows.filter((row) => (room ? row.withheld : row.blocked) === 1).map((row) => row.recipient_id));
}
