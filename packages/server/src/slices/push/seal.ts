// Seals a message for one browser: RFC 8291, one record of the coding aes128gcm of RFC 8188.
import { createCipheriv, type ECDH, hkdfSync } from 'node:crypto';

const RECORD_BYTES = 4096;
const SECRET_BYTES = 32;
const KEY_BYTES = 16;
const NONCE_BYTES = 12;
/** Byte after the content of the last record, as RFC 8188 requires. */
const END_MARK = Buffer.from([2]);

export interface Receiver {
  /** The public key of the browser. */
  readonly point: Buffer;
  readonly auth: Buffer;
}

/**
 * Returns the sealed content.
 * @param sender a key pair that is generated for this message
 * @param salt 16 random bytes
 */
export function seal(content: Buffer, { point, auth }: Receiver, sender: ECDH, salt: Buffer): Buffer {
  const senderPoint = sender.getPublicKey();
  const about = Buffer.concat([Buffer.from('WebPush: info\0'), point, senderPoint]);
  const secret = derive(sender.computeSecret(point), auth, about, SECRET_BYTES);
  const key = derive(secret, salt, Buffer.from('Content-Encoding: aes128gcm\0'), KEY_BYTES);
  const nonce = derive(secret, salt, Buffer.from('Content-Encoding: nonce\0'), NONCE_BYTES);
  const cipher = createCipheriv('aes-128-gcm', key, nonce);
  const sizes = Buffer.alloc(5);
  sizes.writeUInt32BE(RECORD_BYTES);
  sizes.writeUInt8(senderPoint.length, 4);
  return Buffer.concat([
    ...[salt, sizes, senderPoint],
    ...[cipher.update(content), cipher.update(END_MARK), cipher.final(), cipher.getAuthTag()],
  ]);
}

const derive = (secret: Buffer, salt: Buffer, about: Buffer, bytes: number): Buffer =>
  Buffer.from(hkdfSync('sha256', secret, salt, about, bytes));
