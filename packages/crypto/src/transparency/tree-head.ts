// Signed tree heads: the state of a log at a time, signed by the log. The signed bytes are TreeHeadDataV2 of RFC 9162,
// section 4.10, without extensions. The signature is Ed25519.
import { ed25519 } from '@noble/curves/ed25519.js';
import { type Bytes, concat } from '../bytes.ts';
import { uint64 } from './uint64.ts';

export interface TreeHead {
  readonly size: number;
  /** Epoch milliseconds. */
  readonly timestamp: number;
  readonly root: Bytes;
}

const HASH = 32;

/** Returns whether the signature is right. Never throws, whatever a log answers. */
export function verifyTreeHead(head: TreeHead, signature: Uint8Array, publicKey: Uint8Array): boolean {
  try {
    return ed25519.verify(signature, encodeTreeHead(head), publicKey, { zip215: false });
  } catch {
    return false;
  }
}

/** Returns the bytes that are signed. */
export function encodeTreeHead({ size, timestamp, root }: TreeHead): Bytes {
  if (root.length !== HASH) throw new RangeError(`a root has ${HASH} bytes`);
  const noExtensions = new Uint8Array(2);
  return concat(uint64(timestamp), uint64(size), Uint8Array.of(HASH), root, noExtensions);
}
