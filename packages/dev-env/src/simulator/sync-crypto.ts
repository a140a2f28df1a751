// Computes and checks signatures at once instead of in other threads. Otherwise the order in which clients go on would
// depend on the machine.
import { createHash, createHmac, createPublicKey, createSecretKey, type KeyObject, verify } from 'node:crypto';

type Bytes = BufferSource;
type Import = (form: string, bytes: Bytes, algorithm: string | { name: string }, ...rest: unknown[]) => Promise<object>;

const viewOf = (bytes: Bytes): Uint8Array =>
  ArrayBuffer.isView(bytes) ? new Uint8Array(bytes.buffer, bytes.byteOffset, bytes.byteLength) : new Uint8Array(bytes);
const bufferOf = (bytes: Buffer): ArrayBuffer => Uint8Array.from(bytes).buffer;

/** Returns the key of raw bytes, by algorithm. */
const readers: Readonly<Record<string, (bytes: Uint8Array) => KeyObject>> = {
  HMAC: createSecretKey,
  Ed25519: (bytes) =>
    createPublicKey({
      key: { kty: 'OKP', crv: 'Ed25519', x: Buffer.from(bytes).toString('base64url') },
      format: 'jwk',
    }),
};

/** Replaces what WebCrypto does for SHA-256, HMAC and Ed25519 in this process. Other algorithms stay as they are. */
export function computeAtOnce(): void {
  const { subtle } = globalThis.crypto;
  const keys = new WeakMap<object, KeyObject>();
  const importKey: Import = subtle.importKey.bind(subtle) as unknown as Import;
  const sign = subtle.sign.bind(subtle);
  const check = subtle.verify.bind(subtle);
  const digest = subtle.digest.bind(subtle);
  Object.defineProperties(subtle, {
    importKey: {
      value: async (form: string, bytes: Bytes, algorithm: string | { name: string }, ...rest: unknown[]) => {
        const read = form === 'raw' ? readers[typeof algorithm === 'string' ? algorithm : algorithm.name] : undefined;
        if (!read) return importKey(form, bytes, algorithm, ...rest);
        const key = {};
        keys.set(key, read(viewOf(bytes)));
        return key;
      },
    },
    digest: {
      value: async (algorithm: string, data: Bytes) =>
        algorithm === 'SHA-256'
          ? bufferOf(createHash('sha256').update(viewOf(data)).digest())
          : digest(algorithm, data),
    },
    verify: {
      value: async (algorithm: string, key: CryptoKey, signature: Bytes, data: Bytes) => {
        const known = keys.get(key);
        return known?.type === 'public'
          ? verify(null, viewOf(data), known, viewOf(signature))
          : check(algorithm, key, signature, data);
      },
    },
    sign: {
      value: async (algorithm: string, key: CryptoKey, data: Bytes) => {
        const secret = keys.get(key);
        if (!secret) return sign(algorithm, key, data);
        return bufferOf(createHmac('sha256', secret).update(viewOf(data)).digest());
      },
    },
  });
}
