// Seals and opens messages. docs/letter-sealing.md describes every byte.
import { type Bytes, type RandomBytes, randomBytes, wipe } from '../bytes.ts';
import { OpenError } from '../open-error.ts';
import { KEY_LENGTH } from '../x25519.ts';
import { readChunks, type SealingVersion, writeChunks } from './chunks.ts';
import { decodePayload, encodePayload, isSealableType, type SealableType, type SealedPayloads } from './payload.ts';
import { openVersion1, sealVersion1 } from './version-1.ts';
import { type MessageBinding, openVersion2, sealVersion2 } from './version-2.ts';

/** A shared secret, and the ids of the two keys that it comes from. */
export interface MessageKeys {
  /**
   * The `sharedSecret` of the caller's private key and the other user's public key. In groups, one of the two is the
   * group key.
   */
  readonly sharedSecret: Uint8Array;
  readonly senderKeyId: number;
  /** The id of the other user's key; in groups and rooms, the id of the group key. */
  readonly receiverKeyId: number;
}

/**
 * The fields of a message that stay readable. A message of version 2 opens only if `to`, `from` and `contentType` are
 * unchanged.
 */
export interface Envelope<T extends SealableType> {
  readonly to: string;
  readonly from: string;
  readonly contentType: T;
}

export interface SealedMessage<T extends SealableType> extends Envelope<T> {
  readonly chunks: readonly string[];
  /** The value in contentMetadata: "1" or "2". If absent, the layout of the chunks tells the version. */
  readonly e2eeVersion?: string | undefined;
}

const MID = /^[!-~]{33}$/;
const MAX_KEY_ID = 2 ** 32 - 1;

/**
 * Returns the chunks of a message. The caller must set contentMetadata.e2eeVersion in the message. The caller must also
 * leave out the fields that the payload holds: text, location, and contentMetadata.REPLACE.
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
 * Returns the payload of a sealed message. Both the sender and the receiver can open it. Throws only OpenError if the
 * message cannot be opened. `readSealedHeader` tells which keys the message needs.
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
    throw new OpenError('malformed', 'no message can be sealed with this content type, sender or receiver');
  return parts.version === 1
    ? openVersion1(keys.sharedSecret, parts)
    : openVersion2(keys.sharedSecret, boundTo(keys, message), parts);
}

const boundTo = (keys: MessageKeys, { to, from, contentType }: Envelope<SealableType>): MessageBinding => ({
  to,
  from,
  contentType,
  senderKeyId: keys.senderKeyId,
  receiverKeyId: keys.receiverKeyId,
});

/** Throws RangeError for wrong keys, because they are the caller's fault and not a fault of the message. */
function requireKeys({ sharedSecret, senderKeyId, receiverKeyId }: MessageKeys): void {
  if (sharedSecret.length !== KEY_LENGTH) throw new RangeError(`a shared secret has ${KEY_LENGTH} bytes`);
  for (const id of [senderKeyId, receiverKeyId])
    if (!Number.isInteger(id) || id < 0 || id > MAX_KEY_ID) throw new RangeError(`${id} is not the id of a key`);
}
