// Groups, chats and rooms (specification: Groups, chats, rooms).
import type { Reader } from '../store/store.ts';
import * as q from './queries.ts';

export type { ContactsOf } from './chat-view.ts';
export { createGroupChats } from './group-chats.ts';
export { type ChatDeps, chatHandlers } from './handlers.ts';
export { leaveAllChats } from './leave-all-chats.ts';
export { setChatPicture } from './update-chat.ts';

/** How many of its newest chats count as shared, and how many accounts are answered. */
const SHARED_CHATS = 100;
const SHARED_MEMBERS = 1000;

/** Accounts that are members of a chat together with this one. */
export async function sharedMembers(reader: Reader, accountId: number): Promise<number[]> {
  const rows = await reader.all(q.sharedMembers, accountId, SHARED_CHATS, accountId, SHARED_MEMBERS);
  return rows.map((row) => row.account_id);
}

export interface ChatParties {
  readonly chatId: number;
  readonly members: readonly { readonly accountId: number; readonly mid: string }[];
  readonly invitees: readonly { readonly accountId: number; readonly mid: string }[];
}

/** Who is in a group or room and who is invited; undefined if there is no such chat. */
export async function partiesOf(reader: Reader, chatMid: string): Promise<ChatParties | undefined> {
  const chat = await reader.one(q.findChat, chatMid);
  if (!chat) return undefined;
  const rows = await reader.each(q.partiesOf, [[chat.chat_id]]);
  const midsWith = (joined: number) =>
    rows.filter((row) => row.joined === joined).map((row) => ({ accountId: row.account_id, mid: row.mid }));
  return { chatId: chat.chat_id, members: midsWith(1), invitees: midsWith(0) };
}

export async function isMember(reader: Reader, chatMid: string, accountId: number): Promise<boolean> {
  const chat = await reader.one(q.findChat, chatMid);
  return chat !== undefined && (await reader.one(q.isMember, chat.chat_id, accountId)) !== undefined;
}

/** Chats that a member made favourites, oldest first. */
export const favoriteChatMids = async (reader: Reader, accountId: number): Promise<string[]> =>
  (await reader.all(q.favoriteChats, accountId)).map((row) => row.mid);
