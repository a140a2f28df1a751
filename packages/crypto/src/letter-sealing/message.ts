// Sealing and opening of messages. docs/letter-sealing.md has every byte.
import { type Bytes, type RandomBytes, randomBytes, wipe } from '../bytes.ts';
import { OpenError } from '../open-error.ts';
import { KEY_LENGTH } from '../x25519.ts';
import { readChunks, type SealingVersion, writeChunks } from './chunks.ts';
import { decodePayload, encodePayload, isSealableType, type SealableType, type SealedPayloads } from './payload.ts';
import { openVersion1, sealVersion1 } from './version-1.ts';
import { type BoundTo, openVersion2, sealVersion2 } from './version-2.ts';

/** One shared secret, and the ids of the two keys that it was agreed with. */
export interface MessageKeys {
  /** `sharedSecret` of the own private key and the other's public key; in groups, the group key is one of the two. */
  readonly sharedSecret: Uint8Array;
  readonly senderKeyId: number;
  /** The other user's key; in groups and rooms, the group key. */
  readonly receiverKeyId: number;
}

/** The fields of a message that stay in the clear and that its sealing is bound to (version 2). */
export interface Envelope<T extends SealableType> {
  readonly to: string;
  readonly from: string;
  readonly contentType: T;
}

export interface SealedMessage<T extends SealableType> extends Envelope<T> {
  readonly chunks: readonly string[];
  /** As in contentMetadata: "1" or "2". Without it the layout of the chunks decides. */
  readonly e2eeVersion?: string | undefined;
}

const MID = /^[!-~]{33}$/;
const MAX_KEY_ID = 2 ** 32 - 1;

/**
 * The chunks of a message. Mark it with contentMetadata.e2eeVersion, and leave out what the payload holds: text,
 * location, and contentMetadata.REPLACE.
 */
export async function sealMessage<T extends SealableType>(
  keys: MessageKeys,
  envelope: Envelope<T>,
  payload: SealedPayloads[T],
  { version = 2, random = randomBytes }: { version?: SealingVersion; random?: RandomBytes } = {},
): Promise<string[]> {
  requireKeys(keys);
  for (const mid of [envelope.to, envelope.from])
    if (!MID.test(mid)) throw new RangeError(`a mid has 33 characters, unlike ${mid}`);
  const plain = encodePayload(envelope.contentType, payload);
  try {
    const sealed =
      version === 1
        ? await sealVersion1(keys.sharedSecret, plain, random)
        : await sealVersion2(keys.sharedSecret, boundTo(keys, envelope), plain, random);
    return writeChunks({ ...keys, ...sealed });
  } finally {
    wipe(plain);
  }
}

/**
 * The payload of a sealed message, from either party's side. Throws OpenError, and nothing else, for a message that
 * does not open. `readSealedHeader` says which keys to bring.
 */
export async function openMessage<T extends SealableType>(
  keys: MessageKeys,
  message: SealedMessage<T>,
): Promise<SealedPayloads[T]> {
  requireKeys(keys);
  const plain = await openChunks(keys, message);
  try {
    return decodePayload(message.contentType, plain);
  } finally {
    wipe(plain);
  }
}

async function openChunks(keys: MessageKeys, message: SealedMessage<SealableType>): Promise<Bytes> {
  const parts = readChunks(message.chunks);
  const mark = message.e2eeVersion;
  if (mark !== undefined && mark !== String(parts.version))
    throw new OpenError('version', `the message is marked as version ${mark} and has the chunks of ${parts.version}`);
  if (parts.senderKeyId !== keys.senderKeyId || parts.receiverKeyId !== keys.receiverKeyId)
    throw new OpenError('other-keys', `the message is for keys ${parts.senderKeyId} and ${parts.receiverKeyId}`);
  if (!isSealableType(message.contentType) || !MID.test(message.to) || !MID.test(message.from))
    throw new OpenError('malformed', 'content type, sender or receiver are none that a message can be sealed with');
  return parts.version === 1
    ? openVersion1(keys.sharedSecret, parts)
    : openVersion2(keys.sharedSecret, boundTo(keys, message), parts);
}

const boundTo = (keys: MessageKeys, { to, from, contentType }: Envelope<SealableType>): BoundTo => ({
  to,
  from,
  contentType,
  senderKeyId: keys.senderKeyId,
  receiverKeyId: keys.receiverKeyId,
});

/** Wrong keys are the caller's fault, not the message's. */
function requireKeys({ sharedSecret, senderKeyId, receiverKeyId }: MessageKeys): void {
  if (sharedSecret.length !== KEY_LENGTH) throw new RangeError(`a shared secret has ${KEY_LENGTH} bytes`);
  for (const id of [senderKeyId, receiverKeyId])
    if (!Number.isInteger(id) || id < 0 || id > MAX_KEY_ID) throw new RangeError(`${id} is no id of a key`);
}
