// Seals a key chain for a new device. The server delivers the key chain, but cannot read it.
import { decryptCbc, encryptBlock, encryptCbc } from './aes.ts';
import { type Bytes, wipe, xor16 } from './bytes.ts';
import { decodeKeyChain, encodeKeyChain, type KeyChainEntry } from './key-chain.ts';
import { deriveIv, deriveKey } from './letter-sealing/derived-keys.ts';
import { sha256 } from './web-crypto.ts';
import { createKeyPair, type KeyPair, sharedSecret } from './x25519.ts';

export interface SealedKeyChain {
  /** The public half of a key pair that is used for this one key chain only. */
  readonly publicKey: Bytes;
  readonly encryptedKeyChain: Bytes;
}

/**
 * Returns the chain sealed for one device, and the proof that this device will send back after it has opened the chain.
 * @param sealer a fresh key pair; given only to reproduce test vectors
 */
export async function sealKeyChain(
  entries: readonly KeyChainEntry[],
  recipientPublicKey: Uint8Array,
  sealer: KeyPair = createKeyPair(),
): Promise<SealedKeyChain & { readonly deviceSecret: Bytes }> {
  const { key, iv } = await keysOf(sharedSecret(sealer.privateKey, recipientPublicKey));
  const encryptedKeyChain = await encryptCbc(key, iv, encodeKeyChain(entries));
  return { publicKey: sealer.publicKey, encryptedKeyChain, deviceSecret: await proofOf(key, encryptedKeyChain) };
}

/** Opens the chain. Throws if it was sealed for another key or was changed. */
export async function unsealKeyChain(
  privateKey: Uint8Array,
  { publicKey, encryptedKeyChain }: SealedKeyChain,
): Promise<KeyChainEntry[]> {
  const { key, iv } = await keysOf(sharedSecret(privateKey, publicKey));
  let plain: Bytes;
  try {
    plain = await decryptCbc(key, iv, encryptedKeyChain);
  } catch {
    throw new Error('the key chain was sealed for another device: was the PIN mistyped?');
  }
  return decodeKeyChain(plain);
}

/**
 * Returns the proof that the new device knows the shared secret: the hash of the sealed chain, encrypted as one block.
 * The new device sends it with `confirmE2EELogin`.
 */
export async function deviceSecret(
  privateKey: Uint8Array,
  { publicKey, encryptedKeyChain }: SealedKeyChain,
): Promise<Bytes> {
  const { key } = await keysOf(sharedSecret(privateKey, publicKey));
  return proofOf(key, encryptedKeyChain);
}

const proofOf = async (key: Bytes, encryptedKeyChain: Bytes): Promise<Bytes> =>
  encryptBlock(key, await keyChainHash(encryptedKeyChain));

/** Returns the hash of a sealed key chain, folded to 16 bytes. */
export const keyChainHash = async (encryptedKeyChain: Bytes): Promise<Bytes> => xor16(await sha256(encryptedKeyChain));

async function keysOf(secret: Bytes): Promise<{ key: Bytes; iv: Bytes }> {
  const [key, iv] = await Promise.all([deriveKey(secret), deriveIv(secret)]);
  wipe(secret);
  return { key, iv };
}
