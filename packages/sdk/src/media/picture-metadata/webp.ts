// Removes metadata from a WebP: only the chunks that a viewer needs stay.
import { BrokenPicture, type Bytes, bytesOf, joined, numberAt, numberBytes, slice, textAt } from './bytes.ts';
import { exifOf, orientationIn, UPRIGHT } from './orientation.ts';

const HEADER_BYTES = 12;
const CHUNK_HEAD = 8;
/** The bytes at the start of an animation's frame, before its chunks: position, size, duration and flags. */
const FRAME_HEAD = 16;
const DRAWS = new Set(['VP8 ', 'VP8L', 'VP8X', 'ALPH', 'ANIM', 'ANMF', 'ICCP']);
const HAS_EXIF = 0x08;
const HAS_XMP = 0x04;

interface Chunk {
  readonly type: string;
  readonly content: Bytes;
}

export const isWebp = (bytes: Bytes): boolean => textAt(bytes, 0, 4) === 'RIFF' && textAt(bytes, 8, 4) === 'WEBP';

/**
 * Returns the WebP without metadata.
 * @throws BrokenPicture if the bytes are cut short or are not a valid WebP
 */
export function stripWebp(bytes: Bytes): Bytes {
  const size = numberAt(bytes, 4, 4, true);
  const chunks = chunksIn(slice(bytes, HEADER_BYTES, CHUNK_HEAD + size));
  const exif = chunks.find(({ type }) => type === 'EXIF');
  const orientation = exif ? orientationIn(withoutPrefix(exif.content)) : UPRIGHT;
  const turned = orientation === UPRIGHT ? [] : [{ type: 'EXIF', content: exifOf(orientation) }];
  const kept = [...chunks.filter(({ type }) => DRAWS.has(type)), ...turned].map((chunk) =>
    drawn(chunk, turned.length > 0),
  );
  const body = joined([bytesOf('WEBP'), ...kept.map(chunkBytes)]);
  return joined([bytesOf('RIFF'), numberBytes(body.length, 4, true), body]);
}

function chunksIn(bytes: Bytes): Chunk[] {
  const chunks: Chunk[] = [];
  for (let at = 0; at < bytes.length; ) {
    const type = textAt(bytes, at, 4);
    const length = numberAt(bytes, at + 4, 4, true);
    chunks.push({ type, content: slice(bytes, at + CHUNK_HEAD, at + CHUNK_HEAD + length) });
    // A chunk of odd length is followed by a byte of padding.
    at += CHUNK_HEAD + length + (length % 2);
  }
  return chunks;
}

function drawn({ type, content }: Chunk, isTurned: boolean): Chunk {
  if (type === 'VP8X') {
    const [flags = 0] = content;
    const left = Uint8Array.from(content);
    left[0] = (flags & ~(HAS_EXIF | HAS_XMP)) | (isTurned ? HAS_EXIF : 0);
    return { type, content: left };
  }
  if (type !== 'ANMF') return { type, content };
  if (content.length < FRAME_HEAD) throw new BrokenPicture('a frame of the WebP is cut short');
  const inside = chunksIn(content.subarray(FRAME_HEAD)).filter((chunk) => DRAWS.has(chunk.type));
  return { type, content: joined([content.subarray(0, FRAME_HEAD), ...inside.map(chunkBytes)]) };
}

const chunkBytes = ({ type, content }: Chunk): Bytes =>
  joined([bytesOf(type), numberBytes(content.length, 4, true), content, new Uint8Array(content.length % 2)]);

/** Removes "Exif\0\0" from the beginning. Some writers put it before Exif data, as in a JPEG segment. */
const withoutPrefix = (exif: Bytes): Bytes => (textAt(exif, 0, 4) === 'Exif' ? exif.subarray(6) : exif);
