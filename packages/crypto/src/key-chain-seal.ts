// Seals a key chain for a new device. The server delivers the key chain, but cannot read it.
import { decryptCbc, encryptBlock, encryptCbc } from './aes.ts';
import { type Bytes, wipe, xor16 } from './bytes.ts';
import { decodeKeyChain, encodeKeyChain, type KeyChainEntry } from './key-chain.ts';
import { deriveIv, deriveKey } from './letter-sealing/derived-keys.ts';
import { sha256 } from './web-crypto.ts';
import { createKeyPair, type KeyPair, sharedSecret } from './x25519.ts';

export interface SealedKeyChain {
  /** The public key of the pair that was made for this sealing alone. */
  readonly publicKey: Bytes;
  readonly encryptedKeyChain: Bytes;
}

/**
 * Returns the chain sealed for one device, and the proof that this device gives after it has opened the chain.
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

/** Opens the chain. Throws if it was sealed for another key or has been changed since. */
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
 * Returns the proof that the new device shares the secret, as `confirmE2EELogin` takes it: the chain's hash, encrypted
 * as one block.
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

/** Returns the hash that confirms a key chain. */
export const keyChainHash = async (encryptedKeyChain: Bytes): Promise<Bytes> => xor16(await sha256(encryptedKeyChain));

async function keysOf(secret: Bytes): Promise<{ key: Bytes; iv: Bytes }> {
  const [key, iv] = await Promise.all([deriveKey(secret), deriveIv(secret)]);
  wipe(secret);
  return { key, iv };
}
