// Removes a deleted account's contacts and what others keep about it, and notifies the accounts that have it as a
// contact. If these are many, both happens later in small steps.
import type { Tx } from '../../platform/store/store.ts';
import type { OperationLog } from '../../platform/stream/operation-log.ts';
import { forgetRelations, lockFriends } from './friends.ts';
import { addedIds, clearAddedBy } from './queries.ts';

export async function forgetAccount(
  tx: Tx,
  log: OperationLog,
  account: { readonly id: number; readonly mid: string },
): Promise<void> {
  // The account's log is locked before its rows are read, because these rows change only while this log is locked. If
  // locking the other logs then causes a deadlock, the transaction runs again.
  await log.lock(tx, [account.id]);
  const contacts = (await tx.all(addedIds, account.id)).map((row) => row.contact_id);
  const friends = await lockFriends(tx, log, account.id, contacts);
  await tx.each(
    clearAddedBy,
    contacts.map((id) => [id, account.id]),
  );
  if (!friends.toldLater) await forgetRelations(tx, account.id);
  await friends.tell([], { type: 'NOTIFIED_UNREGISTER_USER', params: { mid: account.mid } });
}
