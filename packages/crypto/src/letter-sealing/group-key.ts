// Keys of groups and rooms: one key pair for all members, its private half wrapped for each of them.
import { decryptCbc, encryptCbc } from '../aes.ts';
import { type Bytes, fromBase64, toBase64, wipe } from '../bytes.ts';
import { OpenError } from '../open-error.ts';
import { KEY_LENGTH, type KeyPair, keyPairOf, sharedSecret } from '../x25519.ts';
import { deriveIv, deriveKey } from './derived-keys.ts';

const WRAP_LENGTH = 48;

/**
 * Makes `encryptedSharedKey` for one member: the private half of a group key, encrypted with the secret that the
 * creator and the member share. `createKeyPair` makes the group key. The creator is a member too, and also wraps the
 * key for itself.
 */
export async function wrapGroupKey(
  groupPrivateKey: Bytes,
  creatorPrivateKey: Uint8Array,
  memberPublicKey: Uint8Array,
): Promise<string> {
  if (groupPrivateKey.length !== KEY_LENGTH) throw new RangeError(`a private key has ${KEY_LENGTH} bytes`);
  return withWrapKeys(creatorPrivateKey, memberPublicKey, async (key, iv) =>
    toBase64(await encryptCbc(key, iv, groupPrivateKey)),
  );
}

/**
 * Returns the group key from the `encryptedSharedKey` of one member. This form has no MAC, so some changes stay
 * unnoticed. Wrong keys nearly always cause an error. A change of the first 16 bytes never causes an error: it gives a
 * wrong key pair, which opens no message.
 */
export async function unwrapGroupKey(
  encryptedSharedKey: string,
  memberPrivateKey: Uint8Array,
  creatorPublicKey: Uint8Array,
): Promise<KeyPair> {
  const wrap = decode(encryptedSharedKey);
  const privateKey = await withWrapKeys(memberPrivateKey, creatorPublicKey, async (key, iv) =>
    decryptCbc(key, iv, wrap).catch(() => undefined),
  );
  if (privateKey?.length !== KEY_LENGTH)
    throw new OpenError('tampered', 'the group key was wrapped for another key, or changed');
  return keyPairOf(privateKey);
}

async function withWrapKeys<T>(
  privateKey: Uint8Array,
  publicKey: Uint8Array,
  use: (key: Bytes, iv: Bytes) => Promise<T>,
): Promise<T> {
  const secret = sharedSecret(privateKey, publicKey);
  const [key, iv] = await Promise.all([deriveKey(secret), deriveIv(secret)]);
  try {
    return await use(key, iv);
  } finally {
    wipe(secret, key, iv);
  }
}

function decode(text: string): Bytes {
  try {
    const wrap = fromBase64(text);
    if (wrap.length === WRAP_LENGTH) return wrap;
  } catch {
    // Text that is not base64 gets the same error as base64 of the wrong length.
  }
  throw new OpenError('malformed', `a wrapped group key is base64 of ${WRAP_LENGTH} bytes`);
}
