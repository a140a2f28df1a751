// Opens videos while they play. The list of hashes is checked once. Then each piece is checked on its own, in any
// order.
import { type Bytes, equal } from '../bytes.ts';
import { OpenError } from '../open-error.ts';
import { sha256 } from '../web-crypto.ts';
import { mediaKeys } from './media-keys.ts';
import { macOfBytes, PIECE, requireMac } from './media-mac.ts';

export interface VideoReader {
  readonly pieceSize: number;
  readonly pieces: number;
  /**
   * Returns the plain bytes of one piece, verified. Throws OpenError if `cipher` is not the piece that was sealed at
   * this index.
   */
  open(index: number, cipher: Bytes): Promise<Bytes>;
}

const HASH = 32;

/**
 * @param hashes the object `<OID>__ud-hash`
 * @param mac the last 32 bytes of the video's object
 */
export async function createVideoReader(keyMaterial: Bytes, hashes: Bytes, mac: Bytes): Promise<VideoReader> {
  const keys = await mediaKeys(keyMaterial);
  const expected = macOfBytes(keys.macKey);
  await expected.add(hashes);
  requireMac(expected, mac);
  return {
    pieceSize: PIECE,
    pieces: hashes.length / HASH,
    async open(index, cipher) {
      const known = hashes.subarray(index * HASH, (index + 1) * HASH);
      if (!equal(await sha256(cipher), known))
        throw new OpenError('tampered', `piece ${index} of the video was changed`);
      return keys.crypt(index * PIECE, cipher);
    },
  };
}
