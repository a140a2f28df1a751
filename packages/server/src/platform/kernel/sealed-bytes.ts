// Encrypts secrets in the store with AES-256-GCM, which also detects changes.
import { createCipheriv, createDecipheriv } from 'node:crypto';
import type { Random } from '@sealpost/contract/ports';

const CIPHER = 'aes-256-gcm';
const NONCE_BYTES = 12;
const TAG_BYTES = 16;

/**
 * Returns the encrypted bytes in base64.
 * @param key 32 bytes
 */
export function sealBytes(random: Random, key: Buffer, plain: Uint8Array): string {
  const nonce = random.bytes(NONCE_BYTES);
  const cipher = createCipheriv(CIPHER, key, nonce);
  return Buffer.concat([nonce, cipher.update(plain), cipher.final(), cipher.getAuthTag()]).toString('base64');
}

/** Returns the decrypted bytes. Throws if the key is wrong or the text was changed. */
export function openBytes(key: Buffer, sealed: string): Buffer {
  const bytes = Buffer.from(sealed, 'base64');
  const decipher = createDecipheriv(CIPHER, key, bytes.subarray(0, NONCE_BYTES), { authTagLength: TAG_BYTES });
  decipher.setAuthTag(bytes.subarray(-TAG_BYTES));
  return Buffer.concat([decipher.update(bytes.subarray(NONCE_BYTES, -TAG_BYTES)), decipher.final()]);
}
