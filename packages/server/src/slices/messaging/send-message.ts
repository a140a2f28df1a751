// sendMessage. Sends that wait for the database at the same time are checked one by one, but written in one
// transaction.
import { ApiError, messageRelationTypes, type OutgoingMessage, parseI64 } from '@sealpost/contract';
import type { Clock } from '@sealpost/contract/ports';
import { type Ids, timeOfId } from '../../platform/kernel/ids.ts';
import type { Reader, Store, Tx } from '../../platform/store/store.ts';
import type { Heads, NewOperation, OperationLog } from '../../platform/stream/operation-log.ts';
import { MEDIA, storedMessage } from './content.ts';
import type { Conversations } from './conversation.ts';
import { createEarlierSends, type EarlierSends } from './earlier-sends.ts';
import type { GroupChats } from './groups.ts';
import type { MediaCarriers, NamedObject, ObjectMention } from './media-messages.ts';
import * as q from './queries.ts';
import { findSealed, type KnownSealed, type SealedRow, sealedRowOf, storeSealed } from './sealed-repeats.ts';
import type { Send } from './send.ts';
import { createTargets, notAUser, type Target } from './targets.ts';
import { findRuns, type WithheldRuns } from './withheld-runs.ts';

/**
 * Restrictions on messages to a user, by `<sender id>:<recipient id>`. `withheld`: the recipient gets no messages from
 * the sender. `muted`: the recipient gets the messages without an alert.
 */
export type Guards = ReadonlyMap<string, 'withheld' | 'muted'>;
export type GuardsOf = (
  reader: Reader,
  pairs: readonly { readonly senderId: number; readonly recipientId: number }[],
) => Promise<Guards>;

/**
 * Throws if the rules of Letter Sealing forbid a message in its chat. `heads` has the log heads of the sender and all
 * recipients. Every send calls this function, so it makes no query.
 */
export type SealingRules = (send: Send, target: Target, heads: Heads) => void;

/**
 * Checks the stickers and emoji in messages. Returns one result per send: the message to store, or an error. The result
 * is undefined if the message contains no stickers or emoji.
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
  readonly conversations: Conversations<Tx>;
  readonly guardsOf: GuardsOf;
  readonly judgeProducts: JudgeProducts;
  readonly sealingRules: SealingRules;
  readonly carriers: MediaCarriers;
}

/** A send, with the data that was read before the locks were taken. */
interface AddressedSend {
  readonly send: Send;
  readonly target: Target | ApiError;
  /** The object that the message names, or an error if the quota has no room for the upload that follows. */
  readonly object: NamedObject | ApiError | undefined;
  readonly sealed: SealedRow | undefined;
}

interface Attempt extends AddressedSend {
  /**
   * The result of the check of stickers and emoji: the message to store, or an error; undefined if the message contains
   * neither.
   */
  readonly product: OutgoingMessage | ApiError | undefined;
}

/** A send that passed all checks. */
interface AllowedSend {
  readonly send: Send;
  readonly target: Target;
  readonly object: NamedObject | undefined;
  readonly sealed: SealedRow | undefined;
}

interface NewMessage extends AllowedSend {
  readonly id: number;
  readonly body: string;
  /** True if the message is kept from the recipients, so that only the sender gets it. */
  readonly kept: boolean;
  /** The message before the run of kept messages that this one belongs to; null if it is kept from nobody. */
  readonly withheldAfter: number | null;
  /** Account ids of the recipients that get no alert. */
  readonly muted: ReadonlySet<number> | undefined;
}

type Outcome =
  | { readonly kind: 'refused'; readonly error: ApiError }
  /** A repeated send; `body` is the message that was the answer to the first send. */
  | { readonly kind: 'repeat'; readonly body: string }
  | { readonly kind: 'stored'; readonly message: NewMessage };

/**
 * The data that a transaction has read while it holds the locks. Accepted sends are added, so that later sends of the
 * transaction are also compared with them.
 */
interface LockedState {
  readonly heads: Heads;
  readonly guards: Guards;
  readonly earlier: EarlierSends;
  readonly sealed: KnownSealed;
  readonly runs: WithheldRuns;
}

/** Returns a function that sends a message and returns its stored JSON after the commit. */
export function createSender(deps: SendDeps): (send: Send) => Promise<string> {
  const findTargets = createTargets(deps);
  const findEarlier = createEarlierSends(deps);

  return deps.store.grouped(async (tx, sends: readonly Send[]) => {
    // Groups are locked before objects, and objects before logs, as in other changes. So no two transactions wait for
    // each other.
    const sources = await deps.carriers.find(tx, sends.map(namingOf));
    const targets = await findTargets(tx, sends, sources.groups);
    const objects = await sources.lock();
    const addressed = targets.map(({ send, target }, i): AddressedSend => {
      return { send, target, object: objects[i], sealed: sealedRowOf(send, target) };
    });
    // The locks are taken before the other reads, because the previous holder of a lock may have sent a message or
    // blocked somebody.
    const [heads, guards, products, sealed] = await Promise.all([
      deps.log.lock(tx, accountsOf(addressed)),
      deps.guardsOf(tx, peersOf(addressed)),
      deps.judgeProducts(tx, sends),
      findSealed(tx, addressed),
    ]);
    const [earlier, runs] = await Promise.all([
      findEarlier(tx, sends, heads),
      findRuns(tx, withheldChats(addressed, guards)),
    ]);
    const held: LockedState = { heads, guards, earlier, sealed, runs };

    const outcomes: Outcome[] = [];
    for (const [i, send] of addressed.entries()) {
      outcomes.push(await settle(deps, tx, { ...send, product: products[i] }, held, outcomes));
    }
    await storeAll(deps, tx, outcomes.flatMap(storedBy), heads);
    return outcomes.map(answerOf);
  }, partiesOf);
}

function answerOf(outcome: Outcome): string | Error {
  if (outcome.kind === 'refused') return outcome.error;
  return outcome.kind === 'repeat' ? outcome.body : outcome.message.body;
}

const storedBy = (outcome: Outcome): NewMessage[] => (outcome.kind === 'stored' ? [outcome.message] : []);

async function settle(
  deps: SendDeps,
  tx: Tx,
  attempt: Attempt,
  held: LockedState,
  before: readonly Outcome[],
): Promise<Outcome> {
  // A repeated send gets its first answer even if the sender has left the chat.
  const made = held.earlier.find(attempt.send);
  const body = made === undefined ? undefined : await bodyOf(tx, made, before);
  if (body !== undefined) return { kind: 'repeat', body };
  const allowed = await judge(deps, tx, attempt, held);
  if (allowed instanceof ApiError) return { kind: 'refused', error: allowed };
  const message = compose(deps.ids, allowed, held);
  held.earlier.add(message.send, message.id);
  held.sealed.add(message.sealed);
  return { kind: 'stored', message };
}

/** Returns the message of an earlier send, which may be another send of the same transaction. */
async function bodyOf(tx: Tx, messageId: number, before: readonly Outcome[]): Promise<string | undefined> {
  const waiting = before.flatMap(storedBy).find(({ id }) => id === messageId);
  return (waiting ?? (await tx.one(q.messageById, messageId)))?.body;
}

/**
 * Returns the mids whose logs a send locks. If a group is the target, its mid is returned instead of its members' mids.
 */
const partiesOf = ({ caller, message }: Send) => [caller.mid, message.to];

function namingOf({ caller, message }: Send): ObjectMention {
  const { OID: oid, FILE_SIZE = '' } = message.contentMetadata ?? {};
  const follows = !oid && !message.chunks?.length && MEDIA.has(message.contentType ?? 0);
  const expects = follows ? (/^\d{1,15}$/.test(FILE_SIZE) ? Number(FILE_SIZE) : 0) : undefined;
  return { senderId: caller.accountId, oid, expects };
}

/**
 * Returns the send as it will be stored, or the error that refuses it. Two checks need the chat: a reply must answer a
 * message of the same chat, and the sealing must match what the chat requires.
 */
async function judge(deps: SendDeps, tx: Tx, attempt: Attempt, held: LockedState): Promise<AllowedSend | ApiError> {
  const { send, target, object, product, sealed } = attempt;
  if (target instanceof ApiError) return target;
  const gone = goneOf(send, target, held.heads);
  if (gone) {
    await forgetBoxes(tx, [send.caller.accountId, ...target.recipientIds], held.heads);
    return gone;
  }
  if (product instanceof ApiError) return product;
  if (send.message.messageRelationType === messageRelationTypes.REPLY) {
    const related = parseI64(send.message.relatedMessageId) as number;
    if (!(await deps.conversations.findMessage(tx, send.caller, related, target.chatId))) {
      return new ApiError('MESSAGE_NOT_FOUND', `message.relatedMessageId ${related} is not in this chat`);
    }
  }
  const refusal = refusalOf(() => deps.sealingRules(send, target, held.heads));
  if (refusal) return refusal;
  if (held.sealed.has(sealed)) return new ApiError('DUPLICATED');
  if (object instanceof ApiError) return object;
  return { send: product ? { ...send, message: product } : send, target, object, sealed };
}

/**
 * Returns an error if the sender or the recipient was deleted. `target` may come from memory and be outdated, but a
 * deleted account has no log.
 */
function goneOf({ caller, message }: Send, target: Target, heads: Heads): ApiError | undefined {
  if (!heads.has(caller.accountId)) return new ApiError('SESSION_LOGGED_OUT');
  if (target.peer && !target.recipientIds.every((id) => heads.has(id))) return notAUser(message.to);
  return undefined;
}

/** Removes the boxes of deleted accounts. A first message may have made one while the account was being deleted. */
async function forgetBoxes(tx: Tx, accountIds: readonly number[], heads: Heads): Promise<void> {
  for (const id of accountIds) if (!heads.has(id)) await tx.run(q.dropBoxesOf, id);
}

function refusalOf(rule: () => void): ApiError | undefined {
  try {
    rule();
    return undefined;
  } catch (error) {
    if (error instanceof ApiError) return error;
    throw error;
  }
}

function compose(ids: Ids, allowed: AllowedSend, { heads, guards, runs }: LockedState): NewMessage {
  const { send, target, object, sealed } = allowed;
  const { caller } = send;
  let newest = heads.get(caller.accountId)?.last_message_id ?? 0;
  for (const id of target.recipientIds) newest = Math.max(newest, heads.get(id)?.last_message_id ?? 0);
  const id = ids.next(newest);
  const sent = { from: caller.mid, id, time: timeOfId(id), hasObject: object?.whole ?? false };
  const body = JSON.stringify(storedMessage(send.message, sent));
  const guard = guardOf(send, target, guards);
  const muted = guard === 'muted' ? new Set(target.recipientIds) : target.mutedIds;
  const kept = guard === 'withheld';
  const withheldAfter = runs.add({ chatId: target.chatId, id, onlyFor: kept ? caller.accountId : null });
  return { send, target, object, sealed, id, body, kept, withheldAfter, muted };
}

const guardOf = ({ caller }: Send, { peer, recipientIds }: Target, guards: Guards) =>
  peer && guards.size > 0 ? guards.get(`${caller.accountId}:${recipientIds[0]}`) : undefined;

/** Returns the ids of the chats in which messages of the sends are withheld from the other account. */
function withheldChats(sends: readonly AddressedSend[], guards: Guards): Set<number> {
  const chats = new Set<number>();
  for (const { send, target } of sends) {
    if (!(target instanceof ApiError) && guardOf(send, target, guards) === 'withheld') chats.add(target.chatId);
  }
  return chats;
}

async function storeAll(
  { log, carriers }: SendDeps,
  tx: Tx,
  messages: readonly NewMessage[],
  heads: Heads,
): Promise<void> {
  if (messages.length === 0) return;
  await Promise.all([
    tx.each(q.insertMessages, messages.map(rowOf)),
    tx.each(
      q.locateMessages,
      messages.map(({ target, id }) => [id, target.chatId]),
    ),
    log.append(tx, messages.flatMap(operationsOf), heads),
    storeSealed(
      tx,
      messages.flatMap(({ sealed }) => (sealed ? [sealed] : [])),
    ),
  ]);
  await carriers.carry(
    tx,
    messages.flatMap(({ target, id, object }) => (object ? [{ chatId: target.chatId, messageId: id, object }] : [])),
  );
}

const rowOf = ({ send, target, id, body, kept, withheldAfter }: NewMessage) => [
  target.chatId,
  id,
  send.caller.accountId,
  send.message.contentType ?? 0,
  timeOfId(id),
  kept ? send.caller.accountId : null,
  withheldAfter,
  body,
];

function operationsOf({ send, target, id, body, kept, muted }: NewMessage): NewOperation[] {
  const message = { chatId: target.chatId, id, body };
  const { accountId, sessionId } = send.caller;
  const { reqSeq, fingerprint } = send;
  const request = fingerprint === undefined ? undefined : { sessionId, fingerprint };
  const operations: NewOperation[] = [{ accountId, to: 'self', type: 'SEND_MESSAGE', reqSeq, message, request }];
  if (kept) return operations;
  for (const recipientId of target.recipientIds) {
    if (target.withheldIds?.has(recipientId)) continue;
    const silent = muted?.has(recipientId) ?? false;
    operations.push({ accountId: recipientId, to: 'members', type: 'RECEIVE_MESSAGE', message, silent });
  }
  return operations;
}

function accountsOf(sends: readonly AddressedSend[]): Set<number> {
  const accounts = new Set<number>();
  for (const { send, target } of sends) {
    // The log of a refused sender is locked too, because the refused send may repeat an accepted one.
    accounts.add(send.caller.accountId);
    if (target instanceof ApiError) continue;
    for (const id of target.recipientIds) accounts.add(id);
  }
  return accounts;
}

function peersOf(sends: readonly AddressedSend[]) {
  const pairs: { senderId: number; recipientId: number }[] = [];
  for (const { send, target } of sends) {
    if (target instanceof ApiError || !target.peer) continue;
    const [recipientId] = target.recipientIds;
    if (recipientId !== undefined) pairs.push({ senderId: send.caller.accountId, recipientId });
  }
  return pairs;
}
