// Key pairs on this machine: one file per profile, readable by its owner only.
import { fromStoredKeys, type KeyStore, type StoredKey, toStoredKeys } from '@sealpost/sdk';
import { type KeyFile, loadKeyFile, saveKeyFile } from './profiles.ts';

/** The key store of a profile. Keys of another account under the same profile are not these. */
export const profileKeyStore = (name: string): KeyStore => ({
  load(mid) {
    const file: KeyFile<StoredKey> | undefined = loadKeyFile(name);
    return file?.mid === mid ? fromStoredKeys(file.keys) : [];
  },
  save: (mid, keys) => saveKeyFile(name, { mid, keys: toStoredKeys(keys) }),
});
