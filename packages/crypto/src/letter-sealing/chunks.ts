// Writes and reads the five chunks of a sealed message, which are in `Message.chunks`.
import { type Bytes, fromBase64, readUint32, toBase64, uint32 } from '../bytes.ts';
import { OpenError } from '../open-error.ts';

export type SealingVersion = 1 | 2;

/** The readable part of a sealed message. It tells which keys are needed to open it. */
export interface SealedHeader {
  readonly version: SealingVersion;
  readonly senderKeyId: number;
  /** The id of the other user's key; in groups and rooms, the id of the group key. */
  readonly receiverKeyId: number;
}

export interface SealedParts extends SealedHeader {
  readonly salt: Bytes;
  readonly cipher: Bytes;
  /** The third chunk: the nonce in version 2, the MAC in version 1. */
  readonly third: Bytes;
}

const BLOCK = 16;
const layouts = [
  { version: 1, salt: 8, third: 16, cipher: (length: number) => length >= BLOCK && length % BLOCK === 0 },
  { version: 2, salt: 16, third: 12, cipher: (length: number) => length >= BLOCK },
] as const;

export const writeChunks = ({ salt, cipher, third, senderKeyId, receiverKeyId }: Omit<SealedParts, 'version'>) =>
  [salt, cipher, third, uint32(senderKeyId), uint32(receiverKeyId)].map(toBase64);

/**
 * Returns the key ids and the version of a sealed message. Anybody can read and forge them. They are proven only when
 * the message has been opened.
 */
export function readSealedHeader(chunks: readonly string[]): SealedHeader {
  const { version, senderKeyId, receiverKeyId } = readChunks(chunks);
  return { version, senderKeyId, receiverKeyId };
}

/** Decodes the chunks. Throws OpenError if their lengths fit no version. */
export function readChunks(chunks: readonly string[]): SealedParts {
  const [salt, cipher, third, sender, receiver, ...more] = chunks.map(decode);
  if (!salt || !cipher || !third || sender?.length !== 4 || receiver?.length !== 4 || more.length > 0)
    throw new OpenError('malformed', 'a sealed message has five chunks, and the last two are ids of keys');
  const layout = layouts.find((l) => l.salt === salt.length && l.third === third.length && l.cipher(cipher.length));
  if (!layout) throw new OpenError('malformed', 'the lengths of the chunks fit no version of sealing');
  const [senderKeyId, receiverKeyId] = [readUint32(sender), readUint32(receiver)];
  return { version: layout.version, salt, cipher, third, senderKeyId, receiverKeyId };
}

/**
 * Decodes a chunk, and accepts only canonical base64. If a chunk had a second spelling, one sealed message could pass
 * as two different ones.
 */
function decode(chunk: string): Bytes {
  try {
    const bytes = fromBase64(chunk);
    if (toBase64(bytes) === chunk) return bytes;
  } catch {
    // Text that is not base64 gets the same error as text that is not canonical.
  }
  throw new OpenError('malformed', 'a chunk is not in canonical base64');
}
