// The steps of signature scheme 1 as separate functions, so that each step can be replaced by a mistake.
import { createHash, createHmac } from 'node:crypto';

/** The values from which a signature is computed. */
export interface Ingredients {
  readonly buildToken: string | Buffer;
  readonly version: string;
  readonly accessToken: string;
  readonly path: Buffer;
  readonly body: Buffer;
}

export const sha256 = (data: string | Buffer): Buffer => createHash('sha256').update(data).digest();

export const hmac = (key: string | Buffer, data: string | Buffer): Buffer =>
  createHmac('sha256', key).update(data).digest();

/** Returns the signing key of a build token, a version and an access token. */
export const keyOf = ({ buildToken, version, accessToken }: Ingredients): Buffer =>
  hmac(buildToken, Buffer.concat([sha256(version), sha256(accessToken)]));

/** Returns the bytes that the key signs. */
export const messageOf = ({ path, body }: Ingredients): Buffer => Buffer.concat([path, body]);

export const signatureOf = (parts: Ingredients): Buffer => hmac(keyOf(parts), messageOf(parts));

/**
 * Returns the bytes of a path: one byte for each character, as in a request line that Node read. A path with characters
 * beyond U+00FF is encoded as UTF-8.
 */
export const pathBytes = (path: string): Buffer =>
  /[^\u0000-\u00ff]/.test(path) ? Buffer.from(path, 'utf8') : Buffer.from(path, 'latin1');
