// Records at rest under a random key of 32 bytes: a nonce, then AES-256-GCM. Each is bound to its name, so that
// somebody who can write the records cannot exchange two of them.
import { decryptGcm, encryptGcm } from './aes.ts';
import { type Bytes, concat, randomBytes } from './bytes.ts';
import { OpenError } from './open-error.ts';

const NONCE = 12;
const utf8 = new TextEncoder();

export const createRecordKey = (): Bytes => randomBytes(32);

/** Seals a record under a random nonce. One key serves for billions of records. */
export async function sealRecord(key: Bytes, name: string, plain: Bytes): Promise<Bytes> {
  const nonce = randomBytes(NONCE);
  return concat(nonce, await encryptGcm(key, nonce, utf8.encode(name), plain));
}

/** Opens a record. Throws OpenError `tampered` for another key, another name, or a changed byte. */
export async function openRecord(key: Bytes, name: string, sealed: Bytes): Promise<Bytes> {
  try {
    return await decryptGcm(key, sealed.slice(0, NONCE), utf8.encode(name), sealed.slice(NONCE));
  } catch {
    throw new OpenError('tampered', `the record ${name} was changed, or sealed with another key`);
  }
}
