// Removes metadata, such as place and camera, from a picture before it is sent, unless the caller wants to keep them.
import { chunksOf } from '@sealpost/crypto';
import { MediaError } from './media-error.ts';
import type { MediaPreview, MediaSource, OutgoingMedia } from './outgoing.ts';
import { BrokenPicture, withoutMetadata } from './picture-metadata/index.ts';

/** The largest picture from which metadata can be removed, in bytes. The whole picture is read into memory. */
const MOST_BYTES = 64 * 1024 * 1024;
const KEEP = 'Send it with keepMetadata, or as a file, to send it as it is.';

type Bytes = Uint8Array<ArrayBuffer>;

/**
 * Returns the media without metadata; only images and previews change.
 * @throws MediaError with the reason `metadata` or `source-changed`
 */
export async function cleanPicture(media: OutgoingMedia): Promise<OutgoingMedia> {
  const preview = media.preview && cleanPreview(media.preview);
  const cleaned = { ...media, ...(preview && { preview }) };
  if (media.kind !== 'image') return cleaned;
  if (media.bytes.size > MOST_BYTES) {
    throw new MediaError(
      'metadata',
      `The picture has ${media.bytes.size} bytes; metadata are removed from up to ${MOST_BYTES}. ${KEEP}`,
    );
  }
  const bytes = without(await bytesOf(media.bytes));
  return { ...cleaned, bytes: { size: bytes.length, stream: () => [bytes] } };
}

const cleanPreview = (preview: MediaPreview): MediaPreview => ({ ...preview, bytes: without(preview.bytes) });

function without(bytes: Bytes): Bytes {
  try {
    const cleaned = withoutMetadata(bytes);
    if (cleaned) return cleaned;
  } catch (error) {
    if (!(error instanceof BrokenPicture)) throw error;
    const why = `The picture is damaged, so its metadata cannot be removed: ${error.message}.`;
    throw new MediaError('metadata', `${why} ${KEEP}`, { cause: error });
  }
  const why = 'Metadata can be removed from JPEG, PNG, WebP and GIF, and this picture is HEIF, AVIF, TIFF or JPEG XL.';
  throw new MediaError('metadata', `${why} Convert it. ${KEEP}`);
}

/** Reads all bytes of a source. */
export async function bytesOf(source: MediaSource): Promise<Bytes> {
  const { size } = source;
  const bytes = new Uint8Array(size);
  let at = 0;
  for await (const chunk of chunksOf(source.stream())) {
    if (at + chunk.length > size) throw changed('longer');
    bytes.set(chunk, at);
    at += chunk.length;
  }
  if (at < size) throw changed('shorter');
  return bytes;
}

const changed = (how: string): MediaError =>
  new MediaError('source-changed', `The picture became ${how} while it was read. Send it again.`);
