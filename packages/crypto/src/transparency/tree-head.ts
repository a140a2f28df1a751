// Signed tree heads: the state of a log at a time, signed by the log. The signed bytes are TreeHeadDataV2 of RFC 9162,
// section 4.10, without extensions. The signature is Ed25519.
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
 * Returns whether the signature is right. Whatever a log answers, it throws only if a part of the program cannot be
 * loaded: browsers without Ed25519 load it at the first check.
 */
export async function verifyTreeHead(head: TreeHead, signature: Bytes, publicKey: Bytes): Promise<boolean> {
  const signed = bytesOf(head);
  return signed !== undefined && verifyEd25519(signature, signed, publicKey);
}

/** Returns the bytes that are signed. */
export function encodeTreeHead({ size, timestamp, root }: TreeHead): Bytes {
  if (root.length !== HASH) throw new RangeError(`a root has ${HASH} bytes`);
  const noExtensions = new Uint8Array(2);
  return concat(uint64(timestamp), uint64(size), Uint8Array.of(HASH), root, noExtensions);
}

/** Returns the signed bytes; undefined for a head that cannot be written in this form, which nobody can have signed. */
function bytesOf(head: TreeHead): Bytes | undefined {
  try {
    return encodeTreeHead(head);
  } catch {
    return undefined;
  }
}
