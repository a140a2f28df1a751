// Signed tree heads: the state of a log at one time, signed by the server that keeps the log. The signed bytes are
// TreeHeadDataV2 of RFC 9162, section 4.10, without extensions. The signature is Ed25519.
import { type Bytes, concat } from '../bytes.ts';
import { verifyEd25519 } from '../ed25519.ts';
import { uint64 } from './uint64.ts';

export interface TreeHead {
  readonly size: number;
  /** Epoch milliseconds. */
  readonly timestamp: number;
  readonly root: Bytes;
}

const HASH = 32;

/**
 * Returns whether the signature is right. No answer of a log makes this function throw. It throws only in a browser
 * without Ed25519, if the library for Ed25519 cannot be loaded.
 */
export async function verifyTreeHead(head: TreeHead, signature: Bytes, publicKey: Bytes): Promise<boolean> {
  const signed = bytesOf(head);
  return signed !== undefined && verifyEd25519(signature, signed, publicKey);
}

/** Returns the bytes of a head that a log signs. */
export function encodeTreeHead({ size, timestamp, root }: TreeHead): Bytes {
  if (root.length !== HASH) throw new RangeError(`a root has ${HASH} bytes`);
  const noExtensions = new Uint8Array(2);
  return concat(uint64(timestamp), uint64(size), Uint8Array.of(HASH), root, noExtensions);
}

/**
 * Returns the bytes that a log signs, or undefined if the head cannot be encoded. Nobody can have signed such a head.
 */
function bytesOf(head: TreeHead): Bytes | undefined {
  try {
    return encodeTreeHead(head);
  } catch {
    return undefined;
  }
}
