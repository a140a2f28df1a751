// The parts of the SDK that need files. They are for Node only, so bundles for browsers must not contain them.
import { join } from 'node:path';
import { fileRecords } from './key-store/file-records.ts';
import { createKeyStore, type KeyStore, type KeyStoreOptions } from './key-store/key-store.ts';
import { type ClientStore, type ClientStoreOptions, clientStore } from './store/client-store.ts';
import { sqliteState } from './store/sqlite-state.ts';

/** Keeps keys in a folder that serves only as key store. Only the owner may read its files (mode 0600). */
export const fileKeyStore = (folder: string, options: KeyStoreOptions = {}): KeyStore =>
  createKeyStore(fileRecords(folder), options);

/**
 * Keeps everything of a client in a folder that only its owner can read. The local state of each account is a SQLite
 * file, which one client at a time may have open.
 * @param options a passphrase seals the login and the keys; a key from the key store seals the local state
 */
export const folderStore = (folder: string, options: ClientStoreOptions = {}): ClientStore =>
  clientStore(fileRecords(join(folder, 'keys')), sqliteState(join(folder, 'state')), options);
