// Sending. Sends that wait for the database at the same time are checked one by one and written together, as sets.
import { ApiError, messageRelationTypes, type OutgoingMessage, parseI64 } from '@sealpost/contract';
import { type Ids, timeOfId } from '../kernel/ids.ts';
import type { Caller } from '../rpc/call.ts';
import { isKey } from '../rpc/requests.ts';
import type { Reader, Store, Tx } from '../store/store.ts';
import type { Heads, NewOperation, OperationLog } from '../stream/operation-log.ts';
import { storedMessage } from './content.ts';
import type { Conversations } from './conversation.ts';
import type { GroupChats } from './groups.ts';
import * as q from './queries.ts';
import { createTargets, type Target } from './targets.ts';

export interface Send {
  readonly caller: Caller;
  readonly reqSeq: number;
  /** Empty when the reqSeq is no key. */
  readonly fingerprint: string;
  readonly message: OutgoingMessage;
}

/** Pairs whose recipient gets nothing of the sender, as `sender:recipient`. */
export type Withheld = (
  reader: Reader,
  pairs: readonly { readonly senderId: number; readonly recipientId: number }[],
) => Promise<ReadonlySet<string>>;

/** Throws for messages that the rules of Letter Sealing do not allow in their chat. */
export type SealingRules = (tx: Tx, send: Send, target: Target) => Promise<void>;

export interface SendDeps {
  readonly store: Store;
  readonly log: OperationLog;
  readonly ids: Ids;
  readonly groups: GroupChats;
  readonly conversations: Conversations;
  readonly withheld: Withheld;
  readonly sealingRules?: SealingRules;
}

/** Answers the JSON of the stored message, once it is durable. */
export function createSender(deps: SendDeps): (send: Send) => Promise<string> {
  const { store, log } = deps;
  const targetsOf = createTargets(deps);

  return store.grouped(async (tx, sends: readonly Send[]) => {
    const outcomes: (string | Error | undefined)[] = Array.from({ length: sends.length });
    const targets = await targetsOf(tx, sends, outcomes);
    // The locks come before the look for earlier results: whoever held them may just have stored one.
    const heads = await log.lock(tx, accountsOf(sends, targets));
    const [earlier, withheld] = await Promise.all([
      earlierResults(tx, sends),
      deps.withheld(tx, peersOf(sends, targets)),
    ]);

    const repeats = new Map<number, number>();
    const firstOf = new Map<string, number>();
    const written: Written[] = [];
    for (const [i, send] of sends.entries()) {
      if (outcomes[i] !== undefined) continue;
      const key = keyOf(send);
      const done = key === undefined ? undefined : earlier.get(key);
      const twin = key === undefined ? undefined : firstOf.get(key);
      if (done !== undefined) {
        outcomes[i] = done;
      } else if (twin !== undefined) {
        repeats.set(i, twin);
      } else {
        const target = targets[i] as Target;
        const refusal = await refusalOf(deps, tx, send, target);
        if (refusal) {
          outcomes[i] = refusal;
          continue;
        }
        if (key !== undefined) firstOf.set(key, i);
        const message = write(deps.ids, send, target, heads, withheld);
        written.push(message);
        outcomes[i] = message.body;
      }
    }
    for (const [i, twin] of repeats) outcomes[i] = outcomes[twin];
    await storeAll(tx, log, written, heads);
    return outcomes as (string | Error)[];
  });
}

interface Written {
  readonly send: Send;
  readonly target: Target;
  readonly id: number;
  readonly body: string;
  /** Nobody but the sender gets it. */
  readonly kept: boolean;
}

function write(ids: Ids, send: Send, target: Target, heads: Heads, withheld: ReadonlySet<string>): Written {
  const { caller } = send;
  let newest = heads.get(caller.accountId)?.last_message_id ?? 0;
  for (const id of target.recipientIds) newest = Math.max(newest, heads.get(id)?.last_message_id ?? 0);
  const id = ids.next(newest);
  const body = JSON.stringify(storedMessage(send.message, caller.mid, id, timeOfId(id)));
  const kept = target.peer && target.recipientIds.some((recipient) => withheld.has(`${caller.accountId}:${recipient}`));
  return { send, target, id, body, kept };
}

async function storeAll(tx: Tx, log: OperationLog, written: readonly Written[], heads: Heads): Promise<void> {
  if (written.length === 0) return;
  const operations: NewOperation[] = [];
  for (const { send, target, id, body, kept } of written) {
    const message = { chatId: target.chatId, id, body };
    operations.push({ accountId: send.caller.accountId, type: 'SEND_MESSAGE', reqSeq: send.reqSeq, message });
    if (kept) continue;
    for (const accountId of target.recipientIds) operations.push({ accountId, type: 'RECEIVE_MESSAGE', message });
  }
  await Promise.all([
    tx.each(
      q.insertMessages,
      written.map(({ send, target, id, body, kept }) => [
        target.chatId,
        id,
        send.caller.accountId,
        send.message.contentType ?? 0,
        timeOfId(id),
        kept ? send.caller.accountId : null,
        body,
      ]),
    ),
    tx.each(
      q.locateMessages,
      written.map(({ target, id }) => [id, target.chatId]),
    ),
    tx.each(
      q.rememberSends,
      written
        .filter(({ send }) => isKey(send.reqSeq))
        .map(({ send, target, id }) => [
          send.caller.accountId,
          send.caller.sessionId,
          send.reqSeq,
          send.fingerprint,
          timeOfId(id),
          target.chatId,
          id,
        ]),
    ),
    log.append(tx, operations, heads),
  ]);
}

const keyText = (accountId: number, sessionId: number, reqSeq: number, fingerprint: string) =>
  `${accountId} ${sessionId} ${reqSeq} ${fingerprint}`;

const keyOf = ({ caller, reqSeq, fingerprint }: Send): string | undefined =>
  isKey(reqSeq) ? keyText(caller.accountId, caller.sessionId, reqSeq, fingerprint) : undefined;

async function earlierResults(tx: Tx, sends: readonly Send[]): Promise<ReadonlyMap<string, string>> {
  const rows = await tx.each(
    q.storedSends,
    sends
      .filter((send) => isKey(send.reqSeq))
      .map(({ caller, reqSeq, fingerprint }) => [caller.accountId, caller.sessionId, reqSeq, fingerprint]),
  );
  return new Map(rows.map((row) => [keyText(row.account_id, row.session_id, row.req_seq, row.fingerprint), row.body]));
}

function accountsOf(sends: readonly Send[], targets: readonly (Target | undefined)[]): Set<number> {
  const accounts = new Set<number>();
  for (const [i, target] of targets.entries()) {
    if (!target) continue;
    accounts.add((sends[i] as Send).caller.accountId);
    for (const id of target.recipientIds) accounts.add(id);
  }
  return accounts;
}

function peersOf(sends: readonly Send[], targets: readonly (Target | undefined)[]) {
  const pairs: { senderId: number; recipientId: number }[] = [];
  for (const [i, target] of targets.entries()) {
    const recipientId = target?.peer ? target.recipientIds[0] : undefined;
    if (recipientId !== undefined) pairs.push({ senderId: (sends[i] as Send).caller.accountId, recipientId });
  }
  return pairs;
}

/** Rules that need the chat: replies answer a message of the same chat, sealing is as the chat wants it. */
async function refusalOf(deps: SendDeps, tx: Tx, send: Send, target: Target): Promise<Error | undefined> {
  try {
    if (send.message.messageRelationType === messageRelationTypes.REPLY) {
      const related = parseI64(send.message.relatedMessageId) as number;
      if (!(await deps.conversations.findMessage(tx, send.caller, related, target.chatId))) {
        return new ApiError('MESSAGE_NOT_FOUND', `message.relatedMessageId ${related} is not in this chat`);
      }
    }
    await deps.sealingRules?.(tx, send, target);
    return undefined;
  } catch (error) {
    if (error instanceof ApiError) return error;
    throw error;
  }
}
