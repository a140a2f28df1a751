// Seals stored records with a random key of 32 bytes. A sealed record is a nonce followed by the output of AES-256-GCM.
// Each record is bound to its name, so somebody who can write the records cannot swap two of them.
import { decryptGcm, encryptGcm, importGcmKey } from './aes.ts';
import { type Bytes, concat, randomBytes } from './bytes.ts';
import { OpenError } from './open-error.ts';

const NONCE = 12;
const utf8 = new TextEncoder();

export const createRecordKey = (): Bytes => randomBytes(32);

/** Prepares a key for many records. Importing the key for each record would double the time. */
export const importRecordKey = (key: Bytes): Promise<CryptoKey> => importGcmKey(key);

/** Seals a record with a random nonce. One key is enough for billions of records. */
export async function sealRecord(key: Bytes | CryptoKey, name: string, plain: Bytes): Promise<Bytes> {
  const nonce = randomBytes(NONCE);
  return concat(nonce, await encryptGcm(key, nonce, utf8.encode(name), plain));
}

/** Opens a record. Throws OpenError `tampered` if the key or the name is wrong, or a byte was changed. */
export async function openRecord(key: Bytes | CryptoKey, name: string, sealed: Bytes): Promise<Bytes> {
  try {
    return await decryptGcm(key, sealed.slice(0, NONCE), utf8.encode(name), sealed.slice(NONCE));
  } catch {
    throw new OpenError('tampered', `the record ${name} was changed, or sealed with another key`);
  }
}
