// What object storage needs to know of messages, and what messages tell object storage.
import { isMid, type Message } from '@sealpost/contract';
import type { Caller } from '../rpc/call.ts';
import type { Reader, Tx } from '../store/store.ts';
import { absent, createConversations } from './conversation.ts';
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

/** A stored message whose metadata name an object. */
export interface Carrying {
  readonly chatId: number;
  readonly messageId: number;
  readonly senderId: number;
  readonly oid: string;
}

/** Object storage, as told of messages that name objects and of messages that are gone. */
export interface MediaCarriers {
  carry(tx: Tx, messages: readonly Carrying[]): Promise<void>;
  drop(tx: Tx, message: Omit<Carrying, 'oid'>): Promise<void>;
}

export function createMediaMessages(groups: GroupChats) {
  const conversations = createConversations(groups);
  return {
    /** A message that an account may read now; undefined for every other one. */
    async findMessage(reader: Reader, accountId: number, messageId: number): Promise<MediaMessage | undefined> {
      const found = await conversations.findMessage(reader, { accountId }, messageId);
      if (!found) return undefined;
      const { chat_id: chatId, id, sender_id: senderId, content_type: contentType, unsent, body } = found.message;
      const { chunks } = JSON.parse(body) as Message;
      return { chatId, id, senderId, contentType, sealed: chunks !== undefined, unsent: unsent === 1 };
    },

    /** Refuses what the caller could not send to. @throws NOT_FOUND, NOT_A_MEMBER, INVALID_MID */
    async requireTarget(reader: Reader, caller: Caller, field: string, mid: string): Promise<void> {
      const there = mid.startsWith('u') && isMid(mid) && (await reader.one(q.accountByMid, mid));
      if (!there && !(await conversations.find(reader, caller, mid))) throw absent(field, mid);
    },

    /** The message says from now on that its object is there. */
    async markContent(tx: Tx, { chatId, id }: MediaMessage): Promise<void> {
      const row = await tx.one(q.lockMessage, chatId, id);
      if (!row || row.unsent === 1) return;
      await tx.run(q.setBody, JSON.stringify({ ...(JSON.parse(row.body) as Message), hasContent: true }), chatId, id);
    },
  };
}
