// What a message says of a file beside its bytes. The libraries are loaded only when they are needed, and a file that they
// can not read is sent without it.
import type { OutgoingMedia } from '@sealpost/sdk';

/** The longest side of a preview, in pixels. */
const PREVIEW_EDGE = 384;

/** Milliseconds of a sound or video. */
export async function durationOf(path: string): Promise<number | undefined> {
  try {
    const { parseFile } = await import('music-metadata');
    const { format } = await parseFile(path, { duration: true, skipCovers: true });
    return format.duration === undefined ? undefined : format.duration * 1000;
  } catch {
    return undefined;
  }
}

/** A small JPEG of a picture, turned as its camera says and without what else the camera wrote into it. */
export async function previewOf(path: string): Promise<Pick<OutgoingMedia, 'preview' | 'animated'>> {
  try {
    const { default: sharp } = await import('sharp');
    const { pages = 1 } = await sharp(path).metadata();
    const { data, info } = await sharp(path)
      .rotate()
      .resize(PREVIEW_EDGE, PREVIEW_EDGE, { fit: 'inside', withoutEnlargement: true })
      .flatten({ background: '#ffffff' })
      .jpeg({ quality: 80 })
      .toBuffer({ resolveWithObject: true });
    const preview = { bytes: new Uint8Array(data), width: info.width, height: info.height };
    return { preview, animated: pages > 1 };
  } catch {
    return {};
  }
}
