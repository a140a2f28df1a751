// Version 1: AES-256-CBC with a MAC over the ciphertext. The MAC depends only on the secret, and not on the chat, the
// direction or the content type of the message.
import { decryptCbc, encryptBlock, encryptCbc } from '../aes.ts';
import { type Bytes, equal, type RandomBytes, wipe, xor16 } from '../bytes.ts';
import { OpenError } from '../open-error.ts';
import { sha256 } from '../web-crypto.ts';
import type { SealedParts } from './chunks.ts';
import { deriveIv, deriveKey } from './derived-keys.ts';

type SealedContent = Pick<SealedParts, 'salt' | 'cipher' | 'third'>;

const SALT = 8;

export async function sealVersion1(secret: Uint8Array, plain: Bytes, random: RandomBytes): Promise<SealedContent> {
  const salt = random(SALT);
  const [key, iv] = await Promise.all([deriveKey(secret, salt), deriveIv(secret, salt)]);
  try {
    const cipher = await encryptCbc(key, iv, plain);
    return { salt, cipher, third: await macOf(key, cipher) };
  } finally {
    wipe(key, iv);
  }
}

export async function openVersion1(secret: Uint8Array, { salt, cipher, third }: SealedContent): Promise<Bytes> {
  const [key, iv] = await Promise.all([deriveKey(secret, salt), deriveIv(secret, salt)]);
  try {
    // The MAC is checked before anything is decrypted, so that an attacker cannot learn anything from padding errors.
    if (!equal(await macOf(key, cipher), third)) throw new Error('the MAC differs');
    return await decryptCbc(key, iv, cipher);
  } catch {
    throw new OpenError('tampered', 'the message was changed, or was sealed with another key');
  } finally {
    wipe(key, iv);
  }
}

const macOf = async (key: Bytes, cipher: Bytes): Promise<Bytes> => encryptBlock(key, xor16(await sha256(cipher)));
