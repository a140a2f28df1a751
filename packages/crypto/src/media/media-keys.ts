// Derives the cipher key, the MAC key and the nonce of a media object from its key material.
import { type Bytes, concat, randomBytes, uint32, wipe } from '../bytes.ts';
import { webCrypto } from '../web-crypto.ts';

const KEY_MATERIAL = 32;
const DERIVED_BITS = 76 * 8;
const BLOCK = 16;
const INFO = new TextEncoder().encode('FileEncryption');

/** Makes the key material of one media object and its preview. In base64, it is the payload's `keyMaterial`. */
export const createKeyMaterial = (): Bytes => randomBytes(KEY_MATERIAL);

export interface MediaKeys {
  /** The key for one MAC. Making the MAC overwrites this key. */
  readonly macKey: Bytes;
  /**
   * Encrypts or decrypts: both are the same in CTR mode. `position` is the place of the first byte in the whole object.
   */
  crypt(position: number, bytes: Bytes): Promise<Bytes>;
}

export async function mediaKeys(keyMaterial: Bytes): Promise<MediaKeys> {
  if (keyMaterial.length !== KEY_MATERIAL) throw new RangeError(`a key material has ${KEY_MATERIAL} bytes`);
  const derived = await derive(keyMaterial);
  const key = await webCrypto().importKey('raw', derived.subarray(0, 32), 'AES-CTR', false, ['encrypt']);
  const [macKey, nonce] = [derived.slice(32, 64), derived.slice(64)];
  wipe(derived);
  return { macKey, crypt: (position, bytes) => crypt(key, nonce, position, bytes) };
}

async function derive(keyMaterial: Bytes): Promise<Bytes> {
  const base = await webCrypto().importKey('raw', keyMaterial, 'HKDF', false, ['deriveBits']);
  const algorithm = { name: 'HKDF', hash: 'SHA-256', salt: new Uint8Array(), info: INFO };
  return new Uint8Array(await webCrypto().deriveBits(algorithm, base, DERIVED_BITS));
}

async function crypt(key: CryptoKey, nonce: Bytes, position: number, bytes: Bytes): Promise<Bytes> {
  const inBlock = position % BLOCK;
  const lastBlock = Math.floor((position + bytes.length) / BLOCK);
  // Beyond this limit, the block counter would overflow into the nonce. Implementations handle such an overflow in
  // different ways.
  if (!(position >= 0) || lastBlock > 0xffffffff) throw new RangeError('media have at most 64 GiB');
  const counter = concat(nonce, uint32(Math.floor(position / BLOCK)));
  const aligned = inBlock === 0 ? bytes : concat(new Uint8Array(inBlock), bytes);
  const out = await webCrypto().encrypt({ name: 'AES-CTR', counter, length: 32 }, key, aligned);
  return new Uint8Array(out).subarray(inBlock);
}
