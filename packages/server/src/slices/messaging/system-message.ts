// Messages that the server writes into a group when the group changes (content type CHATEVENT).
import { contentTypes, type Message } from '@sealpost/contract';
import { type Ids, timeOfId } from '../../platform/kernel/ids.ts';
import type { Tx } from '../../platform/store/store.ts';
import type { Heads, NewOperation } from '../../platform/stream/operation-log.ts';
import { toTypeOf } from './content.ts';
import * as q from './queries.ts';

const ARGUMENT_SEPARATOR = '\x1e';

export interface SystemReader {
  readonly accountId: number;
  /** True if the account gets no alert, because it muted the group. */
  readonly muted?: boolean;
}

export interface SystemMessage {
  readonly chatId: number;
  readonly chatMid: string;
  /** The account whose action the message reports. */
  readonly actor: { readonly accountId: number; readonly mid: string };
  /** Value of LOC_KEY, for example `C_MJ`. */
  readonly key: string;
  readonly args: readonly string[];
  /**
   * Accounts that get the message. If the actor is among them, the actor gets the operation SEND_MESSAGE, as a sender
   * does.
   */
  readonly readers: readonly SystemReader[];
  readonly reqSeq: number;
}

/**
 * Stores system messages and returns the operations that announce them. The caller appends these operations after those
 * of the change itself. The caller must hold the locks on the chat and on its members' logs.
 */
export async function postSystemMessages(
  tx: Tx,
  ids: Ids,
  heads: Heads,
  messages: readonly SystemMessage[],
): Promise<NewOperation[]> {
  const operations: NewOperation[] = [];
  const rows: (string | number | null)[][] = [];
  const newest = Math.max(0, ...[...heads.values()].map((head) => head.last_message_id));
  for (const { chatId, chatMid, actor, key, args, readers, reqSeq } of messages) {
    const id = ids.next(newest);
    const time = timeOfId(id);
    const stored: Message = {
      from: actor.mid,
      to: chatMid,
      toType: toTypeOf(chatMid),
      id: String(id),
      createdTime: String(time),
      deliveredTime: String(time),
      hasContent: false,
      contentType: contentTypes.CHATEVENT,
      contentMetadata: { LOC_KEY: key, LOC_ARGS: args.join(ARGUMENT_SEPARATOR) },
      sessionId: 0,
    };
    const body = JSON.stringify(stored);
    rows.push([chatId, id, actor.accountId, contentTypes.CHATEVENT, time, null, null, body]);
    const message = { chatId, id, body };
    for (const { accountId, muted: silent = false } of readers) {
      operations.push(
        accountId === actor.accountId
          ? { accountId, to: 'self', type: 'SEND_MESSAGE', reqSeq, message }
          : { accountId, to: 'members', type: 'RECEIVE_MESSAGE', message, silent },
      );
    }
  }
  await tx.each(q.insertMessages, rows);
  await tx.each(
    q.locateMessages,
    rows.map((row) => [row[1] as number, row[0] as number]),
  );
  return operations;
}
