// The MAC behind a sealed media object. Over the ciphertext; for videos, over the list of hashes of its pieces.
import { createHmac } from '#streaming-hash';
import { type Bytes, equal, wipe } from '../bytes.ts';
import { OpenError } from '../open-error.ts';
import { sha256 } from '../web-crypto.ts';

export const MAC_LENGTH = 32;
/** What a video has one hash for; other media are worked on in the same portions. */
export const PIECE = 128 * 1024;

export interface MediaMac {
  add(piece: Bytes): Promise<void>;
  finish(): Bytes;
}

/** Over every byte: images, audio, files, previews. Wipes the key, which lives on inside of the MAC only. */
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

/** Over the SHA-256 of each piece: videos. `onHash` gets every hash as it is made. */
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
