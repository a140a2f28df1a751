// Finds out why a message does not open, by trying likely mistakes one after another.
import { type Bytes, keyPairOf } from '@sealpost/crypto';
import { ascii, joined, same } from './byte-text.ts';
import type { LabKeys } from './lab-keys.ts';
import { isGroup, type LabMessage } from './sealed-message.ts';
import {
  additionalData,
  type Bound,
  decryptCbc,
  decryptGcm,
  ivOf,
  macOf,
  messageKey,
  type SealedParts,
  sha256,
} from './versions.ts';

const TYPES = [0, 1, 2, 3, 14, 15];

/** Returns the likely cause; undefined if the failing step already explains it. */
export async function likelyCause(
  message: LabMessage,
  parts: SealedParts,
  secret: Bytes,
  keys: LabKeys,
): Promise<string | undefined> {
  if (await isAuthentic(message, parts, secret)) return undefined;
  const mistake = await (parts.version === 2 ? mistakeOf2(message, parts, secret) : mistakeOf1(parts, secret));
  return mistake ?? wrongKeyOf(message, parts, keys) ?? NOTHING_FITS;
}

const NOTHING_FITS =
  'Most likely a wrong key: no other associated data and no other order of the hash opens it either. ' +
  'Look the keys up on the server to see whose they are. A changed ciphertext looks the same.';

async function isAuthentic(message: LabMessage, parts: SealedParts, secret: Bytes): Promise<boolean> {
  const key = await messageKey(secret, parts.salt);
  return parts.version === 2
    ? opensWith(key, parts, { ...message, ...parts })
    : same(await macOf(key, parts.cipher), parts.third);
}

const decrypts = (plain: Promise<Bytes>): Promise<boolean> =>
  plain.then(
    () => true,
    () => false,
  );

const opensWith = (key: Bytes, { third, cipher }: SealedParts, bound: Bound): Promise<boolean> =>
  decrypts(decryptGcm(key, third, additionalData(bound), cipher));

async function mistakeOf2(message: LabMessage, parts: SealedParts, secret: Bytes): Promise<string | undefined> {
  const { salt, cipher, third } = parts;
  const key = await messageKey(secret, salt);
  const right: Bound = { ...message, ...parts };
  const bounds: readonly (readonly [cause: string, bound: Partial<Bound>])[] = [
    ['sender and receiver changed places', { to: message.from, from: message.to }],
    ['the ids of the keys changed places', { senderKeyId: parts.receiverKeyId, receiverKeyId: parts.senderKeyId }],
    ...TYPES.filter((type) => type !== message.contentType).map(
      (contentType) => [`the content type is ${contentType}`, { contentType }] as const,
    ),
    ['the version in it is 1', { version: 1 }],
    ['the version in it is 0', { version: 0 }],
  ];
  for (const [cause, changed] of bounds)
    if (await opensWith(key, parts, { ...right, ...changed }))
      return `The key is right, and the associated data differ: it opens if ${cause}.`;
  if (await decrypts(decryptGcm(key, third, new Uint8Array(), cipher)))
    return 'The key is right, and it was sealed without associated data.';
  const recipes: readonly (readonly [cause: string, key: Promise<Bytes>])[] = [
    ['SHA-256(S ‖ "Key"), without the salt', sha256(secret, ascii('Key'))],
    ['SHA-256(salt ‖ S ‖ "Key"), with the salt first', sha256(salt, secret, ascii('Key'))],
    ['SHA-256(S ‖ "Key" ‖ salt), with the salt last', sha256(secret, ascii('Key'), salt)],
    ['SHA-256(S ‖ salt), without "Key"', sha256(secret, salt)],
    ['the shared secret itself', Promise.resolve(joined(secret))],
  ];
  for (const [cause, other] of recipes)
    if (await opensWith(await other, parts, right))
      return `The shared secret is right, and the key was made as ${cause}.`;
  return undefined;
}

async function mistakeOf1({ salt, cipher }: SealedParts, secret: Bytes): Promise<string | undefined> {
  const key = await messageKey(secret, salt);
  const plain = await decryptCbc(key, await ivOf(secret, salt), cipher).catch(() => undefined);
  return plain && isJson(plain)
    ? 'The key is right and the ciphertext opens: only the MAC differs. It is AES of one block, fold(SHA-256(ciphertext)).'
    : undefined;
}

function isJson(plain: Bytes): boolean {
  try {
    JSON.parse(new TextDecoder('utf-8', { fatal: true }).decode(plain));
    return true;
  } catch {
    return false;
  }
}

/** Compares the private key with the server's public keys that have the ids in the message. */
function wrongKeyOf(message: LabMessage, parts: SealedParts, { privateKey, known }: LabKeys): string | undefined {
  if (known.length === 0) return undefined;
  const own = keyPairOf(privateKey).publicKey;
  if (known.some(({ publicKey }) => same(publicKey, own))) return undefined;
  const names = known.map(({ owner, keyId }) => `key ${keyId} of ${owner}`).join(' nor ');
  const group = isGroup(message) ? `, and may be group key ${parts.receiverKeyId} of the chat only` : '';
  return `A wrong private key: its public half is neither ${names}${group}.`;
}
