// Everything that a client keeps on its device: the login, the keys, and the local state of the account.
import { deferred } from '../deferred.ts';
import type { Session, SessionStorage } from '../gateway/session.ts';
import { indexedDbRecords } from '../key-store/indexed-db-key-store.ts';
import { type KeyRecords, memoryRecords } from '../key-store/key-records.ts';
import { createKeyStore, type KeyStore, type KeyStoreOptions } from '../key-store/key-store.ts';
import { protectedRecords } from '../key-store/protected-records.ts';
import type { Certificates } from './certificates.ts';
import { indexedDbState } from './indexed-db-state.ts';
import { memoryState } from './memory-state.ts';
import type { StateStore } from './store.ts';

export interface ClientStore {
  readonly keyStore: KeyStore;
  readonly session: SessionStorage;
  /** The certificates of earlier logins of this device. They stay after a logout. */
  readonly certificates: Certificates;
  readonly state: StateStore;
}

export type ClientStoreOptions = KeyStoreOptions;

/** Keeps everything in memory, as long as the store object exists. */
export const memoryStore = (): ClientStore => clientStore(memoryRecords(), memoryState(), {});

/**
 * Keeps everything in the browser, until the site's data is deleted. A browser may delete it when the disk is nearly
 * full, unless `navigator.storage.persist()` returned true. Different stores of one site need different names. A passphrase seals the login and the keys. A key from the key store seals the local state.
 */
export const browserStore = (name: string, options: ClientStoreOptions = {}): ClientStore =>
  clientStore(indexedDbRecords(`${name}-keys`), indexedDbState(name), options);

/** Creates a store on records for the login and the keys, and a place for the local state. */
export function clientStore(records: KeyRecords, state: StateStore, options: ClientStoreOptions): ClientStore {
  const sealed = protectedRecords(records, options.passphrase, options.cost);
  return {
    keyStore: createKeyStore(records, options),
    session: sessionIn(sealed),
    // Only logins and changes of the account need certificates.
    certificates: deferred(['load', 'save', 'alsoUnder', 'forget'], async () =>
      (await import('./certificates.ts')).certificatesIn(sealed),
    ),
    state,
  };
}

const SESSION = 'login/session';

function sessionIn(records: KeyRecords): SessionStorage {
  return {
    async load() {
      const text = await records.get(SESSION);
      return text === undefined ? undefined : (JSON.parse(text) as Session);
    },
    save: (session) => (session ? records.put(SESSION, JSON.stringify(session)) : records.remove(SESSION)),
  };
}
