// Entries of the key log, as the server shows them.
import type { KeyLogEntry } from '@sealpost/contract';
import { type Bytes, encodeKeyLeaf, fromBase64, leafHash } from '@sealpost/crypto';
import { KeyLogError } from './key-log-error.ts';

/** Returns the hash of the leaf for an entry. `place` is the entry's number in the log, counted from 1. */
export function leafOf({ midHash, keyId, keyData, createdTime }: KeyLogEntry, place: number): Bytes {
  if (keyId !== place) throw new KeyLogError(`key ${keyId} stands where key ${place} belongs`);
  const leaf = { midHash: decoded(midHash), keyId, key: decoded(keyData), createdTime: Number(createdTime) };
  try {
    return leafHash(encodeKeyLeaf(leaf));
  } catch (error) {
    throw new KeyLogError(`entry ${place} is not a key: ${(error as Error).message}`);
  }
}

/** Returns the bytes of base64 text; throws KeyLogError for other text. */
export function decoded(text: string): Bytes {
  try {
    return fromBase64(text);
  } catch {
    throw new KeyLogError(`${text.slice(0, 60)} is not base64`);
  }
}
