// Sending. Sends that wait for the database at the same time are checked one by one and written together, as sets.
import { ApiError, messageRelationTypes, type OutgoingMessage, parseI64 } from '@sealpost/contract';
import { type Ids, timeOfId } from '../../platform/kernel/ids.ts';
import type { Clock } from '../../platform/kernel/ports.ts';
import type { Reader, Store, Tx } from '../../platform/store/store.ts';
import type { Heads, NewOperation, OperationLog } from '../../platform/stream/operation-log.ts';
import { MEDIA, storedMessage } from './content.ts';
import type { Conversations } from './conversation.ts';
import { createEarlierSends } from './earlier-sends.ts';
import type { GroupChats } from './groups.ts';
import type { MediaCarriers, NamedObject, Naming } from './media-messages.ts';
import * as q from './queries.ts';
import { findSealedRepeats, type SealedRepeats } from './sealed-repeats.ts';
import type { Send } from './send.ts';
import { createTargets, notAUser, type Target } from './targets.ts';

/** Pairs, as `sender:recipient`, whose recipient gets nothing of the sender, or is not to be alerted of it. */
export type Guards = ReadonlyMap<string, 'withheld' | 'muted'>;
export type GuardsOf = (
  reader: Reader,
  pairs: readonly { readonly senderId: number; readonly recipientId: number }[],
) => Promise<Guards>;

/**
 * Throws for messages that the rules of Letter Sealing do not allow in their chat. `heads` are of the sender and all
 * recipients. No query: every send asks.
 */
export type SealingRules = (send: Send, target: Target, heads: Heads) => void;

/**
 * Judges the stickers and emoji in messages: for each send the message as it is to be stored, why it is refused, or
 * undefined where it has none.
 */
export type JudgeProducts = (
  reader: Reader,
  sends: readonly Pick<Send, 'caller' | 'message'>[],
) => Promise<(OutgoingMessage | ApiError | undefined)[]>;

export interface SendDeps {
  readonly store: Store;
  readonly log: OperationLog;
  readonly ids: Ids;
  readonly clock: Clock;
  readonly groups: GroupChats;
  readonly conversations: Conversations;
  readonly guardsOf: GuardsOf;
  readonly judgeProducts: JudgeProducts;
  readonly sealingRules: SealingRules;
  readonly carriers: MediaCarriers;
}

/** Answers the JSON of the stored message, once it is durable. */
export function createSender(deps: SendDeps): (send: Send) => Promise<string> {
  const { store, log } = deps;
  const targetsOf = createTargets(deps);
  const earlierSends = createEarlierSends(deps);

  return store.grouped(async (tx, sends: readonly Send[]) => {
    const outcomes: (string | Error | undefined)[] = Array.from({ length: sends.length });
    const objects = await deps.carriers.named(tx, sends.map(namingOf));
    const targets = await targetsOf(tx, sends, outcomes);
    // The locks come first, here and at the database: whoever held them may just have sent, or blocked somebody.
    const [heads, guards, products, sealed] = await Promise.all([
      log.lock(tx, accountsOf(sends, targets)),
      deps.guardsOf(tx, peersOf(sends, targets)),
      deps.judgeProducts(tx, sends),
      findSealedRepeats(tx, sends, targets),
    ]);
    const earlier = await earlierSends(tx, sends, heads);

    const repeats = new Map<number, number>();
    const written: Written[] = [];
    for (const [i, send] of sends.entries()) {
      const before = earlier.find(send);
      if (before && 'at' in before) {
        repeats.set(i, before.at);
        continue;
      }
      // A repeat is answered even to a sender that has left the chat since.
      if (before) outcomes[i] = (await tx.one(q.messageById, before.messageId))?.body ?? outcomes[i];
      if (outcomes[i] !== undefined) continue;
      const target = targets[i] as Target;
      const judged = products[i];
      outcomes[i] =
        goneOf(send, target, heads) ??
        (judged instanceof ApiError ? judged : await refusalOf(deps, tx, send, target, heads, sealed));
      if (outcomes[i] !== undefined) continue;
      const object = objects[i];
      if (object instanceof ApiError) {
        outcomes[i] = object;
        continue;
      }
      const complete = judged instanceof ApiError || !judged ? send : { ...send, message: judged };
      const message = write(deps.ids, { send: complete, target, object }, heads, guards);
      earlier.made(send, i, message.id, timeOfId(message.id));
      written.push(message);
      outcomes[i] = message.body;
    }
    for (const [i, twin] of repeats) outcomes[i] = outcomes[twin];
    await Promise.all([storeAll(tx, log, written, heads), sealed.store()]);
    await deps.carriers.carry(tx, written.flatMap(carryingOf));
    return outcomes as (string | Error)[];
  }, partiesOf);
}

/** Whose logs a send needs; for a group, its members stand behind the one name. */
const partiesOf = ({ caller, message }: Send) => [caller.mid, message.to];

function namingOf({ caller, message }: Send): Naming {
  const { OID: oid, FILE_SIZE = '' } = message.contentMetadata ?? {};
  const follows = !oid && !message.chunks?.length && MEDIA.has(message.contentType ?? 0);
  const expects = follows ? (/^\d{1,15}$/.test(FILE_SIZE) ? Number(FILE_SIZE) : 0) : undefined;
  return { senderId: caller.accountId, oid, expects };
}

interface Accepted {
  readonly send: Send;
  readonly target: Target;
  readonly object: NamedObject | undefined;
}

interface Written extends Accepted {
  readonly id: number;
  readonly body: string;
  /** Nobody but the sender gets it. */
  readonly kept: boolean;
  /** Recipients that are not to be alerted. */
  readonly muted: ReadonlySet<number> | undefined;
}

function write(ids: Ids, accepted: Accepted, heads: Heads, guards: Guards): Written {
  const { send, target, object } = accepted;
  const { caller } = send;
  let newest = heads.get(caller.accountId)?.last_message_id ?? 0;
  for (const id of target.recipientIds) newest = Math.max(newest, heads.get(id)?.last_message_id ?? 0);
  const id = ids.next(newest);
  const sent = { from: caller.mid, id, time: timeOfId(id), hasObject: object?.whole ?? false };
  const body = JSON.stringify(storedMessage(send.message, sent));
  const guard =
    target.peer && guards.size > 0 ? guards.get(`${caller.accountId}:${target.recipientIds[0]}`) : undefined;
  const muted = guard === 'muted' ? new Set(target.recipientIds) : target.mutedIds;
  return { ...accepted, id, body, kept: guard === 'withheld', muted };
}

const carryingOf = ({ target, id, object }: Written) =>
  object ? [{ chatId: target.chatId, messageId: id, object }] : [];

async function storeAll(tx: Tx, log: OperationLog, written: readonly Written[], heads: Heads): Promise<void> {
  if (written.length === 0) return;
  const operations: NewOperation[] = [];
  for (const { send, target, id, body, kept, muted } of written) {
    const message = { chatId: target.chatId, id, body };
    const { accountId, sessionId } = send.caller;
    const { reqSeq, fingerprint } = send;
    const request = fingerprint === undefined ? undefined : { sessionId, fingerprint };
    operations.push({ accountId, type: 'SEND_MESSAGE', reqSeq, message, request });
    if (kept) continue;
    for (const recipientId of target.recipientIds) {
      const silent = muted?.has(recipientId) ?? false;
      operations.push({ accountId: recipientId, type: 'RECEIVE_MESSAGE', message, silent });
    }
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
    log.append(tx, operations, heads),
  ]);
}

function accountsOf(sends: readonly Send[], targets: readonly (Target | undefined)[]): Set<number> {
  const accounts = new Set<number>();
  // A sender without a target may have had one when it sent the same before.
  for (const { caller } of sends) accounts.add(caller.accountId);
  for (const target of targets) for (const id of target?.recipientIds ?? []) accounts.add(id);
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

/** An account that was deleted has no log any more, though its chats may still be remembered. */
function goneOf({ caller }: Send, target: Target, heads: Heads): Error | undefined {
  if (!heads.has(caller.accountId)) return new ApiError('SESSION_LOGGED_OUT');
  if (target.peer && !target.recipientIds.every((id) => heads.has(id))) return notAUser();
  return undefined;
}

/** Rules that need the chat: replies answer a message of the same chat, sealing is as the chat wants it. */
async function refusalOf(
  deps: SendDeps,
  tx: Tx,
  send: Send,
  target: Target,
  heads: Heads,
  sealed: SealedRepeats,
): Promise<Error | undefined> {
  try {
    if (send.message.messageRelationType === messageRelationTypes.REPLY) {
      const related = parseI64(send.message.relatedMessageId) as number;
      if (!(await deps.conversations.findMessage(tx, send.caller, related, target.chatId))) {
        return new ApiError('MESSAGE_NOT_FOUND', `message.relatedMessageId ${related} is not in this chat`);
      }
    }
    deps.sealingRules(send, target, heads);
    return sealed.isRepeat(send, target) ? new ApiError('DUPLICATED') : undefined;
  } catch (error) {
    if (error instanceof ApiError) return error;
    throw error;
  }
}
