// AES-256 through WebCrypto. WebCrypto cannot encrypt single blocks, so the functions for blocks build on its CBC mode.
import { type Bytes, concat } from './bytes.ts';
import { webCrypto } from './web-crypto.ts';

const BLOCK = 16;
const zeroIv = (): Bytes => new Uint8Array(BLOCK);
/** The block of padding that PKCS#7 appends to data of whole blocks. */
const paddingBlock = (): Bytes => new Uint8Array(BLOCK).fill(BLOCK);

const keyOf = (key: Bytes): Promise<CryptoKey> =>
  webCrypto().importKey('raw', key, 'AES-CBC', false, ['encrypt', 'decrypt']);

/** Encrypts with CBC and PKCS#7 padding. */
export async function encryptCbc(key: Bytes, iv: Bytes, plain: Bytes): Promise<Bytes> {
  return new Uint8Array(await webCrypto().encrypt({ name: 'AES-CBC', iv }, await keyOf(key), plain));
}

/** Decrypts CBC with PKCS#7 padding. Throws if the padding is wrong. */
export async function decryptCbc(key: Bytes, iv: Bytes, cipher: Bytes): Promise<Bytes> {
  return new Uint8Array(await webCrypto().decrypt({ name: 'AES-CBC', iv }, await keyOf(key), cipher));
}

/** Imports a key for GCM. A caller that uses one key many times should import it only once. */
export const importGcmKey = (key: Bytes): Promise<CryptoKey> =>
  webCrypto().importKey('raw', key, 'AES-GCM', false, ['encrypt', 'decrypt']);

const gcmKey = async (key: Bytes | CryptoKey): Promise<CryptoKey> =>
  key instanceof Uint8Array ? importGcmKey(key) : key;

/** Encrypts with GCM. Returns the ciphertext, followed by its tag of 16 bytes. */
export async function encryptGcm(
  key: Bytes | CryptoKey,
  iv: Bytes,
  additionalData: Bytes,
  plain: Bytes,
): Promise<Bytes> {
  return new Uint8Array(await webCrypto().encrypt({ name: 'AES-GCM', iv, additionalData }, await gcmKey(key), plain));
}

/** Decrypts GCM. Throws if the tag does not match. */
export async function decryptGcm(
  key: Bytes | CryptoKey,
  iv: Bytes,
  additionalData: Bytes,
  cipher: Bytes,
): Promise<Bytes> {
  return new Uint8Array(await webCrypto().decrypt({ name: 'AES-GCM', iv, additionalData }, await gcmKey(key), cipher));
}

/** Encrypts one block separately, as in ECB. The result is the first block of CBC with a zero IV. */
export async function encryptBlock(key: Bytes, block: Bytes): Promise<Bytes> {
  return (await encryptCbc(key, zeroIv(), block)).slice(0, BLOCK);
}

/** Decrypts whole blocks, each separately, as in ECB. */
export async function decryptBlocks(key: Bytes, cipher: Bytes): Promise<Bytes> {
  const blocks: Bytes[] = [];
  for (let at = 0; at < cipher.length; at += BLOCK)
    blocks.push(await decryptUnpadded(key, cipher.slice(at, at + BLOCK)));
  return concat(...blocks);
}

/**
 * Decrypts CBC with a zero IV and without padding. WebCrypto insists on padding, so this function first appends an
 * encrypted block of padding.
 */
export async function decryptUnpadded(key: Bytes, cipher: Bytes): Promise<Bytes> {
  const last = cipher.slice(-BLOCK);
  const end = await encryptBlock(
    key,
    paddingBlock().map((byte, at) => byte ^ (last[at] ?? 0)),
  );
  return decryptCbc(key, zeroIv(), concat(cipher, end));
}
