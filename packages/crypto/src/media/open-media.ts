// Opening of media as a stream. The MAC stands behind all bytes, so it is known only at the end whether they are good.
import { type Bytes, wipe } from '../bytes.ts';
import { mediaKeys } from './media-keys.ts';
import { MAC_LENGTH, type MediaMac, macOfBytes, macOfHashes, PIECE, requireMac } from './media-mac.ts';
import { type ByteSource, Pieces } from './pieces.ts';

/** Videos have a MAC of their own form; all other media and every preview are `other`. */
export type MediaKind = 'video' | 'other';

/**
 * The media out of a sealed object. It throws OpenError at the very end if the object was changed, so what came before
 * is only a claim: write it to a temporary place and count the bytes, but show, parse, run or name nothing of it until
 * the end has come. `openVerifiedMedia` spares that where the object can be read twice.
 */
export async function* openMedia(
  keyMaterial: Bytes,
  sealed: ByteSource,
  kind: MediaKind = 'other',
): AsyncGenerator<Bytes, void> {
  const keys = await mediaKeys(keyMaterial);
  const mac = macOf(kind, keys.macKey);
  const pieces = new Pieces(sealed, PIECE, MAC_LENGTH);
  let position = 0;
  for await (const cipher of pieces) {
    await mac.add(cipher);
    yield await keys.crypt(position, cipher);
    position += cipher.length;
  }
  requireMac(mac, pieces.rest);
}

/** Reads all of a sealed object and decrypts nothing. Throws OpenError if it was changed. */
export async function verifyMedia(keyMaterial: Bytes, sealed: ByteSource, kind: MediaKind = 'other'): Promise<void> {
  const { macKey } = await mediaKeys(keyMaterial);
  const mac = macOf(kind, macKey);
  const pieces = new Pieces(sealed, PIECE, MAC_LENGTH);
  for await (const cipher of pieces) await mac.add(cipher);
  requireMac(mac, pieces.rest);
}

/**
 * Reads the object twice, and yields nothing before the first reading has proved all of it. The second reading is
 * checked too, at its end: a source that answers differently the second time is noticed there.
 */
export async function* openVerifiedMedia(
  keyMaterial: Bytes,
  read: () => ByteSource,
  kind: MediaKind = 'other',
): AsyncGenerator<Bytes, void> {
  await verifyMedia(keyMaterial, read(), kind);
  yield* openMedia(keyMaterial, read(), kind);
}

/**
 * Any part of an object, from `position` on, for downloads that go on where they broke off. Nothing is checked here:
 * keep the sealed bytes and run `verifyMedia` over all of them before using any.
 */
export async function decryptUnverified(keyMaterial: Bytes, position: number, cipher: Bytes): Promise<Bytes> {
  const keys = await mediaKeys(keyMaterial);
  wipe(keys.macKey);
  return keys.crypt(position, cipher);
}

const macOf = (kind: MediaKind, macKey: Bytes): MediaMac =>
  kind === 'video' ? macOfHashes(macKey) : macOfBytes(macKey);
