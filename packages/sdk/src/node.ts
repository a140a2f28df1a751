// The parts of the SDK that need files. They are for Node only, so bundles for browsers must not contain them.
import { fileRecords } from './key-store/file-records.ts';
import { createKeyStore, type KeyStore, type KeyStoreOptions } from './key-store/key-store.ts';

/** Keeps keys in a folder that serves only as key store. Only the owner may read its files (mode 0600). */
export const fileKeyStore = (folder: string, options: KeyStoreOptions = {}): KeyStore =>
  createKeyStore(fileRecords(folder), options);
