// One registration of a public key as a leaf of the server's key log. docs/key-log.md describes every byte.
import { hash } from '@stablelib/sha256';
import { type Bytes, concat } from '../bytes.ts';
import { KEY_LENGTH } from '../x25519.ts';
import { uint64 } from './uint64.ts';

export interface KeyLeaf {
  /**
   * The `midHash` of the key's owner. The log does not tell who owns a key, but anybody who knows a mid can find the
   * keys of that user.
   */
  readonly midHash: Uint8Array;
  readonly keyId: number;
  /** The 32 bytes of the key. */
  readonly key: Uint8Array;
  /** Epoch milliseconds. */
  readonly createdTime: number;
}

const VERSION = 1;
const HASH = 32;

/** Hashes a mid. A mid holds 128 random bits, so nobody can find a mid from its hash by trying. */
export const midHash = (mid: string): Bytes => new Uint8Array(hash(new TextEncoder().encode(mid)));

/** Returns the bytes of a leaf. The tree holds the `leafHash` of these bytes. */
export function encodeKeyLeaf({ midHash: owner, keyId, key, createdTime }: KeyLeaf): Bytes {
  if (owner.length !== HASH) throw new RangeError(`a hash of a mid has ${HASH} bytes`);
  if (key.length !== KEY_LENGTH) throw new RangeError(`a key has ${KEY_LENGTH} bytes`);
  return concat(Uint8Array.of(VERSION), owner, uint64(keyId), key, uint64(createdTime));
}
