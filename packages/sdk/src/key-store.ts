// Where the key pairs of an account live on this device. They never leave it but sealed.
import { fromBase64, type KeyChainEntry, toBase64 } from '@sealpost/crypto';

export interface KeyStore {
  /** The account's key pairs; none if there are none. */
  load(mid: string): readonly KeyChainEntry[] | Promise<readonly KeyChainEntry[]>;
  save(mid: string, keys: readonly KeyChainEntry[]): void | Promise<void>;
}

/** Keeps keys as long as the process lives. */
export function memoryKeyStore(): KeyStore {
  const accounts = new Map<string, readonly KeyChainEntry[]>();
  return {
    load: (mid) => accounts.get(mid) ?? [],
    save: (mid, keys) => void accounts.set(mid, keys),
  };
}

/** Adds keys that came from another device; those that are here already stay. */
export async function addKeys(store: KeyStore, mid: string, keys: readonly KeyChainEntry[]): Promise<void> {
  if (keys.length === 0) return;
  const known = await store.load(mid);
  const fresh = keys.filter((key) => known.every(({ keyId }) => keyId !== key.keyId));
  await store.save(mid, [...known, ...fresh]);
}

/** A key pair as JSON. As secret as the key itself. */
export interface StoredKey {
  readonly version: number;
  readonly keyId: number;
  readonly publicKey: string;
  readonly privateKey: string;
  readonly createdTime: number;
}

/** For key stores that write text. */
export const toStoredKeys = (keys: readonly KeyChainEntry[]): StoredKey[] =>
  keys.map((key) => ({ ...key, publicKey: toBase64(key.publicKey), privateKey: toBase64(key.privateKey) }));

export const fromStoredKeys = (keys: readonly StoredKey[]): KeyChainEntry[] =>
  keys.map((key) => ({ ...key, publicKey: fromBase64(key.publicKey), privateKey: fromBase64(key.privateKey) }));
