// The MAC at the end of a sealed media object. It covers the ciphertext, or for videos the list of hashes of its
// pieces.
import { createHmac } from '#streaming-hash';
import { type Bytes, equal, wipe } from '../bytes.ts';
import { OpenError } from '../open-error.ts';
import { sha256 } from '../web-crypto.ts';

export const MAC_LENGTH = 32;
/** The number of bytes of a video that one hash covers. Other media are processed in portions of the same size. */
export const PIECE = 128 * 1024;

export interface MediaMac {
  add(piece: Bytes): Promise<void>;
  finish(): Bytes;
}

/**
 * Makes the MAC over every byte, for images, audio, files and previews. Overwrites `macKey`: the MAC has its own copy,
 * and nothing else needs the key.
 */
export function macOfBytes(macKey: Bytes): MediaMac {
  const hmac = createHmac(macKey);
  wipe(macKey);
  return {
    async add(piece) {
      hmac.update(piece);
    },
    finish: () => new Uint8Array(hmac.digest()),
  };
}

/** Makes the MAC over the SHA-256 of each piece, for videos. `onHash` gets every hash as soon as it is computed. */
export function macOfHashes(macKey: Bytes, onHash: (hash: Bytes) => void = () => {}): MediaMac {
  const mac = macOfBytes(macKey);
  return {
    async add(piece) {
      const hash = await sha256(piece);
      await mac.add(hash);
      onHash(hash);
    },
    finish: mac.finish,
  };
}

export function requireMac(mac: MediaMac, found: Bytes): void {
  if (found.length !== MAC_LENGTH) throw new OpenError('malformed', `sealed media have at least ${MAC_LENGTH} bytes`);
  if (!equal(mac.finish(), found))
    throw new OpenError('tampered', 'the media were changed, or sealed with another key');
}
