// Seals media as a stream: only one piece is in memory at a time, whatever the size.
import { type Bytes, concat } from '../bytes.ts';
import { type MediaKeys, mediaKeys } from './media-keys.ts';
import { type MediaMac, macOfBytes, macOfHashes, PIECE } from './media-mac.ts';
import { type ByteSource, Pieces } from './pieces.ts';

/** Yields the sealed object of an image, a voice message, a file, or any preview. */
export async function* sealMedia(keyMaterial: Bytes, plain: ByteSource): AsyncGenerator<Bytes, void> {
  const keys = await mediaKeys(keyMaterial);
  yield* seal(keys, plain, macOfBytes(keys.macKey));
}

export interface SealedVideo {
  readonly blob: AsyncIterable<Bytes>;
  /**
   * Returns the hashes, which are uploaded as the object `<OID>__ud-hash`. Throws if the blob has not been read to its
   * end.
   */
  hashes(): Bytes;
}

/** Returns the sealed object of a video. For each 128 KiB, a hash of 32 bytes stays in memory. */
export function sealVideo(keyMaterial: Bytes, plain: ByteSource): SealedVideo {
  const hashes: Bytes[] = [];
  let done = false;
  async function* blob(): AsyncGenerator<Bytes, void> {
    const keys = await mediaKeys(keyMaterial);
    yield* seal(
      keys,
      plain,
      macOfHashes(keys.macKey, (hash) => hashes.push(hash)),
    );
    done = true;
  }
  return {
    blob: blob(),
    hashes() {
      if (!done) throw new Error('the hashes of a video are known when all of it has been sealed');
      return concat(...hashes);
    },
  };
}

async function* seal(keys: MediaKeys, plain: ByteSource, mac: MediaMac): AsyncGenerator<Bytes, void> {
  let position = 0;
  for await (const piece of new Pieces(plain, PIECE)) {
    const cipher = await keys.crypt(position, piece);
    await mac.add(cipher);
    position += cipher.length;
    yield cipher;
  }
  yield mac.finish();
}
