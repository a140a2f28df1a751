// Reads the duration or the preview of a file, which its message carries. The libraries are loaded only when needed. A
// file that they cannot read is sent without these facts.
import type { OutgoingMedia } from '@sealpost/sdk';

/** The length of the longest side of a preview, in pixels. */
const PREVIEW_EDGE = 384;

/** Returns the duration of a sound or video, in milliseconds. */
export async function durationOf(path: string): Promise<number | undefined> {
  try {
    const { parseFile } = await import('music-metadata');
    const { format } = await parseFile(path, { duration: true, skipCovers: true });
    return format.duration === undefined ? undefined : format.duration * 1000;
  } catch {
    return undefined;
  }
}

/**
 * Returns a small JPEG of a picture, turned upright. It contains nothing else that the camera wrote into the picture.
 */
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
