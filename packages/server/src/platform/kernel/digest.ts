// Hashes of secrets: what is stored in place of them, and how they are compared.
import { createHmac, hash, timingSafeEqual } from 'node:crypto';

/** What the store keeps in place of a token. */
export const tokenHash = (token: string): string => hash('sha256', token, 'base64url');

/** Compares two texts in the same time whatever they hold. */
export const sameText = (a: string, b: string): boolean =>
  timingSafeEqual(hash('sha256', a, 'buffer'), hash('sha256', b, 'buffer'));

export const hmac = (key: Buffer, text: string): Buffer => createHmac('sha256', key).update(text).digest();
