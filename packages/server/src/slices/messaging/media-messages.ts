// The interface between messaging and object storage: what each of them needs from the other.
import { type ApiError, isMid, type Message } from '@sealpost/contract';
import type { Caller } from '../../platform/rpc/call.ts';
import type { Reader, Tx } from '../../platform/store/store.ts';
import type { NewOperation, OperationLog } from '../../platform/stream/operation-log.ts';
import {
  absent,
  type Conversations,
  createHeldConversations,
  createReadableChats,
  type Party,
  type ReadableChat,
} from './conversation.ts';
import type { AskedGroup, GroupChats } from './groups.ts';
import * as q from './queries.ts';
import { isGroup } from './targets.ts';

/** The facts about a message that decide who may read and write its media. */
export interface MediaMessage {
  readonly chatId: number;
  readonly id: number;
  readonly senderId: number;
  readonly contentType: number;
  readonly sealed: boolean;
  readonly unsent: boolean;
  /** Mid of the group or room of the message; undefined in a one-to-one chat. */
  readonly groupMid: string | undefined;
}

export interface ObjectMention {
  readonly senderId: number;
  readonly oid: string | undefined;
  /** Size in bytes of the object that is uploaded after the send; undefined if no upload follows. */
  readonly expects: number | undefined;
}

/** An object that a message names and that the sender may forward. */
export interface NamedObject {
  readonly oid: string;
  readonly ownerId: number;
  readonly whole: boolean;
}

/** What was found out about the objects of sends before anything is locked. */
export interface ObjectSources {
  /** The groups and rooms of the messages from which the senders know the objects. */
  readonly groups: readonly AskedGroup[];
  /**
   * Locks the objects. The calling function must hold the locks on the groups, because groups are locked before
   * objects. Returns one result per send: the named object, undefined if the send names none, or an error. The
   * error says that the sender's quota has no room for the upload that follows. The objects stay locked until the
   * transaction ends, so that no upload to them completes before that.
   */
  lock(): Promise<readonly (NamedObject | ApiError | undefined)[]>;
}

/** Object storage's part in sends and deletions: it links objects to the messages that name them. */
export interface MediaCarriers {
  /** Finds the objects that sends name. Without such a send, it makes no query. */
  find(tx: Tx, sends: readonly ObjectMention[]): Promise<ObjectSources>;
  carry(
    tx: Tx,
    messages: readonly { readonly chatId: number; readonly messageId: number; readonly object: NamedObject }[],
  ): Promise<void>;
  drop(
    tx: Tx,
    message: { readonly chatId: number; readonly messageId: number; readonly senderId: number },
  ): Promise<void>;
}

export function createMediaMessages(groups: GroupChats, log: OperationLog) {
  const readable = createReadableChats(groups);
  const held = createHeldConversations(groups);
  return {
    /** Returns a message if the account may read it now; otherwise undefined. */
    findMessage: (reader: Reader, accountId: number, messageId: number) =>
      mediaMessage(readable, reader, accountId, messageId),

    /** Returns a message if the account may read it now, and locks its group. */
    holdMessage: (tx: Tx, accountId: number, messageId: number) => mediaMessage(held, tx, accountId, messageId),

    /**
     * Throws if the caller cannot send messages to this mid.
     * @throws NOT_FOUND, NOT_A_MEMBER, INVALID_MID
     */
    async requireTarget(tx: Tx, caller: Caller, field: string, mid: string): Promise<void> {
      const there = mid.startsWith('u') && isMid(mid) && (await tx.one(q.accountByMid, mid));
      if (!there && !(await held.find(tx, caller, mid))) throw absent(field, mid);
    },

    /** Locks the groups of chats and messages, as far as the account is in them, in the order of their ids. */
    holdGroups: (tx: Tx, accountId: number, chatMids: readonly string[], messageIds: readonly number[]) =>
      lockGroups(tx, groups, { accountId, chatMids, messageIds }),

    /** Returns whether a message exists and was not unsent. */
    async stands(reader: Reader, messageId: number): Promise<boolean> {
      return (await reader.one(q.messageById, messageId))?.unsent === 0;
    },

    /** Locks messages, in the order of their ids. Messages are locked before objects. */
    async holdMessages(tx: Tx, messageIds: readonly number[]): Promise<void> {
      await tx.each(
        q.lockMessages,
        messageIds.map((id) => [id]),
      );
    },

    /** Marks the messages as having content, and notifies the accounts that have the messages. */
    async gainContent(tx: Tx, messageIds: readonly number[], uploaderId: number): Promise<void> {
      const changed = await markContent(tx, messageIds, q.gainContent);
      // The groups are not locked, but whoever leaves a group locks the logs of its members.
      const { found, heads } = await log.lockFound(
        tx,
        async () => (await Promise.all(changed.map((row) => newsOf(tx, row, uploaderId)))).flat(),
        (operations) => operations.map(({ accountId }) => accountId),
      );
      await log.append(tx, found, heads);
    },

    /** Marks the messages as having no content any more. */
    async loseContent(tx: Tx, messageIds: readonly number[]): Promise<void> {
      await markContent(tx, messageIds, q.loseContent);
    },
  };

  /**
   * Returns the operations that announce a changed message. They name the message without its content, because some
   * present members of the chat may not read it.
   */
  async function newsOf(
    tx: Tx,
    { id, sender_id: accountId, only_for }: q.ContentChange,
    uploaderId: number,
  ): Promise<NewOperation[]> {
    const box = await tx.one(q.messageSeenBy, accountId, id);
    if (!box) return [];
    const parties = only_for === null ? await partiesOf(tx, groups, box) : [{ accountId, chatMid: box.chat_mid }];
    return parties.map((party) => ({
      accountId: party.accountId,
      to: party.accountId === uploaderId ? 'self' : 'members',
      type: 'NOTIFIED_UPDATE_MESSAGE',
      params: { chatMid: party.chatMid, messageId: String(id) },
    }));
  }
}

/** Returns the participants of a chat. The sender may have left it, or removed its history, and the others stay. */
async function partiesOf(
  tx: Tx,
  groups: GroupChats,
  { account_id: own, chat_id, chat_mid: mid, peer_id }: q.BoxRow,
): Promise<Party[]> {
  if (peer_id !== null) {
    const boxes = await tx.all(q.boxesOfChat, chat_id);
    return boxes.map(({ account_id: accountId, chat_mid: chatMid }) => ({ accountId, chatMid }));
  }
  const group = await groups.find(tx, mid);
  return (group?.memberIds ?? [])
    .filter((accountId) => accountId === own || !group?.withheldIds.has(accountId))
    .map((accountId) => ({ accountId, chatMid: mid }));
}

/** The chats and messages whose groups an account asks for. */
interface AskedGroups {
  readonly accountId: number;
  readonly chatMids: readonly string[];
  readonly messageIds: readonly number[];
}

async function lockGroups(tx: Tx, groups: GroupChats, { accountId, chatMids, messageIds }: AskedGroups): Promise<void> {
  const mids = new Set(chatMids.filter(isGroup));
  for (const id of messageIds) {
    const box = await tx.one(q.messageSeenBy, accountId, id);
    if (box && isGroup(box.chat_mid)) mids.add(box.chat_mid);
  }
  if (mids.size === 0) return;
  await groups.lock(
    tx,
    [...mids].map((mid) => ({ mid, accountId })),
  );
}

async function markContent(
  tx: Tx,
  messageIds: readonly number[],
  change: typeof q.gainContent,
): Promise<q.ContentChange[]> {
  if (messageIds.length === 0) return [];
  const located = await tx.each(
    q.locationsOf,
    messageIds.map((id) => [id]),
  );
  return tx.each(
    change,
    located.map(({ chat_id, id }) => [chat_id, id]),
  );
}

async function mediaMessage<R extends Reader>(
  conversations: Conversations<R, ReadableChat>,
  reader: R,
  accountId: number,
  messageId: number,
): Promise<MediaMessage | undefined> {
  const found = await conversations.findMessage(reader, { accountId }, messageId);
  if (!found) return undefined;
  const { chat_id: chatId, id, sender_id: senderId, content_type: contentType, unsent, body } = found.message;
  const { chunks } = JSON.parse(body) as Message;
  const { box } = found.conversation;
  const groupMid = box.peer_id === null ? box.chat_mid : undefined;
  return { chatId, id, senderId, contentType, sealed: chunks !== undefined, unsent: unsent === 1, groupMid };
}
