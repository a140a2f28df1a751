// The worker thread of slow-crypto.ts. It runs one piece of work at a time, synchronously.
import { constants, createPrivateKey, generateKeyPairSync, privateDecrypt } from 'node:crypto';
import { setPriority } from 'node:os';
import { parentPort } from 'node:worker_threads';
import { hashSync, type Options, verifySync } from '@node-rs/argon2';

/**
 * Niceness of this thread. If the main thread keeps a processor busy, this thread gets about a thirtieth of that
 * processor. It gets all of an idle processor.
 */
const NICENESS = 15;

const works = {
  hashPassword: (password: string, options: Options): string => hashSync(password, options),
  verifyPassword: (stored: string, password: string): boolean => verifySync(stored, password),
  makeRsaPair,
  decryptRsa,
};

/** The functions that the thread runs, by name. */
export type SlowWorks = typeof works;

export interface RsaPair {
  /** Modulus of the key in hex. */
  readonly modulus: string;
  readonly exponent: string;
  /** Private key in the format PKCS#8, DER. */
  readonly privateKey: Uint8Array;
}

function makeRsaPair(modulusLength: number): RsaPair {
  const { publicKey, privateKey } = generateKeyPairSync('rsa', { modulusLength });
  const { n = '', e = '' } = publicKey.export({ format: 'jwk' });
  const hexOf = (base64url: string): string => Buffer.from(base64url, 'base64url').toString('hex');
  return {
    modulus: hexOf(n),
    exponent: hexOf(e).replace(/^0+/, ''),
    privateKey: privateKey.export({ format: 'der', type: 'pkcs8' }),
  };
}

/**
 * Returns the decrypted bytes; undefined if the cipher is a number above the modulus. Wrong padding yields random bytes
 * instead of an error (implicit rejection). So the caller cannot tell wrong padding from wrong content.
 */
function decryptRsa(privateKey: Uint8Array, cipher: Uint8Array): Uint8Array | undefined {
  const key = createPrivateKey({ key: Buffer.from(privateKey), format: 'der', type: 'pkcs8' });
  const decrypt = (bytes: Uint8Array) => privateDecrypt({ key, padding: constants.RSA_PKCS1_PADDING }, bytes);
  try {
    return decrypt(cipher);
  } catch {
    // Node refuses a number above the modulus at once. The extra decryption makes such a call take the usual time.
    decrypt(new Uint8Array(cipher.length).fill(1));
    return undefined;
  }
}

// On Linux a priority belongs to a thread, and the id 0 names the calling thread. On other systems, this call would
// change the priority of the whole process.
if (process.platform === 'linux') setPriority(0, NICENESS);
parentPort?.on('message', ({ name, args }: { name: keyof SlowWorks; args: unknown[] }) => {
  try {
    parentPort?.postMessage({ result: (works[name] as (...args: unknown[]) => unknown)(...args) });
  } catch (error) {
    parentPort?.postMessage({ error });
  }
});
