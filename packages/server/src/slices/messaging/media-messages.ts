// What object storage needs to know of messages, and what messages tell object storage.
import { type ApiError, isMid, type Message } from '@sealpost/contract';
import type { Caller } from '../../platform/rpc/call.ts';
import type { Reader, Tx } from '../../platform/store/store.ts';
import type { NewOperation, OperationLog } from '../../platform/stream/operation-log.ts';
import { absent, type Conversations, createConversations, createHeldConversations } from './conversation.ts';
import type { GroupChats } from './groups.ts';
import * as q from './queries.ts';

/** A message as far as its media are concerned. */
export interface MediaMessage {
  readonly chatId: number;
  readonly id: number;
  readonly senderId: number;
  readonly contentType: number;
  readonly sealed: boolean;
  readonly unsent: boolean;
}

export interface Naming {
  readonly senderId: number;
  readonly oid: string | undefined;
  /** Bytes of the object that is to be uploaded after the send; undefined where none is. */
  readonly expects: number | undefined;
}

/** An object that a message names and that its sender may hand on. */
export interface NamedObject {
  readonly oid: string;
  readonly ownerId: number;
  readonly whole: boolean;
}

/** Object storage, as told of messages that name objects and of messages that are gone. */
export interface MediaCarriers {
  /**
   * What each send names, undefined where it is nothing, or why there is no room for the object that is to follow it.
   * Held until the end, so that none becomes whole meanwhile.
   */
  named(tx: Tx, sends: readonly Naming[]): Promise<readonly (NamedObject | ApiError | undefined)[]>;
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
  const conversations = createConversations(groups);
  const held = createHeldConversations(groups);
  return {
    /** A message that an account may read now; undefined for every other one. */
    findMessage: (reader: Reader, accountId: number, messageId: number) =>
      mediaMessage(conversations, reader, accountId, messageId),

    /** The same, with its group held. */
    holdMessage: (tx: Tx, accountId: number, messageId: number) => mediaMessage(held, tx, accountId, messageId),

    /** Refuses what the caller could not send to. @throws NOT_FOUND, NOT_A_MEMBER, INVALID_MID */
    async requireTarget(tx: Tx, caller: Caller, field: string, mid: string): Promise<void> {
      const there = mid.startsWith('u') && isMid(mid) && (await tx.one(q.accountByMid, mid));
      if (!there && !(await held.find(tx, caller, mid))) throw absent(field, mid);
    },

    /** Whether a message is there and was not taken back. */
    async stands(reader: Reader, messageId: number): Promise<boolean> {
      return (await reader.one(q.messageById, messageId))?.unsent === 0;
    },

    /** The messages say from now on that their object is there, and whoever has one is told. */
    async gainContent(tx: Tx, messageIds: readonly number[], uploaderId: number): Promise<void> {
      const changed = await markContent(tx, messageIds, q.gainContent);
      await log.lockAndAppend(tx, (await Promise.all(changed.map((row) => newsOf(tx, row, uploaderId)))).flat());
    },

    /** The messages say from now on that their object is gone. */
    async loseContent(tx: Tx, messageIds: readonly number[]): Promise<void> {
      await markContent(tx, messageIds, q.loseContent);
    },
  };

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

  /** Names the message only: not everybody who is in the chat now may read it. */
  async function newsOf(
    tx: Tx,
    { id, sender_id: accountId, only_for }: q.ContentChange,
    uploaderId: number,
  ): Promise<NewOperation[]> {
    const found = await conversations.findMessage(tx, { accountId }, id);
    if (!found) return [];
    const { chatMid, others } = found.conversation;
    return [{ accountId, chatMid }, ...(only_for === null ? others : [])].map((party) => ({
      accountId: party.accountId,
      to: party.accountId === uploaderId ? 'self' : 'members',
      type: 'NOTIFIED_UPDATE_MESSAGE',
      params: { chatMid: party.chatMid, messageId: String(id) },
    }));
  }
}

async function mediaMessage<R extends Reader>(
  conversations: Conversations<R>,
  reader: R,
  accountId: number,
  messageId: number,
): Promise<MediaMessage | undefined> {
  const found = await conversations.findMessage(reader, { accountId }, messageId);
  if (!found) return undefined;
  const { chat_id: chatId, id, sender_id: senderId, content_type: contentType, unsent, body } = found.message;
  const { chunks } = JSON.parse(body) as Message;
  return { chatId, id, senderId, contentType, sealed: chunks !== undefined, unsent: unsent === 1 };
}
