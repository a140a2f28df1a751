import type { Reader } from '../../platform/store/store.ts';
import * as q from './queries.ts';

/** Maximum number of chats that are searched. The newest chats of the account come first. */
const SHARED_CHATS = 100;
/** Maximum number of accounts that are returned. */
const SHARED_MEMBERS = 1000;

const found =
  (query: typeof q.sharedMembers) =>
  async (reader: Reader, accountId: number): Promise<number[]> => {
    const rows = await reader.all(query, accountId, SHARED_CHATS, accountId, SHARED_MEMBERS);
    return rows.map((row) => row.account_id);
  };

/** Returns the ids of accounts that this account sees in its chats. */
export const sharedMembers = found(q.sharedMembers);
/** Returns the ids of accounts that see this account in their chats. */
export const membersWhoSee = found(q.membersWhoSee);

/** Returns the mids of the chats that a member marked as favourites, oldest mark first. */
export const favoriteChatMids = async (reader: Reader, accountId: number): Promise<string[]> =>
  (await reader.all(q.favoriteChats, accountId)).map((row) => row.mid);
