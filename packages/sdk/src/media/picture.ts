// Pictures that a user sets: of a profile, a group, a cover. Each is uploaded in one request, without the metadata that
// a camera wrote into it.
import { bytesOf, cleanPicture } from './clean-picture.ts';
import type { MediaSource } from './outgoing.ts';
import { textAt } from './picture-metadata/bytes.ts';

type Bytes = Uint8Array<ArrayBuffer>;
/** The bytes of a picture, or a Blob or File of them. */
export type Picture = Bytes | MediaSource;

/**
 * Returns a picture ready to be uploaded: its bytes without metadata, and its MIME type.
 * @throws MediaError `metadata`, `source-changed`
 */
export async function uploadable(picture: Picture): Promise<{ readonly bytes: Bytes; readonly type: string }> {
  const given = picture instanceof Uint8Array ? { size: picture.length, stream: () => [picture] } : picture;
  const { bytes } = await cleanPicture({ kind: 'image', name: '', bytes: given });
  const read = await bytesOf(bytes);
  return { bytes: read, type: typeOf(read) };
}

const types = [
  ['image/png', 1, 'PNG'],
  ['image/gif', 0, 'GIF8'],
  ['image/webp', 8, 'WEBP'],
] as const;

const typeOf = (bytes: Bytes): string =>
  types.find(([, at, mark]) => textAt(bytes, at, mark.length) === mark)?.[0] ?? 'image/jpeg';
