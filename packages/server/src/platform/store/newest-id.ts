import { sql } from './sql.ts';
import type { Store } from './store.ts';

const newestMessage = sql<{ id: number | null }>('select max(id) as id from message_location');
const newestChat = sql<{ id: number | null }>('select max(id) as id from chat');
const newestAccount = sql<{ id: number | null }>('select max(id) as id from account');
const newestSession = sql<{ id: number | null }>('select max(id) as id from login_session');
const newestAudit = sql<{ id: number | null }>('select max(id) as id from audit');

/** Returns the highest id in use among messages, chats, accounts, sessions and audit entries. New ids are higher. */
export const newestIdIn = (store: Store): Promise<number> =>
  store.read(async (reader) => {
    const found = await Promise.all(
      [newestMessage, newestChat, newestAccount, newestSession, newestAudit].map((query) => reader.one(query)),
    );
    return Math.max(0, ...found.map((row) => row?.id ?? 0));
  });
