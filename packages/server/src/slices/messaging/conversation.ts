// A chat as one account sees it: which messages it may read, and who else is there.
import { ApiError, isMid } from '@sealpost/contract';
import type { Caller } from '../../platform/rpc/call.ts';
import { invalidMid } from '../../platform/rpc/mids.ts';
import type { Reader, Tx } from '../../platform/store/store.ts';
import type { GroupChat, GroupChats, Span } from './groups.ts';
import * as q from './queries.ts';

export interface Party {
  readonly accountId: number;
  /** The chat's id from this party's side. */
  readonly chatMid: string;
}

export interface Conversation {
  readonly box: q.BoxRow;
  readonly chatMid: string;
  readonly others: readonly Party[];
  readonly spans: readonly Span[];
}

const ALWAYS: readonly Span[] = [{ after: 0, before: Number.MAX_SAFE_INTEGER }];

/** Finds chats for those who may see them: in a read, or in a transaction that holds the groups which it finds. */
export interface Conversations<R extends Reader> {
  /**
   * @param field where the call names the chat
   * @throws NOT_A_MEMBER for a group that the caller is not in, NOT_FOUND for anything else that it cannot see
   */
  require(reader: R, caller: Caller, field: string, chatMid: string): Promise<Conversation>;
  find(reader: R, caller: Caller, chatMid: string): Promise<Conversation | undefined>;
  /** The message and its chat, if the caller may read it. `chatId` is the only chat to look in. */
  findMessage(
    reader: R,
    caller: Pick<Caller, 'accountId'>,
    messageId: number,
    chatId?: number,
  ): Promise<{ message: q.MessageRow; conversation: Conversation } | undefined>;
}

type GroupOf<R extends Reader> = (reader: R, mid: string) => Promise<GroupChat | undefined>;

export const createConversations = (groups: GroupChats): Conversations<Reader> =>
  conversationsIn(groups, (reader, mid) => groups.find(reader, mid));

/** For changes: nobody who is removed meanwhile is told of it, because the group is held. */
export const createHeldConversations = (groups: GroupChats): Conversations<Tx> =>
  conversationsIn<Tx>(groups, async (tx, mid) => (await groups.lock(tx, [mid])).get(mid));

function conversationsIn<R extends Reader>(groups: GroupChats, groupOf: GroupOf<R>): Conversations<R> {
  async function of(reader: R, box: q.BoxRow): Promise<Conversation | undefined> {
    const others = await othersOf(reader, box, groupOf);
    if (box.peer_id === null && (await groups.spans(reader, box.chat_id, box.account_id)).length === 0)
      return undefined;
    return { box, chatMid: box.chat_mid, others, spans: await spansOf(reader, groups, box) };
  }

  async function find(reader: R, caller: Caller, chatMid: string): Promise<Conversation | undefined> {
    const box = await reader.one(q.boxOf, caller.accountId, chatMid);
    return box && of(reader, box);
  }

  return {
    find,
    async require(reader, caller, field, chatMid) {
      const conversation = await find(reader, caller, chatMid);
      if (conversation) return conversation;
      throw absent(field, chatMid);
    },
    async findMessage(reader, caller, messageId, chatId) {
      const message = await reader.one(q.messageById, messageId);
      // Asked for an absent message too: a foreign one takes no longer.
      const box = await reader.one(q.boxOfChat, message?.chat_id ?? 0, caller.accountId);
      if (!message || (chatId !== undefined && message.chat_id !== chatId)) return undefined;
      if (message.only_for !== null && message.only_for !== caller.accountId) return undefined;
      const conversation = box && (await of(reader, box));
      if (!conversation?.spans.some((s) => message.id > s.after && message.id < s.before)) return undefined;
      return { message, conversation };
    },
  };
}

/** The spans of a viewer, cut where it removed the history. */
export async function spansOf(reader: Reader, groups: GroupChats, box: q.BoxRow): Promise<readonly Span[]> {
  const spans = box.peer_id === null ? await groups.spans(reader, box.chat_id, box.account_id) : ALWAYS;
  const cut = box.removed_message_id;
  return cut === 0
    ? spans
    : spans.filter((s) => s.before > cut).map((s) => ({ after: Math.max(s.after, cut), before: s.before }));
}

async function othersOf<R extends Reader>(reader: R, box: q.BoxRow, groupOf: GroupOf<R>): Promise<readonly Party[]> {
  if (box.peer_id === null) {
    const group = await groupOf(reader, box.chat_mid);
    return (group?.memberIds ?? [])
      .filter((id) => id !== box.account_id)
      .map((accountId) => ({ accountId, chatMid: box.chat_mid }));
  }
  const boxes = await reader.all(q.boxesOfChat, box.chat_id);
  return boxes
    .filter((b) => b.account_id !== box.account_id)
    .map((b) => ({ accountId: b.account_id, chatMid: b.chat_mid }));
}

/** Absent and forbidden chats are answered alike. `field` is where the call names the chat. */
export function absent(field: string, chatMid: string): ApiError {
  if (!isMid(chatMid)) return invalidMid(field, chatMid);
  return chatMid.startsWith('u') ? new ApiError('NOT_FOUND') : new ApiError('NOT_A_MEMBER');
}

/** A chat with a user that has no message yet is empty, not absent; a group is absent unless one is in it. */
export function nothingThere(field: string, chatMid: string): null {
  const refusal = absent(field, chatMid);
  if (refusal.code !== 'NOT_FOUND') throw refusal;
  return null;
}
