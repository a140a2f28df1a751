// Reads PNG pictures, still or animated (APNG), chunk by chunk. A damaged file is refused. The result leaves out bytes
// after the end of the picture, and chunks that a picture does not need, such as names, places and comments.
import { crc32 } from 'node:zlib';

export interface Png {
  readonly width: number;
  readonly height: number;
  /** The picture without its animation. */
  readonly still: Buffer;
  /** The picture with its animation; undefined for a still picture. */
  readonly animation: Buffer | undefined;
}

interface Chunk {
  readonly type: string;
  readonly data: Buffer;
  /** The chunk's data with its length, type and checksum. */
  readonly whole: Buffer;
}

const SIGNATURE = Buffer.from('89504e470d0a1a0a', 'hex');
const STILL = new Set(['IHDR', 'PLTE', 'IDAT', 'IEND', 'tRNS', 'gAMA', 'cHRM', 'sRGB', 'iCCP', 'sBIT', 'bKGD', 'pHYs']);
const ANIMATION = new Set([...STILL, 'acTL', 'fcTL', 'fdAT']);
/** `HEAD`: bytes of a chunk before its data (length and type). `TAIL`: bytes after its data (checksum). */
const HEAD = 8;
const TAIL = 4;
const IHDR_BYTES = 13;

/** Returns the picture; undefined if the bytes are not a complete PNG. */
export function readPng(bytes: Buffer): Png | undefined {
  const chunks = chunksOf(bytes);
  const header = chunks?.[0];
  if (!chunks || header?.type !== 'IHDR' || header.data.length !== IHDR_BYTES) return undefined;
  if (!chunks.some(({ type }) => type === 'IDAT')) return undefined;
  const keep = (types: ReadonlySet<string>) =>
    Buffer.concat([SIGNATURE, ...chunks.filter(({ type }) => types.has(type)).map(({ whole }) => whole)]);
  return {
    width: header.data.readUInt32BE(0),
    height: header.data.readUInt32BE(4),
    still: keep(STILL),
    animation: chunks.some(({ type }) => type === 'acTL') ? keep(ANIMATION) : undefined,
  };
}

/** Returns the chunks up to the end chunk; undefined if a chunk is cut off or its checksum is wrong. */
function chunksOf(bytes: Buffer): readonly Chunk[] | undefined {
  if (!bytes.subarray(0, SIGNATURE.length).equals(SIGNATURE)) return undefined;
  const chunks: Chunk[] = [];
  for (let at = SIGNATURE.length; at + HEAD + TAIL <= bytes.length; ) {
    const end = at + HEAD + bytes.readUInt32BE(at) + TAIL;
    if (end > bytes.length) return undefined;
    const body = bytes.subarray(at + 4, end - TAIL);
    if (crc32(body) !== bytes.readUInt32BE(end - TAIL)) return undefined;
    const type = body.toString('latin1', 0, 4);
    chunks.push({ type, data: body.subarray(4), whole: bytes.subarray(at, end) });
    if (type === 'IEND') return chunks;
    at = end;
  }
  return undefined;
}
