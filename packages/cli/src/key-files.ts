// Key pairs on this machine: one file per profile, readable by its owner only.
import { fromStoredKeys, type KeyStore, type StoredKey, toStoredKeys } from '@sealpost/sdk';
import { type KeyFile, loadKeyFile, saveKeyFile } from './profiles.ts';

/** How a login says what it got of the account's keys of Letter Sealing. */
export const withKeys = (count: number): string =>
  count === 0 ? 'without keys' : `with ${count} key${count === 1 ? '' : 's'}`;

/** The key store of a profile. Keys of another account under the same profile are not these. */
export const profileKeyStore = (name: string): KeyStore => ({
  load(mid) {
    const file: KeyFile<StoredKey> | undefined = loadKeyFile(name);
    return file?.mid === mid ? fromStoredKeys(file.keys) : [];
  },
  save: (mid, keys) => saveKeyFile(name, { mid, keys: toStoredKeys(keys) }),
});
