// Decides whether a file is sent as a picture, video, sound or file, and recognizes types of media by the first bytes.
import type { MediaKind } from '@sealpost/sdk';

/** Types of pictures from which the SDK can remove the metadata of the camera. Other types are converted first. */
const CLEANED = ['image/jpeg', 'image/png', 'image/webp', 'image/gif'];
/** Types of pictures that are documents, or may contain scripts. They are sent as files. */
const DOCUMENTS = ['image/svg+xml', 'image/vnd.djvu', 'image/vnd.adobe.photoshop'];

export type GivenKind = MediaKind | 'convertible';

/**
 * Returns how a file is sent, judging by its MIME type. `convertible` is a picture that must first be converted to
 * JPEG. If it turns out later that the browser cannot read it, it is sent as a file.
 */
export function kindOfFile({ type }: { readonly type: string }): GivenKind {
  const [plain = ''] = type.toLowerCase().split(';');
  if (DOCUMENTS.includes(plain)) return 'file';
  if (CLEANED.includes(plain)) return 'image';
  if (plain.startsWith('image/')) return 'convertible';
  if (plain.startsWith('video/')) return 'video';
  return plain.startsWith('audio/') ? 'audio' : 'file';
}

const textAt = (bytes: Uint8Array, at: number, length: number): string =>
  String.fromCharCode(...bytes.subarray(at, at + length));

/**
 * Returns the MIME type of a picture, judging by its first bytes; undefined if it is not a picture that is safe to
 * show.
 */
export function pictureType(bytes: Uint8Array): string | undefined {
  if (bytes[0] === 0xff && bytes[1] === 0xd8 && bytes[2] === 0xff) return 'image/jpeg';
  if (textAt(bytes, 1, 3) === 'PNG' && bytes[0] === 0x89) return 'image/png';
  if (/^GIF8[79]a$/.test(textAt(bytes, 0, 6))) return 'image/gif';
  if (textAt(bytes, 0, 4) === 'RIFF' && textAt(bytes, 8, 4) === 'WEBP') return 'image/webp';
  return /^avi[fs]$/.test(textAt(bytes, 8, 4)) && textAt(bytes, 4, 4) === 'ftyp' ? 'image/avif' : undefined;
}

/**
 * Returns the MIME type of a sound or video, judging by its first bytes. Some browsers do not play it with a wrong
 * type.
 */
export function playableType(bytes: Uint8Array, kind: 'audio' | 'video'): string {
  if (textAt(bytes, 4, 4) === 'ftyp') return `${kind}/mp4`;
  if (textAt(bytes, 1, 2) === 'E\xdf') return `${kind}/webm`;
  if (textAt(bytes, 0, 4) === 'OggS') return `${kind}/ogg`;
  if (textAt(bytes, 0, 4) === 'RIFF') return 'audio/wav';
  if (textAt(bytes, 0, 4) === 'fLaC') return 'audio/flac';
  return textAt(bytes, 0, 3) === 'ID3' || bytes[0] === 0xff ? 'audio/mpeg' : '';
}

/** The number of bytes from the beginning that `pictureType` and `isMoving` need. */
export const HEAD_BYTES = 64;

const WEBP_MOVES = 0x02;

/** Returns true if a picture is animated, judging by its first bytes. Every GIF counts as animated. */
export function isMoving(bytes: Uint8Array): boolean {
  const type = pictureType(bytes);
  if (type === 'image/webp') return textAt(bytes, 12, 4) === 'VP8X' && ((bytes[20] ?? 0) & WEBP_MOVES) !== 0;
  return type === 'image/gif' || (type === 'image/png' && textAt(bytes, 37, 4) === 'acTL');
}

/** Returns a file name with its ending replaced by another one. */
export const withEnding = (name: string, ending: string): string => `${name.replace(/\.[^.]*$/u, '')}.${ending}`;
