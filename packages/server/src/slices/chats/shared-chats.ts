import type { Reader } from '../../platform/store/store.ts';
import * as q from './queries.ts';

/** Maximum number of chats that are searched. The newest chats of the account come first. */
const SHARED_CHATS = 100;
/** Maximum number of accounts that are returned. */
const SHARED_MEMBERS = 1000;

/** Returns the ids of accounts that share a chat with this account. */
export async function sharedMembers(reader: Reader, accountId: number): Promise<number[]> {
  const rows = await reader.all(q.sharedMembers, accountId, SHARED_CHATS, accountId, SHARED_MEMBERS);
  return rows.map((row) => row.account_id);
}

/** Returns the mids of the chats that a member marked as favourites, oldest mark first. */
export const favoriteChatMids = async (reader: Reader, accountId: number): Promise<string[]> =>
  (await reader.all(q.favoriteChats, accountId)).map((row) => row.mid);
