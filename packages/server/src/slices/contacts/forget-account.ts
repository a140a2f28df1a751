// Removes a deleted account's contacts and what others keep about it, and notifies the accounts that have it as a contact.
import type { Tx } from '../../platform/store/store.ts';
import type { OperationLog } from '../../platform/stream/operation-log.ts';
import { addedByIds, addedIds, clearAddedBy, deleteRelations, deleteRelationsTo } from './queries.ts';

export async function forgetAccount(
  tx: Tx,
  log: OperationLog,
  account: { readonly id: number; readonly mid: string },
): Promise<void> {
  // The account's log is locked before its rows are read, because these rows change only while this log is locked. If
  // locking the other logs then causes a deadlock, the transaction runs again.
  await log.lock(tx, [account.id]);
  const friends = (await tx.all(addedByIds, account.id)).map((row) => row.contact_id);
  const contacts = (await tx.all(addedIds, account.id)).map((row) => row.contact_id);
  const heads = await log.lock(tx, [account.id, ...friends, ...contacts]);
  await tx.each(
    clearAddedBy,
    contacts.map((id) => [id, account.id]),
  );
  await tx.run(deleteRelations, account.id);
  await tx.run(deleteRelationsTo, account.id);
  await log.append(
    tx,
    friends.map((accountId) => ({
      accountId,
      to: 'friends' as const,
      type: 'NOTIFIED_UNREGISTER_USER' as const,
      params: { mid: account.mid },
    })),
    heads,
  );
}
