// Signs the heads of the key log with Ed25519. OpenSSL does it, because anybody may ask for a head: libraries in
// JavaScript take 16 times as long.
import { createPrivateKey, createPublicKey, sign } from 'node:crypto';
import { encodeTreeHead, type TreeHead } from '@sealpost/crypto';

/** The bytes before the 32 bytes of a private key for Ed25519 in PKCS #8 (RFC 8410, section 7). */
const PKCS8_START = Buffer.from('302e020100300506032b657004220420', 'hex');

export interface HeadSigner {
  /** The public half of the key, in base64. */
  readonly publicKey: string;
  /** Returns the signature of a head in base64. */
  sign(head: TreeHead): string;
}

/** @param privateKey 32 bytes that sign the heads of one log and nothing else */
export function createHeadSigner(privateKey: Uint8Array): HeadSigner {
  const key = createPrivateKey({ key: Buffer.concat([PKCS8_START, privateKey]), format: 'der', type: 'pkcs8' });
  const { x = '' } = createPublicKey(key).export({ format: 'jwk' });
  return {
    publicKey: Buffer.from(x, 'base64url').toString('base64'),
    sign: (head) => sign(null, encodeTreeHead(head), key).toString('base64'),
  };
}
