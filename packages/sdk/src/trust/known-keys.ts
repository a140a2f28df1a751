// Keys of other users. When this device sees a key for the first time, it looks the key up in the log and remembers it.
// From then on, the key cannot change under its id.
import { toBase64 } from '@sealpost/crypto';
import type { OwnedKey, Witness } from '../key-log/key-log-witness.ts';
import type { KeyStore } from '../key-store/key-store.ts';
import { KeyTrustError } from './key-trust-error.ts';
import type { KnownKey, TrustMemory, VerifiedContact } from './trust-memory.ts';

/** A user whose key this device knew, and who has a newer key now. */
export interface KeyChange {
  readonly mid: string;
  /** The id of the key before; 0 if it was in a log that is not accepted any more. */
  readonly previousKeyId: number;
  readonly keyId: number;
  /** What was compared when the contact was verified; undefined if the contact is not verified. */
  readonly verified: VerifiedContact | undefined;
}

export interface KnownKeysDeps {
  readonly witness: Witness;
  readonly memory: TrustMemory;
  readonly keyStore: KeyStore;
  /** The mid of the logged-in account. */
  readonly mid: string;
}

/** Maximum number of proofs that are fetched at the same time. */
const PARALLEL = 8;

/**
 * Remembers keys. A key that is new to this device must be in the log.
 * @returns the users whose key changed
 * @throws KeyTrustError if a key must not be trusted
 */
export async function learnKeys(deps: KnownKeysDeps, keys: readonly OwnedKey[]): Promise<KeyChange[]> {
  const { witness, memory } = deps;
  const known = await Promise.all(keys.map(({ mid }) => memory.keysOf(mid)));
  const fresh = keys.filter((key, i) => !requireSame(known[i] ?? [], key)?.logged);
  if (fresh.length === 0) return [];
  await requireOwn(deps, fresh);
  const head = await witness.headFor(Math.max(...fresh.map(({ key }) => key.keyId)));
  if (head) await inParallel(fresh, (key) => witness.requireLogged(head, key));
  const changes: KeyChange[] = [];
  for (const { mid, key } of fresh) {
    const verified = await memory.verified(mid);
    await memory.updateKeys(mid, (earlier) => {
      const { keyId: previousKeyId, keyData } = earlier.at(-1) ?? key;
      if (previousKeyId < key.keyId && keyData !== key.keyData)
        changes.push({ mid, previousKeyId, keyId: key.keyId, verified });
      const learnt = { keyId: key.keyId, keyData: key.keyData, logged: head !== undefined };
      return [...earlier.filter(({ keyId }) => keyId !== key.keyId), learnt].sort((a, b) => a.keyId - b.keyId);
    });
  }
  return changes;
}

/**
 * Requires that each key is the newest known key of its owner, because an older key may have been stolen.
 * @throws KeyTrustError if the owner has a newer key
 */
export async function requireNewest({ memory }: KnownKeysDeps, keys: readonly OwnedKey[]): Promise<void> {
  for (const { mid, key } of keys) {
    const newest = (await memory.keysOf(mid)).at(-1)?.keyId ?? 0;
    if (key.keyId >= newest) continue;
    const ids = `the server offers key ${key.keyId} of ${mid}, who has key ${newest}`;
    throw new KeyTrustError('superseded', ids, { mid, keyId: key.keyId });
  }
}

/**
 * Requires that each verified contact still has the key that was compared.
 * @throws KeyTrustError if the key of a verified contact has changed
 */
export async function requireVerified({ memory }: KnownKeysDeps, keys: readonly OwnedKey[]): Promise<void> {
  for (const { mid, key } of keys) {
    const compared = await memory.verified(mid);
    if (!compared || compared.keyData === key.keyData) continue;
    const day = new Date(compared.time).toISOString().slice(0, 10);
    const ids = `${mid}, verified on ${day} with key ${compared.keyId}, has key ${key.keyId} now`;
    throw new KeyTrustError('verified-changed', ids, { mid, keyId: key.keyId });
  }
}

/**
 * Returns the remembered key with the same id; undefined if there is none. Throws if the remembered key has another
 * value.
 */
function requireSame(keys: readonly KnownKey[], { mid, key: { keyId, keyData } }: OwnedKey): KnownKey | undefined {
  const known = keys.find((candidate) => candidate.keyId === keyId);
  if (known && known.keyData !== keyData) {
    const values = `the server shows ${keyData} as key ${keyId} of ${mid}, it was ${known.keyData}`;
    throw new KeyTrustError('swapped', values, { mid, keyId });
  }
  return known;
}

/**
 * Checks that every key of this account among `keys` is on this device. This check is needed because the keys of a
 * group's members include one of this account.
 */
async function requireOwn({ keyStore, mid }: KnownKeysDeps, keys: readonly OwnedKey[]): Promise<void> {
  const named = keys.filter((candidate) => candidate.mid === mid);
  if (named.length === 0) return;
  const held = new Set((await keyStore.ownKeys(mid)).map((key) => `${key.keyId} ${toBase64(key.publicKey)}`));
  for (const { key } of named) {
    if (held.has(`${key.keyId} ${key.keyData}`)) continue;
    const found = `the server names key ${key.keyId} as one of this account, and this device does not hold it`;
    throw new KeyTrustError('own-key-unknown', found, { mid, keyId: key.keyId });
  }
}

async function inParallel<T>(items: readonly T[], work: (item: T) => Promise<void>): Promise<void> {
  const rest = items.values();
  const worker = async () => {
    for (const item of rest) await work(item);
  };
  await Promise.all(Array.from({ length: Math.min(PARALLEL, items.length) }, worker));
}
