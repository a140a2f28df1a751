// Announces a change of a group or room to everybody concerned, with operations and system messages in a fixed order.
import type { NamedOperation } from '@sealpost/contract';
import type { Clock } from '@sealpost/contract/ports';
import type { Ids } from '../../platform/kernel/ids.ts';
import type { Tx } from '../../platform/store/store.ts';
import type { Heads, NewOperation, OperationLog } from '../../platform/stream/operation-log.ts';
import { postSystemMessages, type SystemReader } from '../messaging/index.ts';
import { type LockedChat, type Party, toldOf } from './lock-chat.ts';
import * as q from './queries.ts';

/**
 * If at most this many users join a room at once, others are told of each of them in an operation of its own. Otherwise
 * the number of operations would grow with the square of the number of members.
 */
export const MOST_JOINS_TOLD = 32;

/** Returns one operation for each party that is told of the chat. The operations differ only in the account. */
export const tell = (to: NewOperation['to'], parties: readonly Party[], operation: NamedOperation): NewOperation[] =>
  toldOf(parties).map(({ accountId }) => ({ accountId, to, ...operation }));

export interface ChangeDeps {
  readonly log: OperationLog;
  readonly ids: Ids;
  readonly clock: Clock;
}

/** Locks the operation logs of all accounts that a change concerns. */
export const lockLogs = (
  tx: Tx,
  { log }: ChangeDeps,
  ...groups: readonly (readonly Pick<Party, 'accountId'>[])[]
): Promise<Heads> =>
  log.lock(
    tx,
    groups.flat().map((party) => party.accountId),
  );

/**
 * Returns an id above all present messages of the chat and below all later ones. Memberships begin or end at this id.
 * The id is also stored in the heads of the operation logs. So servers with other clocks also give later messages
 * higher ids.
 */
export async function boundaryAfter(tx: Tx, { ids }: ChangeDeps, chatId: number, heads: Heads): Promise<number> {
  const newest = (await tx.one(q.newestMessage, chatId))?.id ?? 0;
  const boundary = ids.next(Math.max(newest, ...[...heads.values()].map((head) => head.last_message_id)));
  for (const head of heads.values()) head.last_message_id = boundary;
  return boundary;
}

export interface Announcement {
  readonly chat: Pick<LockedChat, 'chatId' | 'mid'>;
  readonly actor: Party;
  readonly reqSeq: number;
  readonly heads: Heads;
  readonly operations: readonly NewOperation[];
  /** System messages that follow the operations. */
  readonly messages?: readonly { readonly key: string; readonly args: readonly string[] }[];
  /** Members that get the system messages, if they are told of the chat. */
  readonly readers?: readonly (SystemReader & Pick<Party, 'withheld'>)[];
}

/** Appends the operations of a change to the logs, then the system messages of the change. */
export async function announce(tx: Tx, deps: ChangeDeps, announcement: Announcement): Promise<void> {
  const { chat, actor, reqSeq, heads, operations, messages = [], readers = [] } = announcement;
  const posted =
    messages.length === 0
      ? []
      : await postSystemMessages(
          tx,
          deps.ids,
          heads,
          messages.map(({ key, args }) => ({
            chatId: chat.chatId,
            chatMid: chat.mid,
            actor,
            key,
            args,
            readers: toldOf(readers),
            reqSeq,
          })),
        );
  await deps.log.append(tx, [...operations, ...posted], heads);
}
