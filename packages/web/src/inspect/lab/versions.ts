// The steps of both versions of sealing, as separate functions that use WebCrypto.
import { type Bytes, fromBase64, readSealedHeader, type SealedHeader } from '@sealpost/crypto';
import { ascii, be32, hex, joined, same } from './byte-text.ts';
import type { LabMessage } from './sealed-message.ts';
import { type MakeStep, StepFailed } from './steps.ts';

export interface SealedParts extends SealedHeader {
  readonly salt: Bytes;
  readonly cipher: Bytes;
  /** The third part of the message: the nonce in version 2, the MAC in version 1. */
  readonly third: Bytes;
}

/** Returns the parts of a message whose chunks have a valid form. */
export function partsOf(chunks: readonly string[]): SealedParts {
  const none = new Uint8Array();
  const [salt = none, cipher = none, third = none] = chunks.map(fromBase64);
  return { ...readSealedHeader(chunks), salt, cipher, third };
}

export const sha256 = async (...parts: readonly Bytes[]): Promise<Bytes> =>
  new Uint8Array(await crypto.subtle.digest('SHA-256', joined(...parts)));

/** Returns the first half of a hash XORed with its second half. */
export const fold = (hash: Bytes): Bytes => hash.slice(0, 16).map((byte, at) => byte ^ (hash[at + 16] ?? 0));

const importKey = (key: Bytes, name: 'AES-GCM' | 'AES-CBC'): Promise<CryptoKey> =>
  crypto.subtle.importKey('raw', key, name, false, ['encrypt', 'decrypt']);

/** The values that version 2 of Letter Sealing authenticates together with a message. */
export interface Bound {
  readonly to: string;
  readonly from: string;
  readonly senderKeyId: number;
  readonly receiverKeyId: number;
  readonly version: number;
  readonly contentType: number;
}

export const additionalData = ({ to, from, senderKeyId, receiverKeyId, version, contentType }: Bound): Bytes =>
  joined(ascii(to + from), ...[senderKeyId, receiverKeyId, version, contentType].map(be32));

export const messageKey = (secret: Bytes, salt: Bytes): Promise<Bytes> => sha256(secret, salt, ascii('Key'));

/** @throws if the tag does not match */
export async function decryptGcm(key: Bytes, iv: Bytes, additional: Bytes, cipher: Bytes): Promise<Bytes> {
  const algorithm = { name: 'AES-GCM', iv, additionalData: additional };
  return new Uint8Array(await crypto.subtle.decrypt(algorithm, await importKey(key, 'AES-GCM'), cipher));
}

/** @throws if the padding is wrong */
export async function decryptCbc(key: Bytes, iv: Bytes, cipher: Bytes): Promise<Bytes> {
  return new Uint8Array(await crypto.subtle.decrypt({ name: 'AES-CBC', iv }, await importKey(key, 'AES-CBC'), cipher));
}

/** Encrypts one block. WebCrypto has no ECB mode, so this takes the first block of CBC with a zero IV. */
export async function encryptBlock(key: Bytes, block: Bytes): Promise<Bytes> {
  const algorithm = { name: 'AES-CBC', iv: new Uint8Array(16) };
  return new Uint8Array(await crypto.subtle.encrypt(algorithm, await importKey(key, 'AES-CBC'), block)).slice(0, 16);
}

const keyStep = (secret: Bytes, salt: Bytes, step: MakeStep): Promise<Bytes> =>
  step('Message key', 'K = SHA-256(S ‖ salt ‖ "Key")', async () => {
    const result = await messageKey(secret, salt);
    return { values: [['K', hex(result)]], result };
  });

const shownPlain = (plain: Bytes): (readonly [string, string])[] => [['plain text', new TextDecoder().decode(plain)]];

export async function stepsOf2(message: LabMessage, parts: SealedParts, secret: Bytes, step: MakeStep): Promise<void> {
  const { salt, cipher, third, senderKeyId, receiverKeyId } = parts;
  const key = await keyStep(secret, salt, step);
  const formula = 'to ‖ from ‖ BE32(senderKeyId) ‖ BE32(receiverKeyId) ‖ BE32(2) ‖ BE32(contentType)';
  const additional = await step('Associated data', formula, async () => {
    const { to, from, contentType } = message;
    const values = [
      ['to', to],
      ['from', from],
      ['key ids', `${hex(be32(senderKeyId))} ${hex(be32(receiverKeyId))}`],
      ['version, content type', `${hex(be32(2))} ${hex(be32(contentType))}`],
    ] as const;
    for (const [name, mid] of [
      ['to', to],
      ['from', from],
    ] as const)
      if (mid.length !== 33) throw new StepFailed(`${name} has ${mid.length} characters, and a mid has 33`, values);
    return { values, result: additionalData({ to, from, senderKeyId, receiverKeyId, version: 2, contentType }) };
  });
  await step('Decrypt', 'AES-256-GCM(K, nonce, associated data)', async () => {
    const tag = ['tag', hex(cipher.slice(-16))] as const;
    try {
      const plain = await decryptGcm(key, third, additional, cipher);
      return { values: [['nonce', hex(third)], tag, ...shownPlain(plain)], result: undefined };
    } catch {
      throw new StepFailed('the tag does not fit: another key, other associated data, or a changed ciphertext', [
        ['nonce', hex(third)],
        tag,
      ]);
    }
  });
}

export async function stepsOf1(parts: SealedParts, secret: Bytes, step: MakeStep): Promise<void> {
  const { salt, cipher, third } = parts;
  const key = await keyStep(secret, salt, step);
  const iv = await step('IV', 'IV = fold(SHA-256(S ‖ salt ‖ "IV"))', async () => {
    const result = await ivOf(secret, salt);
    return { values: [['IV', hex(result)]], result };
  });
  await step('MAC', 'AES-256 of one block under K: fold(SHA-256(ciphertext))', async () => {
    const made = await macOf(key, cipher);
    const values = [
      ['computed', hex(made)],
      ['in the message', hex(third)],
    ] as const;
    if (!same(made, third)) throw new StepFailed('the MAC differs: another key, or a changed ciphertext', values);
    return { values, result: undefined };
  });
  await step('Decrypt', 'AES-256-CBC(K, IV) with PKCS#7 padding', async () => ({
    values: shownPlain(await decryptCbc(key, iv, cipher)),
    result: undefined,
  }));
}

export const ivOf = async (secret: Bytes, salt: Bytes): Promise<Bytes> => fold(await sha256(secret, salt, ascii('IV')));

export const macOf = async (key: Bytes, cipher: Bytes): Promise<Bytes> => encryptBlock(key, fold(await sha256(cipher)));
