// The thread of slow-crypto.ts. Its work is done in one piece: nothing else runs here.
import { constants, createPrivateKey, generateKeyPairSync, privateDecrypt } from 'node:crypto';
import { setPriority } from 'node:os';
import { parentPort } from 'node:worker_threads';
import { hashSync, type Options, verifySync } from '@node-rs/argon2';

/** A thirtieth of a processor that the main thread wants whole, and all of one that is free. */
const NICENESS = 15;

const works = {
  hashPassword: (password: string, options: Options): string => hashSync(password, options),
  verifyPassword: (stored: string, password: string): boolean => verifySync(stored, password),
  makeRsaPair,
  decryptRsa,
};

/** What may be asked of the thread, by name. */
export type SlowWorks = typeof works;

export interface RsaPair {
  /** In hex. */
  readonly modulus: string;
  readonly exponent: string;
  /** PKCS#8, DER. */
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

/** Bad padding gives random bytes instead of an error (implicit rejection), so it cannot be told from a bad content. */
function decryptRsa(privateKey: Uint8Array, cipher: Uint8Array): Uint8Array | undefined {
  const key = createPrivateKey({ key: Buffer.from(privateKey), format: 'der', type: 'pkcs8' });
  const decrypt = (bytes: Uint8Array) => privateDecrypt({ key, padding: constants.RSA_PKCS1_PADDING }, bytes);
  try {
    return decrypt(cipher);
  } catch {
    // A number above the modulus is refused at once: takes its time all the same.
    decrypt(new Uint8Array(cipher.length).fill(1));
    return undefined;
  }
}

// On Linux a priority belongs to a thread, and 0 is the one that asks; elsewhere it would be the whole process.
if (process.platform === 'linux') setPriority(0, NICENESS);
parentPort?.on('message', ({ name, args }: { name: keyof SlowWorks; args: unknown[] }) => {
  try {
    parentPort?.postMessage({ result: (works[name] as (...args: unknown[]) => unknown)(...args) });
  } catch (error) {
    parentPort?.postMessage({ error });
  }
});
