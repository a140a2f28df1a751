// A chat as one account sees it: the messages that the account may read, and the other participants.
import { ApiError, isMid } from '@sealpost/contract';
import type { Caller } from '../../platform/rpc/call.ts';
import { invalidMid } from '../../platform/rpc/mids.ts';
import type { Reader, Tx } from '../../platform/store/store.ts';
import type { GroupChat, GroupChats, Span } from './groups.ts';
import * as q from './queries.ts';

export interface Party {
  readonly accountId: number;
  /** The chat's id as this participant sees it: in a one-to-one chat, the other user's mid. */
  readonly chatMid: string;
}

export interface Conversation {
  readonly box: q.BoxRow;
  readonly chatMid: string;
  readonly others: readonly Party[];
  /** Participants that are told nothing of the chat. */
  readonly withheld: readonly Party[];
  /** Spans of messages that the account may read, without the history that it removed. */
  readonly spans: readonly Span[];
  /** The same spans, with the removed history. */
  readonly allSpans: readonly Span[];
}

const ALWAYS: readonly Span[] = [{ after: 0, before: Number.MAX_SAFE_INTEGER }];

/**
 * Finds the chats that an account may see. The implementation from `createHeldConversations` also locks each group that
 * it finds, until the transaction ends.
 */
export interface Conversations<R extends Reader> {
  find(reader: R, caller: Caller, chatMid: string): Promise<Conversation | undefined>;
  /** Returns a message and its chat if the caller may read the message. With `chatId`, only that chat is searched. */
  findMessage(
    reader: R,
    caller: Pick<Caller, 'accountId'>,
    messageId: number,
    chatId?: number,
  ): Promise<{ message: q.MessageRow; conversation: Conversation } | undefined>;
}

type GroupOf<R extends Reader> = (reader: R, box: q.BoxRow) => Promise<GroupChat | undefined>;

export const createConversations = (groups: GroupChats): Conversations<Reader> =>
  conversationsIn(groups, (reader, { chat_mid }) => groups.find(reader, chat_mid));

/**
 * Creates the `Conversations` for methods that change something. It locks each group that it finds, so that no member
 * is removed before the change is announced.
 */
export const createHeldConversations = (groups: GroupChats): Conversations<Tx> =>
  conversationsIn<Tx>(groups, async (tx, { chat_mid: mid, account_id: accountId }) =>
    (await groups.lock(tx, [{ mid, accountId }])).get(mid),
  );

function conversationsIn<R extends Reader>(groups: GroupChats, groupOf: GroupOf<R>): Conversations<R> {
  async function of(reader: R, box: q.BoxRow): Promise<Conversation | undefined> {
    const participants = await participantsOf(reader, box, groupOf);
    if (!participants) return undefined;
    const allSpans = await allSpansOf(reader, groups, box);
    if (allSpans.length === 0) return undefined;
    return { box, chatMid: box.chat_mid, ...participants, spans: withoutRemoved(allSpans, box), allSpans };
  }

  async function find(reader: R, caller: Caller, chatMid: string): Promise<Conversation | undefined> {
    const box = await reader.one(q.boxOf, caller.accountId, chatMid);
    return box && of(reader, box);
  }

  return {
    find,
    async findMessage(reader, caller, messageId, chatId) {
      const message = await reader.one(q.messageSeenBy, caller.accountId, messageId);
      if (!message || (chatId !== undefined && message.chat_id !== chatId)) return undefined;
      const conversation = await of(reader, message);
      if (!conversation?.spans.some((s) => message.id > s.after && message.id < s.before)) return undefined;
      return { message, conversation };
    },
  };
}

/** Returns the spans of messages that a box's owner may read, without the history that the owner removed. */
export const spansOf = async (reader: Reader, groups: GroupChats, box: q.BoxRow): Promise<readonly Span[]> =>
  withoutRemoved(await allSpansOf(reader, groups, box), box);

/** Returns the spans of messages that a box's owner may read or has removed; an empty list if it is not in the group. */
export const allSpansOf = async (
  reader: Reader,
  groups: GroupChats,
  box: q.BoxRow,
  options?: Parameters<GroupChats['spans']>[3],
): Promise<readonly Span[]> =>
  box.peer_id === null ? groups.spans(reader, box.chat_id, box.account_id, options) : ALWAYS;

function withoutRemoved(spans: readonly Span[], { removed_message_id: cut }: q.BoxRow): readonly Span[] {
  return cut === 0
    ? spans
    : spans.filter((s) => s.before > cut).map((s) => ({ after: Math.max(s.after, cut), before: s.before }));
}

/** Returns the other participants; undefined if the group is not found for the box's owner. */
async function participantsOf<R extends Reader>(
  reader: R,
  box: q.BoxRow,
  groupOf: GroupOf<R>,
): Promise<Pick<Conversation, 'others' | 'withheld'> | undefined> {
  if (box.peer_id === null) {
    const group = await groupOf(reader, box);
    if (!group) return undefined;
    const all = group.memberIds.filter((id) => id !== box.account_id);
    const parties = (withheld: boolean) =>
      all
        .filter((id) => group.withheldIds.has(id) === withheld)
        .map((accountId) => ({ accountId, chatMid: box.chat_mid }));
    return { others: parties(false), withheld: parties(true) };
  }
  const boxes = await reader.all(q.boxesOfChat, box.chat_id);
  const others = boxes
    .filter((b) => b.account_id !== box.account_id)
    .map((b) => ({ accountId: b.account_id, chatMid: b.chat_mid }));
  return { others, withheld: [] };
}

/**
 * Returns the error for a chat that is absent or forbidden, so that a caller cannot tell these two apart. `field` is
 * the path of the argument that names the chat.
 */
export function absent(field: string, chatMid: string): ApiError {
  if (!isMid(chatMid)) return invalidMid(field, chatMid);
  if (chatMid.startsWith('u'))
    return new ApiError('NOT_FOUND', `not found: ${field}: the caller has no chat ${chatMid}`);
  // Existing clients search the answer for exactly `not a member`, so this reason names no argument.
  return new ApiError('NOT_A_MEMBER');
}

/**
 * Returns null, the answer for a one-to-one chat that has no message yet. Throws for a group that the caller is not in.
 */
export function nothingThere(field: string, chatMid: string): null {
  const refusal = absent(field, chatMid);
  if (refusal.code !== 'NOT_FOUND') throw refusal;
  return null;
}
