// The key chain as it reaches a new device, and as a device that holds it hands it over.
import type { E2EELoginMetadata, KeyChainHandover } from '@sealpost/contract';
import {
  fromBase64,
  type KeyChainEntry,
  type KeyPair,
  type SealedKeyChain,
  sealKeyChain,
  toBase64,
  unsealKeyChain,
} from '@sealpost/crypto';

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
}

/** Opens the chain, if there is one. */
export async function receiveKeys(device: KeyPair, sealed: SealedKeyChain | undefined): Promise<ReceivedKeys> {
  if (!sealed) return { keys: [] };
  try {
    return { keys: await unsealKeyChain(device.privateKey, sealed) };
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
