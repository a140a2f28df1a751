// The thread of slow-crypto.ts. Its work is done in one piece: nothing else runs here.
import { constants, generateKeyPairSync, type KeyObject, privateDecrypt } from 'node:crypto';
import { setPriority } from 'node:os';
import { parentPort } from 'node:worker_threads';
import { hashSync, type Options, verifySync } from '@node-rs/argon2';

/** A thirtieth of a processor that the main thread wants whole, and all of one that is free. */
const NICENESS = 15;

const works = {
  hashPassword: (password: string, options: Options): string => hashSync(password, options),
  verifyPassword: (stored: string, password: string): boolean => verifySync(stored, password),
  makeRsaPair: (modulusLength: number): { publicKey: KeyObject; privateKey: KeyObject } =>
    generateKeyPairSync('rsa', { modulusLength }),
  decryptRsa,
};

/** What may be asked of the thread, by name. */
export type SlowWorks = typeof works;

/** Bad padding gives random bytes instead of an error (implicit rejection), so it cannot be told from a bad content. */
function decryptRsa(key: KeyObject, cipher: Uint8Array): Uint8Array | undefined {
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
