// The key chain as it reaches a new device, and as a device that holds it hands it over.
import type { AccountKey, E2EELoginMetadata, KeyChainHandover } from '@sealpost/contract';
import {
  fromBase64,
  KEY_LENGTH,
  type KeyChainEntry,
  type KeyPair,
  loginWords,
  type SealedKeyChain,
  sealKeyChain,
  toBase64,
  unsealKeyChain,
} from '@sealpost/crypto';
import { LoginError } from './login-error.ts';

const HANDOVER_VERSION = '1';

/** The sealed chain in an answer; undefined if the other device had no keys to give. */
export function sealedChainOf(metadata: E2EELoginMetadata | string | undefined): SealedKeyChain | undefined {
  const fields = typeof metadata === 'string' ? (JSON.parse(metadata) as E2EELoginMetadata) : metadata;
  if (!fields?.publicKey || !fields.encryptedKeyChain) return undefined;
  return { publicKey: fromBase64(fields.publicKey), encryptedKeyChain: fromBase64(fields.encryptedKeyChain) };
}

export interface ReceivedKeys {
  readonly keys: readonly KeyChainEntry[];
  /** Why there are none, though some were sent. */
  readonly keysProblem?: string;
  /** The words that the device which handed them over shows too. */
  readonly words?: string;
}

/** The newest of some keys: the one that the words on both screens are made of. */
export const newestOf = <T extends { readonly keyId: number }>(keys: readonly T[]): T | undefined =>
  keys.toSorted((one, other) => other.keyId - one.keyId)[0];

/** The account's newest key, as the server tells it before any keys come. */
export function toldKeyOf(told: AccountKey | undefined): Uint8Array | undefined {
  const publicKey = told && fromBase64(told.publicKey);
  if (publicKey && publicKey.length !== KEY_LENGTH) throw unsafe('the key of the account has no valid length');
  return publicKey;
}

/** The words on this device's screen; undefined if the server did not tell the account's key. */
export const wordsFor = (device: KeyPair, told: Uint8Array | undefined): string | undefined =>
  told && loginWords(device.publicKey, told);

/**
 * The keys in a chain that came. If words were shown, its newest key must be the one that they were made of.
 * @throws LoginError
 */
export async function openKeys(
  device: KeyPair,
  sealed: SealedKeyChain,
  told: Uint8Array | undefined,
): Promise<KeyChainEntry[]> {
  const keys = await unsealKeyChain(device.privateKey, sealed);
  const newest = newestOf(keys);
  if (told && newest && toBase64(newest.publicKey) !== toBase64(told)) {
    throw unsafe('the keys that came are not those whose words were shown');
  }
  return keys;
}

const unsafe = (what: string): LoginError =>
  new LoginError('unsafe', `${what}: somebody may sit between the two devices. No keys were taken; log in again`);

/** Opens the chain of a QR login, if there is one. */
export async function receiveKeys(
  device: KeyPair,
  sealed: SealedKeyChain | undefined,
  told: Uint8Array | undefined,
): Promise<ReceivedKeys> {
  if (!sealed) return { keys: [] };
  try {
    const keys = await openKeys(device, sealed, told);
    const words = wordsFor(device, newestOf(keys)?.publicKey);
    return { keys, ...(words === undefined ? {} : { words }) };
  } catch (error) {
    return { keys: [], keysProblem: error instanceof Error ? error.message : String(error) };
  }
}

/** Seals all keys for a new device; undefined without keys. */
export async function handoverOf(
  keys: readonly KeyChainEntry[],
  devicePublicKey: Uint8Array,
): Promise<KeyChainHandover | undefined> {
  if (keys.length === 0) return undefined;
  const sealed = await sealKeyChain(keys, devicePublicKey);
  return {
    keyId: String(Math.max(...keys.map(({ keyId }) => keyId))),
    publicKey: toBase64(sealed.publicKey),
    encryptedKeyChain: toBase64(sealed.encryptedKeyChain),
    e2eeVersion: HANDOVER_VERSION,
    hashKeyChain: toBase64(sealed.deviceSecret),
  };
}
