// Blocks users, and removes users from the recommendations.
import type { UserCall } from '../../platform/rpc/call.ts';
import type { Tx } from '../../platform/store/store.ts';
import type { NewOperation, OperationLog } from '../../platform/stream/operation-log.ts';
import { requireOther } from './require-users.ts';
import { relationsOf, saveRelation } from './stored-relations.ts';

/** Blocks or unblocks a user. An official account is notified of the change, but other users are not. */
export async function setBlocked(
  tx: Tx,
  log: OperationLog,
  { caller }: UserCall,
  reqSeq: number,
  mid: string,
  blocked: boolean,
): Promise<void> {
  const target = await requireOther(tx, caller.mid, 'id', mid);
  const official = target.kind === 'official';
  const heads = await log.lock(tx, official ? [caller.accountId, target.id] : [caller.accountId]);
  const relation = (await relationsOf(tx, [[caller.accountId, target.id]])).get(caller.accountId, target.id);
  if ((relation.blocked === 1) === blocked) return;
  await saveRelation(tx, { ...relation, blocked: blocked ? 1 : 0 });
  const operations: NewOperation[] = [
    {
      accountId: caller.accountId,
      to: 'self',
      type: blocked ? 'BLOCK_CONTACT' : 'UNBLOCK_CONTACT',
      reqSeq,
      params: { mid, blockType: 'NORMAL' },
    },
  ];
  if (official) {
    operations.push({
      accountId: target.id,
      to: 'target',
      type: blocked ? 'NOTIFIED_BLOCK_CONTACT' : 'NOTIFIED_UNBLOCK_CONTACT',
      params: { mid: caller.mid },
    });
  }
  await log.append(tx, operations, heads);
}

/** Removes a user from the recommendations until the caller adds that user. */
export async function blockRecommendation(
  tx: Tx,
  log: OperationLog,
  { caller }: UserCall,
  reqSeq: number,
  mid: string,
): Promise<void> {
  const target = await requireOther(tx, caller.mid, 'id', mid);
  const heads = await log.lock(tx, [caller.accountId]);
  const relation = (await relationsOf(tx, [[caller.accountId, target.id]])).get(caller.accountId, target.id);
  if (relation.recommendation_blocked === 1) return;
  await saveRelation(tx, { ...relation, recommendation_blocked: 1 });
  await log.append(
    tx,
    [{ accountId: caller.accountId, to: 'self', type: 'UPDATE_CONTACT', reqSeq, params: { mid } }],
    heads,
  );
}
