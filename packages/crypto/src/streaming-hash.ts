// SHA-256 and HMAC over a stream of bytes. WebCrypto can only hash whole messages.
import { hmac } from '@noble/hashes/hmac.js';
import { sha256 } from '@noble/hashes/sha2.js';

export interface StreamingHash {
  update(data: Uint8Array): unknown;
  digest(): Uint8Array;
}

export const createSha256 = (): StreamingHash => sha256.create();
export const createHmac = (key: Uint8Array): StreamingHash => hmac.create(sha256, key);
