// Shared parts of the methods that change messages and chats after a send.
import { ApiError, type Limits, parseI64 } from '@sealpost/contract';
import type { Clock } from '@sealpost/contract/ports';
import type { Mutations } from '../../platform/idempotency/mutations.ts';
import type { UserCall } from '../../platform/rpc/call.ts';
import type { Store, Tx } from '../../platform/store/store.ts';
import type { OperationLog } from '../../platform/stream/operation-log.ts';
import type { Conversation, Conversations, Party } from './conversation.ts';
import type { MediaCarriers } from './media-messages.ts';
import * as q from './queries.ts';

export interface ChangeDeps {
  readonly store: Store;
  readonly log: OperationLog;
  readonly clock: Clock;
  readonly mutations: Mutations;
  readonly conversations: Conversations<Tx>;
  readonly limits: Limits;
  readonly carriers: MediaCarriers;
}

export type WireId = string | number;

/**
 * Returns a message that the caller may read, and locks its row.
 * @throws MESSAGE_NOT_FOUND if the caller may not read the message, or if it was unsent
 */
export async function requireMessage(
  tx: Tx,
  { conversations }: Pick<ChangeDeps, 'conversations'>,
  call: UserCall,
  wireId: WireId,
): Promise<{ message: q.MessageRow; conversation: Conversation }> {
  const id = parseI64(wireId);
  const found = id === undefined ? undefined : await conversations.findMessage(tx, call.caller, id);
  const message = found && (await tx.one(q.lockMessage, found.message.chat_id, found.message.id));
  if (!found || !message || message.unsent === 1)
    throw new ApiError('MESSAGE_NOT_FOUND', `no message ${wireId} to change`);
  return { message, conversation: found.conversation };
}

/**
 * Locks a box that the caller has just found.
 * @throws SESSION_LOGGED_OUT if it is gone, because the account was deleted at the same moment
 */
export async function lockBox(tx: Tx, accountId: number, chatMid: string): Promise<q.BoxRow> {
  const box = await tx.one(q.lockBox, accountId, chatMid);
  if (!box) throw new ApiError('SESSION_LOGGED_OUT');
  return box;
}

/** Returns the participants besides the caller that received the message. */
export const audience = (message: q.MessageRow, { others }: Conversation): readonly Party[] =>
  message.only_for === null ? others : [];
