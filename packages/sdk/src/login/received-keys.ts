// Seals the key chain on the device that hands it over, and opens it on the new device.
import type { AccountKey, E2EELoginMetadata, KeyChainHandover } from '@sealpost/contract';
import {
  deviceSecret,
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

/** Returns the sealed chain in an answer; undefined if the other device had no keys to give. */
export function sealedChainOf(metadata: E2EELoginMetadata | string | undefined): SealedKeyChain | undefined {
  const fields = typeof metadata === 'string' ? (JSON.parse(metadata) as E2EELoginMetadata) : metadata;
  if (!fields?.publicKey || !fields.encryptedKeyChain) return undefined;
  return { publicKey: fromBase64(fields.publicKey), encryptedKeyChain: fromBase64(fields.encryptedKeyChain) };
}

export interface ReceivedKeys {
  readonly keys: readonly KeyChainEntry[];
  /** The reason why no keys were received, although the other device sent some. */
  readonly keysProblem?: string;
  /** The login words. The device that handed over the keys shows the same words. */
  readonly words?: string;
}

/** Returns the newest key, from which the words on both screens are made. */
export const newestOf = <T extends { readonly keyId: number }>(keys: readonly T[]): T | undefined =>
  keys.toSorted((one, other) => other.keyId - one.keyId)[0];

/** Returns the account's newest public key according to the server. The server sends it before the key chain. */
export function toldKeyOf(told: AccountKey | undefined): Uint8Array | undefined {
  const publicKey = told && fromBase64(told.publicKey);
  if (publicKey && publicKey.length !== KEY_LENGTH) throw unsafe('the key of the account has no valid length');
  return publicKey;
}

/** Returns the words for this device's screen; undefined if the server did not send the account's key. */
export const wordsFor = (device: KeyPair, told: Uint8Array | undefined): string | undefined =>
  told && loginWords(device.publicKey, told);

/**
 * Returns the keys in the received chain. If words were shown, they must have been made from the newest key.
 * @throws LoginError of kind `unsafe` if the newest key is another one
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

/** Returns the proof for the server that this device opened the chain. */
export const proofOf = async (device: KeyPair, sealed: SealedKeyChain): Promise<string> =>
  toBase64(await deviceSecret(device.privateKey, sealed));

const unsafe = (what: string): LoginError =>
  new LoginError('unsafe', `${what}: somebody may sit between the two devices. No keys were taken; log in again`);

/** Opens the key chain of a QR login, if there is one. */
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

/** Seals all keys for a new device; returns undefined if there are no keys. */
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
