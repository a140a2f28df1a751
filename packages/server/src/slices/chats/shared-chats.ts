import type { Reader } from '../../platform/store/store.ts';
import * as q from './queries.ts';

/** How many of its newest chats count as shared, and how many accounts are answered. */
const SHARED_CHATS = 100;
const SHARED_MEMBERS = 1000;

/** Accounts that are members of a chat together with this one. */
export async function sharedMembers(reader: Reader, accountId: number): Promise<number[]> {
  const rows = await reader.all(q.sharedMembers, accountId, SHARED_CHATS, accountId, SHARED_MEMBERS);
  return rows.map((row) => row.account_id);
}

/** Chats that a member made favourites, oldest first. */
export const favoriteChatMids = async (reader: Reader, accountId: number): Promise<string[]> =>
  (await reader.all(q.favoriteChats, accountId)).map((row) => row.mid);
