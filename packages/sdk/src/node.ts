// What needs files: for Node only, so that no bundle for browsers meets it.
import { fileRecords } from './key-store/file-records.ts';
import { createKeyStore, type KeyStore, type KeyStoreOptions } from './key-store/key-store.ts';

/** Keeps keys in a folder that is for them alone. Every file has mode 0600. */
export const fileKeyStore = (folder: string, options: KeyStoreOptions = {}): KeyStore =>
  createKeyStore(fileRecords(folder), options);
