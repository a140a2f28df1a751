// Hashes of secrets for storage, and their comparison.
import { createHmac, createSecretKey, hash, timingSafeEqual } from 'node:crypto';

/** Returns the hash that the store keeps instead of a token. */
export const tokenHash = (token: string): string => hash('sha256', token, 'base64url');

/** Compares two texts in a time that does not depend on their content. */
export const sameText = (a: string, b: string): boolean =>
  timingSafeEqual(hash('sha256', a, 'buffer'), hash('sha256', b, 'buffer'));

export const hmac = (key: Buffer, text: string): Buffer =>
  // With a key that is a Buffer, Node 24 throws and catches an error inside, which takes longer than the HMAC.
  createHmac('sha256', createSecretKey(key)).update(text).digest();
