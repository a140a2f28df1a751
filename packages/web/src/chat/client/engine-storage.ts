// Keeps the server's information in the browser, notices when the browser is full, and deletes all data of the account.
import type { ClientStore } from '@sealpost/sdk';
import type { ServerInfo } from './protocol.ts';

const INFO = '/web.json';
const CACHE = 'sealpost-server';
/** The name of the archive of the account, in the files that only this site sees. */
export const ARCHIVE = 'account.zip';

/**
 * Fetches the facts about the page's own server that are needed to sign requests. Without a connection, returns the
 * last known facts.
 */
export async function serverInfo(): Promise<ServerInfo> {
  const cache = await caches.open(CACHE);
  try {
    const response = await fetch(INFO, { cache: 'no-store' });
    if (!response.ok) throw new Error(`${INFO} answered ${response.status}`);
    await cache.put(INFO, response.clone());
    return (await response.json()) as ServerInfo;
  } catch (cause) {
    const kept = await cache.match(INFO);
    if (kept) return (await kept.json()) as ServerInfo;
    throw new Error('The server cannot be reached. Check the connection, then load the page again.', { cause });
  }
}

/**
 * Wraps a store so that `tell` is called after commits: with false after a success, with true if the browser is full.
 */
export function tellingRoom(store: ClientStore, tell: (isFull: boolean) => void): ClientStore {
  const open: ClientStore['state']['open'] = async (account) => {
    const rows = await store.state.open(account);
    return {
      ...rows,
      commit: async (writes) => {
        try {
          await rows.commit(writes);
          tell(false);
        } catch (error) {
          if (error instanceof DOMException && error.name === 'QuotaExceededError') tell(true);
          throw error;
        }
      },
    };
  };
  return { ...store, state: { ...store.state, open } };
}

/** Deletes the archive of the account, if this browser has one. Some browsers and private windows have no place for files. */
export async function removeArchive(): Promise<void> {
  try {
    const folder = await navigator.storage.getDirectory();
    await folder.removeEntry(ARCHIVE);
  } catch {
    // There is no archive.
  }
}

/** Deletes the databases and caches of the account. */
export async function forgetEverything(store: string): Promise<void> {
  const databases = (await indexedDB.databases()).flatMap(({ name }) => name ?? []);
  await Promise.all(databases.filter((name) => name.startsWith(`${store}-`)).map(removeDatabase));
  await caches.delete(CACHE);
}

function removeDatabase(name: string): Promise<void> {
  return new Promise((resolve, reject) => {
    const request = indexedDB.deleteDatabase(name);
    request.onsuccess = () => resolve();
    request.onerror = () => reject(request.error);
  });
}
