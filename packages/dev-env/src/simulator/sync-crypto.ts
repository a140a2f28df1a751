// Computes the signatures of requests at once instead of in other threads. Otherwise the order in which clients go on
// would depend on the machine.
import { createHash, createHmac, createSecretKey, type KeyObject } from 'node:crypto';

type Bytes = BufferSource;
type Import = (form: string, bytes: Bytes, algorithm: { name: string }, ...rest: unknown[]) => Promise<object>;

const viewOf = (bytes: Bytes): Uint8Array =>
  ArrayBuffer.isView(bytes) ? new Uint8Array(bytes.buffer, bytes.byteOffset, bytes.byteLength) : new Uint8Array(bytes);
const bufferOf = (bytes: Buffer): ArrayBuffer => Uint8Array.from(bytes).buffer;

/** Replaces what WebCrypto does for SHA-256 and HMAC in this process. Other algorithms stay as they are. */
export function computeAtOnce(): void {
  const { subtle } = globalThis.crypto;
  const keys = new WeakMap<object, KeyObject>();
  const importKey: Import = subtle.importKey.bind(subtle) as unknown as Import;
  const sign = subtle.sign.bind(subtle);
  const digest = subtle.digest.bind(subtle);
  Object.defineProperties(subtle, {
    importKey: {
      value: async (form: string, bytes: Bytes, algorithm: { name: string }, ...rest: unknown[]) => {
        if (form !== 'raw' || algorithm.name !== 'HMAC') return importKey(form, bytes, algorithm, ...rest);
        const key = {};
        keys.set(key, createSecretKey(viewOf(bytes)));
        return key;
      },
    },
    digest: {
      value: async (algorithm: string, data: Bytes) =>
        algorithm === 'SHA-256'
          ? bufferOf(createHash('sha256').update(viewOf(data)).digest())
          : digest(algorithm, data),
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
