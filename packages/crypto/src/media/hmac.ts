// HMAC-SHA256 over a stream: WebCrypto has it for whole messages only.
import { hmac } from '@noble/hashes/hmac.js';
import { sha256 } from '@noble/hashes/sha2.js';

export interface StreamingHmac {
  update(data: Uint8Array): unknown;
  digest(): Uint8Array;
}

export const createHmac = (key: Uint8Array): StreamingHmac => hmac.create(sha256, key);
