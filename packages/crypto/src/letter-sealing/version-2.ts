// Version 2: AES-256-GCM with a separate key for each message, bound to sender, receiver, keys and content type.
import { decryptGcm, encryptGcm } from '../aes.ts';
import { type Bytes, concat, type RandomBytes, uint32, wipe } from '../bytes.ts';
import { OpenError } from '../open-error.ts';
import type { SealedParts } from './chunks.ts';
import { deriveKey } from './derived-keys.ts';

export interface MessageBinding {
  readonly to: string;
  readonly from: string;
  readonly contentType: number;
  readonly senderKeyId: number;
  readonly receiverKeyId: number;
}

type SealedContent = Pick<SealedParts, 'salt' | 'cipher' | 'third'>;

const SALT = 16;
const NONCE = 12;
const ascii = new TextEncoder();

export async function sealVersion2(
  secret: Uint8Array,
  bound: MessageBinding,
  plain: Bytes,
  random: RandomBytes,
): Promise<SealedContent> {
  const [salt, nonce] = [random(SALT), random(NONCE)];
  const key = await deriveKey(secret, salt);
  try {
    return { salt, cipher: await encryptGcm(key, nonce, additionalData(bound), plain), third: nonce };
  } finally {
    wipe(key);
  }
}

export async function openVersion2(secret: Uint8Array, bound: MessageBinding, sealed: SealedContent): Promise<Bytes> {
  const key = await deriveKey(secret, sealed.salt);
  try {
    return await decryptGcm(key, sealed.third, additionalData(bound), sealed.cipher);
  } catch {
    throw new OpenError('tampered', 'the message was changed, or was sealed for another chat or with another key');
  } finally {
    wipe(key);
  }
}

// There is no length or separator between the mids. That is safe because message.ts accepts only mids of one length.
const additionalData = ({ to, from, senderKeyId, receiverKeyId, contentType }: MessageBinding): Bytes =>
  concat(ascii.encode(to + from), ...[senderKeyId, receiverKeyId, 2, contentType].map(uint32));
