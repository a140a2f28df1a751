// What a user does in a one-to-one chat is withheld from the other account in the same cases as messages of the user.
import type { Caller } from '../../platform/rpc/call.ts';
import type { Tx } from '../../platform/store/store.ts';
import type { Conversation } from './conversation.ts';
import type { SendDeps } from './send-message.ts';

export type WithholdingDeps = Pick<SendDeps, 'guardsOf'>;

/**
 * Returns true if acts of the caller are withheld from the other account of a one-to-one chat, as its messages are. The
 * calling function must hold the lock on the log of that account, which may just have blocked the caller.
 */
export async function isWithheld(
  tx: Tx,
  { guardsOf }: WithholdingDeps,
  { accountId }: Caller,
  { box: { peer_id: recipientId } }: Conversation,
): Promise<boolean> {
  if (recipientId === null) return false;
  const guards = await guardsOf(tx, [{ senderId: accountId, recipientId }]);
  return guards.get(`${accountId}:${recipientId}`) === 'withheld';
}
