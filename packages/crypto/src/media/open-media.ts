// Opens media as a stream. The MAC is at the end of the object, so only the end shows whether the bytes are authentic.
import { type Bytes, wipe } from '../bytes.ts';
import { mediaKeys } from './media-keys.ts';
import { MAC_LENGTH, type MediaMac, macOfBytes, macOfHashes, PIECE, requireMac } from './media-mac.ts';
import { type ByteSource, Pieces } from './pieces.ts';

/** Selects the form of the MAC. Videos have a special form; all other media and every preview are `other`. */
export type MediaKind = 'video' | 'other';

/**
 * Decrypts a sealed object, and yields its bytes. If the object was changed, throws OpenError only at the very end. So
 * write the bytes to a temporary place, and do not show, parse or run them before the end. If the object can be read
 * twice, use `openVerifiedMedia`, which yields only verified bytes.
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

/** Reads a whole sealed object without decrypting it. Throws OpenError if it was changed. */
export async function verifyMedia(keyMaterial: Bytes, sealed: ByteSource, kind: MediaKind = 'other'): Promise<void> {
  const { macKey } = await mediaKeys(keyMaterial);
  const mac = macOf(kind, macKey);
  const pieces = new Pieces(sealed, PIECE, MAC_LENGTH);
  for await (const cipher of pieces) await mac.add(cipher);
  requireMac(mac, pieces.rest);
}

/**
 * Reads the object twice, and yields nothing before the first reading has verified all of it. The second reading is
 * checked too: if the source then returns other bytes, the iteration throws at the end.
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
 * Decrypts any part of an object, from `position` on, for downloads that continue after an interruption. Nothing is
 * verified here. Keep the sealed bytes, and run `verifyMedia` over all of them before you use the decrypted bytes.
 */
export async function decryptUnverified(keyMaterial: Bytes, position: number, cipher: Bytes): Promise<Bytes> {
  const keys = await mediaKeys(keyMaterial);
  wipe(keys.macKey);
  return keys.crypt(position, cipher);
}

const macOf = (kind: MediaKind, macKey: Bytes): MediaMac =>
  kind === 'video' ? macOfHashes(macKey) : macOfBytes(macKey);
