// Key agreement of Letter Sealing (specification: End-to-end encryption keys).
import { scalarMultBase, sharedKey } from '@stablelib/x25519';
import { type Bytes, randomBytes } from './bytes.ts';

export const KEY_LENGTH = 32;

export interface KeyPair {
  readonly privateKey: Bytes;
  readonly publicKey: Bytes;
}

export const createKeyPair = (): KeyPair => keyPairOf(randomBytes(KEY_LENGTH));

export const keyPairOf = (privateKey: Bytes): KeyPair => ({ privateKey, publicKey: publicKeyOf(privateKey) });

export const publicKeyOf = (privateKey: Uint8Array): Bytes => new Uint8Array(scalarMultBase(privateKey));

/**
 * Returns the shared secret, called S in the specification: 32 raw bytes. Throws for a weak public key, with which
 * every private key gives the same secret.
 */
export const sharedSecret = (privateKey: Uint8Array, publicKey: Uint8Array): Bytes =>
  new Uint8Array(sharedKey(privateKey, publicKey, true));
