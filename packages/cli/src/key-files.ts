// The key pairs on this machine. Each login has a folder that only its owner can read.
import type { KeyStore, KeyStoreError } from '@sealpost/sdk';
import { fileKeyStore } from '@sealpost/sdk/node';
import { keyFolder } from './logins.ts';

/** Returns the part of a sentence that tells how many keys of Letter Sealing a login brought. */
export const withKeys = (count: number): string =>
  count === 0 ? 'without keys' : `with ${count} key${count === 1 ? '' : 's'}`;

/** Returns what a new device prints about the words, which must be the same on both screens. */
export const wordsText = (words: string): string =>
  `The other device must show these words before it hands over keys: ${words}\nIf it shows different words, refuse there.`;

/** Opens the key store of a login. If the environment has a passphrase, the keys are sealed under it. */
export function loginKeyStore(name: string): KeyStore {
  const passphrase = process.env.SEALPOST_KEYS_PASSPHRASE;
  return fileKeyStore(keyFolder(name), passphrase ? { passphrase } : {});
}

/** Advice for the user if the key store cannot be read, by the kind of the error. */
export const adviceOnKeys: Readonly<Record<KeyStoreError['kind'], string>> = {
  'passphrase-needed': 'Set SEALPOST_KEYS_PASSPHRASE.',
  'passphrase-wrong': 'Check SEALPOST_KEYS_PASSPHRASE.',
  'not-sealed': 'Unset SEALPOST_KEYS_PASSPHRASE.',
  damaged: 'The keys of a login are in keys/<name> of the configuration folder; restore them from a copy.',
};
