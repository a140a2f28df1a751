// A chat as one account sees it: the messages that the account may read, and the other participants.
import { ApiError, isMid } from '@sealpost/contract';
import type { Caller } from '../../platform/rpc/call.ts';
import { invalidMid } from '../../platform/rpc/mids.ts';
import type { Reader, Tx } from '../../platform/store/store.ts';
import type { GroupChats, Span } from './groups.ts';
import * as q from './queries.ts';

export interface Party {
  readonly accountId: number;
  /** The chat's id as this participant sees it: in a one-to-one chat, the other user's mid. */
  readonly chatMid: string;
}

/** A chat that an account may read. */
export interface ReadableChat {
  readonly box: q.BoxRow;
  /** Spans of messages that the account may read, without the history that it removed. */
  readonly spans: readonly Span[];
  /** The same spans, with the removed history. */
  readonly allSpans: readonly Span[];
}

interface Participants {
  readonly others: readonly Party[];
  /** Participants that are told nothing of the chat. */
  readonly withheld: readonly Party[];
}

/** A chat with its participants, whom a change of the chat is told. */
export type Conversation = ReadableChat & Participants;

const ALWAYS: readonly Span[] = [{ after: 0, before: Number.MAX_SAFE_INTEGER }];

/** Finds the chats that an account may see. */
export interface Conversations<R extends Reader, Chat extends ReadableChat = Conversation> {
  find(reader: R, caller: Caller, chatMid: string): Promise<Chat | undefined>;
  /** Returns a message and its chat if the caller may read the message. With `chatId`, only that chat is searched. */
  findMessage(
    reader: R,
    caller: Pick<Caller, 'accountId'>,
    messageId: number,
    chatId?: number,
  ): Promise<{ message: q.MessageRow; conversation: Chat } | undefined>;
}

type GroupSpans = Pick<GroupChats, 'spans'>;

/** Creates the `Conversations` for methods that only read. It does not read the other members of a group. */
export const createReadableChats = (groups: GroupSpans): Conversations<Reader, ReadableChat> =>
  conversationsIn(groups, async () => ({}));

/**
 * Creates the `Conversations` for methods that change something. It locks each group that it finds, so that no member
 * is removed before the change is announced.
 */
export const createHeldConversations = (groups: GroupChats): Conversations<Tx> =>
  conversationsIn(groups, (tx: Tx, box) => holdParticipants(tx, groups, box));

/** Returns the groups for one account and one read. The spans of each group are read once. */
export function spansOnce(groups: GroupSpans): GroupSpans {
  const known = new Map<number, Promise<readonly Span[]>>();
  return {
    spans(reader, chatId, accountId) {
      const spans = known.get(chatId) ?? groups.spans(reader, chatId, accountId);
      known.set(chatId, spans);
      return spans;
    },
  };
}

/** @param add returns what the found chats have besides; undefined if the group is not found for the box's owner */
function conversationsIn<R extends Reader, More extends object>(
  groups: GroupSpans,
  add: (reader: R, box: q.BoxRow) => Promise<More | undefined>,
): Conversations<R, ReadableChat & More> {
  async function of(reader: R, box: q.BoxRow): Promise<(ReadableChat & More) | undefined> {
    const more = await add(reader, box);
    if (!more) return undefined;
    const allSpans = await allSpansOf(reader, groups, box);
    if (allSpans.length === 0) return undefined;
    return { box, spans: withoutRemoved(allSpans, box), allSpans, ...more };
  }

  return {
    async find(reader, caller, chatMid) {
      const box = await reader.one(q.boxOf, caller.accountId, chatMid);
      return box && of(reader, box);
    },
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
export const spansOf = async (reader: Reader, groups: GroupSpans, box: q.BoxRow): Promise<readonly Span[]> =>
  withoutRemoved(await allSpansOf(reader, groups, box), box);

/** Returns the spans of messages that a box's owner may read or has removed; an empty list if it is not in the group. */
const allSpansOf = async (reader: Reader, groups: GroupSpans, box: q.BoxRow): Promise<readonly Span[]> =>
  box.peer_id === null ? groups.spans(reader, box.chat_id, box.account_id) : ALWAYS;

function withoutRemoved(spans: readonly Span[], { removed_message_id: cut }: q.BoxRow): readonly Span[] {
  return cut === 0
    ? spans
    : spans.filter((s) => s.before > cut).map((s) => ({ after: Math.max(s.after, cut), before: s.before }));
}

/** Returns the other participants, and locks their group; undefined if it is not found for the box's owner. */
async function holdParticipants(tx: Tx, groups: GroupChats, box: q.BoxRow): Promise<Participants | undefined> {
  const { chat_mid: mid, account_id: accountId } = box;
  if (box.peer_id === null) {
    const group = (await groups.lock(tx, [{ mid, accountId }])).get(mid);
    if (!group) return undefined;
    const all = group.memberIds.filter((id) => id !== accountId);
    const parties = (withheld: boolean) =>
      all.filter((id) => group.withheldIds.has(id) === withheld).map((id) => ({ accountId: id, chatMid: mid }));
    return { others: parties(false), withheld: parties(true) };
  }
  const boxes = await tx.all(q.boxesOfChat, box.chat_id);
  const others = boxes
    .filter((b) => b.account_id !== accountId)
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
