// The header X-Hmac, scheme 1, for a server. This module makes the same signatures as signature.ts, but synchronously
// and with a key prepared in advance.
import { createHash, createHmac, hash, timingSafeEqual } from 'node:crypto';

const BLOCK = 64;
const DIGEST = 32;
const INNER_PAD = 0x36;
const OUTER_PAD = 0x5c;
const SIGNATURE_LENGTH = 44;
/** The size of the shared buffer in bytes. Most signed requests fit into it. */
const COMMON_BYTES = 8 * 1024;
/** Standard base64 of 32 bytes in its canonical form: the last character encodes two zero bits. */
const SIGNATURE = /^[A-Za-z0-9+/]{42}[AEIMQUYcgkosw048]=$/;

/**
 * A signing key in prepared form: the two padded blocks with which HMAC-SHA256 starts its two hashes. A server should
 * keep a prepared key for each session.
 */
export interface PreparedKey {
  readonly inner: Uint8Array;
  readonly outer: Uint8Array;
}

export function prepareKey(buildToken: string, version: string, accessToken: string): PreparedKey {
  const key = createHmac('sha256', buildToken)
    .update(hash('sha256', version, 'buffer'))
    .update(hash('sha256', accessToken, 'buffer'))
    .digest();
  return { inner: padded(key, INNER_PAD), outer: padded(key, OUTER_PAD) };
}

/** @param path the request target as the HTTP parser hands it over: one character per byte. */
export function sign(prepared: PreparedKey, path: string, body: Uint8Array): string {
  const length = BLOCK + path.length + body.length;
  const message = length <= common.length ? common.subarray(0, length) : Buffer.allocUnsafe(length);
  message.set(prepared.inner);
  message.write(path, BLOCK, 'latin1');
  message.set(body, BLOCK + path.length);
  outer.set(prepared.outer);
  outer.write(hash('sha256', message, 'binary'), BLOCK, 'latin1');
  return hash('sha256', outer, 'base64');
}

/** Returns whether the header is the signature of exactly these bytes. Compares in constant time. */
export function verify(prepared: PreparedKey, path: string, body: Uint8Array, header: string | undefined): boolean {
  if (!isSignatureForm(header)) return false;
  expected.write(sign(prepared, path, body), 'latin1');
  given.write(header, 'latin1');
  return timingSafeEqual(expected, given);
}

/** A signature over a body that arrives piece by piece. */
export interface GrowingSignature {
  update(piece: Uint8Array): void;
  /**
   * Returns whether the header is the signature of the path and all pieces. Compares in constant time. May be called
   * only once.
   */
  matches(header: string): boolean;
}

/** @param path the request target as the HTTP parser hands it over: one character per byte. */
export function growingSignature(prepared: PreparedKey, path: string): GrowingSignature {
  const inner = createHash('sha256').update(prepared.inner).update(path, 'latin1');
  return {
    update: (piece) => void inner.update(piece),
    matches(header) {
      const found = createHash('sha256').update(prepared.outer).update(inner.digest()).digest();
      const given = Buffer.from(header, 'base64');
      return given.length === found.length && timingSafeEqual(found, given);
    },
  };
}

/** Returns whether a value has the form of a signature. */
export const isSignatureForm = (header: string | undefined): header is string =>
  header !== undefined && SIGNATURE.test(header);

// Buffers that all signatures share. Every request is verified, so this code must be fast. Two one-shot hashes over
// prepared blocks take about half the time of createHmac. The hashes are returned as text, because making a Buffer
// would take as long as the hash itself.
const common = Buffer.allocUnsafe(COMMON_BYTES);
const outer = Buffer.allocUnsafe(BLOCK + DIGEST);
const expected = Buffer.allocUnsafe(SIGNATURE_LENGTH);
const given = Buffer.allocUnsafe(SIGNATURE_LENGTH);

function padded(key: Buffer, pad: number): Buffer {
  const block = Buffer.alloc(BLOCK, pad);
  for (const [at, byte] of key.entries()) block[at] = byte ^ pad;
  return block;
}
